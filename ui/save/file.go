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

// errExists is returned if there is a file of the name.
var errExists = errors.New("there is a file of this name")

// notInNames are the characters that at least one system does not allow in file names.
const notInNames = `/\:*?"<>|`

// longestName is the number of bytes that all systems allow in a file name.
const longestName = 255

// fileName returns the file name for a typed one, with the extension of the suggested one,
// and whether every system allows it.
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

// suggest makes a file name from a title with an extension; the title may contain anything.
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

// write writes a file as a whole or not at all: first to a temporary file beside it, which
// is then renamed. Without replace it returns [errExists] if there is a file of the name.
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

// reserve creates a file to reserve its name, and returns the permissions of the file to be
// written.
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

// dottedTimes replaces the colons of times such as 0:00 in a title by dots: some systems do
// not allow colons in names, and without them 0:00 would become 000.
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
