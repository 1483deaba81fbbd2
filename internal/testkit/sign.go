package testkit

import (
	"crypto/sha256"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb"
)

// Key is a person's secret key, made from a name, so that tests are the same
// every time. It protects nothing.
type Key struct {
	secret *btcec.PrivateKey
	PubKey ndb.PubKey
}

// NewKey returns the key that belongs to a name.
func NewKey(name string) Key {
	seed := sha256.Sum256([]byte("bowerbird test key " + name))
	secret, public := btcec.PrivKeyFromBytes(seed[:])
	return Key{secret: secret, PubKey: ndb.PubKey(schnorr.SerializePubKey(public))}
}

// Sign sets the event's key, id and signature.
func (k Key) Sign(t testing.TB, e *ndb.Event) *ndb.Event {
	t.Helper()
	e.PubKey = k.PubKey
	e.ID = e.ComputeID()
	sig, err := schnorr.Sign(k.secret, e.ID[:])
	if err != nil {
		t.Fatal(err)
	}
	e.Sig = ndb.Sig(sig.Serialize())
	return e
}

// Notes returns n signed kind 1 notes by the key, a second apart, oldest first,
// the first at unix time from.
func (k Key) Notes(t testing.TB, n int, from int64) []*ndb.Event {
	t.Helper()
	notes := make([]*ndb.Event, n)
	for i := range notes {
		notes[i] = k.Sign(t, &ndb.Event{Kind: 1, CreatedAt: from + int64(i), Tags: ndb.Tags{}, Content: "note"})
	}
	return notes
}
