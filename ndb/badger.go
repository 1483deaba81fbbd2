package ndb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

const (
	blockSize     = 4 << 10  // of tables: what is read and verified at a time
	memTableBytes = 16 << 20 // what Badger holds in memory before it writes a table
	level0Tables  = 5        // so many tables of the first level are compacted into the next

	// baseLevelBytes is what the level below the first may hold before there is one between
	// them, through which everything is written once more. A compaction into it takes up to
	// so much of the disk, and what the first level holds, before it gives any back: less
	// than spaceToStore.
	baseLevelBytes = 64 << 20
)

// badgerOptions follow measurements: the rows are small and recent, so compression and a
// block cache cost more than they save; our note cache takes their place.
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
		WithBaseLevelSize(baseLevelBytes).
		WithBaseTableSize(1 << 20). // table builders keep twice this and double it as they grow
		WithNumCompactors(s.compactors).
		WithNumLevelZeroTables(level0Tables).
		WithValueThreshold(1 << 20). // notes stay out of the value log
		WithValueLogFileSize(16 << 20).
		WithBlockSize(blockSize).
		WithChecksumVerificationMode(options.OnBlockRead) // verifyTables has verified them whole
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

// badgerLog passes Badger's messages to the store's logger. What Badger calls information
// is debugging to us.
type badgerLog struct {
	log     *slog.Logger
	merging *merging
}

func (l badgerLog) Errorf(f string, a ...any) { l.log.Error(line(f, a)) }

func (l badgerLog) Warningf(f string, a ...any) { l.log.Warn(line(f, a)) }

func (l badgerLog) Debugf(string, ...any) {}

func (l badgerLog) Infof(f string, a ...any) {
	l.merging.hear()
	l.log.Debug(line(f, a))
}

func line(format string, args []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(format, args...))
}

// merging lets a context end Badger's Flatten, which takes none and may run for minutes.
// Between compactions it logs what it is doing, without holding a lock, on the goroutine
// that called Flatten: a panic out of that log call ends Flatten, and its own deferred
// calls clean up. What other goroutines of Badger log meanwhile ends nothing.
type merging struct {
	ctx atomic.Pointer[context.Context]
}

var errMergeEnds = errors.New("the merging of tables is to end")

// hear is called with each of Badger's messages.
func (m *merging) hear() {
	if ctx := m.ctx.Load(); ctx != nil && (*ctx).Err() != nil && calledByMerge() {
		panic(errMergeEnds)
	}
}

// calledByMerge reports whether mergeTables, which recovers, is among the callers.
func calledByMerge() bool {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, ".(*Store).mergeTables") {
			return true
		}
		if !more {
			return false
		}
	}
}
