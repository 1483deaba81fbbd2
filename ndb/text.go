package ndb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// textQuery is the search text of one scan, put to the text index.
type textQuery struct {
	*search.Text
	confirm bool // the index alone does not decide
	rows    map[*search.Node]*leafRows
}

// matches makes the tests that the indexes have not made.
func (t *textQuery) matches(s *Store, e *nostr.Event) bool {
	if t.Rest == nil || !t.confirm {
		return true
	}
	return t.Rest.MetBy(e, s.langs.Of)
}

// planText reads the rows of the search's terms, and adds the stream of the notes
// that may be found. It reports false where the index would not bring down what is
// to be read.
func (sc *scan) planText(ctx context.Context, txn *badger.Txn, first, last uint32) (bool, error) {
	t := sc.text
	if t == nil {
		return false, nil
	}
	fewer := sc.filter.IDs != nil || len(sc.filter.Tags) > 0 || sc.authors != nil && len(sc.authors.list) <= mergedAuthors
	if t.Rest == nil || !narrows(t.Rest) && (fewer || !isExact(t.Rest, nil)) {
		return false, nil
	}
	// The columns are of later: what has come since is in no row, and meets any "-".
	known, err := readMarks(txn)
	if err != nil {
		return false, err
	}
	now, later := segmentsNow(t.Rest, known.note)
	t.rows = make(map[*search.Node]*leafRows)
	loader := &rowLoader{store: sc.store, txn: txn, first: first, last: last, span: now, rows: t.rows}
	segments, err := loader.load(ctx, t.Rest, nil)
	if err != nil {
		return false, err
	}
	t.confirm = !isExact(t.Rest, t.rows)
	found := &hits{scan: sc, first: first, last: last, below: max(known.note, 1), rest: t.Rest}
	err = sc.store.times.with(ctx, sc.store.db, func() {
		found.choose(now, segments)
		found.postpone(later)
	})
	sc.streams = append(sc.streams, &stream{listed: found})
	return true, err
}

// narrows reports whether the index tells which notes meet the node, without looking
// at all there are.
func narrows(n *search.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Op == search.OpAnd:
		return slices.ContainsFunc(n.Kids, narrows)
	case n.Op == search.OpOr:
		return !slices.ContainsFunc(n.Kids, func(kid *search.Node) bool { return !narrows(kid) })
	}
	return isIndexed(n)
}

// isIndexed reports whether rows of an index answer the leaf.
func isIndexed(n *search.Node) bool {
	switch n.Op {
	case search.OpWords, search.OpChar, search.OpTerm, search.OpLink, search.OpTo:
		return true
	}
	return false
}

// TermFrequency returns how many stored notes hold the term (a Token's Term), and
// how many notes the text index holds: how usual the term is.
func (s *Store) TermFrequency(ctx context.Context, term string) (notes, of int, err error) {
	if !search.IsTerm(term) {
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
