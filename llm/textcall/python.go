package textcall

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// python reads values in the syntax of Python and writes them as JSON.
type python struct {
	in    *reader
	out   bytes.Buffer
	depth int
	bad   string // why the value has no equivalent in JSON; "" if it has
}

// pythonAsJSON converts a dict or a list of Python to JSON. It returns other text, and
// text that is JSON already, unchanged.
func pythonAsJSON(text string) string {
	if text == "" || !strings.ContainsRune("{[(", rune(text[0])) || json.Valid([]byte(text)) {
		return text
	}
	p := python{in: &reader{buf: []byte(text), wait: func() bool { return false }}}
	if !p.value() || p.bad != "" || p.in.pos != len(text) {
		return text
	}
	return p.out.String()
}

const maxDepth = 200

// argument reads key=value, or **{…}, by which a call passes keys that are not
// identifiers.
func (p *python) argument() bool {
	if p.in.take("**") {
		inner := python{in: p.in}
		p.in.space()
		if !p.in.starts("{") || !inner.value() {
			return false
		}
		members := bytes.TrimSuffix(bytes.TrimPrefix(inner.out.Bytes(), []byte("{")), []byte("}"))
		if len(members) == 0 {
			members = []byte(`"":null`)
			p.bad = "nothing follows **"
		}
		p.out.Write(members)
		if inner.bad != "" {
			p.bad = inner.bad
		}
		return true
	}
	key := p.in.word(maxName, isPythonName)
	p.in.space()
	if key == "" || !p.in.take("=") {
		return false
	}
	p.out.Write(quote(key))
	p.out.WriteByte(':')
	return p.value()
}

func (p *python) value() bool {
	p.in.space()
	c, ok := p.in.peek()
	if !ok || p.depth >= maxDepth {
		return false
	}
	switch c {
	case '{':
		return p.members("}", "{}", p.pair)
	case '[':
		return p.members("]", "[]", p.value)
	case '(':
		return p.members(")", "[]", p.value)
	case '"', '\'':
		return p.text()
	}
	return p.word()
}

// members reads, from a bracket on, what commas separate as far as the closer, and writes
// it between the two brackets that JSON has for it.
func (p *python) members(closer, brackets string, member func() bool) bool {
	p.depth++
	defer func() { p.depth-- }()
	p.in.pos++
	p.out.WriteByte(brackets[0])
	for first := true; ; first = false {
		p.in.space()
		if p.in.take(closer) {
			p.out.WriteByte(brackets[1])
			return true
		}
		if !first {
			p.out.WriteByte(',')
		}
		if !member() {
			return false
		}
		p.in.space()
		if !p.in.take(",") && !p.in.starts(closer) {
			return false
		}
	}
}

func (p *python) pair() bool {
	c, ok := p.in.peek()
	if !ok || c != '"' && c != '\'' || !p.text() {
		return false
	}
	p.in.space()
	if !p.in.take(":") {
		return false
	}
	p.out.WriteByte(':')
	return p.value()
}

const maxWord = 1024

func (p *python) word() bool {
	word := p.in.word(maxWord, func(c byte) bool {
		return c == '.' || c == '_' || c == '+' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	})
	if len(word) == 1 && strings.ContainsAny(word, "rubRUB") && (p.in.starts(`"`) || p.in.starts("'")) {
		if word[0]|0x20 == 'b' {
			p.bad = "bytes cannot be written as JSON"
		}
		return p.textOf(word[0]|0x20 == 'r')
	}
	switch word {
	case "True", "true":
		word = "true"
	case "False", "false":
		word = "false"
	case "None", "null":
		word = "null"
	case "":
		return false
	default:
		var ok bool
		if word, ok = p.number(word); !ok {
			return false
		}
	}
	p.out.WriteString(word)
	return true
}

func (p *python) number(word string) (string, bool) {
	if json.Valid([]byte(word)) {
		if f, err := strconv.ParseFloat(word, 64); err != nil || f-f != 0 {
			p.bad = "the number " + word + " is too large"
		}
		return word, true
	}
	base := 0 // as the prefix says
	if strings.Trim(word, "+-_0123456789") == "" {
		base = 10 // a leading zero does not make it octal
		word = strings.ReplaceAll(word, "_", "")
	}
	if n, ok := new(big.Int).SetString(word, base); ok {
		return n.String(), true
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(word, "_", ""), 64)
	if err != nil && !strings.ContainsAny(word[:min(2, len(word))], "0123456789.") {
		return "", false
	}
	if err != nil || f-f != 0 {
		p.bad = "the number " + word + " cannot be written as JSON"
		return "0", true
	}
	return strconv.FormatFloat(f, 'g', -1, 64), true
}

// text reads a string, or adjacent strings, which Python concatenates.
func (p *python) text() bool { return p.textOf(false) }

func (p *python) textOf(raw bool) bool {
	var b strings.Builder
	for {
		if !p.quoted(&b, raw) {
			return false
		}
		p.in.space()
		if c, ok := p.in.peek(); !ok || c != '"' && c != '\'' {
			break
		}
	}
	p.out.Write(quote(b.String()))
	return true
}

func (p *python) quoted(b *strings.Builder, raw bool) bool {
	c, _ := p.in.peek()
	mark := string(c)
	if p.in.starts(mark + mark + mark) {
		mark += mark + mark
	}
	p.in.pos += len(mark)
	for {
		if p.in.take(mark) {
			return true
		}
		c, ok := p.in.peek()
		if !ok {
			return false
		}
		p.in.pos++
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if c, ok = p.in.peek(); !ok {
			return false
		}
		p.in.pos++
		if raw {
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		p.escape(b, c)
	}
}

// escape writes the character that an escape sequence means. An unknown sequence keeps its
// backslash, as in Python.
func (p *python) escape(b *strings.Builder, c byte) {
	const escapes, meanings = `\'"/ntrbf0`, "\\'\"/\n\t\r\b\f\x00"
	switch i := strings.IndexByte(escapes, c); {
	case i >= 0:
		b.WriteByte(meanings[i])
	case c == '\n': // an escaped line break is none
	case c == 'x', c == 'u', c == 'U':
		p.character(b, c)
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
}

// character reads an escaped code point, or two that are a surrogate pair.
func (p *python) character(b *strings.Builder, kind byte) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[kind]
	first, ok := p.hex(digits)
	if !ok {
		b.WriteByte('\\')
		b.WriteByte(kind)
		return
	}
	if utf16.IsSurrogate(first) && p.in.starts(`\u`) {
		before := p.in.pos
		p.in.pos += 2
		if second, ok := p.hex(4); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				b.WriteRune(r)
				return
			}
		}
		p.in.pos = before
	}
	b.WriteRune(first)
}

func (p *python) hex(digits int) (rune, bool) {
	before := p.in.pos
	text := p.in.word(digits, func(c byte) bool {
		return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
	})
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || len(text) < digits {
		p.in.pos = before
		return 0, false
	}
	return rune(n), true
}
