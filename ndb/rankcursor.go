package ndb

import (
	"encoding/binary"
	"errors"
	"math"
)

// MarshalBinary writes the place, for a cursor that others keep.
func (c *RankCursor) MarshalBinary() ([]byte, error) {
	be := binary.BigEndian
	raw := be.AppendUint64(nil, uint64(c.state.now))
	raw = be.AppendUint32(raw, c.state.below)
	raw = be.AppendUint64(raw, c.state.texts)
	raw = be.AppendUint64(raw, c.state.words)
	raw = be.AppendUint64(raw, math.Float64bits(c.score))
	raw = be.AppendUint64(raw, uint64(c.at.CreatedAt))
	raw = append(raw, c.at.ID[:]...)
	for _, notes := range c.state.notes {
		raw = be.AppendUint32(raw, notes)
	}
	return raw, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. Whoever takes it from elsewhere makes
// sure that it was not altered: nothing worse than a wrong order comes of it.
func (c *RankCursor) UnmarshalBinary(raw []byte) error {
	const fixed = 8 + 4 + 4*8 + 32
	if len(raw) < fixed || (len(raw)-fixed)%4 != 0 || (len(raw)-fixed)/4 > maxResolved { // no unit without a byte
		return errors.New("place of a ranked answer: wrong length")
	}
	be := binary.BigEndian
	c.state = rankState{
		now: int64(be.Uint64(raw)), below: be.Uint32(raw[8:]), texts: be.Uint64(raw[12:]), words: be.Uint64(raw[20:]),
	}
	c.score, c.at.CreatedAt = math.Float64frombits(be.Uint64(raw[28:])), int64(be.Uint64(raw[36:]))
	copy(c.at.ID[:], raw[44:])
	for rest := raw[fixed:]; len(rest) > 0; rest = rest[4:] {
		c.state.notes = append(c.state.notes, be.Uint32(rest))
	}
	return nil
}
