package ndb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"bowerbird/ndb/search"
)

const (
	schemaVersion = 2
	schemaName    = "schema" // file that holds the version, readable before Badger opens
	cacheBytes    = 16 << 20
	blockSize     = 4 << 10  // of tables: what is read and checked at a time
	memTableBytes = 16 << 20 // of what Badger holds in memory before it writes a table
	level0Tables  = 5        // so many tables of the first level are merged into the next
)

// Open opens or makes the store in dir. Errors: *InUseError, *NewerError,
// ErrNoSpace, ErrReadOnly, ErrDamaged (all by errors.Is or errors.As). A store
// that is in use, newer or damaged is not changed by one byte.
func Open(dir string, opt Options) (*Store, error) {
	s := newStore(dir, withDefaults(opt))
	if err := s.open(); err != nil {
		switch {
		case s.db == nil:
		case s.opt.ReadOnly:
			err = errors.Join(err, s.closeStill())
		default:
			_ = freeReserve(s.dir)
			err = errors.Join(err, s.db.Close())
		}
		return nil, errors.Join(err, s.witness.close(false), s.lock.release())
	}
	return s, nil
}

func newStore(dir string, opt Options) *Store {
	s := &Store{
		dir: dir, opt: opt, cache: newNoteCache(cacheBytes),
		future: newFutureVersions(), feed: newFeed(), times: &columns{}, langs: &search.Languages{},
		jobs: make(chan *job, 16), written: make(chan struct{}),
		verifier: make(chan struct{}, verifySlots()), closing: make(chan struct{}),
		compacting: make(chan struct{}, 1), compactors: 2, merging: &merging{},
	}
	s.idle = sync.NewCond(&s.mu)
	s.KeepVersionsOf(opt.Own...)
	return s
}

func withDefaults(opt Options) Options {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.FreeSpace == nil {
		opt.FreeSpace = FreeSpace
	}
	return opt
}

func (s *Store) open() error {
	if err := s.prepareDir(); err != nil {
		return err
	}
	if err := s.checkSchema(); err != nil {
		return err
	}
	if !s.opt.ReadOnly {
		if err := s.needSpace(spaceToOpen); err != nil {
			return err
		}
	}
	var err error
	if s.lock, err = acquireLock(s.dir, s.opt.ReadOnly); err != nil {
		return err
	}
	st, err := s.lookBeforeOpen()
	if err != nil {
		return err
	}
	if err := s.openDatabase(st); err != nil {
		return err
	}
	if err := s.migrate(); err != nil {
		return err
	}
	w, err := s.load()
	if err != nil {
		return err
	}
	if s.opt.ReadOnly {
		close(s.written)
		return nil
	}
	if err := s.dropSpareBuild(st); err != nil {
		return notWritable(err)
	}
	if err := w.beginLedger(context.Background()); err != nil {
		return err
	}
	if err := w.recover(); err != nil {
		return fmt.Errorf("finish what the last run began: %w", err)
	}
	go w.run()
	return nil
}

func (s *Store) openDatabase(st state) (err error) {
	if s.opt.ReadOnly {
		return s.openStill()
	}
	if s.witness, err = openWitness(s.dir, st.witness.seq); err != nil {
		return err
	}
	if s.db, err = openBadger(s.badgerOptions()); err != nil {
		return openError(s.dir, err)
	}
	if err := makeReserve(s.dir); err != nil {
		s.opt.Logger.Warn("setting space aside for the end", "err", err)
	}
	return nil
}

// lookBeforeOpen finds out whether the store is as it was left, before anything in
// it is changed. One that was not closed is looked at closely.
func (s *Store) lookBeforeOpen() (state, error) {
	st, err := look(s.dir)
	if err != nil {
		return st, err
	}
	switch {
	case st.fresh && s.opt.ReadOnly:
		return st, fmt.Errorf("open store %s for reading: nothing was ever stored in it: %w", s.dir, fs.ErrNotExist)
	case st.fresh:
	case st.closed:
		if err := verifyTables(s.badgerOptions()); err != nil {
			return st, openError(s.dir, err)
		}
	default:
		if err := s.probe(); err != nil {
			return st, err
		}
	}
	if s.opt.ReadOnly {
		return st, nil
	}
	if err := dropBuild(s.dir); err != nil {
		return st, notWritable(fmt.Errorf("tidy up after the last run: %w", err))
	}
	if err := writeSchemaFile(s.dir); err != nil {
		return st, err
	}
	if err := dropSpareFiles(s.dir); err != nil {
		return st, notWritable(fmt.Errorf("tidy up after the last run: %w", err))
	}
	return st, nil
}

// prepareDir makes the folder, or says what is in its place. Where there is none, a
// repair may be exchanging it: only after that nothing is to come is an empty one made.
func (s *Store) prepareDir() error {
	if !s.opt.ReadOnly {
		if err := makeRoom(s.dir); err != nil {
			return err
		}
	}
	info, err := os.Stat(s.dir)
	if errors.Is(err, fs.ErrNotExist) && !s.opt.ReadOnly {
		if err := finishSwap(s.dir); err != nil {
			return err
		}
		info, err = os.Stat(s.dir)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && isWhole(s.dir+repairedSuffix):
		return fmt.Errorf("%w: the repair of %s was broken off at its end, and must first be finished by opening it for writing", ErrReadOnly, s.dir)
	case errors.Is(err, fs.ErrNotExist) && s.opt.ReadOnly:
		return fmt.Errorf("open store %s for reading: %w", s.dir, err)
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return notWritable(fmt.Errorf("make folder of the store: %w", err))
		}
		return nil
	case err != nil:
		return notWritable(fmt.Errorf("open store: %w", err))
	case !info.IsDir():
		return fmt.Errorf("open store %s: it is a file, not a folder", s.dir)
	}
	return nil
}

// How much of the disk must be free, in bytes: to store events; to open a store for
// writing; and, once the reserves of two stores are taken from that, to keep small
// things, remove what is old, and compact.
const (
	spaceToStore = 256 << 20
	spaceToOpen  = 128 << 20
	spaceToTidy  = spaceToOpen - 2*reserveBytes
)

// needSpace keeps writes away from a full disk: Badger writes to mapped files, so a
// full disk would end the process. The error is ErrNoSpace.
func (s *Store) needSpace(bytes int64) error {
	free, err := s.opt.FreeSpace(s.dir)
	if err != nil {
		return err
	}
	if free < bytes {
		return fmt.Errorf("%w: %d MB left in %s, at least %d MB are needed", ErrNoSpace, free>>20, s.dir, bytes>>20)
	}
	return nil
}

// checkSchema refuses a store of a newer version; a file that only seems to say so is
// damaged.
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
		return nil // new, or told by the row in the database
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

// writeSchemaFile makes the file say the newest version, before the first row of
// that version is written: an older program that meets a store half migrated is
// refused as well.
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

// badgerOptions are the ones that measurements favour: the rows are small and
// fresh, so compression and a block cache cost more than they save; the note cache
// of ours does their work.
func (s *Store) badgerOptions() badger.Options {
	return badger.DefaultOptions(s.dir).
		WithLogger(badgerLog{s.opt.Logger, s.merging}).
		WithSyncWrites(true).
		WithBypassLockGuard(true). // store.lock is there before it (lock.go)
		WithDetectConflicts(false).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithMetricsEnabled(false).
		WithMemTableSize(memTableBytes). // so that the rows of the largest event fit in one transaction
		WithNumMemtables(1).             // each more is 21 MB of arena and 16 MB of mapped log
		WithBaseTableSize(1 << 20).      // table builders keep twice this and double it as they grow
		WithNumCompactors(s.compactors).
		WithNumLevelZeroTables(level0Tables).
		WithValueThreshold(1 << 20). // notes stay out of the value log
		WithValueLogFileSize(16 << 20).
		WithBlockSize(blockSize).
		WithChecksumVerificationMode(options.OnBlockRead) // verifyTables has read them whole
}

// openBadger opens the database; a panic on damaged files becomes an error.
func openBadger(opt badger.Options) (db *badger.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("%w: opening it panicked: %v", ErrDamaged, r)
		}
	}()
	return badger.Open(opt)
}

// openError says of what kind a failure to open is: of permissions, of the
// computer's means, and else of the files.
func openError(dir string, err error) error {
	if err := notWritable(err); errors.Is(err, ErrReadOnly) || errors.Is(err, ErrUnreadable) || errors.Is(err, ErrDamaged) {
		return fmt.Errorf("open store %s: %w", dir, err)
	}
	if ofTheSystem(err) {
		return fmt.Errorf("open store %s: %w", dir, err)
	}
	first, _, _ := strings.Cut(err.Error(), "\n") // Badger adds where it was
	return fmt.Errorf("%w: open %s: %s", ErrDamaged, dir, first)
}

// ofTheSystem reports whether the system refuses to do something, for want of means, of a
// permission, or for reasons of its own: that is no damage of the store. Files that are
// missing, and a disk that cannot be read, are.
func ofTheSystem(err error) bool {
	_, ofFile := errors.AsType[*fs.PathError](err)
	_, ofSystem := errors.AsType[syscall.Errno](err)
	return (ofFile || ofSystem) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EIO)
}

// load reads what is kept in memory: the schema, the high-water marks, and the
// numbers of people and relays.
func (s *Store) load() (*writer, error) {
	w := newWriter(s)
	err := s.db.View(func(txn *badger.Txn) error {
		row, err := txnGet(txn, metaKey(metaMarks))
		if err == nil {
			w.marks, err = decodeMarks(row)
		}
		if err == nil {
			w.seq, err = readSeq(txn)
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if s.people, err = loadPeople(txn); err != nil {
			return err
		}
		if s.relays, err = loadRelays(txn); err != nil {
			return err
		}
		return w.loadTimed(txn)
	})
	return w, err
}

// badgerLog hands Badger's messages to the store's logger. What Badger calls
// information is debugging to us.
type badgerLog struct {
	log     *slog.Logger
	merging *merging
}

func (l badgerLog) Errorf(f string, a ...any)   { l.log.Error(line(f, a)) }
func (l badgerLog) Warningf(f string, a ...any) { l.log.Warn(line(f, a)) }
func (l badgerLog) Debugf(string, ...any)       {}

func (l badgerLog) Infof(f string, a ...any) {
	l.merging.hear()
	l.log.Debug(line(f, a))
}

func line(format string, args []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(format, args...))
}
