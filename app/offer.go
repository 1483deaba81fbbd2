package app

import "bowerbird/app/builtin"

// Tongue is the language in which a question is answered.
type Tongue = builtin.Tongue

// Offer is an answer of the built-in assistant that lists what can be asked.
type Offer = builtin.Offer

// ReadOffer reads an answer of the built-in assistant; ok is false where it does
// not list what can be asked.
func ReadOffer(answer string) (o Offer, ok bool) { return builtin.ReadOffer(answer) }

// DigestAnswer is a digest of the built-in assistant, taken apart.
type DigestAnswer = builtin.Digest

// What a digest is made of.
type (
	DigestKind    = builtin.SectionKind
	DigestSection = builtin.Section
	DigestItem    = builtin.Item
	DigestLine    = builtin.Line
)

// The sections of a digest.
const (
	DigestForYou  = builtin.ForYou
	DigestStories = builtin.Stories
	DigestRarely  = builtin.Rarely
	DigestToRead  = builtin.ToRead
	DigestBrief   = builtin.Brief
)

// ReadDigest reads an answer of the built-in assistant; ok is false where it is no
// digest.
func ReadDigest(answer string) (d DigestAnswer, ok bool) { return builtin.ReadDigest(answer) }
