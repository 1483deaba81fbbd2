package llm

import (
	"encoding/json"
	"strings"
)

// echoes collects what a provider wants back unchanged with the message that it
// came in: DeepSeek's and Kimi's reasoning_content, OpenRouter's
// reasoning_details.
type echoes struct {
	reasoning strings.Builder
	details   []*detail
}

type detail struct {
	members members
	texts   map[string]*strings.Builder // of the members that come in pieces
}

const maxDetails = 10_000

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

// addDetail joins the pieces of one detail: those with the same type and index,
// one behind the other. Encrypted data comes whole.
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

// Some providers want parts of an answer back unchanged, and at their place
// between the others: thinking that is signed, reasoning that is encrypted. A
// Message holds text and calls apart, so the order is kept in its Echo, as a list
// of parts: those that are kept stand there in whole, the others as marks.

// part is one part of an answer; one of its members is set.
type part struct {
	Keep json.RawMessage `json:"keep,omitempty"` // to be sent back as it is
	Text int             `json:"text,omitempty"` // so many bytes of the message's text
	Call string          `json:"call,omitempty"` // the call with this id
}

const maxParts = 1024

func partsEcho(name string, parts []part) members {
	kept := false
	for _, p := range parts {
		kept = kept || present(p.Keep)
	}
	raw, err := json.Marshal(parts)
	if !kept || err != nil {
		return nil
	}
	return members{name: raw}
}

type piece struct {
	keep json.RawMessage
	text string
	call *Call
}

// pieces returns the parts of a model's message in the order in which they came,
// as the echo of this name tells it. Where that fits no longer, because the message
// was changed since, nothing is lost: text stands together, and calls stand last.
func (m *Message) pieces(echo string) []piece {
	var parts []part
	if json.Unmarshal(m.Echo[echo], &parts) != nil {
		parts = nil
	}
	rest := m.Text
	if rest == "" {
		rest = m.Refusal
	}
	total := 0
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
		out = insertText(out, rest)
	}
	for i := range m.Calls {
		if !done[i] {
			out = append(out, piece{call: &m.Calls[i]})
		}
	}
	// Thinking that leads to nothing, as in an answer that was cut off, is refused.
	for len(out) > 0 && out[len(out)-1].keep != nil {
		out = out[:len(out)-1]
	}
	return out
}

// insertText puts text that has no mark before the first call.
func insertText(pieces []piece, text string) []piece {
	at := len(pieces)
	for i, p := range pieces {
		if p.call != nil {
			at = i
			break
		}
	}
	out := append([]piece{}, pieces[:at]...)
	out = append(out, piece{text: text})
	return append(out, pieces[at:]...)
}
