package ndb

import (
	"context"
	"fmt"
	"iter"
	"regexp"

	"github.com/dgraph-io/badger/v4"
)

// Bucket holds small values of the app by key: chats, state, drafts.
type Bucket struct {
	store  *Store
	prefix []byte
	err    error // an invalid name
}

const (
	maxBucketKey   = 1000
	maxBucketValue = 512 << 10
	maxBucketPut   = 2 << 20 // bytes of keys and values in one Put
	bucketPage     = 64      // values read in one transaction
)

var bucketName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// Bucket returns the bucket of a name ([a-z0-9-]+, at most 32 bytes). With an invalid
// name every call on it fails.
func (s *Store) Bucket(name string) *Bucket {
	b := &Bucket{store: s, prefix: append(append([]byte{famBucket}, name...), 0)}
	if !bucketName.MatchString(name) {
		b.err = fmt.Errorf("bucket %.40q: a name is 1 to 32 of a-z, 0-9 and -", name)
	}
	return b
}

func (b *Bucket) key(key string) []byte { return append(append([]byte{}, b.prefix...), key...) }

// Get returns a value, or ErrNotFound.
func (b *Bucket) Get(ctx context.Context, key string) (value []byte, err error) {
	if b.err != nil {
		return nil, b.err
	}
	err = b.store.view(ctx, func(txn *badger.Txn) (err error) {
		value, err = txnGet(txn, b.key(key))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", key, err)
	}
	return value, nil
}

// Put writes values together: all of them or none. A nil value deletes its key. A value
// is at most 512 KiB, a key 1,000 bytes, and all together 2 MiB and 10,000 keys.
func (b *Bucket) Put(ctx context.Context, values map[string][]byte) error {
	if b.err != nil {
		return b.err
	}
	size := 0
	for key, value := range values {
		if key == "" || len(key) > maxBucketKey || len(value) > maxBucketValue {
			return fmt.Errorf("write %.40q: key of %d bytes and value of %d, at most %d and %d", key, len(key), len(value), maxBucketKey, maxBucketValue)
		}
		size += len(b.prefix) + len(key) + len(value) + rowOverhead
	}
	if size > maxBucketPut || len(values) > 10_000 {
		return fmt.Errorf("write %d values of %d bytes together: at most 10000 of %d", len(values), size, maxBucketPut)
	}
	if len(values) == 0 {
		return nil
	}
	// The writer gets its own copy: it may still be writing after ctx has ended.
	type pair struct{ key, value []byte }
	pairs := make([]pair, 0, len(values))
	for key, value := range values {
		p := pair{key: b.key(key)}
		if value != nil {
			p.value = append([]byte{}, value...)
		}
		pairs = append(pairs, p)
	}
	return b.store.change(ctx, &change{len(values), size, func(t *tx) {
		for _, p := range pairs {
			if p.value == nil {
				t.del(p.key)
			} else {
				t.set(p.key, p.value)
			}
		}
	}})
}

// BucketRow is a value of a bucket with its key.
type BucketRow struct {
	Key   string
	Value []byte
}

// All yields the rows whose keys start with prefix, in order. An error ends the sequence.
// Nothing is locked meanwhile: a value written during the loop may or may not be seen,
// and the loop may write.
func (b *Bucket) All(ctx context.Context, prefix string) iter.Seq2[BucketRow, error] {
	return func(yield func(BucketRow, error) bool) {
		if b.err != nil {
			yield(BucketRow{}, b.err)
			return
		}
		start := b.key(prefix)
		for next := start; next != nil; {
			page, rest, err := b.page(ctx, start, next)
			if err != nil {
				yield(BucketRow{}, fmt.Errorf("read keys %q…: %w", prefix, err))
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
			next = rest
		}
	}
}

// page reads some values from next on; rest is where the page after it begins.
func (b *Bucket) page(ctx context.Context, prefix, next []byte) (page []BucketRow, rest []byte, err error) {
	err = b.store.view(ctx, func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly(prefix))
		defer it.Close()
		for it.Seek(next); it.Valid(); it.Next() {
			if len(page) == bucketPage {
				rest = it.Item().KeyCopy(nil)
				return nil
			}
			value, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			page = append(page, BucketRow{string(it.Item().Key()[len(b.prefix):]), value})
		}
		return nil
	})
	return page, rest, err
}
