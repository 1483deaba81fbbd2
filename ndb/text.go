package ndb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// textQuery is a filter's search, made ready for one scan: what the filter's own
// fields can say of it stands in them, the rest is put to the text index.
type textQuery struct {
	query   SearchQuery
	rest    *searchNode // nil: the fields say it all
	empty   bool        // nothing to look for, so nothing is found
	confirm bool        // the index alone does not decide
	rows    map[*searchNode]*leafRows
}

// readText reads a filter's search text; nil for one of white space alone.
func readText(text string, now int64) (*textQuery, error) {
	q, err := parseSearch(text, maxResolved)
	if err == nil {
		err = q.read(now)
	}
	if err != nil {
		return nil, err
	}
	if startsWithSpaceOnly(text) {
		return nil, nil
	}
	return &textQuery{query: q, rest: q.root, empty: q.root == nil}, nil
}

func startsWithSpaceOnly(text string) bool {
	for _, r := range text {
		if !startsWithSpace(string(r)) {
			return false
		}
	}
	return true
}

// narrow moves what must be met in any case, and fields can say, into the filter.
func (t *textQuery) narrow(f Filter) Filter {
	if f.Kinds == nil && len(t.query.Kinds()) == 0 {
		f.Kinds = textKinds()
	}
	var left []*searchNode
	for _, n := range topOf(t.query.root) {
		switch n.op {
		case opFrom:
			f.Authors = both(f.Authors, keysOf(n.people))
		case opKind:
			f.Kinds = both(f.Kinds, n.kinds)
		case opSince:
			if f.Since == nil || *n.time > *f.Since {
				f.Since = n.time
			}
		case opUntil:
			if f.Until == nil || *n.time < *f.Until {
				f.Until = n.time
			}
		default:
			left = append(left, n)
		}
	}
	t.rest = &searchNode{op: opAnd, kids: left}
	if len(left) == 0 {
		t.rest = nil
	}
	t.confirm = t.rest != nil
	return f
}

// topOf returns the nodes that must all be met.
func topOf(n *searchNode) []*searchNode {
	switch {
	case n == nil:
		return nil
	case n.op == opAnd:
		return n.kids
	}
	return []*searchNode{n}
}

func keysOf(people []searchPerson) (keys []PubKey) {
	for _, p := range people {
		keys = append(keys, *p.key)
	}
	return keys
}

// both returns what stands in two lists, where nil is everything.
func both[T comparable](a, b []T) []T {
	if a == nil {
		return b
	}
	return slices.DeleteFunc(slices.Clone(a), func(v T) bool { return !slices.Contains(b, v) })
}

// textKinds are the kinds that full text indexes; hasText tells the same.
func textKinds() []uint16 {
	return []uint16{kindProfile, kindNote, kindThread, kindPicture, kindComment, kindArticle}
}

// matches makes the tests that the indexes have not made.
func (t *textQuery) matches(s *Store, e *Event) bool {
	if t.rest == nil || !t.confirm {
		return true
	}
	d := &searchDoc{event: e, language: s.langs.of}
	return d.meets(t.rest)
}

// matchesSearch reports whether an event passes a filter, its search text included,
// as Query decides it at a time; a text that cannot be read matches nothing.
func (f Filter) matchesSearch(e *Event, now int64) bool {
	if f.Search == "" {
		return f.Matches(e)
	}
	t, err := readText(f.Search, now)
	if err != nil {
		return false
	}
	if t == nil {
		return f.Matches(e)
	}
	f = t.narrow(f)
	return !t.empty && f.Matches(e) && (t.rest == nil || (&searchDoc{event: e}).meets(t.rest))
}

// planText reads the rows of the search's terms, and adds the stream of the notes
// that may be found. It reports false where the index would not bring down what is
// to be read.
func (sc *scan) planText(ctx context.Context, txn *badger.Txn, first, last uint32) (bool, error) {
	t := sc.text
	if t == nil {
		return false, nil
	}
	narrows := t.rest.narrows()
	fewer := sc.filter.IDs != nil || len(sc.filter.Tags) > 0 || sc.authors != nil && len(sc.authors.list) <= mergedAuthors
	if t.rest == nil || !narrows && (fewer || !isExact(t.rest, nil)) {
		return false, nil
	}
	// The columns are of later: what has come since is in no row, and meets any "-".
	known, err := readMarks(txn)
	if err != nil {
		return false, err
	}
	now, later := t.rest.parts(known.note)
	t.rows = make(map[*searchNode]*leafRows)
	loader := &rowLoader{store: sc.store, txn: txn, first: first, last: last, span: now, rows: t.rows}
	segments, err := loader.load(ctx, t.rest, nil)
	if err != nil {
		return false, err
	}
	t.confirm = !isExact(t.rest, t.rows)
	found := &hits{scan: sc, first: first, last: last, below: max(known.note, 1), rest: t.rest}
	err = sc.store.times.with(ctx, sc.store.db, func() {
		found.choose(now, segments)
		found.postpone(later)
	})
	sc.streams = append(sc.streams, &stream{listed: found})
	return true, err
}

// narrows reports whether the index tells which notes meet the node, without looking
// at all there are.
func (n *searchNode) narrows() bool {
	switch {
	case n == nil:
		return false
	case n.op == opAnd:
		return slices.ContainsFunc(n.kids, (*searchNode).narrows)
	case n.op == opOr:
		return !slices.ContainsFunc(n.kids, func(kid *searchNode) bool { return !kid.narrows() })
	}
	return n.isIndexed()
}

// isIndexed reports whether rows of an index answer the leaf.
func (n *searchNode) isIndexed() bool {
	switch n.op {
	case opWords, opChar, opTerm, opLink, opTo:
		return true
	}
	return false
}

// TermFrequency returns how many stored notes hold the term (a Token's Term), and
// how many notes the text index holds: how usual the term is.
func (s *Store) TermFrequency(ctx context.Context, term string) (notes, of int, err error) {
	if !isIndexable(term) {
		return 0, 0, nil
	}
	err = s.view(ctx, func(txn *badger.Txn) error {
		rows, err := segmentsOf(txn, wordPrefix(term), allSegments(), nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			notes += postingsLen(row)
		}
		m, err := readMarks(txn)
		of = int(m.texts)
		return err
	})
	return notes, of, err
}

// readMarks reads the high-water marks; a store that never held a note has none.
func readMarks(txn *badger.Txn) (marks, error) {
	row, err := txnGet(txn, metaKey(metaMarks))
	if errors.Is(err, ErrNotFound) {
		return marks{}, nil
	}
	if err != nil {
		return marks{}, err
	}
	return decodeMarks(row)
}

// segmentsOf returns the postings under a prefix of keys, which are those of one
// term, by segment; only of segments of the span, and of those that stand in among,
// when it is not nil.
func segmentsOf(txn *badger.Txn, prefix []byte, span segmentSpan, among map[uint32]bool) (map[uint32][]byte, error) {
	rows := make(map[uint32][]byte)
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Seek(binary.BigEndian.AppendUint32(slices.Clone(prefix), ^(span.to - 1))); it.Valid(); it.Next() {
		key := it.Item().Key()
		if len(key) != len(prefix)+4 {
			continue
		}
		segment := ^binary.BigEndian.Uint32(key[len(prefix):])
		if segment < span.from {
			break
		}
		if among != nil && !among[segment] {
			continue
		}
		row, err := it.Item().ValueCopy(nil)
		if err != nil {
			return nil, fmt.Errorf("read postings %q: %w", prefix, err)
		}
		if len(row) > 0 {
			rows[segment] = row
		}
	}
	return rows, nil
}
