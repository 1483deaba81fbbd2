package llm

import "encoding/json"

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

// maxParts limits the parts of one answer.
const maxParts = 1024

// partsEcho returns the parts as an echo; nil when there is nothing to send back.
func partsEcho(name string, parts []part) map[string]json.RawMessage {
	kept := false
	for _, p := range parts {
		kept = kept || present(p.Keep)
	}
	raw, err := json.Marshal(parts)
	if !kept || err != nil {
		return nil
	}
	return map[string]json.RawMessage{name: raw}
}

// piece is one part of a message that is written out.
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

// keeps reports whether a message has something to send back unchanged.
func (m *Message) keeps(echo string) bool { return present(m.Echo[echo]) }
