package ndb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// smallStore is up to how many bytes of tables are checked before they are opened: that
// takes a few milliseconds. What cannot be fetched again is about as small.
const smallStore = 16 << 20

// checkDelay keeps the check away from the first questions, for which a user waits.
const checkDelay = time.Second

// behind is the check of a large store whose tables are, by size and time, as they were
// left: it is read at once, and its tables are checked meanwhile, from the first write on,
// or a second later, or at once if Badger is about to compact them. Writes wait for the
// end of the check. If it finds damage, they are refused, queries end with ErrDamaged, and
// the next Open checks first.
type behind struct {
	ctx    context.Context
	cancel context.CancelFunc
	wanted chan struct{} // closed by hurry
	hurry  func()
	err    *atomic.Pointer[error]
	left   bool // not all has been checked; valid once the writer has ended
}

func newBehind() behind {
	ctx, cancel := context.WithCancel(context.Background())
	wanted := make(chan struct{})
	return behind{
		ctx: ctx, cancel: cancel, wanted: wanted, hurry: sync.OnceFunc(func() { close(wanted) }),
		err: new(atomic.Pointer[error]),
	}
}

// found returns the damage that the check has found.
func (b *behind) found() error {
	if err := b.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (s *Store) checksBehind(st state) bool { return st.stamped && st.size > s.small }

// checkBehind checks the tables and starts the writer.
func (s *Store) checkBehind(st state, w *writer) {
	err := s.verifyBehind(st)
	if err == nil {
		s.behind.left = false
		err = s.startWriter(st, w)
	}
	if err == nil {
		return
	}
	if errors.Is(err, ErrDamaged) {
		s.behind.err.Store(&err)
	}
	if s.behind.ctx.Err() == nil {
		s.opt.Logger.Error("checking the store while it is read", "err", err)
	}
	for j := range s.jobs {
		j.done <- err
	}
	close(s.written)
}

// verifyBehind reads the tables that were there when the store was opened, those first
// that Badger compacts first. It copies them, since a table that is compacted is cut off.
// What became of one that was not checked before is found out by the ledger.
func (s *Store) verifyBehind(st state) error {
	ctx := s.behind.ctx
	if !s.compactsSoon(st) {
		select {
		case <-s.behind.wanted:
		case <-time.After(checkDelay):
		case <-ctx.Done():
		}
	}
	ids := slices.Collect(maps.Keys(st.tables))
	slices.SortFunc(ids, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(st.tables[a].Level, st.tables[b].Level), cmp.Compare(a, b))
	})
	var bad []string
	var data []byte
	compacted := false
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := table.NewFilename(id, s.dir)
		var err error
		if data, err = readInto(data, path); err == nil {
			err = verifyCopy(data, st.tables[id].Compression)
		}
		switch {
		case err == nil:
		case !s.opt.ReadOnly && !s.hasTable(id):
			compacted = true
		case ofTheSystem(err):
			return openError(s.dir, notReadable(err))
		default:
			bad = append(bad, table.IDToFilename(id)+" "+whatIsWrong(err))
		}
	}
	if err := damagedTables(bad); err != nil {
		return openError(s.dir, err)
	}
	if !compacted {
		return nil
	}
	return s.reads.read(func(txn *badger.Txn) error {
		var report CheckReport
		err := auditLedger(ctx, txn, func(format string, args ...any) { report.note(fmt.Sprintf(format, args...)) })
		if err == nil && report.BadCount > 0 {
			err = fmt.Errorf("%w: %s: %v", ErrDamaged, s.dir, report.Bad)
		}
		return err
	})
}

// compactsSoon reports whether Badger, just opened, has enough tables in its first level to
// compact.
func (s *Store) compactsSoon(st state) bool {
	first := 0
	for _, entry := range st.tables {
		if entry.Level == 0 {
			first++
		}
	}
	return first >= level0Tables && !s.opt.ReadOnly
}

func (s *Store) hasTable(id uint64) bool {
	return slices.ContainsFunc(s.db.Tables(), func(t badger.TableInfo) bool { return t.ID == id })
}

// readInto reads a file, using the memory of data if that is enough.
func readInto(data []byte, path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return data, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return data, err
	}
	if info.Size() == 0 {
		return data, errEmpty
	}
	data = slices.Grow(data[:0], int(info.Size()))[:info.Size()]
	_, err = io.ReadFull(file, data)
	return data, err
}
