package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/nbd-wtf/go-nostr"
)

// Key is a person's secret key, made from a name, so that tests are the same
// every time. It protects nothing.
//
// Events are made by go-nostr and are JSON here: this package must not import
// ndb, whose tests import it, and code under test should not make its own input.
type Key struct {
	PubKey string // 64 hex digits
	secret string
}

// NewKey returns the key that belongs to a name.
func NewKey(name string) Key {
	seed := sha256.Sum256([]byte("bowerbird test key " + name))
	secret := hex.EncodeToString(seed[:])
	public, err := nostr.GetPublicKey(secret)
	if err != nil {
		panic("testkit: " + err.Error()) // a hash is no key once in 2^128
	}
	return Key{PubKey: public, secret: secret}
}

// Event returns a signed event as JSON.
func (k Key) Event(t testing.TB, kind int, at int64, content string, tags ...[]string) []byte {
	t.Helper()
	e := nostr.Event{CreatedAt: nostr.Timestamp(at), Kind: kind, Tags: nostr.Tags{}, Content: content}
	for _, tag := range tags {
		e.Tags = append(e.Tags, tag)
	}
	if err := e.Sign(k.secret); err != nil {
		t.Fatal(err)
	}
	data, err := e.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Notes returns n signed kind 1 notes as JSON, a second apart, oldest first, the
// first at unix time from.
func (k Key) Notes(t testing.TB, n int, from int64) [][]byte {
	t.Helper()
	notes := make([][]byte, n)
	for i := range notes {
		notes[i] = k.Event(t, 1, from+int64(i), "note")
	}
	return notes
}
