package llm

import (
	"encoding/json"
	"slices"
	"strings"
)

// A person may change the model in the middle of a chat. What the one before said
// and called is told to the next; what only its own provider can read is not:
// signatures, encrypted reasoning, thinking. A provider that refuses a history
// without its own data has a stand-in for it, in its row.

// own returns a request without the data of other providers, whatever family the
// provider speaks. The conversation itself is not touched.
func (p Provider) own(req *Request, model string) *Request {
	if !slices.ContainsFunc(req.Messages, func(m Message) bool { return !p.wrote(m.By, model) }) {
		return req
	}
	out := *req
	out.Messages = slices.Clone(req.Messages)
	for i := range out.Messages {
		m := &out.Messages[i]
		if p.wrote(m.By, model) {
			continue
		}
		m.Echo, m.Reasoning = nil, ""
		m.Calls = slices.Clone(m.Calls)
		for j := range m.Calls {
			m.Calls[j].Extra = nil
		}
	}
	return &out
}

// wrote reports whether a message is by a model of this provider. One that says
// nothing of where it is from is. Behind a name without an address there may be
// any server, so there the model has to be the same.
func (p Provider) wrote(by, model string) bool {
	if by == "" {
		return true
	}
	provider, name, err := ParseModelID(by)
	return err == nil && provider == p.Name && (p.BaseURL != "" || name == model)
}

// standIns are what a provider takes in place of data that it demands, where a
// message has none because it is another's.
type standIns struct {
	// reasoning says that each message of the assistant has a reasoning_content,
	// be it empty: DeepSeek refuses a history without it while it thinks.
	reasoning bool
	// call is the extra_content of a message's first call where none has any, and
	// before are the beginnings of the names of models that do not know it.
	call   json.RawMessage
	before []string
}

// extras returns what stands beside each call of a message, nil for nothing.
func (s standIns) extras(m *Message, model string) []json.RawMessage {
	out := make([]json.RawMessage, len(m.Calls))
	given := false
	for i, c := range m.Calls {
		if present(c.Extra) {
			out[i], given = c.Extra, true
		}
	}
	name := strings.TrimPrefix(model, "models/")
	older := slices.ContainsFunc(s.before, func(start string) bool { return strings.HasPrefix(name, start) })
	if !given && !older && len(out) > 0 {
		out[0] = s.call
	}
	return out
}

func demandsReasoning(said string) bool {
	return strings.Contains(said, echoReasoning) &&
		(strings.Contains(said, "missing") || strings.Contains(said, "must be passed back") || strings.Contains(said, "must be provided"))
}
