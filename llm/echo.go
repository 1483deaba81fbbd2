package llm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// echoes collects members of chat completions that must be sent back to the provider
// unchanged: reasoning_content (DeepSeek, Kimi) and reasoning_details (OpenRouter).
type echoes struct {
	reasoning strings.Builder
	details   []*detail
}

// detail is an element of reasoning_details.
type detail struct {
	members members
	texts   map[string]*strings.Builder // of the members that arrive in pieces
}

const maxDetails = 10_000 // in one answer

func (e *echoes) add(c chunk) {
	if c.reasoningContent {
		e.reasoning.WriteString(c.reasoning)
	}
	for _, raw := range c.details {
		if w := membersOf(raw); w != nil && len(e.details) < maxDetails {
			e.addDetail(w)
		}
	}
}

// addDetail adds a detail, or a piece of the last one: consecutive pieces have the same type
// and index. Encrypted data is not split.
func (e *echoes) addDetail(w members) {
	var d *detail
	if n := len(e.details); n > 0 && e.details[n-1].continuedBy(w) {
		d = e.details[n-1]
	} else {
		d = &detail{members: members{}, texts: map[string]*strings.Builder{}}
		e.details = append(e.details, d)
	}
	for name, value := range w {
		piece, isText := text(value)
		switch {
		case isText && (name == "text" || name == "summary"):
			if d.texts[name] == nil {
				d.texts[name] = &strings.Builder{}
			}
			d.texts[name].WriteString(piece)
		case d.members[name] == nil || present(value):
			d.members[name] = value
		}
	}
}

func (d *detail) continuedBy(w members) bool {
	return string(d.members["type"]) == string(w["type"]) &&
		string(d.members["index"]) == string(w["index"]) &&
		!present(w["data"])
}

func (d *detail) json() members {
	for name, b := range d.texts {
		d.members[name] = quoted(b.String())
	}
	return d.members
}

func (e *echoes) members(wanted []string) members {
	all := members{}
	for _, name := range wanted {
		switch {
		case name == echoReasoning && e.reasoning.Len() > 0:
			all[name] = quoted(e.reasoning.String())
		case name == echoDetails && len(e.details) > 0:
			list := make([]members, len(e.details))
			for i, d := range e.details {
				list[i] = d.json()
			}
			if raw, err := json.Marshal(list); err == nil {
				all[name] = raw
			}
		}
	}
	return all
}

// part is one part of an answer, in [Message].Echo; exactly one of its members is set.
//
// Some providers require signed or encrypted reasoning back unchanged, in its place among
// text and calls. A Message holds text and calls separately, so its Echo keeps their order.
type part struct {
	Keep json.RawMessage `json:"keep,omitempty"` // to be sent back unchanged
	Text int             `json:"text,omitempty"` // this many bytes of the message's text
	Call string          `json:"call,omitempty"` // the call with this id
}

const maxParts = 1024 // of one answer

// partsEcho returns the echo for the parts of an answer; nil if none has to be kept.
func partsEcho(name string, parts []part) members {
	if !slices.ContainsFunc(parts, func(p part) bool { return present(p.Keep) }) {
		return nil
	}
	raw, err := json.Marshal(parts)
	if err != nil {
		return nil
	}
	return members{name: raw}
}

// piece is a part of an answer as it is sent back; exactly one of its members is set.
type piece struct {
	keep json.RawMessage
	text string
	call *Call
}

// pieces returns the parts of a model's message in their original order, which is in the
// echo with this name. If the message was changed since, nothing is lost: its text is one
// piece, and the calls come last.
func (m *Message) pieces(echo string) []piece {
	var parts []part
	if json.Unmarshal(m.Echo[echo], &parts) != nil {
		parts = nil
	}
	rest, total := cmp.Or(m.Text, m.Refusal), 0
	for _, p := range parts {
		total += max(p.Text, 0)
	}
	fits := total == len(rest)

	var out []piece
	done := make([]bool, len(m.Calls))
	for _, p := range parts {
		switch {
		case present(p.Keep):
			out = append(out, piece{keep: p.Keep})
		case p.Text > 0 && rest != "":
			n := len(rest)
			if fits {
				n = p.Text
			}
			out = append(out, piece{text: rest[:n]})
			rest = rest[n:]
		case p.Call != "":
			for i := range m.Calls {
				if m.Calls[i].ID == p.Call && !done[i] {
					done[i] = true
					out = append(out, piece{call: &m.Calls[i]})
					break
				}
			}
		}
	}
	if rest != "" {
		at := slices.IndexFunc(out, func(p piece) bool { return p.call != nil })
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, piece{text: rest})
	}
	for i := range m.Calls {
		if !done[i] {
			out = append(out, piece{call: &m.Calls[i]})
		}
	}
	// Reasoning that nothing follows, as in an answer that was cut off, would be refused.
	for len(out) > 0 && out[len(out)-1].keep != nil {
		out = out[:len(out)-1]
	}
	return out
}
