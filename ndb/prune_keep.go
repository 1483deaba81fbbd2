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
)

// keeper knows what a pruning must keep.
type keeper struct {
	store *Store
	opt   PruneOptions
	since *feedPlace // what came after it was not there when the plan was made

	me, follows map[uint32]bool // author numbers
	// marks hold, of notes that others refer to, how new the newest of those is that
	// keep them; forever for what Me refer to.
	marks  map[shortID]int64
	inbox  map[string]int64 // by key in hex: whose inbox the ledger knows, and the newest note that may go from it
	spared int
	total  int64   // size of all notes as leaves have it
	factor float64 // from that to the disk
	before int64
}

// shortID is the part of an id by which the store finds it.
type shortID [idPrefixLen]byte

func shorten(id ID) shortID { return shortID(id[:idPrefixLen]) }

const forever = math.MaxInt64

func (s *Store) newKeeper(opt PruneOptions) *keeper {
	return &keeper{
		store: s, opt: opt, since: s.feed.end(), me: map[uint32]bool{}, follows: map[uint32]bool{},
		marks: map[shortID]int64{}, inbox: map[string]int64{}, factor: 1,
	}
}

// refersOn reports whether notes of a kind keep what they refer to, when somebody
// who is followed wrote them: what is shown with it. Of Me every kind does.
func refersOn(kind uint16) bool {
	const poll = 1068
	return hasText(kind) && kind != kindProfile || kind == kindRepost || kind == kindGeneric || kind == poll
}

// findOut finds out who is followed, and what their notes and those of Me refer to.
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
	for a := range k.me {
		delete(k.follows, a)
		for _, p := range placesOf(txn, a, nil) {
			if err := k.markFrom(ctx, txn, p.n, forever); err != nil {
				return err
			}
		}
	}
	var circle []place
	for a := range k.follows {
		circle = append(circle, placesOf(txn, a, refersOn)...)
	}
	// The newest first: each note is then marked once, by the newest that keeps it.
	slices.SortFunc(circle, func(a, b place) int { return cmp.Compare(a.its, b.its) })
	for _, p := range circle {
		age := int64(^p.its)
		if k.opt.MaxBytes <= 0 {
			age = forever // of those who are followed nothing goes
		}
		if err := k.markFrom(ctx, txn, p.n, age); err != nil {
			return err
		}
	}
	return k.findInboxes(ctx, txn)
}

func (k *keeper) findFollows(txn *badger.Txn, pk PubKey) error {
	a, ok := k.store.people.get(pk)
	w, err := winner{}, ErrNotFound
	if ok {
		w, err = k.store.readWinner(txn, a, kindContacts, "")
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
				if a, ok := k.store.people.get(PubKey(raw)); ok {
					k.follows[a] = true
				}
			}
		}
	}
	return nil
}

// placesOf returns an author's notes of the kinds that want accepts; nil for all.
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

// markFrom marks what a note refers to, and what that refers to in turn.
func (k *keeper) markFrom(ctx context.Context, txn *badger.Txn, n uint32, age int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e, err := k.store.event(txn, n)
	if err != nil {
		return err // what cannot be read could keep anything
	}
	age = max(age, k.marks[shorten(e.ID)])
	for todo := k.references(txn, e); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if k.marks[shorten(id)] >= age {
			continue
		}
		k.marks[shorten(id)] = age
		row, err := txnGet(txn, idKey(&id))
		if errors.Is(err, ErrNotFound) || err == nil && len(row) < 4 {
			continue
		}
		if err != nil {
			return err
		}
		e, err := k.store.event(txn, binary.BigEndian.Uint32(row))
		if err != nil {
			return err
		}
		if refersOn(e.Kind) {
			todo = append(todo, k.references(txn, e)...)
		}
	}
	return nil
}

// references returns the notes that an event speaks of in any way: by tags of ids
// and of addresses, and by links in its text.
func (k *keeper) references(txn *badger.Txn, e *Event) []ID {
	ids := Quotes(e)
	for _, tag := range e.Tags {
		if len(tag) < 2 || !strings.Contains("eEqaA", tag[0]) || len(tag[0]) != 1 {
			continue
		}
		if raw, ok := hex32(tag[1]); ok {
			ids = append(ids, ID(raw))
		} else if id, ok := k.atAddress(txn, tag[1]); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// atAddress returns the stored version of what kind:pubkey:d names.
func (k *keeper) atAddress(txn *badger.Txn, addr string) (ID, bool) {
	number, rest, _ := strings.Cut(addr, ":")
	key, d, _ := strings.Cut(rest, ":")
	kind, err := strconv.ParseUint(number, 10, 16)
	raw, ok := hex32(key)
	if err != nil || !ok || !isReplaceable(uint16(kind)) {
		return ID{}, false
	}
	if !isAddressable(uint16(kind)) {
		d = ""
	}
	a, ok := k.store.people.get(PubKey(raw))
	if !ok {
		return ID{}, false
	}
	w, err := k.store.readWinner(txn, a, uint16(kind), d)
	return w.id, err == nil
}

// leaves returns the notes that may go, and sums up what all take.
func (k *keeper) leaves(ctx context.Context, txn *badger.Txn) (leaves []leaf, err error) {
	visible := k.store.visibleUntil()
	err = eachRow(ctx, txn, []byte{famNote}, func(key, packed []byte) error {
		e, err := unpack(packed)
		if err != nil {
			return fmt.Errorf("%w: note %x: %w", ErrDamaged, key, err)
		}
		a, ok := k.store.people.get(e.PubKey)
		if !ok || len(key) != 5 {
			return fmt.Errorf("%w: author of note %x", ErrDamaged, key)
		}
		size := leafSize(e, len(packed))
		k.total += size
		if k.me[a] || !isDeletable(e.Kind) || e.CreatedAt > visible || k.follows[a] && isReplaceable(e.Kind) || isOfPerson(e.Kind) {
			return nil
		}
		mark := k.marks[shorten(e.ID)]
		if mark == forever || k.opt.Keep != nil && k.opt.Keep(e.ID) {
			if k.opt.Before > 0 && e.CreatedAt < k.opt.Before && !k.follows[a] {
				k.spared++
			}
			return nil
		}
		l := leaf{age: max(e.CreatedAt, mark), created: e.CreatedAt, n: binary.BigEndian.Uint32(key[1:]), a: a, size: uint32(size)}
		leaves = append(leaves, l)
		return nil
	})
	return leaves, err
}

// leafSize is about what the rows of a note take: its own, and those that lead to it.
func leafSize(e *Event, packed int) int64 {
	const row = 40
	size := packed + row*(4+min(len(e.Tags), maxTagRows))
	if hasText(e.Kind) {
		size += len(e.Content) / 2
	}
	return int64(size)
}

// isOfPerson reports whether an event of the kind says who somebody is: it goes with
// the last note by or about them.
func isOfPerson(kind uint16) bool { return isReplaceable(kind) && !isAddressable(kind) }
