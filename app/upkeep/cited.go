package upkeep

import (
	"context"
	"encoding/hex"

	"bowerbird/ndb"
)

// idSet are ids of notes, by their first half.
type idSet map[[16]byte]bool

func (s idSet) has(id ndb.ID) bool { return s[[16]byte(id[:16])] }

// cited returns what the saved chats and the own store speak of. It goes by what
// looks like an id, so that no form of saying one is missed. A chat that cannot be
// read is an error: nobody knows what it cites.
func (k *Keeper) cited(ctx context.Context) (idSet, error) {
	ids := idSet{}
	for record, err := range k.opt.Records(ctx) {
		if err != nil {
			return nil, err
		}
		ids.find(record)
	}
	var line []byte
	for e, err := range k.opt.Own.Query(ctx, ndb.QueryOptions{Hidden: true}, ndb.Filter{}) {
		if err != nil {
			return nil, err
		}
		line = e.AppendJSON(line[:0])
		ids.find(line)
	}
	return ids, nil
}

// find adds what a text names by 64 hex digits or by a nostr: link.
func (s idSet) find(text []byte) {
	const digits = 2 * len(ndb.ID{})
	run := 0
	for i, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			run = 0
			continue
		}
		if run++; run < digits {
			continue
		}
		// Of a longer run each part may be one.
		var id ndb.ID
		if _, err := hex.Decode(id[:], text[i+1-digits:i+1]); err == nil {
			s[[16]byte(id[:16])] = true
		}
	}
	for link := range ndb.Links(string(text)) {
		if link.Event != (ndb.ID{}) {
			s[[16]byte(link.Event[:16])] = true
		}
	}
}
