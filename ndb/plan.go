package ndb

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// plan chooses the indexes that answer a filter, the most selective first. Together the
// streams hold every note that the filter matches.
func (sc *scan) plan(ctx context.Context, txn *badger.Txn) error {
	first, last, ok := inSeconds(sc.filter.Since, sc.filter.Until)
	if sc.opt.After != nil {
		first = max(first, invertTime(sc.opt.After.CreatedAt))
	}
	if !sc.opt.Hidden {
		first = max(first, invertTime(sc.visible))
	}
	if !ok || first > last || sc.matchesNothing() {
		return nil
	}
	if sc.filter.IDs != nil {
		return sc.planIDs(txn)
	}
	if planned, err := sc.planText(ctx, txn, first, last); planned || err != nil {
		return err
	}
	switch {
	case len(sc.filter.Tags) > 0:
		sc.planTags(first, last)
	case sc.authors != nil && len(sc.authors.list) <= mergedAuthors:
		sc.planAuthors(txn, first, last)
	case sc.store.times.ready() && sc.store.times.areCommon(sc.kinds):
		sc.streams = append(sc.streams, &stream{listed: &walk{scan: sc, its: first, last: last}})
	default:
		sc.planKinds(txn, first, last)
	}
	return nil
}

// matchesNothing reports whether a list of the filter is present but empty, or names only
// people of whom nothing is stored.
func (sc *scan) matchesNothing() bool {
	f := sc.filter
	if sc.text != nil && sc.text.Empty {
		return true
	}
	if f.IDs != nil && len(f.IDs) == 0 || f.Kinds != nil && len(f.Kinds) == 0 || sc.authors != nil && len(sc.authors.list) == 0 {
		return true
	}
	for _, values := range f.Tags {
		if len(values) == 0 {
			return true
		}
	}
	return false
}

func (sc *scan) planIDs(txn *badger.Txn) error {
	var places []place
	for _, id := range sc.filter.IDs {
		row, err := txnGet(txn, idKey(&id))
		if err != nil || len(row) < 4 {
			continue
		}
		n := binary.BigEndian.Uint32(row)
		e, err := sc.store.event(txn, n)
		if err != nil {
			sc.damaged(err)
			continue
		}
		if e.ID != id {
			continue // another one whose id begins the same way
		}
		if a, ok := sc.store.people.get(e.PubKey); ok {
			places = append(places, place{invertTime(e.CreatedAt), n, a, e.Kind})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return int(int64(a.its) - int64(b.its)) })
	sc.streams = append(sc.streams, fixedStream(places))
	return nil
}

// planTags reads the tag with the fewest values, and the notes that have tags of
// that letter without a row. Where there are none, the rows alone decide the tag.
func (sc *scan) planTags(first, last uint32) {
	var letter byte
	for l, values := range sc.filter.Tags {
		if letter == 0 || len(values) < len(sc.filter.Tags[letter]) || len(values) == len(sc.filter.Tags[letter]) && l < letter {
			letter = l
		}
	}
	for _, value := range distinct(sc.filter.Tags[letter]) {
		if len(value) <= maxTagValue {
			sc.streams = append(sc.streams, newStream(tagPrefix(letter, value), first, last, parseTagRow))
		}
	}
	overflow, contacts := sc.store.overflow.has(letter, sc.kinds), letter == 'p' && (sc.kinds == nil || sc.kinds.has(nostr.KindContacts))
	if overflow {
		sc.streams = append(sc.streams, newStream(overflowPrefix(letter), first, last, parseTagRow))
	}
	if contacts {
		sc.streams = append(sc.streams, newStream(kindPrefix(nostr.KindContacts), first, last, parseKindRow))
	}
	if !overflow && !contacts {
		sc.rest.Tags = maps.Clone(sc.rest.Tags)
		delete(sc.rest.Tags, letter)
	}
}

func (sc *scan) planAuthors(txn *badger.Txn, first, last uint32) {
	for _, a := range sc.authors.list {
		kinds := distinct(sc.filter.Kinds)
		if sc.kinds == nil {
			kinds = kindsUnder(txn, authorPrefix(a))
		}
		for _, kind := range kinds {
			sc.streams = append(sc.streams, newStream(byAuthorPrefix(a, kind), first, last, parseAuthorRow))
		}
	}
}

func (sc *scan) planKinds(txn *badger.Txn, first, last uint32) {
	kinds := distinct(sc.filter.Kinds)
	if sc.kinds == nil {
		kinds = kindsUnder(txn, []byte{famKind})
	}
	for _, kind := range kinds {
		sc.streams = append(sc.streams, newStream(kindPrefix(kind), first, last, parseKindRow))
	}
}

// kindsUnder returns the kinds that follow a prefix, by skipping from one to the
// next.
func kindsUnder(txn *badger.Txn, prefix []byte) (kinds []uint16) {
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Rewind(); it.ValidForPrefix(prefix); {
		rest := it.Item().Key()[len(prefix):]
		if len(rest) < 2 {
			it.Next()
			continue
		}
		kind := binary.BigEndian.Uint16(rest)
		kinds = append(kinds, kind)
		next := after(binary.BigEndian.AppendUint16(slices.Clone(prefix), kind))
		if next == nil {
			break
		}
		it.Seek(next)
	}
	return kinds
}
