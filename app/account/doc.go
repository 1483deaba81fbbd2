// Package account reads the keys of people in every form they are written in:
// npub, nprofile, hex, and NIP-05 names, which it looks up.
//
// It promises that a secret key is refused and never repeated, in an error or
// anywhere else, and that a key is only ever one that was written or that the
// name's own domain gave. Signing comes here later.
package account
