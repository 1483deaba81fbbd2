package ndb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

const (
	clonePrefix = "looking-" // folders of clones, below the store's
	cloneTries  = 5
)

// disk is what making a clone asks of the file system.
type disk struct {
	free func(dir string) (int64, error) // as FreeSpace
	link func(from, to string) error     // as os.Link
}

// cloneStore makes a folder with what the database of a store consists of, to be
// opened in its place: opening alone makes Badger cut and delete what it takes for
// the remains of a crash. Tables never change, so they are linked; the rest is small
// and copied. Where the file system knows no links the tables are copied too, if there
// is room, else the error is ErrNoSpace. The store may be open and written meanwhile:
// its logs are taken before the list of tables, so that what moves from one to the
// other is in both.
func cloneStore(dir string, on disk) (clone string, err error) {
	clone, err = os.MkdirTemp(dir, clonePrefix)
	if err != nil {
		return "", notWritable(fmt.Errorf("make a folder to look at the store: %w", err))
	}
	for range cloneTries {
		if err = fillClone(dir, clone, on); !errors.Is(err, fs.ErrNotExist) {
			break // else a table was merged into others meanwhile
		}
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("copy the store to look at it: %w", err), os.RemoveAll(clone))
	}
	return clone, nil
}

func fillClone(dir, clone string, on disk) error {
	_, logs, err := databaseFiles(dir)
	if err != nil {
		return err
	}
	if err := on.roomToCopy(dir, append(logs, badger.ManifestFilename)); err != nil {
		return err
	}
	for _, name := range logs {
		if err := copySparse(filepath.Join(dir, name), filepath.Join(clone, name)); err != nil {
			return err
		}
	}
	if err := copySparse(filepath.Join(dir, badger.ManifestFilename), filepath.Join(clone, badger.ManifestFilename)); err != nil {
		return err
	}
	tables, _, err := databaseFiles(dir)
	if err != nil {
		return err
	}
	for i, name := range tables {
		err := on.link(filepath.Join(dir, name), filepath.Join(clone, name))
		switch {
		case err == nil, errors.Is(err, fs.ErrExist):
		case errors.Is(err, fs.ErrNotExist): // merged into others; whether it is missed shows when it is opened
		default:
			if err := on.copyTables(dir, clone, tables[i:]); err != nil {
				return err
			}
			return sameManifest(dir, clone)
		}
	}
	return sameManifest(dir, clone)
}

// sameManifest finds out whether a table of the list went before it could be linked:
// the list has another sum then, and the error is fs.ErrNotExist.
func sameManifest(dir, clone string) error {
	was, err := sumFile(filepath.Join(clone, badger.ManifestFilename))
	if err != nil {
		return err
	}
	if is, err := sumFile(filepath.Join(dir, badger.ManifestFilename)); err != nil || is != was {
		return errors.Join(fs.ErrNotExist, err)
	}
	return nil
}

// copyTables copies what cannot be linked.
func (on disk) copyTables(dir, clone string, tables []string) error {
	if err := on.roomToCopy(dir, tables); err != nil {
		return err
	}
	for _, name := range tables {
		// It may be linked by a try before: written to, the store's own would be cut.
		if err := os.Remove(filepath.Join(clone, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err := copySparse(filepath.Join(dir, name), filepath.Join(clone, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// roomToCopy returns ErrNoSpace when the disk has not room for copies of files.
func (on disk) roomToCopy(dir string, names []string) error {
	need := int64(0)
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil { // else it has just gone
			need += blocksOnDisk(info)
		}
	}
	return roomFor("that", dir, need, on.free)
}

// roomFor returns ErrNoSpace when so many bytes more would leave less of the disk than
// a store needs to be written.
func roomFor(what, dir string, need int64, freeSpace func(string) (int64, error)) error {
	free, err := freeSpace(dir)
	if err != nil {
		return err
	}
	if free < need+minFreeSpace {
		return fmt.Errorf("%w: %s needs %d MB in %s, %d MB are left", ErrNoSpace, what, (need+minFreeSpace)>>20, filepath.Dir(dir), free>>20)
	}
	return nil
}

// dropClones removes what a look that was killed has left.
func dropClones(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		if file.IsDir() && strings.HasPrefix(file.Name(), clonePrefix) {
			if err := os.RemoveAll(filepath.Join(dir, file.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// copySparse copies a file without writing the zeros in it: logs are much longer
// than what is in them.
func copySparse(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	const piece = 64 << 10
	buffer, zeros := make([]byte, piece), make([]byte, piece)
	size := int64(0)
	for {
		n, err := io.ReadFull(in, buffer)
		if n > 0 && !bytes.Equal(buffer[:n], zeros[:n]) {
			if _, err := out.WriteAt(buffer[:n], size); err != nil {
				return err
			}
		}
		size += int64(n)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return out.Truncate(size)
		}
		if err != nil {
			return err
		}
	}
}
