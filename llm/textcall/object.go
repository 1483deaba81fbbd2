package textcall

import (
	"encoding/json"
	"slices"
	"strings"

	"bowerbird/llm/internal/jsonfix"
)

// Why a call is invalid.
const (
	reasonCut    = "the answer was cut off inside the call"
	reasonNoName = "the call does not name a tool"
	reasonLong   = "the arguments are too long"
)

// maxCall limits the length of a call, in bytes. A longer one is not parsed.
const maxCall = 1 << 20

func invalid(name, raw, reason string) Call {
	return Call{Name: name, Arguments: quote(raw), Invalid: reason}
}

// made returns a call with arguments given as text. Without ended, nothing is repaired:
// see [jsonfix.Read].
func made(name, arguments string, ended bool) Call {
	if len(arguments) > maxCall {
		return invalid(name, arguments, reasonLong)
	}
	got := jsonfix.Read(arguments, ended)
	if got.Invalid != "" {
		return invalid(name, arguments, got.Invalid)
	}
	return Call{Name: name, Arguments: got.Object, Repaired: got.Repaired}
}

func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string can always be marshalled
	return raw
}

// valueCalls reads an object or a list of objects between marks as calls: there, an object
// that is not a call makes an invalid one. It ends before a stop, and reports false if no
// value comes next.
func (s *Scanner) valueCalls(stops ...string) ([]Call, bool) {
	c, ok := s.in.peek()
	if !ok || c != '{' && c != '[' || c == '[' && s.beginsMark() {
		return nil, false
	}
	raw, end := s.in.value(stops...)
	if raw == "" { // a stop that begins with a bracket
		return nil, false
	}
	return s.rawCalls(raw, end), true
}

// beginsMark reports whether a bracket begins a mark such as [ARGS] or [/INST], or a list
// in Python.
func (s *Scanner) beginsMark() bool {
	c, ok := s.in.at(s.in.pos + 1)
	return ok && (c == '/' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z')
}

func (s *Scanner) rawCalls(raw string, end ending) []Call {
	if end == cut {
		return []Call{invalid(nameIn(raw), raw, reasonCut)}
	}
	s.in.looks += len(raw)
	var calls []Call
	for _, raw := range elements(raw) {
		if !s.underLimit(calls) {
			break
		}
		found, ok := objectCalls(raw, false)
		if !ok {
			found = []Call{invalid("", raw, reasonNoName)}
		}
		calls = append(calls, found...)
	}
	return calls
}

func elements(raw string) []string {
	if raw == "" || raw[0] != '[' {
		return []string{raw}
	}
	var list []string
	r := reader{buf: []byte(raw[1:]), wait: func() bool { return false }}
	for {
		r.word(len(raw), func(c byte) bool { return isSpace(c) || c == ',' })
		c, ok := r.peek()
		if !ok || c == ']' {
			return list
		}
		if c != '{' && c != '[' {
			rest, _ := r.until("]", "{", "[")
			list = append(list, rest)
			continue
		}
		one, _ := r.value()
		list = append(list, one)
	}
}

// objectCalls reads an object as a call, or as a wrapper around several. It reports false
// if the object is something else. If strict, so is an object with members that a call
// does not have, and the description of a tool.
func objectCalls(raw string, strict bool) ([]Call, bool) {
	if len(raw) > maxCall {
		return []Call{invalid(nameIn(raw), raw, reasonLong)}, !strict
	}
	got := jsonfix.Read(raw, true)
	if got.Invalid != "" {
		return []Call{invalid(nameIn(raw), raw, got.Invalid)}, true
	}
	calls, ok := memberCalls(got.Object, strict, 3)
	for i := range calls {
		calls[i].Repaired = calls[i].Repaired || got.Repaired && calls[i].Invalid == ""
	}
	return calls, ok
}

// nameKeys, argumentKeys and idKeys are the members of a call that hold its name, its
// arguments and its id, in the spellings of all models.
func nameKeys() []string {
	return []string{"name", "tool_name", "function_name", "function", "tool", "recipient_name"}
}

func argumentKeys() []string {
	return []string{"arguments", "parameters", "args", "params", "input", "tool_input", "kwargs"}
}

func idKeys() []string { return []string{"id", "tool_call_id", "call_id"} }

func wrapperKeys() []string {
	return []string{"tool_calls", "tool_call", "function_call", "function", "tool_uses"}
}

func memberCalls(object json.RawMessage, strict bool, levels int) ([]Call, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(object, &m) != nil || levels == 0 {
		return nil, false
	}
	name := firstText(m, nameKeys())
	arguments := argumentsOf(m)
	switch {
	case strict && !onlyCall(m, arguments):
		return nil, false
	case name == "":
		return wrappedCalls(m, strict, levels-1)
	}
	c := made(name, arguments, true)
	if c.Invalid != "" {
		c.Arguments = quote(string(object))
	}
	c.ID = firstText(m, idKeys())
	return []Call{c}, true
}

func onlyCall(m map[string]json.RawMessage, arguments string) bool {
	for key := range m {
		if !isCallKey(key) {
			return false
		}
	}
	if !strings.Contains(arguments, `"properties"`) {
		return true
	}
	var schema struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
	}
	return json.Unmarshal([]byte(arguments), &schema) != nil || schema.Type != "object" || schema.Properties == nil
}

func isCallKey(key string) bool {
	return key == "type" || key == "index" || slices.Contains(nameKeys(), key) || slices.Contains(argumentKeys(), key) ||
		slices.Contains(idKeys(), key) || slices.Contains(wrapperKeys(), key)
}

// wrappedCalls reads an object that contains calls, as in OpenAI's API.
func wrappedCalls(m map[string]json.RawMessage, strict bool, levels int) ([]Call, bool) {
	for _, key := range wrapperKeys() {
		inner := m[key]
		if len(inner) == 0 || inner[0] != '{' && inner[0] != '[' {
			continue
		}
		var calls []Call
		for _, raw := range elements(string(inner)) {
			found, ok := memberCalls(json.RawMessage(raw), strict, levels)
			if !ok {
				return nil, false
			}
			calls = append(calls, found...)
		}
		if len(calls) == 1 && calls[0].ID == "" {
			calls[0].ID = firstText(m, idKeys())
		}
		return calls, len(calls) > 0
	}
	return nil, false
}

func argumentsOf(m map[string]json.RawMessage) string {
	for _, key := range argumentKeys() {
		if raw, ok := m[key]; ok {
			return string(raw)
		}
	}
	return ""
}

func firstText(m map[string]json.RawMessage, keys []string) string {
	for _, key := range keys {
		var text string
		if raw := m[key]; len(raw) > 0 && json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// nameIn looks for the name in a call that is not valid JSON, to report it.
func nameIn(raw string) string {
	for _, key := range nameKeys() {
		_, after, found := strings.Cut(raw[:min(len(raw), 4096)], `"`+key+`"`)
		if !found {
			continue
		}
		after = strings.TrimLeft(after, " \t\r\n:")
		if name, _, closed := strings.Cut(strings.TrimPrefix(after, `"`), `"`); closed && after[0] == '"' && len(name) <= maxName {
			return name
		}
	}
	return ""
}
