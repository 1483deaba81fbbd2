package textcall

import "strings"

// pureJSON is a call as JSON without any mark: {"name": …, "arguments": {…}}, or a
// list of such, at the beginning, in the text, or in a fence. What is JSON but no
// call of a known tool stays text.
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

// jsonTags are the tags that small models make up around such JSON. They are no
// marks: what they hold is a call as it would be without them.
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

// bareCalls reads an object or a list if it is of known calls and nothing else, and
// those that a semicolon or a comma parts from it.
func (s *Scanner) bareCalls() ([]Call, bool) {
	calls, ok := s.bareValue()
	for ok && s.room(calls) {
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
		if !s.room(calls) {
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
