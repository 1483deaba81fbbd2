package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// keeper decides what a pruning must keep.
type keeper struct {
	store *Store
	opt   PruneOptions
	since *feedPlace // notes behind it were not there when the plan was made

	me, follows map[uint32]bool       // author numbers
	followed    map[nostr.PubKey]bool // the same people as follows, with those of whom nothing is stored
	// marks holds, for notes that others refer to, how old they count because of those;
	// named holds the same for people whom remaining notes link to, by author number.
	marks  map[shortID]ages
	named  map[nostr.PubKey]ages
	taken  *taken
	spared int
	total  int64   // size of all notes, as leaves estimates it
	factor float64 // from that to bytes on disk
	bySize int64   // everything removable dated before this time is removed for its size
}

// ages is how old a note counts under each limit, in unix seconds: as old as the newest
// note that keeps it.
type ages struct{ size, days int64 }

const forever = math.MaxInt64

// always is the age of what no limit applies to.
var always = ages{forever, forever}

// or is the age of what is kept for either of two reasons.
func (a ages) or(b ages) ages { return ages{max(a.size, b.size), max(a.days, b.days)} }

// shortID is the part of an id by which the store finds it.
type shortID [idPrefixLen]byte

func shorten(id nostr.ID) shortID { return shortID(id[:idPrefixLen]) }

func (s *Store) newKeeper(opt PruneOptions) *keeper {
	return &keeper{
		store: s, opt: opt, since: s.feed.end(), me: map[uint32]bool{}, follows: map[uint32]bool{}, followed: map[nostr.PubKey]bool{},
		marks: map[shortID]ages{}, named: map[nostr.PubKey]ages{}, taken: newTaken(s.people), factor: 1,
	}
}

// refersOn reports whether notes of a kind keep what they refer to if somebody who is
// followed wrote them, or if they address Me: it is shown with them. For notes by Me,
// every kind does.
func refersOn(kind uint16) bool {
	const poll = 1068
	return search.HasText(kind) && kind != nostr.KindProfile || kind == nostr.KindRepost || kind == nostr.KindGeneric || kind == poll
}

// ageOf returns the age of a note that is not by Me, by its own date alone.
func (k *keeper) ageOf(created int64, followed bool) ages {
	age := ages{created, created}
	if k.opt.MaxBytes <= 0 {
		age.size = forever
	}
	if k.opt.Before <= 0 || followed {
		age.days = forever
	}
	return age
}

// findOut reads who is followed, and what their notes, those of Me and those to Me refer
// to.
func (k *keeper) findOut(ctx context.Context, txn *badger.Txn) error {
	for _, pk := range k.opt.Me {
		if a, ok := k.store.people.get(pk); ok {
			k.me[a] = true
		}
	}
	for _, pk := range k.opt.Me {
		if err := k.findFollows(txn, pk); err != nil {
			return err
		}
	}
	var places []place
	for _, pk := range k.opt.Me {
		delete(k.followed, pk)
	}
	for pk := range k.followed {
		if a, ok := k.store.people.get(pk); ok {
			k.follows[a] = true
		}
	}
	for a := range k.me {
		places = append(places, placesOf(txn, a, nil)...)
	}
	for a := range k.follows {
		places = append(places, placesOf(txn, a, refersOn)...)
	}
	for _, pk := range k.opt.Me {
		places = append(places, placesTo(txn, pk, refersOn)...)
	}
	// Newest first: most notes are then marked once, by the newest note that keeps them.
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.its, b.its) })
	for _, p := range places {
		e, err := k.read(txn, p.n)
		if err != nil {
			return err // what cannot be read might keep anything
		}
		if err := k.markFrom(ctx, txn, e); err != nil {
			return err
		}
	}
	return k.taken.findInboxes(ctx, txn, k.opt.Me)
}

func (k *keeper) findFollows(txn *badger.Txn, pk nostr.PubKey) error {
	a, ok := k.store.people.get(pk)
	w, err := winner{}, ErrNotFound
	if ok {
		w, err = k.store.readWinner(txn, a, nostr.KindContacts, "")
	}
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w: no contact list of %s is stored", ErrNotFollowing, pk)
	}
	if err != nil {
		return err
	}
	list, err := k.store.event(txn, w.n)
	if err != nil {
		return err
	}
	for _, tag := range list.Tags {
		if len(tag) > 1 && tag[0] == "p" {
			if raw, ok := hex32(tag[1]); ok {
				k.followed[nostr.PubKey(raw)] = true
			}
		}
	}
	return nil
}

// placesOf returns an author's notes of the kinds that want accepts; a nil want accepts
// all.
func placesOf(txn *badger.Txn, a uint32, want func(uint16) bool) (places []place) {
	prefix := authorPrefix(a)
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		key := it.Item().Key()
		if len(key) != len(prefix)+10 {
			continue
		}
		if p, ok := parseAuthorRow(key[:len(prefix)+2], key, nil); ok && (want == nil || want(p.kind)) {
			places = append(places, p)
		}
	}
	return places
}

// placesTo returns the notes that may address somebody: those that name them, and those
// that name more people than the index holds.
func placesTo(txn *badger.Txn, pk nostr.PubKey, want func(uint16) bool) (places []place) {
	for _, prefix := range [][]byte{tagPrefix('p', pk.String()), overflowPrefix('p')} {
		it := txn.NewIterator(keysOnly(prefix))
		for it.Rewind(); it.Valid(); it.Next() {
			row, err := it.Item().ValueCopy(nil)
			if p, ok := parseTagRow(prefix, it.Item().Key(), row); ok && err == nil && want(p.kind) {
				places = append(places, p)
			}
		}
		it.Close()
	}
	return places
}

// read returns a note, including one that the transaction has written, without adding it
// to the cache.
func (k *keeper) read(txn *badger.Txn, n uint32) (*nostr.Event, error) {
	packed, err := txnGet(txn, noteKey(n))
	if err != nil {
		return nil, err
	}
	e, err := unpackChecked(packed)
	if err != nil {
		return nil, fmt.Errorf("%w: note %d: %w", ErrDamaged, n, err)
	}
	return e, nil
}

// keeps returns for how long a note keeps what it refers to.
func (k *keeper) keeps(e *nostr.Event) (ages, bool) {
	switch {
	case slices.Contains(k.opt.Me, e.PubKey):
		return always, true
	case !refersOn(e.Kind):
		return ages{}, false
	}
	mark, marked := k.marks[shorten(e.ID)]
	if followed := k.followed[e.PubKey]; followed || k.speaksToMe(e) {
		return mark.or(k.ageOf(e.CreatedAt, followed)), true
	}
	return mark, marked
}

func (k *keeper) speaksToMe(e *nostr.Event) bool {
	return slices.ContainsFunc(e.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && tag[0] == "p" && slices.ContainsFunc(k.opt.Me, func(me nostr.PubKey) bool { return tag[1] == me.String() })
	})
}

// markFrom marks what a note refers to, if the note keeps it, and what that refers to in
// turn.
func (k *keeper) markFrom(ctx context.Context, txn *badger.Txn, e *nostr.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	age, ok := k.keeps(e)
	if !ok {
		return nil
	}
	k.name(e, age)
	for todo := k.references(txn, e); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		mark := k.marks[shorten(id)]
		if mark.or(age) == mark {
			continue
		}
		k.marks[shorten(id)] = mark.or(age)
		row, err := txnGet(txn, idKey(&id))
		if errors.Is(err, ErrNotFound) || err == nil && len(row) < 4 {
			continue
		}
		if err != nil {
			return err
		}
		e, err := k.read(txn, binary.BigEndian.Uint32(row))
		if err != nil {
			return err
		}
		if refersOn(e.Kind) {
			k.name(e, age)
			todo = append(todo, k.references(txn, e)...)
		}
	}
	return nil
}

// name marks the people whom a note links to: their names are shown with it.
func (k *keeper) name(e *nostr.Event, age ages) {
	for link := range nostr.Links(e.Content) {
		if link.PubKey != (nostr.PubKey{}) {
			k.named[link.PubKey] = k.named[link.PubKey].or(age)
		}
	}
}

// references returns the notes that an event refers to: by tags of ids and of addresses,
// and by links in its text.
func (k *keeper) references(txn *badger.Txn, e *nostr.Event) []nostr.ID {
	ids := nostr.Quotes(e)
	for _, tag := range e.Tags {
		if len(tag) < 2 || !strings.Contains("eEqaA", tag[0]) || len(tag[0]) != 1 {
			continue
		}
		if raw, ok := hex32(tag[1]); ok {
			ids = append(ids, nostr.ID(raw))
		} else if id, ok := k.atAddress(txn, tag[1]); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// atAddress returns the stored version of the event at kind:pubkey:d.
func (k *keeper) atAddress(txn *badger.Txn, addr string) (nostr.ID, bool) {
	number, rest, _ := strings.Cut(addr, ":")
	key, d, _ := strings.Cut(rest, ":")
	kind, err := strconv.ParseUint(number, 10, 16)
	raw, ok := hex32(key)
	if err != nil || !ok || !nostr.IsReplaceable(uint16(kind)) {
		return nostr.ID{}, false
	}
	if !nostr.IsAddressable(uint16(kind)) {
		d = ""
	}
	a, ok := k.store.people.get(nostr.PubKey(raw))
	if !ok {
		return nostr.ID{}, false
	}
	w, err := k.store.readWinner(txn, a, uint16(kind), d)
	return w.id, err == nil
}
