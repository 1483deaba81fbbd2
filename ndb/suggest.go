package ndb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/search"
)

// HashtagUse is a hashtag and how often it is used.
type HashtagUse struct {
	Tag   string // in lower case, without #
	Notes int    // that have it
}

const (
	// hashtagHalfLife is after how many seconds a use counts half as much.
	hashtagHalfLife = 30 * 24 * 3600
	maxHashtagRows  = 200_000 // of the index are read for one suggestion
)

// SuggestHashtags returns at most limit hashtags that begin with prefix (ignoring case;
// "" matches all), the most used first. A use counts half as much for every 30 days of
// age, which is that of the newest of some 2,000 notes stored at about the same time; at
// equal weights the order is alphabetical. It reads the index rows of the hashtags with
// the prefix, the first 200,000 of them, and no note.
func (s *Store) SuggestHashtags(ctx context.Context, prefix string, limit int) (tags []HashtagUse, err error) {
	if strings.ContainsAny(prefix, "\x00\x01\x02\x03") || limit <= 0 {
		return nil, nil
	}
	begin := []byte{famWord}
	begin = append(append(begin, search.HashtagMark...), search.FoldHashtag(prefix)...)
	var weights []float64 // beside tags
	now := s.now()
	// Only the segments' ages are read from the columns: a copy, so that they are locked
	// only for a moment.
	var newest []uint32
	if err := s.times.with(ctx, &s.reads, func() { newest = slices.Clone(s.times.newest) }); err != nil {
		return nil, fmt.Errorf("suggest hashtags: %w", err)
	}
	err = s.view(ctx, func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly(begin))
		defer it.Close()
		read := 0
		for it.Rewind(); it.Valid() && read < maxHashtagRows; it.Next() {
			if read++; read%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			key := it.Item().Key()
			tag := key[1+len(search.HashtagMark) : len(key)-5]
			if len(tags) == 0 || tags[len(tags)-1].Tag != string(tag) {
				tags, weights = append(tags, HashtagUse{Tag: string(bytes.Clone(tag))}), append(weights, 0)
			}
			uses := 0
			if err := it.Item().Value(func(row []byte) error { uses = postingsLen(row); return nil }); err != nil {
				return err
			}
			last := len(tags) - 1
			tags[last].Notes += uses
			age := 0.0
			if segment := ^binary.BigEndian.Uint32(key[len(key)-4:]); segment < uint32(len(newest)) {
				age = math.Max(0, float64(now-int64(^newest[segment])))
			}
			weights[last] += float64(uses) * math.Exp2(-age/hashtagHalfLife)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("suggest hashtags: %w", err)
	}
	order := make([]int, len(tags))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), strings.Compare(tags[a].Tag, tags[b].Tag))
	})
	sorted := make([]HashtagUse, 0, min(limit, len(tags)))
	for _, i := range order[:min(limit, len(order))] {
		sorted = append(sorted, tags[i])
	}
	return sorted, nil
}
