package nostr

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonReader parses strict JSON (RFC 8259) in one pass over text that is known to be
// UTF-8. Unlike encoding/json it passes each key to its user, so that duplicates can be
// refused, and it does not copy strings without escapes.
//
// After an error the reader must not be used any more.
type jsonReader struct {
	text  string
	pos   int
	depth int // open objects and arrays
	max   int // the deepest that they may nest
}

// jsonError says where JSON is broken, or nested too deep.
type jsonError struct {
	at   int
	what string
	deep bool
}

func (e *jsonError) Error() string { return fmt.Sprintf("%s at byte %d", e.what, e.at) }

func (r *jsonReader) fail(what string) error { return &jsonError{at: r.pos, what: what} }

// want fails with what is here instead of what should be.
func (r *jsonReader) want(what string) error {
	if r.pos >= len(r.text) {
		return r.fail("text ends, want " + what)
	}
	c, _ := utf8.DecodeRuneInString(r.text[r.pos:])
	return r.fail(fmt.Sprintf("%q, want %s", c, what))
}

func (r *jsonReader) space() {
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// peek returns the first byte of the next value, 0 at the end.
func (r *jsonReader) peek() byte {
	r.space()
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// end fails unless nothing but white space is left.
func (r *jsonReader) end() error {
	if r.space(); r.pos < len(r.text) {
		return r.want("the end")
	}
	return nil
}

func (r *jsonReader) open(bracket byte, what string) error {
	if r.peek() != bracket {
		return r.want(what)
	}
	if r.depth++; r.depth > r.max {
		return &jsonError{at: r.pos, what: fmt.Sprintf("more than %d levels deep", r.max), deep: true}
	}
	r.pos++
	return nil
}

// next skips a comma to the next element, or the closing bracket.
func (r *jsonReader) next(closing byte) (more bool, err error) {
	switch r.peek() {
	case ',':
		r.pos++
		return true, nil
	case closing:
		r.pos++
		r.depth--
		return false, nil
	default:
		return false, r.want(fmt.Sprintf("',' or %q", closing))
	}
}

// object reads an object; field is called with the reader on each value, which
// it must read.
func (r *jsonReader) object(field func(key string) error) error {
	if err := r.open('{', "an object"); err != nil {
		return err
	}
	if r.peek() == '}' {
		r.pos++
		r.depth--
		return nil
	}
	for {
		r.space()
		key, err := r.str()
		if err != nil {
			return err
		}
		if r.peek() != ':' {
			return r.want("':'")
		}
		r.pos++
		if err := field(key); err != nil {
			return err
		}
		if more, err := r.next('}'); !more {
			return err
		}
	}
}

// array reads an array; element is called with the reader on each element,
// which it must read.
func (r *jsonReader) array(element func() error) error {
	if err := r.open('[', "an array"); err != nil {
		return err
	}
	if r.peek() == ']' {
		r.pos++
		r.depth--
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if more, err := r.next(']'); !more {
			return err
		}
	}
}

// str reads a string. The result shares the reader's text unless it held escapes.
func (r *jsonReader) str() (string, error) {
	if r.peek() != '"' {
		return "", r.want("a string")
	}
	r.pos++
	start := r.pos
	for ; r.pos < len(r.text); r.pos++ {
		switch c := r.text[r.pos]; {
		case c == '"':
			s := r.text[start:r.pos]
			r.pos++
			return s, nil
		case c == '\\':
			return r.escaped(start)
		case c < ' ':
			return "", r.fail("raw control character in a string")
		}
	}
	return "", r.fail("string without end")
}

// escaped reads on from the first escape of a string that began at start.
func (r *jsonReader) escaped(start int) (string, error) {
	var b strings.Builder
	plain := start
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; {
		case c == '"':
			b.WriteString(r.text[plain:r.pos])
			r.pos++
			return b.String(), nil
		case c == '\\':
			b.WriteString(r.text[plain:r.pos])
			char, err := r.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(char)
			plain = r.pos
		case c < ' ':
			return "", r.fail("raw control character in a string")
		default:
			r.pos++
		}
	}
	return "", r.fail("string without end")
}

// escape reads one escape, or the two of a surrogate pair. A surrogate without its
// partner has no UTF-8 form, so it becomes U+FFFD: an id that was computed over U+FFFD
// then verifies, any other does not, and what is stored can always be written out and
// hashed again.
func (r *jsonReader) escape() (rune, error) {
	if r.pos+1 >= len(r.text) {
		return 0, r.fail("string without end")
	}
	c := r.text[r.pos+1]
	if c == 'u' {
		char, err := r.unicodeEscape()
		if err != nil || !utf16.IsSurrogate(char) {
			return char, err
		}
		return r.surrogate(char)
	}
	i := strings.IndexByte(`"\/bfnrt`, c)
	if i < 0 {
		return 0, r.fail("unknown escape")
	}
	r.pos += 2
	return rune("\"\\/\b\f\n\r\t"[i]), nil
}

// surrogate reads the second half of a pair. What follows a lone first half is left
// unread: it may be a first half itself.
func (r *jsonReader) surrogate(first rune) (rune, error) {
	if !strings.HasPrefix(r.text[r.pos:], `\u`) {
		return utf8.RuneError, nil
	}
	before := r.pos
	second, err := r.unicodeEscape()
	if err != nil {
		return 0, err
	}
	char := utf16.DecodeRune(first, second)
	if char == utf8.RuneError {
		r.pos = before
	}
	return char, nil
}

// unicodeEscape reads a \uXXXX, which may be half of a pair.
func (r *jsonReader) unicodeEscape() (rune, error) {
	if r.pos+6 > len(r.text) {
		return 0, r.fail("\\u without four hex digits")
	}
	var char rune
	for _, c := range []byte(r.text[r.pos+2 : r.pos+6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, r.fail("\\u without four hex digits")
		}
		char = char<<4 | rune(c)
	}
	r.pos += 6
	return char, nil
}

// number reads a number and returns it as written.
func (r *jsonReader) number() (string, error) {
	r.space()
	start := r.pos
	r.accept('-')
	zero := r.accept('0')
	if !zero && r.digits() == 0 {
		return "", r.want("a number")
	}
	if r.accept('.') && r.digits() == 0 {
		return "", r.want("a digit")
	}
	if r.accept('e') || r.accept('E') {
		_ = r.accept('+') || r.accept('-')
		if r.digits() == 0 {
			return "", r.want("a digit")
		}
	}
	return r.text[start:r.pos], nil
}

func (r *jsonReader) accept(c byte) bool {
	if r.pos < len(r.text) && r.text[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *jsonReader) digits() (n int) {
	for r.pos < len(r.text) && r.text[r.pos] >= '0' && r.text[r.pos] <= '9' {
		r.pos++
		n++
	}
	return n
}

// pass is skip for callers that do not care whether the escapes of a string are right.
func (r *jsonReader) pass() error {
	if r.peek() != '"' {
		return r.skip()
	}
	for r.pos++; r.pos < len(r.text); r.pos++ {
		switch r.text[r.pos] {
		case '"':
			r.pos++
			return nil
		case '\\':
			r.pos++
		}
	}
	return r.fail("string without end")
}

// skip reads any value and discards it.
func (r *jsonReader) skip() error {
	switch c := r.peek(); c {
	case '{':
		return r.object(func(string) error { return r.skip() })
	case '[':
		return r.array(r.skip)
	case '"':
		_, err := r.str()
		return err
	case 't', 'f', 'n':
		word := map[byte]string{'t': "true", 'f': "false", 'n': "null"}[c]
		if !strings.HasPrefix(r.text[r.pos:], word) {
			return r.fail("unknown word")
		}
		r.pos += len(word)
		return nil
	default:
		_, err := r.number()
		return err
	}
}
