package tools

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// The bounds of looking for terms.
const (
	maxTermsWeighed = 2000 // each costs a look-up in the store's text index
	// A term in this part of a store's notes means nothing, like "the", unless it is
	// twice as common in the result.
	usualTerm   = 0.10
	minForUsual = 100 // notes; a smaller store has no common words yet
	// The same within the notes of one language; less is enough for short words, which in
	// all languages are mostly the common ones.
	usualInLanguage      = 0.12
	usualShortInLanguage = 0.03
	shortWord            = 3  // letters
	minLanguage          = 15 // notes; fewer say nothing about a language
)

// termsOf are a note's words, each once.
func termsOf(e *nostr.Event) []string {
	var terms []string
	seen := map[string]bool{}
	for tok := range search.Tokens(e.Content) {
		if tok.Kind == search.TokenWord && !seen[tok.Term] {
			seen[tok.Term] = true
			terms = append(terms, tok.Term)
		}
	}
	return terms
}

// usualWords finds the words that mean nothing in their language. None of them is
// frequent in a store of several languages, so notes are first grouped by the most common
// word in them: "the" gathers English, "und" German.
func (t *tally) usualWords() map[string]bool {
	notes := map[string]int{}
	holds := map[string]map[string]int{} // language's word, term: notes
	for _, terms := range t.texts {
		language := t.commonest(terms)
		if holds[language] == nil {
			holds[language] = map[string]int{}
		}
		notes[language]++
		for _, term := range terms {
			holds[language][term]++
		}
	}
	usual := map[string]bool{}
	for language, terms := range holds {
		if notes[language] < minLanguage {
			continue
		}
		for term, n := range terms {
			limit := usualInLanguage
			if utf8.RuneCountInString(term) <= shortWord && lettersOnly(term) {
				limit = usualShortInLanguage
			}
			if float64(n) > limit*float64(notes[language]) && n > 1 {
				usual[term] = true
			}
		}
	}
	return usual
}

// commonest is the term of a note that most notes have.
func (t *tally) commonest(terms []string) string {
	best, most := "", 0
	for _, term := range terms {
		if n := t.buckets[term].count; n > most || n == most && term < best {
			best, most = term, n
		}
	}
	return best
}

// lettersOnly reports whether a term is a word of an alphabet: scripts without spaces
// come in pairs of characters, which are short and mean much.
func lettersOnly(term string) bool {
	for _, r := range term {
		if !unicode.IsLetter(r) || !joins(r) {
			return false
		}
	}
	return true
}

// terms are the words that distinguish the notes: in many of them, by many people, and
// rare in the store.
func (t *tally) terms(ctx context.Context, store *ndb.Store, limit int) ([]AggregateBucket, bool, error) {
	rows := make([]AggregateBucket, 0, len(t.buckets))
	usual := t.usualWords()
	for key := range t.buckets {
		if utf8.RuneCountInString(key) > 1 && !usual[key] {
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
	slices.SortStableFunc(rows, func(a, b AggregateBucket) int { return cmp.Compare(t.termWeight(b), t.termWeight(a)) })
	return rows[:min(limit, len(rows))], more || len(rows) > limit, nil
}

// tooUsual reports whether a term is too common to mean anything.
func (t *tally) tooUsual(b AggregateBucket) bool {
	if b.StoreTotal < minForUsual {
		return false
	}
	inStore := float64(b.StoreNotes) / float64(b.StoreTotal)
	inAnswer := float64(b.Count) / float64(max(t.total, 1))
	return inStore > usualTerm && inAnswer < 2*inStore
}

// termWeight is how much a term means: people times rarity; more if it stays within few
// threads, as the words of a topic do and common words do not, and if it is a hashtag.
func (t *tally) termWeight(b AggregateBucket) float64 {
	hit := t.buckets[b.Key]
	gathered := float64(b.Count) / float64(len(hit.talks))
	weight := float64(b.Authors) * math.Log(float64(b.StoreTotal+1)/float64(b.StoreNotes+1)+1) * gathered * gathered
	if hit.tag {
		weight *= 3
	}
	return weight
}
