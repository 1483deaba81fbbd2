package nostr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"bowerbird/ndb/bech32"
)

// The prefixes of the codes that ParseCode reads.
const (
	CodePubKey  = "npub"
	CodeNote    = "note"
	CodeProfile = "nprofile"
	CodeEvent   = "nevent"
	CodeAddress = "naddr"
)

const maxCode = 5_000 // characters, as NIP-19 advises

// ErrSecretKey is returned for a secret key where a public code belongs. Its text never
// contains the code.
var ErrSecretKey = errors.New("this is a secret key (nsec): never paste or post it here; the public code begins with npub1")

// Code is a decoded NIP-19 code, or one to encode. The relays are hints by whoever made
// the code, valid UTF-8 but otherwise unchecked.
type Code struct {
	Prefix  string // one of the Code constants
	PubKey  PubKey // npub, nprofile, naddr; in nevent the author, zero when not given
	Event   ID     // note, nevent
	Kind    uint16 // naddr; nevent if HasKind
	HasKind bool
	D       string // naddr: the value of the d tag
	Relays  []string
}

// ParseCode parses npub, note, nprofile, nevent and naddr codes (NIP-19), with or without
// nostr: before them (NIP-21), of at most 5,000 characters. A secret key gives
// ErrSecretKey. No error contains the text, which may be a mistyped secret.
func ParseCode(s string) (Code, error) {
	s = strings.TrimPrefix(s, "nostr:")
	if looksSecret(s) {
		return Code{}, ErrSecretKey
	}
	if len(s) > maxCode {
		return Code{}, fmt.Errorf("nostr code: %d characters, at most %d are read", len(s), maxCode)
	}
	prefix, values, err := bech32.Decode(s)
	if err != nil {
		return Code{}, fmt.Errorf("nostr code: %w", err)
	}
	data, err := bech32.Bytes(values)
	if err != nil {
		return Code{}, fmt.Errorf("nostr code: %w", err)
	}
	c := Code{Prefix: prefix}
	if err := c.decode(data); err != nil {
		return Code{}, fmt.Errorf("nostr code: %w", err)
	}
	return c, nil
}

// ParseLink parses what a browser or another program hands over: a code behind nostr: or
// web+nostr:, with or without //. Its errors are those of ParseCode.
func ParseLink(s string) (Code, error) {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !strings.EqualFold(scheme, "nostr") && !strings.EqualFold(scheme, "web+nostr") {
		return Code{}, errors.New("nostr link: it must begin with the scheme nostr or web+nostr")
	}
	return ParseCode(strings.TrimSuffix(strings.TrimPrefix(rest, "//"), "/"))
}

// looksSecret reports whether s is a secret key, or one with a typing error.
func looksSecret(s string) bool {
	for _, prefix := range []string{"nsec1", "ncryptsec1"} {
		if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

func (c *Code) decode(data []byte) error {
	switch c.Prefix {
	case CodePubKey:
		return fill(c.PubKey[:], data, "public key")
	case CodeNote:
		return fill(c.Event[:], data, "event id")
	case CodeProfile, CodeEvent, CodeAddress:
		return c.decodeTLV(data)
	default:
		return errors.New("its kind is not known: codes begin with npub1, note1, nprofile1, nevent1 or naddr1")
	}
}

func fill(dst, src []byte, what string) error {
	if len(src) != len(dst) {
		return fmt.Errorf("its %s is of %d bytes, want %d", what, len(src), len(dst))
	}
	copy(dst, src)
	return nil
}

// The types in NIP-19's lists of type, length and value.
const (
	tlvSpecial = iota // what the code is about
	tlvRelay
	tlvAuthor
	tlvKind
)

// decodeTLV parses the list. An unknown type is skipped, as NIP-19 says, and if a
// special, author or kind is given twice, the first counts.
func (c *Code) decodeTLV(data []byte) error {
	var seen [tlvKind + 1]bool
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(data[1]) {
			return errors.New("it is cut off")
		}
		typ, value := data[0], data[2:2+int(data[1])]
		data = data[2+len(value):]
		if typ > tlvKind || typ != tlvRelay && seen[typ] {
			continue
		}
		seen[typ] = true
		if err := c.decodeField(typ, value); err != nil {
			return err
		}
	}
	if !seen[tlvSpecial] || c.Prefix == CodeAddress && !(seen[tlvAuthor] && seen[tlvKind]) {
		return errors.New("it does not say what it is about")
	}
	return nil
}

func (c *Code) decodeField(typ byte, value []byte) error {
	switch typ {
	case tlvSpecial:
		switch c.Prefix {
		case CodeProfile:
			return fill(c.PubKey[:], value, "public key")
		case CodeEvent:
			return fill(c.Event[:], value, "event id")
		}
		if c.D = string(value); !utf8.ValidString(c.D) {
			return errors.New("its d tag is no UTF-8")
		}
	case tlvRelay:
		if relay := string(value); utf8.ValidString(relay) {
			c.Relays = append(c.Relays, relay)
		}
	case tlvAuthor:
		if c.Prefix != CodeProfile {
			return fill(c.PubKey[:], value, "public key")
		}
	case tlvKind:
		if c.Prefix == CodeProfile {
			break
		}
		if len(value) != 4 || value[0] != 0 || value[1] != 0 {
			return errors.New("its kind is outside 0..65535")
		}
		c.Kind, c.HasKind = binary.BigEndian.Uint16(value[2:]), true
	}
	return nil
}

// Encode encodes the code. It fails for a prefix that is not one of the constants, and
// for a d tag or relay of more than 255 bytes, which NIP-19 cannot hold.
func (c Code) Encode() (string, error) {
	var data []byte
	add := func(typ byte, value ...byte) {
		data = append(append(data, typ, byte(len(value))), value...)
	}
	switch c.Prefix {
	case CodePubKey:
		return c.PubKey.Npub(), nil
	case CodeNote:
		return c.Event.Note(), nil
	case CodeProfile:
		add(tlvSpecial, c.PubKey[:]...)
	case CodeEvent:
		add(tlvSpecial, c.Event[:]...)
	case CodeAddress:
		add(tlvSpecial, []byte(c.D)...)
	default:
		return "", fmt.Errorf("encode nostr code: prefix %q is not known", c.Prefix)
	}
	for _, long := range append([]string{c.D}, c.Relays...) {
		if len(long) > 255 {
			return "", fmt.Errorf("encode %s: a value of %d bytes, at most 255 fit", c.Prefix, len(long))
		}
	}
	for _, relay := range c.Relays {
		add(tlvRelay, []byte(relay)...)
	}
	if c.Prefix == CodeAddress || c.Prefix == CodeEvent && c.PubKey != (PubKey{}) {
		add(tlvAuthor, c.PubKey[:]...)
	}
	if c.Prefix == CodeAddress || c.Prefix == CodeEvent && c.HasKind {
		add(tlvKind, 0, 0, byte(c.Kind>>8), byte(c.Kind))
	}
	return bech32.EncodeBytes(c.Prefix, data), nil
}

// Npub returns the key as a NIP-19 code.
func (pk PubKey) Npub() string { return bech32.EncodeBytes(CodePubKey, pk[:]) }

// Short identifies a person without a name, for the eye.
func (pk PubKey) Short() string { return ShortCode(pk.Npub()) }

// ShortCode returns the beginning and the end of a code or a key, by which people tell it
// from others: "npub1qy8f4g2…7w2kd3".
func ShortCode(code string) string {
	const begin, end = 12, 6
	if len(code) <= begin+end {
		return code
	}
	return code[:begin] + "…" + code[len(code)-end:]
}

// Note returns the id as a NIP-19 code.
func (id ID) Note() string { return bech32.EncodeBytes(CodeNote, id[:]) }

// Link is a nostr: link (NIP-21) in a text.
type Link struct {
	Code
	Start, End int // byte offsets in the text
}

// Links yields the valid nostr: links of a text in their order.
func Links(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		const scheme = "nostr:"
		for at := 0; ; {
			i := strings.Index(text[at:], scheme)
			if i < 0 {
				return
			}
			start := at + i
			at = start + len(scheme)
			end := at
			for end < len(text) && isAlphanumeric(text[end]) {
				end++
			}
			code, err := ParseCode(text[at:end])
			if err != nil {
				continue
			}
			if !yield(Link{code, start, end}) {
				return
			}
			at = end
		}
	}
}

func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
