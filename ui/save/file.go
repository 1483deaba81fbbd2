package save

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"bowerbird/ndb/clean"
)

// errExists says that there is a file of the name already.
var errExists = errors.New("there is a file of this name")

// notInNames are the characters that a file's name has on no, or not on every, system.
const notInNames = `/\:*?"<>|`

// longestName is how many bytes a file's name may have on all systems.
const longestName = 255

// fileName returns the name that is written for one that was typed, with the
// ending of the suggested one, and whether a file can be called that on every
// system.
func fileName(typed, suggested string) (string, bool) {
	name := strings.TrimSpace(typed)
	if name == "" || strings.Trim(name, ". ") == "" || strings.ContainsAny(name, notInNames) ||
		strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }) {
		return "", false
	}
	if ending := filepath.Ext(suggested); !strings.EqualFold(filepath.Ext(name), ending) {
		name += ending
	}
	return name, len(name) <= longestName
}

// suggest makes a name of a title with an ending, which may hold anything.
func suggest(title string) string {
	ending := filepath.Ext(title)
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(notInNames, r) {
			return ' '
		}
		return r
	}, clean.Line(dottedTimes(strings.TrimSuffix(title, ending)), 60))
	name = strings.Trim(strings.Join(strings.Fields(name), " "), " .…")
	if name == "" {
		name = "Bowerbird"
	}
	return name + ending
}

// write writes a file as a whole or not at all: into one beside it first, which then
// takes its name. Without replace it returns errExists where there is one.
func write(path string, replace bool, content func(io.Writer) error) (err error) {
	mode, made, err := reserve(path, replace)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".bowerbird-*")
	if err == nil {
		err = errors.Join(content(part), part.Chmod(mode), part.Close())
		if err == nil {
			err = os.Rename(part.Name(), path)
		}
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}
	if err != nil && made {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// reserve takes a name for a file, and returns the rights that the file is to have.
func reserve(path string, replace bool) (mode fs.FileMode, made bool, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		info, statErr := f.Stat()
		if err := errors.Join(statErr, f.Close()); err != nil {
			return 0, false, errors.Join(err, os.Remove(path))
		}
		return info.Mode().Perm(), true, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return 0, false, err
	}
	if !replace {
		return 0, false, errExists
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() {
		return 0, false, fmt.Errorf("%s is not a file", path)
	}
	return info.Mode().Perm(), false, nil
}

// dottedTimes writes the times of a title that is to name a file, such as 0:00, with a
// dot: a colon stands in no name on every system, and without it 0:00 would be 000.
func dottedTimes(title string) string {
	name := []byte(title)
	for i := 1; i+1 < len(name); i++ {
		if name[i] == ':' && isDigit(name[i-1]) && isDigit(name[i+1]) {
			name[i] = '.'
		}
	}
	return string(name)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
