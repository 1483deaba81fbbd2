package textcall

import "strings"

// hermes is the format of Hermes 2 and 3, Qwen 2.5 and 3, and models trained like them:
// <tool_call>{"name": …, "arguments": {…}}</tool_call>.
func hermes() Format {
	return Format{
		Name:    "hermes",
		Openers: []string{"<tool_call>"},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			return s.taggedCalls(opener, "</tool_call>")
		},
		Write: &Writer{
			tools:   [2]string{"<tools>\n", "\n</tools>"},
			example: "<tool_call>\n{\"name\": \"NAME\", \"arguments\": {\"KEY\": VALUE}}\n</tool_call>",
			several: "For several calls write several such blocks.",
			results: "the results come in <tool_response>.",
			calls: func(calls []Call) string {
				blocks := make([]string, len(calls))
				for i, c := range calls {
					blocks[i] = "<tool_call>\n" + object(c) + "\n</tool_call>"
				}
				return strings.Join(blocks, "\n")
			},
			result: [2]string{"<tool_response>\n", "\n</tool_response>"},
		},
	}
}

// taggedCalls reads JSON calls between an opener and one of the closers.
func (s *Scanner) taggedCalls(opener string, closers ...string) ([]Call, bool) {
	s.in.space()
	for s.in.take(opener) { // written twice
		s.in.space()
	}
	var all []Call
	for s.underLimit(all) {
		s.fenceMark()
		calls, ok := s.valueCalls(closers...)
		if !ok {
			break
		}
		all = append(all, calls...)
		s.in.space()
		if s.in.word(8, func(c byte) bool { return c == '}' || c == ']' }) != "" { // surplus brackets
			for i := range all {
				all[i].Repaired = all[i].Invalid == ""
			}
		}
		s.in.word(1, func(c byte) bool { return c == ';' || c == ',' })
	}
	if len(all) == 0 {
		return nil, false
	}
	s.in.takeAny(closers...)
	return all, true
}

// fenceMark skips ``` and the language after it, if they come next.
func (s *Scanner) fenceMark() {
	s.in.space()
	if s.in.take("```") {
		s.in.word(maxInfo, func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' })
		s.in.space()
	}
}

// namedCall reads the arguments of a call whose name is known. It reports false if no
// object comes next.
func (s *Scanner) namedCall(name string, stops ...string) (Call, bool) {
	s.in.space()
	if c, ok := s.in.peek(); !ok || c != '{' {
		return Call{}, false
	}
	raw, end := s.in.value(stops...)
	if end == cut {
		return invalid(name, raw, reasonCut), true
	}
	return made(name, raw, true), true
}
