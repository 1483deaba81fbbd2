//go:build libsecp256k1 && cgo

package nostr

/*
#cgo pkg-config: libsecp256k1
#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_schnorrsig.h>

// The static context suffices for everything that needs no secret, and is never written
// to, so every goroutine may use it.
static int verify(const unsigned char *sig, const unsigned char *msg, const unsigned char *key) {
	secp256k1_xonly_pubkey parsed;
	return secp256k1_xonly_pubkey_parse(secp256k1_context_static, &parsed, key) &&
		secp256k1_schnorrsig_verify(secp256k1_context_static, sig, msg, 32, &parsed);
}
*/
import "C"

// Verifier names the code that checks signatures in this build.
func Verifier() string { return "libsecp256k1 (C)" }

// verifySchnorr checks a BIP-340 signature.
func verifySchnorr(pk PubKey, id ID, sig Sig) bool {
	return C.verify((*C.uchar)(&sig[0]), (*C.uchar)(&id[0]), (*C.uchar)(&pk[0])) == 1
}
