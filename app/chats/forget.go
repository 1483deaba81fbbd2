package chats

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"bowerbird/ndb"
)

// layers is a bucket over another, in which chats are kept in memory for as long as forget
// is true. What is on disk is read through it and not changed: a saved chat that continues
// meanwhile has its new turns in memory, above its old ones.
//
// A chat with anything in memory stays there to the end of the program, even if forget
// becomes false: half of a chat on disk would be useless.
type layers struct {
	disk   Bucket
	memory *memory
	forget func() bool
}

// Get returns the value in memory, else that on disk.
func (l *layers) Get(ctx context.Context, key string) ([]byte, error) {
	if value, err := l.memory.Get(ctx, key); err == nil {
		return value, nil
	}
	return l.disk.Get(ctx, key)
}

// Put writes to one layer. Deleted keys are removed from both, except that a turn which
// became shorter in memory does not remove parts of the one on disk.
func (l *layers) Put(ctx context.Context, values map[string][]byte) error {
	written, gone := map[string][]byte{}, map[string][]byte{}
	upper := l.forget()
	for key, value := range values {
		if value == nil {
			gone[key] = nil
			continue
		}
		written[key] = value
		upper = upper || l.memory.holds(chatOf(key))
	}
	if err := l.memory.Put(ctx, gone); err != nil {
		return err
	}
	if !upper {
		return l.disk.Put(ctx, values)
	}
	if len(written) > 0 {
		return l.memory.Put(ctx, written)
	}
	return l.disk.Put(ctx, gone)
}

// All merges the two layers, sorted by key.
func (l *layers) All(ctx context.Context, prefix string) iter.Seq2[ndb.BucketRow, error] {
	return func(yield func(ndb.BucketRow, error) bool) {
		above := l.memory.rows(prefix)
		for row, err := range l.disk.All(ctx, prefix) {
			if err != nil {
				yield(row, err)
				return
			}
			for len(above) > 0 && above[0].Key < row.Key {
				if !yield(above[0], nil) {
					return
				}
				above = above[1:]
			}
			if len(above) > 0 && above[0].Key == row.Key {
				row, above = above[0], above[1:]
			}
			if !yield(row, nil) {
				return
			}
		}
		for _, row := range above {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// chatOf returns the chat that a key belongs to; see the package comment.
func chatOf(key string) string {
	_, rest, _ := strings.Cut(key, "/")
	id, _, _ := strings.Cut(rest, "/")
	return id
}

// memory is a bucket that ends with the program. The zero value is ready.
type memory struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (m *memory) Get(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.values[key]; ok {
		return bytes.Clone(value), nil
	}
	return nil, ndb.ErrNotFound
}

func (m *memory) Put(_ context.Context, values map[string][]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	for key, value := range values {
		if value == nil {
			delete(m.values, key)
			continue
		}
		m.values[key] = bytes.Clone(value)
	}
	return nil
}

func (m *memory) All(_ context.Context, prefix string) iter.Seq2[ndb.BucketRow, error] {
	return func(yield func(ndb.BucketRow, error) bool) {
		for _, row := range m.rows(prefix) {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// rows returns copies, sorted by key.
func (m *memory) rows(prefix string) []ndb.BucketRow {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []ndb.BucketRow
	for _, key := range slices.Sorted(maps.Keys(m.values)) {
		if strings.HasPrefix(key, prefix) {
			out = append(out, ndb.BucketRow{Key: key, Value: bytes.Clone(m.values[key])})
		}
	}
	return out
}

// holds reports whether anything of a chat is in memory.
func (m *memory) holds(chat string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.values {
		if chatOf(key) == chat {
			return true
		}
	}
	return false
}

// changeEach changes a chat's header in every layer that has one: a saved chat with turns
// in memory is renamed and deleted on disk as well.
func (s *Store) changeEach(ctx context.Context, id string, f func(*header)) error {
	buckets := []Bucket{s.bucket}
	if l, ok := s.bucket.(*layers); ok {
		buckets = []Bucket{l.memory, l.disk}
	}
	missing := 0
	for _, b := range buckets {
		switch err := s.changeIn(ctx, b, id, f); {
		case errors.Is(err, ErrNotFound):
			missing++
			if missing == len(buckets) {
				return err
			}
		case err != nil:
			return err
		}
	}
	return nil
}
