package ndb

import (
	"encoding/binary"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// overflows holds of which letters the notes of which kinds have, or had, tags without a
// row in t. It is mostly lists that are so long: for other kinds no query needs to look
// whether there are such notes, nor at the tags of those that t names.
type overflows struct {
	known sync.Map // overflow
}

type overflow struct {
	letter byte
	kind   uint16
}

func (o *overflows) add(letter byte, kind uint16) { o.known.Store(overflow{letter, kind}, nil) }

// has reports whether notes of the kinds, nil for any, may have such tags.
func (o *overflows) has(letter byte, kinds *kindSet) (found bool) {
	o.known.Range(func(key, _ any) bool {
		of := key.(overflow)
		found = of.letter == letter && (kinds == nil || kinds.has(of.kind))
		return !found
	})
	return found
}

func (o *overflows) load(txn *badger.Txn) error {
	it := txn.NewIterator(keysOnly([]byte{famOverflow}))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		letter := it.Item().Key()[1]
		err := it.Item().Value(func(row []byte) error {
			if len(row) == 6 {
				o.add(letter, binary.BigEndian.Uint16(row[4:]))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
