package nostr

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Size limits of an event. A list is an event of kind 3, 10000 to 19999 or 30000 to
// 39999.
const (
	maxEventBytes = 256 << 10 // JSON of an event that is no list
	maxListBytes  = 900 << 10 // JSON of a list
	maxNoteTags   = 2_500     // tags of an event that is no list
	maxListTags   = 10_000    // tags of a list

	maxCreatedAt = 1 << 53 // beyond it JavaScript's numbers are no integers
	maxDepth     = 4       // of nested JSON, unknown fields included
	maxUnknown   = 64      // fields that NIP-01 does not name
)

// Reason says why an event was refused.
type Reason string

// The reasons for which an event is invalid.
const (
	ReasonJSON      Reason = "json"      // not one JSON object, or duplicate keys
	ReasonShape     Reason = "shape"     // a field is missing or has the wrong type
	ReasonUTF8      Reason = "utf8"      // raw bytes that are no UTF-8
	ReasonTime      Reason = "time"      // created_at outside 0..2^53
	ReasonKind      Reason = "kind"      // kind outside 0..65535
	ReasonTags      Reason = "tags"      // too many tags, or not arrays of strings
	ReasonSize      Reason = "size"      // larger than its kind may be
	ReasonID        Reason = "id"        // the id is not the hash of the event
	ReasonSignature Reason = "signature" // the signature does not verify
)

// InvalidError is the error of an event that must not be stored.
type InvalidError struct {
	Reason Reason
	Detail string // what and where, for a person
}

func (e *InvalidError) Error() string { return "invalid event (" + string(e.Reason) + "): " + e.Detail }

// Invalidf makes an InvalidError whose detail is formatted as fmt does.
func Invalidf(reason Reason, format string, args ...any) *InvalidError {
	return &InvalidError{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// isList reports whether events of the kind hold lists, which may be longer.
func isList(kind uint16) bool {
	return kind == 3 || kind >= 10000 && kind < 20000 || kind >= 30000 && kind < 40000
}

// MaxBytes returns how many bytes of JSON an event of a kind may have.
func MaxBytes(kind uint16) int {
	if isList(kind) {
		return maxListBytes
	}
	return maxEventBytes
}

func maxTags(kind uint16) int {
	if isList(kind) {
		return maxListTags
	}
	return maxNoteTags
}

// ParseEvent parses one event from strict NIP-01 JSON. It checks shape and sizes, not id
// and signature: see Event.Verify. Fields that NIP-01 does not know are skipped. A lone
// surrogate escape becomes U+FFFD, and the id decides whether that is what was signed.
// The error is an *InvalidError. The event keeps no reference to raw.
func ParseEvent(raw []byte) (*Event, error) {
	if len(raw) > maxListBytes {
		return nil, Invalidf(ReasonSize, "%d bytes, at most %d are taken of any event", len(raw), maxListBytes)
	}
	if !utf8.Valid(raw) {
		return nil, Invalidf(ReasonUTF8, "byte %d is no UTF-8", firstInvalidUTF8(raw))
	}
	p := eventParser{jsonReader: jsonReader{text: string(raw), max: maxDepth}}
	if err := p.parse(); err != nil {
		if inv, ok := errors.AsType[*InvalidError](err); ok {
			return nil, inv
		}
		if broken, ok := errors.AsType[*jsonError](err); ok && broken.deep {
			return nil, Invalidf(ReasonShape, "%v", err)
		}
		return nil, Invalidf(ReasonJSON, "%v", err)
	}
	e := p.event
	if most := MaxBytes(e.Kind); len(raw) > most {
		return nil, Invalidf(ReasonSize, "%d bytes, at most %d are taken of kind %d", len(raw), most, e.Kind)
	}
	if most := maxTags(e.Kind); len(e.Tags) > most {
		return nil, Invalidf(ReasonTags, "%d tags, at most %d are taken of kind %d", len(e.Tags), most, e.Kind)
	}
	return &e, nil
}

// errPeeked ends the reading of an event of which enough is known.
var errPeeked = errors.New("read far enough")

// PeekID returns the id that an event's JSON names, and reads no further. It checks
// neither the event nor the rest of the JSON; where it finds no id, neither would
// ParseEvent.
func PeekID(raw []byte) (id ID, ok bool) {
	r := jsonReader{text: string(raw), max: maxDepth}
	_ = r.object(func(name string) error {
		switch {
		case name != "id":
			return r.pass()
		case r.peek() == '"':
			s, err := r.str()
			ok = err == nil && decodeLowerHex(id[:], s) == nil
		}
		return errPeeked
	})
	return id, ok
}

func firstInvalidUTF8(b []byte) int {
	at := 0
	for at < len(b) {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// eventField is a bit for each field that an event must have, in the order of
// eventFields.
type eventField uint8

const (
	fieldID eventField = 1 << iota
	fieldPubKey
	fieldCreatedAt
	fieldKind
	fieldTags
	fieldContent
	fieldSig
)

var eventFields = [...]string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}

type eventParser struct {
	jsonReader
	event   Event
	seen    eventField
	unknown map[string]struct{} // field names that NIP-01 does not know
}

func (p *eventParser) parse() error {
	if err := p.object(p.field); err != nil {
		return err
	}
	if err := p.end(); err != nil {
		return err
	}
	for i, name := range eventFields {
		if p.seen&(1<<i) == 0 {
			return Invalidf(ReasonShape, "no field %q", name)
		}
	}
	return nil
}

func (p *eventParser) field(name string) error {
	for i, known := range eventFields {
		if name == known {
			bit := eventField(1) << i
			if p.seen&bit != 0 {
				return duplicate(name)
			}
			p.seen |= bit
			return p.known(bit, name)
		}
	}
	if _, twice := p.unknown[name]; twice {
		return duplicate(name)
	}
	if len(p.unknown) == maxUnknown {
		return Invalidf(ReasonShape, "more than %d unknown fields", maxUnknown)
	}
	if p.unknown == nil {
		p.unknown = make(map[string]struct{})
	}
	p.unknown[name] = struct{}{}
	return p.skip()
}

func duplicate(name string) error {
	return Invalidf(ReasonJSON, "field %.40q stands there twice", name)
}

// known reads the value of a field that NIP-01 names.
func (p *eventParser) known(field eventField, name string) (err error) {
	e := &p.event
	switch field {
	case fieldID:
		return p.hex(name, e.ID[:])
	case fieldPubKey:
		return p.hex(name, e.PubKey[:])
	case fieldSig:
		return p.hex(name, e.Sig[:])
	case fieldCreatedAt:
		e.CreatedAt, err = p.integer(name, ReasonTime, maxCreatedAt)
	case fieldKind:
		var kind int64
		kind, err = p.integer(name, ReasonKind, 1<<16-1)
		e.Kind = uint16(kind)
	case fieldTags:
		e.Tags, err = p.tags()
	case fieldContent:
		e.Content, err = p.text(name)
	}
	return err
}

// text reads the value of a field that must be a string.
func (p *eventParser) text(name string) (string, error) {
	if p.peek() == '"' {
		return p.str()
	}
	return "", p.wrongType(ReasonShape, name, "a string")
}

// wrongType returns the error for a field whose value has the wrong type, or is not JSON.
func (p *eventParser) wrongType(reason Reason, name, want string) error {
	at := p.pos
	if err := p.skip(); err != nil {
		return err
	}
	return Invalidf(reason, "%q is %.40q, want %s", name, p.jsonReader.text[at:p.pos], want)
}

func (p *eventParser) hex(name string, dst []byte) error {
	s, err := p.text(name)
	if err != nil {
		return err
	}
	if err := decodeLowerHex(dst, s); err != nil {
		return Invalidf(ReasonShape, "%q: %v", name, err)
	}
	return nil
}

func (p *eventParser) integer(name string, reason Reason, most int64) (int64, error) {
	if c := p.peek(); c != '-' && (c < '0' || c > '9') {
		return 0, p.wrongType(ReasonShape, name, "a number")
	}
	digits, err := p.number()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > most || digits[0] == '-' {
		return 0, Invalidf(reason, "%q is %.40s, want an integer from 0 to %d", name, digits, most)
	}
	return n, nil
}

// tags parses the array of arrays of strings. All items share one array, so that an event
// costs few allocations however many tags it has.
func (p *eventParser) tags() (Tags, error) {
	if p.peek() != '[' {
		return nil, p.wrongType(ReasonTags, "tags", "an array of arrays of strings")
	}
	var (
		itemBuf [64]string
		endBuf  [32]int
		items   = itemBuf[:0]
		ends    = endBuf[:0] // where each tag ends in items
	)
	err := p.array(func() error {
		if len(ends) == maxListTags {
			return Invalidf(ReasonTags, "more than %d tags", maxListTags)
		}
		if p.peek() != '[' {
			return p.wrongType(ReasonTags, fmt.Sprintf("tag %d", len(ends)+1), "an array of strings")
		}
		err := p.array(func() error {
			if p.peek() != '"' {
				return p.wrongType(ReasonTags, fmt.Sprintf("an item of tag %d", len(ends)+1), "a string")
			}
			s, err := p.str()
			items = append(items, s)
			return err
		})
		ends = append(ends, len(items))
		return err
	})
	if err != nil {
		return nil, err
	}
	all := append(make([]string, 0, len(items)), items...)
	tags := make(Tags, len(ends))
	start := 0
	for i, end := range ends {
		tags[i] = all[start:end:end]
		start = end
	}
	return tags, nil
}

// UnmarshalJSON reads the event as ParseEvent does.
func (e *Event) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseEvent(raw)
	if err != nil {
		return err
	}
	*e = *parsed
	return nil
}
