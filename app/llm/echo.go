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

// detail is one entry of reasoning_details, put together from its pieces.
type detail struct {
	members map[string]json.RawMessage
	texts   map[string]*strings.Builder // of the members that come in pieces
}

const maxDetails = 10_000

func (e *echoes) add(c chunk) {
	if c.reasoningContent {
		e.reasoning.WriteString(c.reasoning)
	}
	for _, raw := range c.details {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil && len(e.details) < maxDetails {
			e.addDetail(members)
		}
	}
}

// addDetail joins the pieces of one detail: those with the same type and index,
// one behind the other. Encrypted data comes whole.
func (e *echoes) addDetail(members map[string]json.RawMessage) {
	var d *detail
	if n := len(e.details); n > 0 && e.details[n-1].continuedBy(members) {
		d = e.details[n-1]
	} else {
		d = &detail{members: map[string]json.RawMessage{}, texts: map[string]*strings.Builder{}}
		e.details = append(e.details, d)
	}
	for name, value := range members {
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

func (d *detail) continuedBy(members map[string]json.RawMessage) bool {
	return string(d.members["type"]) == string(members["type"]) &&
		string(d.members["index"]) == string(members["index"]) &&
		!present(members["data"])
}

func (d *detail) json() map[string]json.RawMessage {
	for name, b := range d.texts {
		d.members[name] = quoted(b.String())
	}
	return d.members
}

// members returns the wanted members that the answer held.
func (e *echoes) members(wanted []string) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, name := range wanted {
		switch {
		case name == echoReasoning && e.reasoning.Len() > 0:
			all[name] = quoted(e.reasoning.String())
		case name == echoDetails && len(e.details) > 0:
			list := make([]map[string]json.RawMessage, len(e.details))
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
