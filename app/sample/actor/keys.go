package actor

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb/nostr"
)

// digest hashes a public label under the seed. Keys, random sequences and
// payment hashes are all made of it, so that a world depends on nothing else.
func digest(seed uint64, purpose, label string) [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "bowerbird sample, worthless: %s\x00%d\x00%s", purpose, seed, label)
	return [32]byte(h.Sum(nil))
}

// Random returns the random sequence of a label.
func Random(seed uint64, label string) *rand.Rand {
	return rand.New(rand.NewChaCha8(digest(seed, "random", label)))
}

// Number makes a number of a label, for seconds and other small choices that
// must not shift when a neighbouring text is edited.
func Number(seed uint64, label string) uint64 {
	d := digest(seed, "number", label)
	return binary.BigEndian.Uint64(d[:])
}

// Pick returns one of all.
func Pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }

// Taste is what people send as a reaction.
func Taste(rng *rand.Rand) string {
	emoji := []string{"❤️", "🤙", "😂", "🔥", "👀", "🙏", "💜", "🐦"}
	switch roll := rng.IntN(100); {
	case roll < 55:
		return "+"
	case roll < 57:
		return "-"
	default:
		return emoji[roll%len(emoji)]
	}
}

// New gives a person the key of a seed and of the handle. Old names threads by position,
// as NIP-10 once had it; relays must have one at least.
func New(seed uint64, p Person, old bool, relays []string) *Actor {
	secret := digest(seed, "key", p.Handle)
	key, pub := btcec.PrivKeyFromBytes(secret[:])
	p.PubKey = nostr.PubKey(schnorr.SerializePubKey(pub))
	return &Actor{Person: p, Relays: relays, key: key, old: old}
}

// Sign signs an event of this person. BIP-340's check of the fresh signature is left
// out: it would triple the cost, and it guards against faults that matter for
// keys of worth.
func (a *Actor) Sign(e *nostr.Event) error {
	sig, err := schnorr.Sign(a.key, e.ID[:], schnorr.FastSign())
	if err != nil {
		return fmt.Errorf("sign event %s: %w", e.ID, err)
	}
	e.Sig = nostr.Sig(sig.Serialize())
	return nil
}
