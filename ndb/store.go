package ndb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Options configure a Store. The zero value is ready to use.
type Options struct {
	Now      func() time.Time // default time.Now
	Logger   *slog.Logger     // default: discard
	ReadOnly bool             // not one byte of the store is changed
	Own      []nostr.PubKey   // whose kinds 0, 3, 10000, 10002 keep their last 20 versions

	// Migrating receives the progress of Open with a store of an older schema version.
	// Its error ends Open; the next one goes on where this one ended.
	Migrating func(done, of int) error

	// FreeSpace returns the free bytes on the disk of dir; default FreeSpace.
	FreeSpace func(dir string) (int64, error)

	// Probe checks a store that was not closed before it is opened: the function [Probe],
	// run in a separate process if a crash must not end this one. Default: Probe in this
	// process.
	Probe func(ctx context.Context, dir string) (CheckReport, error)
}

// Store is an open note database. Its methods may be called from any goroutine.
type Store struct {
	dir      string
	opt      Options
	db       *badger.DB
	lock     *dirLock
	witness  *witnessFile                // nil when open for reading
	still    *still                      // what it is read through, when open for reading
	link     func(from, to string) error // of a still
	cache    *noteCache
	people   *numbering[nostr.PubKey]
	relays   *numbering[string]
	future   *futureVersions
	times    *columns
	langs    *search.Languages
	feed     *feed
	turn     sync.RWMutex                          // held by the writer from a commit until memory matches it
	own      atomic.Pointer[map[nostr.PubKey]bool] // whose lists keep their older versions
	reads    snapshots
	overflow overflows
	pruning  sync.Mutex    // held while notes are pruned
	epoch    atomic.Uint64 // prunings that have ended

	jobs     chan *job     // to the writer
	written  chan struct{} // closed when the writer has ended
	verifier chan struct{} // one slot for each core that may verify
	closing  chan struct{} // closed when Close begins

	compacting chan struct{} // full while a compaction is running
	compactors int           // goroutines of Badger that compact tables; a test has none
	merging    *merging

	mu     sync.Mutex
	idle   *sync.Cond
	active int // calls in progress
	closed bool
}

// futureGrace is how many seconds ahead of now a note may be dated and still be shown.
const futureGrace = 15 * 60

// Close waits for running reads and writes and closes the store. Subscriptions
// end; what they have not yielded is in the store. A second Close does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.closing)
	for s.active > 0 {
		s.idle.Wait()
	}
	s.mu.Unlock()

	close(s.jobs)
	<-s.written
	s.reads.end()
	if s.opt.ReadOnly {
		return errors.Join(s.closeStill(), s.lock.release())
	}
	if err := freeReserve(s.dir); err != nil {
		s.opt.Logger.Warn("giving back the reserve", "err", err)
	}
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		// Badger would retry forever to write what it holds: its files are gone.
		return errors.Join(fmt.Errorf("the folder of the notes was deleted while it was in use: %w", err), s.lock.release())
	}
	err := s.db.Close()
	return errors.Join(err, s.witness.close(err == nil), s.lock.release())
}

// begin registers a call, so that Close waits for it; end ends it.
func (s *Store) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.active++
	return nil
}

func (s *Store) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active--; s.active == 0 {
		s.idle.Broadcast()
	}
}

// view runs fn on a snapshot. fn must be short: while it runs, Badger keeps everything
// that was replaced since.
func (s *Store) view(ctx context.Context, fn func(*badger.Txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if s.isClosing() { // a frozen store does not begin to close itself
		return ErrClosed
	}
	return s.reads.read(fn)
}

// now is the time in unix seconds.
func (s *Store) now() int64 { return s.opt.Now().Unix() }

// visibleUntil is the latest date of a note that is shown.
func (s *Store) visibleUntil() int64 { return s.now() + futureGrace }

// verifySlots is how many signatures are verified at a time.
func verifySlots() int { return runtime.GOMAXPROCS(0) }

func newStore(dir string, opt Options) *Store {
	s := &Store{
		dir: dir, opt: opt, cache: newNoteCache(cacheBytes()),
		future: newFutureVersions(), feed: newFeed(), times: &columns{}, langs: &search.Languages{},
		jobs: make(chan *job, 16), written: make(chan struct{}),
		verifier: make(chan struct{}, verifySlots()), closing: make(chan struct{}),
		compacting: make(chan struct{}, 1), compactors: 2, merging: &merging{}, link: linkOn(runtime.GOOS),
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

// needSpace refuses writes to a nearly full disk with ErrNoSpace: Badger writes to mapped
// files, so a full disk would end the process.
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

// cacheBytes is the size of the note cache: a 256th of the memory, within bounds. 16 MB
// hold about 15,000 notes.
func cacheBytes() int {
	const least, most = 16 << 20, 96 << 20
	return int(min(max(physicalMemory()/256, least), most))
}

// KeepVersionsOf replaces Options.Own: from now on the last 20 versions of these people's
// kinds 0, 3, 10000 and 10002 are kept. Versions kept before stay.
func (s *Store) KeepVersionsOf(people ...nostr.PubKey) {
	own := make(map[nostr.PubKey]bool, len(people))
	for _, pk := range people {
		own[pk] = true
	}
	s.own.Store(&own)
}

func (s *Store) isOwn(pk nostr.PubKey) bool { return (*s.own.Load())[pk] }

func (s *Store) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}
