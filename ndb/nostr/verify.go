package nostr

import (
	"crypto/sha256"
	"unicode/utf8"
)

// ComputeID hashes the event's NIP-01 serialisation.
func (e *Event) ComputeID() ID {
	var stack [4096]byte
	return sha256.Sum256(e.appendSigned(stack[:0]))
}

// Verify checks what ParseEvent does, for events that were not parsed, then recomputes
// the id, compares it, and checks the signature (BIP-340). The error is an *InvalidError.
func (e *Event) Verify() error {
	if err := e.checkShape(); err != nil {
		return err
	}
	var stack [4096]byte
	signed := e.appendSigned(stack[:0])
	if most := MaxBytes(e.Kind); len(signed) > most {
		return Invalidf(ReasonSize, "%d bytes, at most %d are taken of kind %d", len(signed), most, e.Kind)
	}
	if id := ID(sha256.Sum256(signed)); id != e.ID {
		return Invalidf(ReasonID, "the id is %s, the hash %s", e.ID, id)
	}
	if !verifySchnorr(e.PubKey, e.ID, e.Sig) {
		return Invalidf(ReasonSignature, "not signed by %s", e.PubKey)
	}
	return nil
}

func (e *Event) checkShape() error {
	if e.CreatedAt < 0 || e.CreatedAt > maxCreatedAt {
		return Invalidf(ReasonTime, "\"created_at\" is %d, want an integer from 0 to %d", e.CreatedAt, int64(maxCreatedAt))
	}
	if most := maxTags(e.Kind); len(e.Tags) > most {
		return Invalidf(ReasonTags, "%d tags, at most %d are taken of kind %d", len(e.Tags), most, e.Kind)
	}
	if !utf8.ValidString(e.Content) {
		return Invalidf(ReasonUTF8, "the content is no UTF-8")
	}
	for i, tag := range e.Tags {
		for _, item := range tag {
			if !utf8.ValidString(item) {
				return Invalidf(ReasonUTF8, "tag %d is no UTF-8", i+1)
			}
		}
	}
	return nil
}
