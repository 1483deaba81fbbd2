package textcall

import "strings"

// pureJSON is a call as JSON without any mark: {"name": …, "arguments": {…}}, or a
// list of such, at the beginning, in the text, or in a fence. What is JSON but no
// call of a known tool stays text.
func pureJSON() Format {
	return Format{
		Name:    "json",
		Models:  "Llama 3, Phi, Gemma, and any model that is told to",
		Openers: []string{"{", "["},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			s.in.pos -= len(opener)
			return s.bareCalls()
		},
		Write: &Writer{
			System: func(tools []Tool) string {
				return instructions(describedAll(tools), "{\"name\": \"NAME\", \"arguments\": {\"KEY\": VALUE}}",
					"Write nothing before or behind it. For several calls write a list of such objects.", "the results come as JSON in the next message.")
			},
			Calls: func(calls []Call) string {
				if len(calls) == 1 {
					return object(calls[0])
				}
				return objects(calls)
			},
			Result: func(r Result) string { return "{\"tool_result\": " + resultObject(r) + "}" },
		},
	}
}

// bareCalls reads an object or a list if it is of known calls and nothing else.
func (s *Scanner) bareCalls() ([]Call, bool) {
	begin := s.in.pos
	if !s.beginsCall() {
		return nil, false
	}
	s.in.pos = begin
	raw, end := s.in.value()
	if end == cut {
		name := nameIn(raw)
		if !s.tools.has(name) {
			return nil, false
		}
		return []Call{invalid(name, raw, reasonCut)}, true
	}
	s.in.looks += len(raw)
	var calls []Call
	for _, one := range elements(raw) {
		found, ok := s.bareObject(one)
		if !ok {
			return nil, false
		}
		calls = append(calls, found...)
	}
	return calls, len(calls) > 0
}

// beginsCall looks at the first key, so that other JSON is not held back.
func (s *Scanner) beginsCall() bool {
	if s.in.take("[") {
		s.in.space()
	}
	if !s.in.take("{") {
		return false
	}
	s.in.space()
	quote, ok := s.in.peek()
	if !ok || quote != '"' && quote != '\'' {
		return false
	}
	s.in.pos++
	key := s.in.word(maxKey, func(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' })
	return isCallKey(key) && s.in.take(string(quote))
}

// maxKey limits the keys of a call, in bytes.
const maxKey = 20

// bareObject reads an object that stands without marks. Where no tools are known
// it needs arguments to be a call.
func (s *Scanner) bareObject(raw string) ([]Call, bool) {
	calls, ok := objectCalls(raw, true)
	for _, c := range calls {
		switch {
		case len(s.tools) > 0:
			ok = ok && s.tools.has(c.Name)
		case c.Invalid != "", !strings.Contains(raw, "arg") && !strings.Contains(raw, "param"):
			ok = false
		}
	}
	return calls, ok
}
