package ndb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"bowerbird/ndb/rawread"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// stillName is the pattern for the folder of a still, in the system's folder for
// temporary files.
const stillName = "bowerbird-look-*"

// openStill opens the database for reading in a folder of its own, a still, that shows
// the contents of the store in s.dir. Nobody may write to the store meanwhile.
//
// Badger is kept out of the store's own folder. Opened for writing, it compacts tables
// and truncates the old ones; even opened for reading, it deletes every table that is not
// listed, and it refuses logs that a kill has left. A still has links to the listed
// tables, which Badger opens for reading, and a copy of each log up to its last whole
// transaction. So nothing that happens there reaches the store.
func (s *Store) openStill() error {
	dropStills(os.TempDir())
	var err error
	if s.still, err = makeStill(); err != nil {
		return fmt.Errorf("make a folder for temporary files to read store %s from ($TMPDIR says where): %w", s.dir, err)
	}
	opt := s.badgerOptions()
	if err := fillStill(opt, s.still.dir, s.link); err != nil {
		return errors.Join(fmt.Errorf("copy the newest writes of store %s, to read them, to %s: %w", s.dir, s.still.dir, err), s.still.drop())
	}
	opt = opt.WithDir(s.still.dir).WithValueDir(s.still.dir).WithReadOnly(true).WithBypassLockGuard(true)
	if s.db, err = openBadger(opt); err != nil {
		return errors.Join(openError(s.dir, err), s.still.drop())
	}
	return nil
}

// closeStill closes what openStill opened. What cannot be removed (on Windows the logs,
// which Badger does not close after opening them for reading) is removed by the next one.
func (s *Store) closeStill() error {
	err := s.db.Close()
	if dropErr := s.still.drop(); dropErr != nil {
		s.opt.Logger.Debug("removing what a store was read from", "err", dropErr)
	}
	return err
}

// still is the folder, with a lock that marks it as in use.
type still struct {
	dir  string
	lock *os.File
}

func makeStill() (*still, error) {
	dir, err := os.MkdirTemp("", stillName)
	if err != nil {
		return nil, err
	}
	lock, err := os.Create(filepath.Join(dir, lockName))
	if err == nil {
		err = lockFile(lock, false)
	}
	return &still{dir, lock}, err
}

func (s *still) drop() error { return errors.Join(s.lock.Close(), os.RemoveAll(s.dir)) }

// stillYoung is the age up to which a folder may not be locked yet; only an older one is
// taken for left behind.
const stillYoung = time.Minute

// dropStills removes the stills of programs that were killed.
func dropStills(place string) {
	left, _ := filepath.Glob(filepath.Join(place, stillName)) // the pattern is a good one
	for _, dir := range left {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < stillYoung {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
		if err == nil {
			err = lockFile(lock, false)
			_ = lock.Close()
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			_ = os.RemoveAll(dir) // if this fails, it is not ours
		}
	}
}

func fillStill(of badger.Options, still string, link func(from, to string) error) error {
	dir, err := filepath.Abs(of.Dir)
	if err != nil {
		return err
	}
	listed, err := tablesOf(of)
	if err != nil {
		return err
	}
	names := []string{badger.ManifestFilename}
	for id := range listed {
		names = append(names, table.IDToFilename(id))
	}
	for _, name := range names {
		from, to := filepath.Join(dir, name), filepath.Join(still, name)
		if link(from, to) == nil {
			continue
		}
		if err := copyFile(from, to); err != nil { // as on another volume of Windows
			return err
		}
	}
	_, logs, err := databaseFiles(dir)
	if err != nil {
		return err
	}
	for _, name := range logs {
		if err := copyLog(filepath.Join(dir, name), filepath.Join(still, name)); err != nil {
			return err
		}
	}
	return nil
}

// linkOn returns what gives a file that is only read another name. Windows lets few users
// make symbolic links, but all of them hard ones on one volume.
func linkOn(goos string) func(from, to string) error {
	if goos == "windows" {
		return os.Link
	}
	return os.Symlink
}

// copyLog copies a log up to the end of its last whole transaction. A log without one is
// not copied.
func copyLog(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return notReadable(err)
	}
	whole := rawread.WholeLog(data)
	if len(whole) == 0 {
		return nil
	}
	return os.WriteFile(to, whole, 0o600)
}

// copyFile copies a file, replacing whatever is at the destination.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
