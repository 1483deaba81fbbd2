package nostr

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// MarshalJSON writes what AppendJSON does.
func (e Event) MarshalJSON() ([]byte, error) {
	return e.AppendJSON(make([]byte, 0, 512+len(e.Content))), nil
}

// AppendJSON appends the event as one line of compact JSON, in NIP-01's
// escaping, so that what was signed can be read back byte for byte. The text of
// a verified event is UTF-8, and so is the line.
func (e *Event) AppendJSON(dst []byte) []byte {
	dst = hex.AppendEncode(append(dst, `{"id":"`...), e.ID[:])
	dst = hex.AppendEncode(append(dst, `","pubkey":"`...), e.PubKey[:])
	dst = strconv.AppendInt(append(dst, `","created_at":`...), e.CreatedAt, 10)
	dst = strconv.AppendUint(append(dst, `,"kind":`...), uint64(e.Kind), 10)
	dst = e.Tags.append(append(dst, `,"tags":`...), jsonEscapes)
	dst = appendString(append(dst, `,"content":`...), e.Content, jsonEscapes)
	dst = hex.AppendEncode(append(dst, `,"sig":"`...), e.Sig[:])
	return append(dst, `"}`...)
}

// appendSigned appends the array whose SHA-256 is the event's id.
func (e *Event) appendSigned(dst []byte) []byte {
	dst = hex.AppendEncode(append(dst, `[0,"`...), e.PubKey[:])
	dst = strconv.AppendInt(append(dst, `",`...), e.CreatedAt, 10)
	dst = strconv.AppendUint(append(dst, ','), uint64(e.Kind), 10)
	dst = e.Tags.append(append(dst, ','), signedEscapes)
	dst = appendString(append(dst, ','), e.Content, signedEscapes)
	return append(dst, ']')
}

// escapes says which control characters are escaped beyond NIP-01's seven.
type escapes bool

const (
	signedEscapes escapes = false // none: NIP-01 signs every other character verbatim
	jsonEscapes   escapes = true  // all: JSON may not hold them raw
)

func (ts Tags) append(dst []byte, esc escapes) []byte {
	dst = append(dst, '[')
	for i, tag := range ts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for j, item := range tag {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, item, esc)
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func appendString(dst []byte, s string, esc escapes) []byte {
	dst = append(dst, '"')
	plain := 0
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && allPlain(s[i:i+8]) {
			i += 8
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		short := strings.IndexByte("\b\t\n\f\r\"\\", c)
		if short < 0 && esc == signedEscapes {
			continue
		}
		dst = append(dst, s[plain:i]...)
		plain = i + 1
		if short >= 0 {
			dst = append(dst, '\\', `btnfr"\`[short])
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}

// allPlain reports whether none of 8 bytes is a control character, a quote or a backslash,
// by arithmetic on all of them at once. It may also say no where there is none of these.
func allPlain(s string) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	quotes, slashes := w^(ones*'"'), w^(ones*'\\')
	return ((w-ones*' ')&^w|(quotes-ones)&^quotes|(slashes-ones)&^slashes)&high == 0
}

const hexDigits = "0123456789abcdef"
