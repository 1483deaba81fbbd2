package save

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"bowerbird/ndb"
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
	}, ndb.CleanLine(strings.TrimSuffix(title, ending), 60))
	name = strings.Trim(strings.Join(strings.Fields(name), " "), " .")
	if name == "" {
		name = "Bowerbird"
	}
	return name + ending
}

// write writes a file as a whole or not at all: into a file beside it first, which
// then takes its name. Without replace it returns errExists where there is one.
func write(path string, replace bool, content func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); err == nil && !replace {
		return errExists
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	if err := errors.Join(content(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(part, path)
}
