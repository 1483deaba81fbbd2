package ndb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const schemaName = "schema" // file that holds the version, readable before Badger opens

// checkSchema refuses a store of a newer version. A schema file that wrongly claims a
// newer one is damage.
func (s *Store) checkSchema() error {
	err := checkSchemaFile(s.dir)
	if newer := (*NewerError)(nil); errors.As(err, &newer) && refuseNewer(s.dir) == nil {
		return fmt.Errorf("%w: file %s in %s says version %d, its witness knows better", ErrDamaged, schemaName, s.dir, newer.Have)
	}
	return err
}

// checkSchemaFile refuses a store of a newer version before anything is opened.
func checkSchemaFile(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, schemaName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // new, or its version is in the database
	}
	if err != nil {
		return notReadable(fmt.Errorf("read schema version: %w", err))
	}
	have, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || have < 1 {
		return fmt.Errorf("%w: file %s holds %.20q, not a version", ErrDamaged, schemaName, text)
	}
	if have > schemaVersion {
		return &NewerError{Dir: dir, Have: have, Known: schemaVersion}
	}
	return nil
}

// writeSchemaFile writes the newest version into the file before the first row of that
// version is written, so that an older program refuses a half-migrated store too.
func writeSchemaFile(dir string) error {
	path, text := filepath.Join(dir, schemaName), strconv.Itoa(schemaVersion)+"\n"
	if have, err := os.ReadFile(path); err == nil && string(have) == text {
		return nil
	}
	if err := writeWhole(path, text); err != nil {
		return notWritable(fmt.Errorf("write schema version: %w", err))
	}
	return nil
}

// refuseNewer refuses a store of a newer version. If the file claims one and the witness
// disagrees, the file is damaged.
func refuseNewer(dir string) error {
	err := checkSchemaFile(dir)
	var newer *NewerError
	if w, witnessErr := readWitness(dir); errors.As(err, &newer) && (witnessErr != nil || w.schema > schemaVersion) {
		return newer
	}
	return nil
}

// writeWhole replaces a file in one move, so that a kill leaves the old one or the
// new one.
func writeWhole(path, text string) error {
	part := path + ".new"
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(part, path)
}
