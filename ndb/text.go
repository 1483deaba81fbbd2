package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// textQuery is a filter's search text, made ready for one scan.
type textQuery struct {
	query   SearchQuery
	terms   []string // each must have a posting
	confirm bool     // postings alone do not decide
	authors []PubKey
	since   *int64
	until   *int64
}

// errUnresolved says that a search names people in a way that only the callers
// above the store can resolve.
var errUnresolved = errors.New("from: takes a key here; names are resolved before the store is asked")

// parseText reads a search text. Times are unix seconds, RFC 3339, a date, or
// relative to now ("24h", "7d"); from: takes keys.
func parseText(text string, now int64) (*textQuery, error) {
	q, err := ParseSearch(text)
	if err != nil {
		return nil, fmt.Errorf("search %.80q: %w", text, err)
	}
	t := &textQuery{query: q, confirm: len(q.Phrases)+len(q.Not) > 0}
	t.terms = slices.Clone(q.Words)
	for _, phrase := range q.Phrases {
		t.terms = append(t.terms, strings.Fields(phrase)...)
	}
	slices.Sort(t.terms)
	t.terms = slices.DeleteFunc(slices.Compact(t.terms), func(term string) bool { return !isIndexable(term) })
	for _, from := range q.From {
		pk, err := parseKey(from)
		if err != nil {
			return nil, fmt.Errorf("search %.80q: %w", text, errUnresolved)
		}
		t.authors = append(t.authors, pk)
	}
	if t.since, err = parseMoment(q.Since, now); err != nil {
		return nil, fmt.Errorf("search: since: %w", err)
	}
	if t.until, err = parseMoment(q.Until, now); err != nil {
		return nil, fmt.Errorf("search: until: %w", err)
	}
	return t, nil
}

func parseKey(s string) (PubKey, error) {
	if pk, err := ParsePubKey(s); err == nil {
		return pk, nil
	}
	code, err := ParseCode(s)
	if err == nil && code.Prefix != CodePubKey && code.Prefix != CodeProfile {
		err = errUnresolved
	}
	return code.PubKey, err
}

// parseMoment reads a time of a search text; nil for "".
func parseMoment(s string, now int64) (*int64, error) {
	if s == "" {
		return nil, nil
	}
	if at, err := strconv.ParseInt(s, 10, 64); err == nil {
		return &at, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil {
			unix := at.Unix()
			return &unix, nil
		}
	}
	units := map[byte]int64{'m': 60, 'h': 3600, 'd': 24 * 3600, 'w': 7 * 24 * 3600}
	if unit := units[s[len(s)-1]]; unit > 0 {
		if n, err := strconv.ParseInt(s[:len(s)-1], 10, 32); err == nil && n >= 0 {
			at := now - n*unit
			return &at, nil
		}
	}
	return nil, fmt.Errorf("%.40q is no time: want unix seconds, RFC 3339, a date, or a span such as 24h or 7d", s)
}

// narrow returns the filter with what the search text says beside words.
func (t *textQuery) narrow(f Filter) Filter {
	if t.since != nil && (f.Since == nil || *t.since > *f.Since) {
		f.Since = t.since
	}
	if t.until != nil && (f.Until == nil || *t.until < *f.Until) {
		f.Until = t.until
	}
	if t.authors != nil {
		if f.Authors != nil {
			f.Authors = slices.DeleteFunc(slices.Clone(f.Authors), func(pk PubKey) bool { return !slices.Contains(t.authors, pk) })
		} else {
			f.Authors = t.authors
		}
	}
	if len(t.query.Tags) > 0 && f.Tags == nil && !t.narrows() {
		f.Tags = map[byte][]string{'t': {t.query.Tags[0]}} // lower case, as NIP-24 asks
	}
	return f
}

// narrows reports whether postings bring down what must be read.
func (t *textQuery) narrows() bool { return len(t.terms) > 0 }

// matches makes the tests that postings do not decide.
func (t *textQuery) matches(e *Event) bool {
	if !hasText(e.Kind) {
		return false
	}
	for _, hashtag := range t.query.Tags {
		if !folded(e, hashtag) {
			return false
		}
	}
	return !t.confirm || t.query.Match(SearchText(e))
}

// matchesSearch reports whether an event passes a filter's search text; one that
// cannot be read matches nothing.
func matchesSearch(text string, e *Event) bool {
	if text == "" {
		return true
	}
	t, err := parseText(text, e.CreatedAt)
	if err != nil {
		return false
	}
	t.confirm = true
	f := t.narrow(Filter{})
	f.Since, f.Until = nil, nil
	return f.Matches(e) && t.matches(e)
}

// planText finds the segments in which some note has all the words.
func (sc *scan) planText(ctx context.Context, txn *badger.Txn, first, last uint32) error {
	var common map[uint32][]byte
	for _, term := range sc.text.terms {
		rows, err := segmentsOf(txn, term, common)
		if err != nil {
			return err
		}
		if common = rows; len(common) == 0 {
			return nil
		}
	}
	found := &hits{scan: sc, first: first, last: last}
	err := sc.store.times.with(ctx, sc.store.db, func() {
		for segment, row := range common {
			found.segments = append(found.segments, segmentHits{segment, sc.store.times.newestIn(segment), row})
		}
	})
	slices.SortFunc(found.segments, func(a, b segmentHits) int { return cmp.Compare(a.newest, b.newest) })
	sc.streams = append(sc.streams, &stream{listed: found})
	return err
}

// segmentsOf returns the postings of a term by segment; those that stand in common
// as well, when it is not nil.
func segmentsOf(txn *badger.Txn, term string, common map[uint32][]byte) (map[uint32][]byte, error) {
	rows := make(map[uint32][]byte)
	prefix := wordPrefix(term)
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		rest := it.Item().Key()[len(prefix):]
		if len(rest) != 4 {
			continue
		}
		segment := ^binary.BigEndian.Uint32(rest)
		other, both := common[segment]
		if common != nil && !both {
			continue
		}
		row, err := it.Item().ValueCopy(nil)
		if err != nil {
			return nil, fmt.Errorf("read postings of %q: %w", term, err)
		}
		if both {
			row = bothPostings(row, other)
		}
		if len(row) > 0 {
			rows[segment] = row
		}
	}
	return rows, nil
}

// bothPostings returns the places that two rows share, as a bitmap.
func bothPostings(a, b []byte) []byte {
	x, y := asBitmap(a), asBitmap(b)
	some := byte(0)
	for i := range x {
		x[i] &= y[i]
		some |= x[i]
	}
	if some == 0 {
		return nil
	}
	return x
}

func asBitmap(row []byte) []byte {
	if len(row) == bitmapLen {
		return slices.Clone(row)
	}
	set := make([]byte, bitmapLen)
	for at := range postings(row) {
		set[at/8] |= 1 << (at % 8)
	}
	return set
}

// TermFrequency returns how many stored notes hold the term (a Token's Term), and
// how many notes the text index holds: how usual the term is.
func (s *Store) TermFrequency(ctx context.Context, term string) (notes, of int, err error) {
	if !isIndexable(term) {
		return 0, 0, nil
	}
	err = s.view(ctx, func(txn *badger.Txn) error {
		rows, err := segmentsOf(txn, term, nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			notes += postingsLen(row)
		}
		row, err := txnGet(txn, metaKey(metaMarks))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		m, err := decodeMarks(row)
		of = int(m.texts)
		return err
	})
	return notes, of, err
}
