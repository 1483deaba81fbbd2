package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const unfinished = ".settings-" // begins the name of a file that is being written

// WriteFile writes a file completely or not at all, readable by the user alone.
func WriteFile(file string, raw []byte) error { return writeWhole(file, raw) }

// writeWhole writes a file completely or not at all, readable by the user alone.
func writeWhole(file string, raw []byte) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // no longer there if all went well
	_, err = tmp.Write(raw)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// DropUnfinished removes what a kill left of writing a file beside the settings.
func DropUnfinished(file string) error {
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		return nil // without making a folder just to look
	}
	return Exclusively(file, func() error { return dropUnfinished(file) })
}

func dropUnfinished(file string) error {
	dir := filepath.Dir(file)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), unfinished) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, entry.Name())))
		}
	}
	return err
}
