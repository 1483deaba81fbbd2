package llm

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// surrogates joins characters that a server split between two chunks. JavaScript splits text
// between the surrogates of a UTF-16 pair, and escapes each in its own chunk, where it is
// invalid. Servers that send each token's bytes split characters between two bytes.
type surrogates struct {
	half []byte // the first half: an escape, or bytes
}

const escapeLen = len(`\ud83c`)

// join moves a first half from the end of a string in one chunk to the beginning of a string
// in a later chunk that begins with a second half.
func (s *surrogates) join(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\ud`)) && !bytes.Contains(data, []byte(`\uD`)) && utf8.Valid(data) {
		return data
	}
	earlier := s.half
	out := make([]byte, 0, len(data)+escapeLen)
	inString := false
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			if n := cutRune(out); inString && n > 0 {
				s.half, out = bytes.Clone(out[len(out)-n:]), out[:len(out)-n]
			}
			inString = !inString
			out = append(out, c)
			i++
			if inString && goesOn(earlier, data[i:]) {
				out = append(out, earlier...)
				earlier, s.half = nil, nil
			}
		case c != '\\':
			out = append(out, c)
			i++
		case isHalf(data[i:], 0xD800) && bytes.HasPrefix(data[i+escapeLen:], []byte(`"`)):
			s.half = bytes.Clone(data[i : i+escapeLen])
			i += escapeLen
		case isHalf(data[i:], 0xD800) && isHalf(data[i+escapeLen:], 0xDC00):
			out = append(out, data[i:i+2*escapeLen]...)
			i += 2 * escapeLen
		default:
			n := min(2, len(data)-i) // the escaped character may be a quote or a backslash
			out = append(out, data[i:i+n]...)
			i += n
		}
	}
	return out
}

func goesOn(half, data []byte) bool {
	switch {
	case len(half) == 0 || len(data) == 0:
		return false
	case half[0] == '\\':
		return isHalf(data, 0xDC00)
	}
	return !utf8.RuneStart(data[0])
}

func cutRune(data []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if tail := data[len(data)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

func isHalf(data []byte, first uint64) bool {
	if len(data) < escapeLen || data[0] != '\\' || data[1] != 'u' {
		return false
	}
	n, err := strconv.ParseUint(string(data[2:escapeLen]), 16, 16)
	return err == nil && n&^0x3FF == first
}
