package textcall

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// markupCall builds a call whose arguments are written one by one, each in a tag.
type markupCall struct {
	tools toolbox
	name  string
	out   bytes.Buffer
	keys  []string

	repaired bool // a mark was missing
}

func (c *markupCall) add(key string, value json.RawMessage) {
	if c.out.Len() > 0 {
		c.out.WriteByte(',')
	}
	c.out.Write(quote(key))
	c.out.WriteByte(':')
	c.out.Write(value)
	c.keys = append(c.keys, key)
}

func (c *markupCall) has(key string) bool { return slices.Contains(c.keys, key) }

// text adds an argument whose type only the schema can give.
func (c *markupCall) text(key, text string) {
	c.add(key, c.tools.value(c.name, key, text))
}

func (c *markupCall) call() Call {
	call := made(c.name, "{"+c.out.String()+"}", true)
	call.Repaired = call.Repaired || c.repaired && call.Invalid == ""
	return call
}

// reasonSwallowed is why a call is invalid if one of its arguments contains the beginning
// of another call: either of the two may be a stranger's text.
const reasonSwallowed = "an argument is not closed before another call begins"

// closed takes text up to the first closer that is followed by one of the followers or by
// the end of the answer; any other closer is part of the text.
func (r *reader) closed(closer string, followers ...string) (string, bool) {
	start := r.pos
	for {
		if _, found := r.until(closer); !found {
			return r.slice(start, r.pos), false
		}
		end := r.pos
		r.pos += len(closer)
		r.space()
		if _, more := r.peek(); !more || r.startsAny(followers...) {
			return r.slice(start, end), true
		}
	}
}

// unwrapped removes a line break at both ends of a text that begins with one.
func unwrapped(text string) string {
	if inner, ok := strings.CutPrefix(text, "\r\n"); ok {
		return strings.TrimSuffix(inner, "\r\n")
	}
	if inner, ok := strings.CutPrefix(text, "\n"); ok {
		return strings.TrimSuffix(inner, "\n")
	}
	return text
}
