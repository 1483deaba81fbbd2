package ndb

import (
	"crypto/sha256"
	"unicode/utf8"
)

// ComputeID hashes the event's NIP-01 serialisation.
func (e *Event) ComputeID() ID {
	var stack [4096]byte
	return sha256.Sum256(e.appendSigned(stack[:0]))
}

// Verify checks what ParseEvent does, for events that were made and not parsed,
// then recomputes the id, compares it, and checks the signature (BIP-340). The
// error is an *InvalidError.
func (e *Event) Verify() error {
	if err := e.checkShape(); err != nil {
		return err
	}
	var stack [4096]byte
	signed := e.appendSigned(stack[:0])
	if most := maxBytes(e.Kind); len(signed) > most {
		return invalid(ReasonSize, "%d bytes, at most %d are taken of kind %d", len(signed), most, e.Kind)
	}
	if id := ID(sha256.Sum256(signed)); id != e.ID {
		return invalid(ReasonID, "the id is %s, the hash %s", e.ID, id)
	}
	if !verifySchnorr(e.PubKey, e.ID, e.Sig) {
		return invalid(ReasonSignature, "not signed by %s", e.PubKey)
	}
	return nil
}

func (e *Event) checkShape() error {
	if e.CreatedAt < 0 || e.CreatedAt > maxCreatedAt {
		return invalid(ReasonTime, "\"created_at\" is %d, want an integer from 0 to %d", e.CreatedAt, int64(maxCreatedAt))
	}
	if most := maxTags(e.Kind); len(e.Tags) > most {
		return invalid(ReasonTags, "%d tags, at most %d are taken of kind %d", len(e.Tags), most, e.Kind)
	}
	if !utf8.ValidString(e.Content) {
		return invalid(ReasonUTF8, "the content is no UTF-8")
	}
	for i, tag := range e.Tags {
		for _, item := range tag {
			if !utf8.ValidString(item) {
				return invalid(ReasonUTF8, "tag %d is no UTF-8", i+1)
			}
		}
	}
	return nil
}
