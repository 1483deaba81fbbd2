// Package nostr is what a Nostr event is and what it says about others, without a store
// and without a network: events and filters (NIP-01) are parsed from strict JSON, written
// byte for byte as they were signed, and verified; codes and links (NIP-19, NIP-21),
// profiles, replies, quotes and zaps are read from them.
//
//	e, err := nostr.ParseEvent(line)
//	if err == nil {
//		err = e.Verify() // the id is hashed again, the signature checked
//	}
//	if reply, ok := nostr.ReplyTo(e); ok {
//		parent := reply.Parent
//	}
//
// Whatever a stranger wrote is limited in size when it is parsed; the error names the
// rule that it violates (*InvalidError, *FilterError).
package nostr

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
)

// ID is an event id: the SHA-256 of the event's NIP-01 serialisation.
type ID [32]byte

// PubKey is an x-only secp256k1 public key (BIP-340), a person's identity.
type PubKey [32]byte

// Sig is a BIP-340 Schnorr signature over an event id.
type Sig [64]byte

// Tag is one tag of an event: its name, its value, and further items.
type Tag []string

// Tags are an event's tags in the order they were signed.
type Tags []Tag

// Event is a signed Nostr event (NIP-01). An Event that a Store returned is
// verified and shared: callers must not change it.
type Event struct {
	ID        ID
	PubKey    PubKey
	CreatedAt int64 // unix seconds, 0 to 2^53
	Kind      uint16
	Tags      Tags
	Content   string
	Sig       Sig
}

// String returns the id as 64 lower-case hex digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// String returns the key as 64 lower-case hex digits.
func (pk PubKey) String() string { return hex.EncodeToString(pk[:]) }

// ParseID reads an id of exactly 64 lower-case hex digits.
func ParseID(s string) (ID, error) {
	var id ID
	if err := decodeLowerHex(id[:], s); err != nil {
		return ID{}, fmt.Errorf("event id: %w", err)
	}
	return id, nil
}

// ParsePubKey reads a public key of exactly 64 lower-case hex digits. It does
// not check that the key is a point on the curve.
func ParsePubKey(s string) (PubKey, error) {
	var pk PubKey
	if err := decodeLowerHex(pk[:], s); err != nil {
		return PubKey{}, fmt.Errorf("public key: %w", err)
	}
	return pk, nil
}

// MarshalText writes what String does, so that JSON holds hex digits.
func (id ID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, id[:]), nil }

// UnmarshalText reads what ParseID does.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// MarshalText writes what String does, so that JSON holds hex digits.
func (pk PubKey) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, pk[:]), nil }

// UnmarshalText reads what ParsePubKey does.
func (pk *PubKey) UnmarshalText(text []byte) (err error) {
	*pk, err = ParsePubKey(string(text))
	return err
}

func decodeLowerHex(dst []byte, s string) error {
	if len(s) != 2*len(dst) {
		return fmt.Errorf("%d characters, want %d hex digits", len(s), 2*len(dst))
	}
	for i := range dst {
		high, low := lowerHexDigit(s[2*i]), lowerHexDigit(s[2*i+1])
		if high|low > 15 {
			bad := 2*i + 1
			if high <= 15 {
				bad++
			}
			return fmt.Errorf("character %d is no lower-case hex digit", bad)
		}
		dst[i] = high<<4 | low
	}
	return nil
}

// lowerHexDigit returns the value of a digit, more than 15 when it is none.
func lowerHexDigit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	}
	return 0xff
}

// Value returns the first value of the tag called name, and whether there is one.
func (ts Tags) Value(name string) (string, bool) {
	for _, t := range ts {
		if len(t) > 1 && t[0] == name {
			return t[1], true
		}
	}
	return "", false
}

// Compare orders events newest first, equal times by lowest id (NIP-01).
func Compare(a, b *Event) int {
	if a.CreatedAt != b.CreatedAt {
		return cmp.Compare(b.CreatedAt, a.CreatedAt)
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}
