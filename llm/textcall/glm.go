package textcall

import "strings"

// glm is the format of GLM 4.5 and later: the name after <tool_call>, then pairs of
// <arg_key> and <arg_value>.
func glm() Format {
	return Format{
		Name:    "glm",
		Openers: []string{"<tool_call>"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.space()
			begin := s.in.pos
			c := markupCall{tools: s.tools, name: s.in.name()}
			s.in.space()
			if c.name != "" && s.tools.may(c.name) {
				if call, ok := s.glmJSON(c.name); ok {
					return []Call{call}, true
				}
			}
			if c.name == "" || !s.in.starts("<arg_key>") && !s.in.starts("</tool_call>") {
				return nil, false
			}
			wrong := ""
			for wrong == "" && s.in.take("<arg_key>") {
				wrong = s.glmArgument(&c)
			}
			if s.in.take("</tool_call>") && wrong == "" {
				return []Call{c.call()}, true
			}
			if wrong == "" {
				wrong = "the call is not closed by </tool_call>"
			}
			if _, more := s.in.peek(); !more && !s.in.endsIn(s.in.pos, "</tool_call>") {
				wrong = reasonCut
			}
			return []Call{invalid(c.name, s.in.slice(begin, s.in.pos), wrong)}, true
		},
	}
}

// glmJSON reads the arguments as a JSON object, which is how Hunyuan writes them.
func (s *Scanner) glmJSON(name string) (Call, bool) {
	begin := s.in.pos
	s.fenceMark()
	c, ok := s.namedCall(name, "</tool_call>")
	if !ok {
		s.in.pos = begin
		return c, false
	}
	s.fenceMark()
	s.in.take("</tool_call>")
	return c, true
}

// glmArgument reads an argument and returns what is wrong with it. The mark before its
// value may be missing, since the closing one identifies the value too.
func (s *Scanner) glmArgument(c *markupCall) (wrong string) {
	key, _ := s.in.until("</arg_key>")
	s.in.take("</arg_key>")
	s.in.space()
	c.repaired = !s.in.take("<arg_value>") || c.repaired
	value, _ := s.in.closed("</arg_value>", "<arg_key>", "</tool_call>")
	switch {
	case c.repaired && strings.Contains(value, "<") || strings.Contains(key, "<"):
		return "the marks of an argument are not in order"
	case strings.Contains(value, "</arg_value>") && strings.Contains(value, "<tool_call>"):
		return reasonSwallowed
	}
	c.text(strings.TrimSpace(key), unwrapped(value))
	return ""
}
