// Package account parses people's keys in every form: npub, nprofile, hex, and NIP-05
// names, which it looks up.
//
// A secret key is refused and never repeated, in an error or anywhere else, and a key is
// only ever one that was written, or one that the name's own domain returned.
package account
