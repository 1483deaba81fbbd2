package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// SetAside renames the file, whose password may be forgotten, so that another can be
// created. It returns the new path.
func (f *KeyFile) SetAside() (to string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.key = nil
	err = Exclusively(f.path, func() (err error) {
		to, err = f.setAside()
		return err
	})
	return to, err
}

// KeyFiles returns the key files at a path: that one, and the renamed ones.
func KeyFiles(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for files of keys: %w", err)
	}
	var out []string
	for _, e := range entries {
		if name := e.Name(); name == filepath.Base(path) || strings.HasPrefix(name, filepath.Base(path)+aside) {
			out = append(out, filepath.Join(filepath.Dir(path), name))
		}
	}
	return out, nil
}

// aside comes after the name of a renamed key file, before the time.
const aside = ".aside-"

// setAside never replaces a file that was renamed earlier.
func (f *KeyFile) setAside() (string, error) {
	base := fmt.Sprintf("%s%s%s", f.path, aside, f.now().UTC().Format("20060102-150405"))
	to := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s-%d", base, i)
	}
	if err := os.Rename(f.path, to); err != nil {
		return "", fmt.Errorf("setting the file of keys aside: %w", err)
	}
	return to, nil
}
