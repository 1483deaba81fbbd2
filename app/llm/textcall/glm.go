package textcall

import "strings"

// glm is the format of GLM 4.5 and later: the name behind <tool_call>, then pairs
// of <arg_key> and <arg_value>.
func glm() Format {
	return Format{
		Name:    "glm",
		Models:  "GLM 4.5 and later",
		Openers: []string{"<tool_call>"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.space()
			begin := s.in.pos
			c := markupCall{tools: s.tools, name: s.in.name()}
			s.in.space()
			if c.name == "" || !s.in.starts("<arg_key>") && !s.in.starts("</tool_call>") {
				return nil, false
			}
			for s.in.take("<arg_key>") {
				if !s.glmArgument(&c) {
					return []Call{invalid(c.name, s.in.slice(begin, s.in.pos), reasonCut)}, true
				}
			}
			if s.in.take("</tool_call>") {
				return []Call{c.call()}, true
			}
			reason := "the call is not closed by </tool_call>"
			if _, more := s.in.peek(); !more {
				reason = reasonCut
			}
			return []Call{invalid(c.name, s.in.slice(begin, s.in.pos), reason)}, true
		},
	}
}

func (s *Scanner) glmArgument(c *markupCall) bool {
	key, _ := s.in.until("</arg_key>")
	if !s.in.take("</arg_key>") {
		return false
	}
	s.in.space()
	if !s.in.take("<arg_value>") {
		return false
	}
	value, ok := s.in.closed("</arg_value>", "<arg_key>", "</tool_call>")
	if ok {
		c.text(strings.TrimSpace(key), unwrapped(value))
	}
	return ok
}
