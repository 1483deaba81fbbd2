//go:build !libsecp256k1 || !cgo

package nostr

import "github.com/btcsuite/btcd/btcec/v2/schnorr"

// Verifier names the code that checks signatures in this build.
func Verifier() string { return "btcec (Go)" }

// verifySchnorr checks a BIP-340 signature.
func verifySchnorr(pk PubKey, id ID, sig Sig) bool {
	key, err := schnorr.ParsePubKey(pk[:])
	if err != nil {
		return false
	}
	signature, err := schnorr.ParseSignature(sig[:])
	return err == nil && signature.Verify(id[:], key)
}
