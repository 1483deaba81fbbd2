package chats

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
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

// plainJSON normalises a document: members sorted, no spaces; nil if it is invalid.
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

// Limits of what is kept, in bytes.
const (
	maxTurn   = 3 * partSize // one transaction of the store takes about 2.5 MB
	maxText   = 400 << 10    // one text
	maxResult = 4 << 10      // a tool's result as JSON; larger ones are left out
)

// appendEvent adds an event to those that show a turn again: adjacent pieces of text are
// joined, and a retrying event removes what it withdraws.
func appendEvent(events []agent.Event, e agent.Event) []agent.Event {
	switch e.Type {
	case agent.EventToolCallBegun:
		return events // only of use while the call comes
	case agent.EventApproval:
		// One that is requested again after an interruption replaces the first.
		events = slices.DeleteFunc(events, func(old agent.Event) bool {
			return old.Type == e.Type && old.Step == e.Step && old.ID == e.ID
		})
	case agent.EventChecked:
		// A turn that was interrupted right after its check is checked again.
		events = slices.DeleteFunc(events, func(old agent.Event) bool { return old.Type == e.Type })
	case agent.EventRetrying:
		return slices.DeleteFunc(events, func(old agent.Event) bool {
			return old.Step == e.Step && old.Type != agent.EventUsage // what was taken back was still paid for
		})
	case agent.EventText, agent.EventReasoning, agent.EventRefusal:
		if n := len(events); n > 0 && events[n-1].Type == e.Type && events[n-1].Step == e.Step {
			events[n-1].Delta += e.Delta
			return events
		}
	case agent.EventToolResult:
		e = Kept(e)
	}
	return append(events, e)
}

// Kept returns an event as a saved chat holds it: a tool's result as JSON or, if that is
// large, its brief (tools.Briefer), or nothing. A screen that shows Kept events looks the
// same while a turn runs and after it was loaded.
func Kept(e agent.Event) agent.Event {
	if e.Type != agent.EventToolResult || e.Result == nil {
		return e
	}
	if _, done := e.Result.(agent.RawResult); done {
		return e
	}
	result := e.Result
	if e.Result = small(result); e.Result == nil {
		if b, can := result.(tools.Briefer); can {
			e.Result = small(b.Brief())
		}
	}
	return e
}

// small returns a value as JSON, nil if it is large.
func small(v any) tools.Result {
	if q, is := v.(tools.QueryResult); is && q.LeastBytes() > maxResult {
		return nil // without writing all of it to see that
	}
	if raw, err := json.Marshal(v); err == nil && len(raw) <= maxResult {
		return agent.RawResult(raw)
	}
	return nil
}

// slimming returns the steps that make a turn small enough to save, what is least missed
// first.
func slimming() []func(*turnRecord) {
	return []func(*turnRecord){
		func(t *turnRecord) { cutMessages(t, 2<<10, llm.ToolRole) },
		func(t *turnRecord) {
			t.Events = slices.DeleteFunc(t.Events, func(e agent.Event) bool { return e.Type == agent.EventReasoning })
			for i := range t.Messages {
				t.Messages[i].Reasoning = cut(t.Messages[i].Reasoning, 2<<10)
			}
		},
		func(t *turnRecord) {
			for i := range t.Events {
				if len(t.Events[i].Arguments) > maxResult {
					t.Events[i].Arguments = json.RawMessage(`{}`)
				}
			}
			t.Events = slices.DeleteFunc(t.Events, func(e agent.Event) bool {
				return e.Type == agent.EventTable || e.Type == agent.EventChart
			})
			cutArguments(t, maxResult)
		},
		func(t *turnRecord) { cutTexts(t, 16<<10) },
		func(t *turnRecord) {
			// Nothing but the question and the last words.
			t.Events = t.Events[max(len(t.Events)-20, 0):]
			t.Messages = t.Messages[:min(len(t.Messages), 1)]
		},
	}
}

func cutTexts(t *turnRecord, limit int) {
	t.Question = cut(t.Question, limit)
	for i := range t.Events {
		t.Events[i].Delta = cut(t.Events[i].Delta, limit)
	}
	cutMessages(t, limit, llm.Assistant, llm.User, llm.ToolRole)
	cutArguments(t, limit)
}

// cutArguments removes long arguments of calls. Such a turn is no longer sent as it was.
func cutArguments(t *turnRecord, limit int) {
	for i := range t.Messages {
		for j := range t.Messages[i].Calls {
			if c := &t.Messages[i].Calls[j]; len(c.Arguments) > limit {
				c.Arguments = json.RawMessage(`{}`)
			}
		}
	}
}

func cutMessages(t *turnRecord, limit int, roles ...llm.Role) {
	for i := range t.Messages {
		if m := &t.Messages[i]; slices.Contains(roles, m.Role) {
			m.Text = cut(m.Text, limit)
		}
	}
}

// cut shortens a text between characters, and marks the cut.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.TrimSpace(s[:limit]) + "… [cut]"
}
