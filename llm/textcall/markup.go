package textcall

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Calls whose arguments stand in tags, one by one.

// markupCall puts a call together from arguments that come one by one.
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

// text adds an argument that was written without its type.
func (c *markupCall) text(key, text string) {
	c.add(key, c.tools.value(c.name, key, text))
}

func (c *markupCall) call() Call {
	call := made(c.name, "{"+c.out.String()+"}", true)
	call.Repaired = call.Repaired || c.repaired && call.Invalid == ""
	return call
}

// reasonSwallowed refuses a call of which an argument closes, and holds the beginning
// of another call: either may have been said by a stranger.
const reasonSwallowed = "an argument is not closed before another call begins"

// closed takes a text as far as a closer that one of the followers stands behind:
// one without is part of the text.
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

// unwrapped takes the line break off both ends of a text that has one there.
func unwrapped(text string) string {
	if inner, ok := strings.CutPrefix(text, "\r\n"); ok {
		return strings.TrimSuffix(inner, "\r\n")
	}
	if inner, ok := strings.CutPrefix(text, "\n"); ok {
		return strings.TrimSuffix(inner, "\n")
	}
	return text
}
