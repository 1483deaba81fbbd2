package sample

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb"
)

// digest hashes a public label under the seed. Keys, random sequences and
// payment hashes are all made of it, so that a world depends on nothing else.
func digest(seed uint64, purpose, label string) [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "bowerbird sample, worthless: %s\x00%d\x00%s", purpose, seed, label)
	return [32]byte(h.Sum(nil))
}

// source returns the random sequence of a label.
func source(seed uint64, label string) *rand.Rand {
	return rand.New(rand.NewChaCha8(digest(seed, "random", label)))
}

// seedOf makes a number of a label, for seconds and other small choices that
// must not shift when a neighbouring text is edited.
func seedOf(seed uint64, label string) uint64 {
	d := digest(seed, "number", label)
	return binary.BigEndian.Uint64(d[:])
}

// signer is the key of one person. It is safe for concurrent use.
type signer struct {
	pub ndb.PubKey
	key *btcec.PrivateKey
}

func newSigner(seed uint64, label string) *signer {
	secret := digest(seed, "key", label)
	key, pub := btcec.PrivKeyFromBytes(secret[:])
	return &signer{pub: ndb.PubKey(schnorr.SerializePubKey(pub)), key: key}
}

// stamp makes e an event of this person, with its id but without a signature.
func (s *signer) stamp(e *ndb.Event) {
	e.PubKey = s.pub
	e.ID = e.ComputeID()
}

// sign signs a stamped event. BIP-340's check of the fresh signature is left
// out: it would triple the cost, and it guards against faults that matter for
// keys of worth.
func (s *signer) sign(e *ndb.Event) error {
	sig, err := schnorr.Sign(s.key, e.ID[:], schnorr.FastSign())
	if err != nil {
		return fmt.Errorf("sign event %s: %w", e.ID, err)
	}
	e.Sig = ndb.Sig(sig.Serialize())
	return nil
}
