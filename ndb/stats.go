package ndb

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// Stats are sizes and counts of a store.
type Stats struct {
	Events    int            `json:"events"`
	Authors   int            `json:"authors"`
	Kinds     map[uint16]int `json:"kinds"`
	Oldest    int64          `json:"oldest"` // unix seconds, of what is visible
	Newest    int64          `json:"newest"`
	Hidden    int            `json:"hidden"` // dated more than 15 minutes ahead
	DiskBytes int64          `json:"disk_bytes"`
	Schema    int            `json:"schema"`
	Verifier  string         `json:"verifier"` // which secp256k1 is linked
}

// Stats counts. It reads one index completely.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	st := Stats{Kinds: make(map[uint16]int), Schema: schemaVersion, Verifier: nostr.Verifier()}
	visible := invertTime(s.visibleUntil())
	authors := make(map[uint32]bool)
	oldest, newest := uint32(0), ^uint32(0)
	err := s.view(ctx, func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly([]byte{famKind}))
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if st.Events%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			item := it.Item()
			err := item.Value(func(value []byte) error {
				p, ok := parseKindRow(item.Key()[:3], item.Key(), value)
				if !ok {
					return fmt.Errorf("%w: index row %x", ErrDamaged, item.Key())
				}
				st.Events++
				st.Kinds[p.kind]++
				authors[p.author] = true
				if p.its < visible {
					st.Hidden++
					return nil
				}
				oldest, newest = max(oldest, p.its), min(newest, p.its)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Stats{}, fmt.Errorf("count the store: %w", err)
	}
	if st.Authors = len(authors); st.Events > st.Hidden {
		st.Oldest, st.Newest = int64(^oldest), int64(^newest)
	}
	st.DiskBytes, err = DiskBytes(s.dir)
	return st, err
}

// Size returns how many events are stored and what they take up on disk. The first call
// reads an index completely, which speeds up searches and the feed of many people too;
// from then on the writer keeps count.
func (s *Store) Size(ctx context.Context) (events int, bytes int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	if err := s.begin(); err != nil {
		return 0, 0, err
	}
	defer s.end()
	if err = s.times.with(ctx, &s.reads, func() { events = s.times.notes }); err != nil {
		return 0, 0, fmt.Errorf("count the store: %w", err)
	}
	bytes, err = DiskBytes(s.dir)
	return events, bytes, err
}

func countKeys(ctx context.Context, txn *badger.Txn, prefix []byte) (n int, err error) {
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return n, nil
}

// DiskBytes adds up the files below a folder as they are on disk, including those of a
// store that is not open; a folder that does not exist has none. Badger's newest files
// are longer than what is written of them, so blocks are counted if the system reports
// them.
func DiskBytes(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == reserveName {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err != nil {
			return ignoreGone(err)
		}
		total += blocksOnDisk(info)
		return nil
	})
	return total, err
}

// ignoreGone lets files disappear while they are counted: Badger cleans up.
func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
