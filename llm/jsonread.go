package llm

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// present reports whether a member is there and not null.
func present(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null"
}

// members are the undecoded members of an object: servers disagree on their types.
type members = map[string]json.RawMessage

func membersOf(raw json.RawMessage) members {
	var m members
	if present(raw) && json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

func firstPresent(m members, names ...string) json.RawMessage {
	for _, name := range names {
		if present(m[name]) {
			return m[name]
		}
	}
	return nil
}

// text returns a string, and whether raw is one.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// scalar returns a string, or a number, true or false as it is written; "" for others.
func scalar(raw json.RawMessage) string {
	if s, ok := text(raw); ok {
		return s
	}
	if !present(raw) || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	return string(raw)
}

// number reads a count, which may be a float or a string.
func number(raw json.RawMessage) (int, bool) {
	s := strings.TrimSpace(scalar(raw))
	if s == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1<<52 {
		return 0, false
	}
	return int(f), true
}

func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}

func quoted(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string can always be marshalled
	return raw
}

// readMembers decodes an object, if necessary member by member, so that one member of an
// unexpected type does not spoil the others.
func readMembers[T any](data []byte) T {
	var all T
	if json.Unmarshal(data, &all) == nil {
		return all
	}
	for name, value := range membersOf(data) {
		one, err := json.Marshal(members{name: value})
		if err == nil {
			// A member that does not fit remains zero.
			_ = json.Unmarshal(one, &all)
		}
	}
	return all
}

// readList returns the elements of a list, or an object as a list of one.
func readList(raw json.RawMessage) []json.RawMessage {
	if !present(raw) {
		return nil
	}
	if raw[0] == '{' {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

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
