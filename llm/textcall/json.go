package textcall

import "strings"

// pureJSON is a call as JSON without marks: {"name": …, "arguments": {…}}, or a list of
// them, at the beginning, in the text, or in a code fence. JSON that is not a call of a
// known tool remains text.
func pureJSON() Format {
	return Format{
		Name:    "json",
		Openers: []string{"{", "["},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			s.in.pos -= len(opener)
			return s.bareCalls()
		},
		Write: &Writer{
			example: "{\"name\": \"NAME\", \"arguments\": {\"KEY\": VALUE}}",
			several: "Write nothing before or behind it. For several calls write a list of such objects.",
			results: "the results come as JSON in the next message.",
			calls: func(calls []Call) string {
				if len(calls) == 1 {
					return object(calls[0])
				}
				return objects(calls)
			},
			result: [2]string{"{\"tool_result\": ", "}"},
		},
	}
}

// jsonTags are tags that small models invent around such JSON. They prove nothing: their
// content is judged as it would be without them.
func jsonTags() Format {
	return Format{
		Name:    "json-tags",
		Openers: []string{"<tool>", "<tools>", "<json>", "<JSON>", "<xml>", "<response>"},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			s.in.space()
			calls, ok := s.bareCalls()
			s.in.space()
			s.in.take("</" + opener[1:])
			return calls, ok
		},
	}
}

// bareCalls reads an object or a list that consists of known calls only, and any others
// that follow after a semicolon or a comma.
func (s *Scanner) bareCalls() ([]Call, bool) {
	calls, ok := s.bareValue()
	for ok && s.underLimit(calls) {
		end := s.in.pos
		s.in.space()
		_, parted := s.in.takeAny(";", ",")
		s.in.space()
		more, isCall := []Call(nil), false
		if parted {
			more, isCall = s.bareValue()
		}
		if !isCall {
			s.in.pos = end
			break
		}
		calls = append(calls, more...)
	}
	return calls, ok
}

func (s *Scanner) bareValue() ([]Call, bool) {
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
		if !s.underLimit(calls) {
			break
		}
		found, ok := s.bareObject(one)
		if !ok {
			return nil, false
		}
		calls = append(calls, found...)
	}
	return calls, len(calls) > 0
}

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

const maxKey = 20

// bareObject reads an object without marks. If no tools are known, only one with arguments
// counts as a call.
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
