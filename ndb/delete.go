package ndb

import (
	"encoding/binary"
	"strconv"
	"strings"

	"bowerbird/ndb/nostr"
)

// isDeleted reports whether the event's author asked for its deletion, or to vanish,
// before it arrived.
func (t *tx) isDeleted(a uint32, e *nostr.Event) bool {
	if !nostr.IsDeletable(e.Kind) {
		return e.Kind == nostr.KindDeletion && t.hasVanished(a, e)
	}
	if t.has(deletedIDKey(&e.ID, a)) || t.hasVanished(a, e) {
		return true
	}
	if !nostr.IsReplaceable(e.Kind) {
		return false
	}
	last, ok := t.lastBuried(a, e.Kind, nostr.D(e))
	return ok && !nostr.Supersedes(e.CreatedAt, e.ID, last.created, last.id)
}

// lastBuried returns up to which version an address is deleted.
func (t *tx) lastBuried(a uint32, kind uint16, d string) (winner, bool) {
	row, ok := t.get(deletedAddressKey(a, kind, d))
	if !ok {
		return winner{}, false
	}
	last, err := decodeWinner(row)
	if err != nil {
		t.fail(err)
	}
	return last, err == nil
}

// buryVersions deletes the versions of an address up to a time and id. The lowest
// id, zero, stands for all versions of that time.
func (t *tx) buryVersions(a uint32, kind uint16, d string, created int64, id nostr.ID) {
	last, ok := t.lastBuried(a, kind, d)
	if !ok || nostr.Supersedes(created, id, last.created, last.id) {
		t.set(deletedAddressKey(a, kind, d), encodeWinner(winner{created: created, id: id}))
	}
	if w, ok := t.winner(winnerKey(a, kind, d)); ok && !nostr.Supersedes(w.created, w.id, created, id) {
		t.discard(a, w.n, false)
	}
}

// outlive makes a version that is deleted by its id still supersede the older ones: they
// must not come back because it is gone, in whatever order all of them arrive.
func (t *tx) outlive(a uint32, e *nostr.Event) {
	if nostr.IsReplaceable(e.Kind) && nostr.IsDeletable(e.Kind) && e.CreatedAt <= t.now+futureGrace {
		t.buryVersions(a, e.Kind, nostr.D(e), e.CreatedAt, e.ID)
	}
}

func (t *tx) hasVanished(a uint32, e *nostr.Event) bool {
	row, ok := t.get(vanishedKey(a))
	return ok && e.CreatedAt <= decodeTime(row)
}

func encodeTime(at int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(at)) }

func decodeTime(row []byte) int64 {
	if len(row) != 8 {
		return -1
	}
	return int64(binary.BigEndian.Uint64(row))
}

// applyDeletion does what a deletion asks (NIP-09): what its own author wrote is removed
// and may not come back. Deleting a deletion has no effect. All tombstones are written
// first, so that they are in the deletion's transaction even if the removals are not.
func (t *tx) applyDeletion(a uint32, e *nostr.Event) {
	var targets []uint32
	for _, tag := range e.Tags {
		if len(tag) > 1 && tag[0] == "e" {
			if raw, ok := hex32(tag[1]); ok {
				targets = append(targets, t.buryID(a, e, nostr.ID(raw))...)
			}
		}
	}
	for _, tag := range e.Tags {
		if len(tag) > 1 && tag[0] == "a" {
			t.buryAddress(a, e, tag[1])
		}
	}
	for _, n := range targets {
		if target, ok := t.event(n); ok {
			t.outlive(a, target)
		}
		t.discard(a, n, false)
	}
}

// buryID writes the tombstone of an id and returns the note to be removed, if any.
func (t *tx) buryID(a uint32, e *nostr.Event, id nostr.ID) (targets []uint32) {
	if n, stored, ok := t.find(&id); ok && stored == id {
		target, ok := t.event(n)
		if !ok || target.PubKey != e.PubKey || !nostr.IsDeletable(target.Kind) {
			return nil
		}
		targets = append(targets, n)
	}
	key := deletedIDKey(&id, a)
	if row, ok := t.get(key); !ok || decodeTime(row) < e.CreatedAt {
		t.set(key, encodeTime(e.CreatedAt))
	}
	t.dropVersions(a, e.PubKey, func(v *nostr.Event) bool { return v.ID == id })
	return targets
}

func (t *tx) buryAddress(a uint32, e *nostr.Event, addr string) {
	kind, d, ok := parseAddress(addr, e.PubKey)
	if !ok {
		return
	}
	t.buryVersions(a, kind, d, e.CreatedAt, nostr.ID{})
	t.dropVersions(a, e.PubKey, func(v *nostr.Event) bool { return v.Kind == kind && v.CreatedAt <= e.CreatedAt })
}

// parseAddress reads kind:pubkey:d of a replaceable or addressable event whose
// author is owner.
func parseAddress(addr string, owner nostr.PubKey) (kind uint16, d string, ok bool) {
	number, rest, ok1 := strings.Cut(addr, ":")
	author, d, ok2 := strings.Cut(rest, ":")
	k, err := strconv.ParseUint(number, 10, 16)
	pk, ok3 := hex32(author)
	if !ok1 || !ok2 || err != nil || !ok3 || nostr.PubKey(pk) != owner || !nostr.IsReplaceable(uint16(k)) {
		return 0, "", false
	}
	if !nostr.IsAddressable(uint16(k)) {
		d = ""
	}
	return uint16(k), d, true
}

// applyVanish does what a request to vanish asks (NIP-62) if it is addressed to all
// relays: everything that its author wrote up to then is removed and may not come back.
// The notes are removed in the transactions that follow.
func (t *tx) applyVanish(a uint32, e *nostr.Event) {
	if !asksAllRelays(e) {
		return
	}
	if row, ok := t.get(vanishedKey(a)); ok && decodeTime(row) >= e.CreatedAt {
		return
	}
	t.set(vanishedKey(a), encodeTime(e.CreatedAt))
	t.set(metaKey(metaVanish, binary.BigEndian.AppendUint32(nil, a)...), encodeTime(e.CreatedAt))
	t.dropVersions(a, e.PubKey, func(v *nostr.Event) bool { return v.CreatedAt <= e.CreatedAt })
	t.queued = true
}

// asksAllRelays reports whether a request to vanish is addressed to all relays. A request
// to some relays binds only those: a client's store has no address that it could name,
// and what it holds may live on elsewhere.
func asksAllRelays(e *nostr.Event) bool {
	for _, tag := range e.Tags {
		if len(tag) > 1 && tag[0] == "relay" && tag[1] == "ALL_RELAYS" {
			return true
		}
	}
	return false
}
