package tools

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"bowerbird/ndb"
)

// The bounds of looking for terms.
const (
	maxTermsWeighed = 2000 // each costs a look into the store's text index
	// A term that this part of a store holds says nothing, as "the" does, unless
	// it is twice as usual in the answer.
	usualTerm   = 0.10
	minForUsual = 100 // notes; a smaller store has no usual words yet
)

// terms are the words that set the notes apart: in many of them, by many people,
// and unusual in the store.
func (t *tally) terms(ctx context.Context, store *ndb.Store, limit int) ([]AggregateBucket, bool, error) {
	rows := make([]AggregateBucket, 0, len(t.buckets))
	for key := range t.buckets {
		if utf8.RuneCountInString(key) > 1 {
			rows = append(rows, t.row(key))
		}
	}
	slices.SortFunc(rows, func(a, b AggregateBucket) int {
		return cmp.Or(cmp.Compare(b.Authors, a.Authors), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	more := len(rows) > maxTermsWeighed
	rows = rows[:min(len(rows), maxTermsWeighed)]
	for i := range rows {
		notes, of, err := store.TermFrequency(ctx, rows[i].Key)
		if err != nil {
			return nil, false, fmt.Errorf("look up how usual a term is: %w", err)
		}
		rows[i].StoreNotes, rows[i].StoreTotal = max(notes, rows[i].Count), max(of, t.total)
	}
	rows = slices.DeleteFunc(rows, t.tooUsual)
	slices.SortStableFunc(rows, func(a, b AggregateBucket) int { return cmp.Compare(termWeight(b), termWeight(a)) })
	return rows[:min(limit, len(rows))], more || len(rows) > limit, nil
}

// tooUsual reports whether a term is too usual to say anything.
func (t *tally) tooUsual(b AggregateBucket) bool {
	if b.StoreTotal < minForUsual {
		return false
	}
	inStore := float64(b.StoreNotes) / float64(b.StoreTotal)
	inAnswer := float64(b.Count) / float64(max(t.total, 1))
	return inStore > usualTerm && inAnswer < 2*inStore
}

// termWeight is how much a term says: people times rarity.
func termWeight(b AggregateBucket) float64 {
	return float64(b.Authors) * math.Log(float64(b.StoreTotal+1)/float64(b.StoreNotes+1)+1)
}
