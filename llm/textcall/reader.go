package textcall

import (
	"strings"
	"unicode/utf8"
)

// reader reads the answer byte by byte, and waits for the next piece if necessary.
// Positions count from the beginning of the answer.
//
// Formats must decide by the bytes alone, never by how many have arrived: then the result
// cannot depend on how the answer was cut.
type reader struct {
	buf   []byte
	base  int // position of buf[0]
	pos   int
	wait  func() bool // waits for more; false if there is none
	looks int         // bytes looked at, by which tests hold that the work is linear
	block codeBlock   // that is being read, if any
}

// behind is how many bytes are kept before those that are still needed, for [reader.before].
const behind = 64

// drop frees the bytes before pos, except for the last few.
func (r *reader) drop(pos int) {
	if n := pos - behind - r.base; n > len(r.buf)/2 {
		r.buf = append(r.buf[:0], r.buf[n:]...)
		r.base += n
	}
}

// at returns the byte at a position. It reports false past the end of the answer or of the
// code block that is being read.
func (r *reader) at(pos int) (byte, bool) {
	if r.block.length > 0 && !r.inBlock(pos) {
		return 0, false
	}
	return r.byteAt(pos)
}

func (r *reader) byteAt(pos int) (byte, bool) {
	r.looks++
	for pos-r.base >= len(r.buf) {
		if !r.wait() {
			return 0, false
		}
	}
	return r.buf[pos-r.base], true
}

func (r *reader) peek() (byte, bool) { return r.at(r.pos) }

// before returns the byte before a position; 0 at the beginning.
func (r *reader) before(pos int) byte {
	if pos <= r.base {
		return 0
	}
	return r.buf[pos-r.base-1]
}

func (r *reader) slice(from, to int) string { return string(r.buf[from-r.base : to-r.base]) }

// starts reports whether a text comes next. It waits only while what has arrived is the
// beginning of that text.
func (r *reader) starts(text string) bool {
	for i := range len(text) {
		if c, ok := r.at(r.pos + i); !ok || c != text[i] {
			return false
		}
	}
	return true
}

func (r *reader) take(text string) bool {
	if !r.starts(text) {
		return false
	}
	r.pos += len(text)
	return true
}

// takeAny takes the first of the texts that comes next. It compares the next byte before
// anything else: most bytes begin none of them, and each is to be looked at only once.
func (r *reader) takeAny(texts ...string) (string, bool) {
	c, ok := r.peek()
	for _, text := range texts {
		if ok && text[0] == c && r.take(text) {
			return text, true
		}
	}
	return "", false
}

// startsAny reports whether one of the texts comes next.
func (r *reader) startsAny(texts ...string) bool {
	text, found := r.takeAny(texts...)
	r.pos -= len(text)
	return found
}

// space skips white space, not only that of ASCII.
func (r *reader) space() {
	for {
		c, ok := r.peek()
		switch {
		case !ok:
			return
		case isSpace(c):
			r.pos++
		case c < utf8.RuneSelf || !r.wideSpace():
			return
		}
	}
}

// wideSpace takes one white space character outside ASCII, or one without width.
func (r *reader) wideSpace() bool {
	_, ok := r.takeAny("\u00a0", "\u3000", "\u200b", "\ufeff", "\u2028", "\u202f", "\u2009")
	return ok
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// word takes the bytes that in accepts, at most limit.
func (r *reader) word(limit int, in func(byte) bool) string {
	start := r.pos
	for r.pos-start < limit {
		c, ok := r.peek()
		if !ok || !in(c) {
			break
		}
		r.pos++
	}
	return r.slice(start, r.pos)
}

const maxName = 128

// name takes a tool's name; "" if none comes next.
func (r *reader) name() string { return r.word(maxName, isNameByte) }

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == ':' || c == '/' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// until takes everything before the first of the stops, but not the stop.
func (r *reader) until(stops ...string) (text string, found bool) {
	start := r.pos
	for {
		if r.startsAny(stops...) {
			return r.slice(start, r.pos), true
		}
		if _, ok := r.peek(); !ok {
			return r.slice(start, r.pos), false
		}
		r.pos++
	}
}

// ending is how a value ended.
type ending uint8

const (
	whole   ending = iota // with its closing bracket
	stopped               // at a stop outside its strings: brackets are missing
	cut                   // with the answer
)

// value takes a bracketed value, which begins at the next byte, up to its closing bracket.
// Brackets in its strings do not count. It stops before a stop.
func (r *reader) value(stops ...string) (raw string, end ending) {
	start, depth := r.pos, 0
	last := byte(0) // the last byte that is not white space
	for {
		if r.startsAny(stops...) {
			return r.slice(start, r.pos), stopped
		}
		c, ok := r.peek()
		if !ok {
			return r.slice(start, r.pos), cut
		}
		r.pos++
		switch {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return r.slice(start, r.pos), whole
			}
		case c == '"', c == '\'' && strings.IndexByte("{[,:", last) >= 0:
			if !r.quoted(c) {
				return r.slice(start, r.pos), cut
			}
		}
		if !isSpace(c) {
			last = c
		}
	}
}

func (r *reader) quoted(quote byte) bool {
	for {
		c, ok := r.peek()
		if !ok {
			return false
		}
		r.pos++
		switch c {
		case quote:
			return true
		case '\\':
			if _, ok := r.peek(); !ok {
				return false
			}
			r.pos++
		}
	}
}
