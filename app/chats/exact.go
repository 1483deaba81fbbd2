package chats

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"bowerbird/llm"
)

// A loaded chat must make the same requests as before, byte for byte: providers cache by
// bytes, and verify what they signed. A record is JSON, and JSON inside it loses its spaces
// and, if a secret was removed from the record, the order of its members. So JSON that a
// model wrote in any other form is saved as text as well.

// exactJSON is such a text and its place: the arguments of a call, what a provider wants
// back with the call, or an echo of the message.
type exactJSON struct {
	Message int    `json:"message"`
	Call    int    `json:"call,omitempty"` // from 1
	Extra   bool   `json:"extra,omitempty"`
	Echo    string `json:"echo,omitempty"`
	Text    string `json:"text"`
}

// rawJSON replaces each piece of JSON that a model wrote by what f returns. The messages'
// calls and echoes must not be shared.
func rawJSON(messages []llm.Message, f func(at exactJSON, raw json.RawMessage) json.RawMessage) {
	for i := range messages {
		m := &messages[i]
		for j := range m.Calls {
			c := &m.Calls[j]
			c.Arguments = f(exactJSON{Message: i, Call: j + 1}, c.Arguments)
			if len(c.Extra) > 0 {
				c.Extra = f(exactJSON{Message: i, Call: j + 1, Extra: true}, c.Extra)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(m.Echo)) {
			m.Echo[name] = f(exactJSON{Message: i, Echo: name}, m.Echo[name])
		}
	}
}

// ownJSON copies messages so that their JSON can be changed.
func ownJSON(messages []llm.Message) []llm.Message {
	own := slices.Clone(messages)
	for i := range own {
		own[i].Calls = slices.Clone(own[i].Calls)
		own[i].Echo = maps.Clone(own[i].Echo)
	}
	return own
}

// exactTexts returns the JSON that a record would not preserve.
func exactTexts(messages []llm.Message) []exactJSON {
	var out []exactJSON
	rawJSON(messages, func(at exactJSON, raw json.RawMessage) json.RawMessage {
		if len(raw) > 0 && !bytes.Equal(raw, plainJSON(raw)) {
			at.Text = string(raw)
			out = append(out, at)
		}
		return raw
	})
	return out
}

// restore puts the exact texts in their places, if they are equivalent to what is there.
func restore(messages []llm.Message, texts []exactJSON) {
	byPlace := make(map[exactJSON]string, len(texts))
	for _, t := range texts {
		text := t.Text
		t.Text = ""
		byPlace[t] = text
	}
	rawJSON(messages, func(at exactJSON, raw json.RawMessage) json.RawMessage {
		text, ok := byPlace[at]
		if plain := plainJSON(raw); ok && plain != nil && bytes.Equal(plain, plainJSON([]byte(text))) {
			return json.RawMessage(text)
		}
		return raw
	})
}

// plainJSON normalizes a document: members sorted, no spaces; nil if it is invalid.
func plainJSON(raw []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if !json.Valid(raw) || decoder.Decode(&value) != nil {
		return nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
