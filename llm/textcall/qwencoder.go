package textcall

import "strings"

// qwenCoder is the format of Qwen3-Coder: <function=NAME>, and in it <parameter=KEY> with
// text whose type only the schema gives. Llama 3 writes the arguments in the same tag as
// JSON.
func qwenCoder() Format {
	return Format{
		Name:    "qwen3-coder",
		Openers: []string{"<tool_call>", "<seed:tool_call>", functionTag, functionNameTag},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if strings.HasPrefix(opener, "<function") {
				s.in.pos -= len(opener)
			}
			var calls []Call
			for s.in.space(); s.underLimit(calls); s.in.space() {
				if _, ok := s.in.takeAny(functionTag, functionNameTag); !ok {
					break
				}
				c, ok := s.functionCall()
				if !ok {
					return nil, false
				}
				calls = append(calls, c)
			}
			s.in.takeAny("</tool_call>", "</seed:tool_call>")
			return calls, len(calls) > 0
		},
	}
}

const (
	functionTag     = "<function="
	functionNameTag = "<function name="
	functionEnd     = "</function>"
	parameterTag    = "<parameter="
	parameterEnd    = "</parameter>"
)

// functionCall reads a call after the beginning of its tag. It reports false if the answer
// only mentions the tag.
func (s *Scanner) functionCall() (Call, bool) {
	begin := s.in.pos
	name := strings.Trim(s.in.word(maxName, func(c byte) bool { return strings.IndexByte(">\n<{(,=", c) < 0 }), `"' `)
	if name == "" {
		return Call{}, false
	}
	if !s.in.take(">") {
		return s.unclosedTag(name)
	}
	if c, ok := s.namedCall(name, functionEnd); ok {
		s.in.space()
		s.in.take(functionEnd)
		return c, true
	}
	c := markupCall{tools: s.tools, name: name}
	wrong, cut := s.functionParameters(&c)
	if _, more := s.in.peek(); !more && !cut && c.repaired {
		return c.call(), true
	}
	s.in.space()
	if _, more := s.in.peek(); !more {
		return s.unclosed(c, begin), cut || c.out.Len() > 0 || s.tools.may(name)
	}
	if !s.in.take(functionEnd) && !s.in.starts("</tool_call>") {
		_, found := s.in.until(functionEnd, "</tool_call>")
		if c.out.Len() == 0 && (!found || !s.tools.has(name)) {
			return Call{}, false
		}
		if !found {
			return s.unclosed(c, begin), true
		}
		s.in.take(functionEnd)
		wrong = "the arguments do not stand in " + parameterTag + "…>"
	}
	if wrong != "" {
		return invalid(name, s.in.slice(begin, s.in.pos), wrong), true
	}
	return c.call(), true
}

// unclosedTag reads a call whose tag has no ">", as Llama sometimes writes it:
// <function=NAME{…}</function>, possibly with a bracket, a comma or "=" after the name.
func (s *Scanner) unclosedTag(name string) (Call, bool) {
	bracket := s.in.take("(")
	s.in.takeAny(",", "=")
	c, ok := s.namedCall(name, functionEnd)
	if !ok || !s.tools.may(name) || bracket && !s.in.take(")") || !s.in.take(functionEnd) {
		return Call{}, false
	}
	return c, true
}

func (s *Scanner) functionParameters(c *markupCall) (wrong string, cut bool) {
	for s.in.take(parameterTag) {
		key, _ := s.in.until(">")
		if !s.in.take(">") {
			return "", true
		}
		key = strings.Trim(key, `"' `)
		value, ok := s.in.closed(parameterEnd, parameterTag, functionEnd, "</tool_call>")
		if !ok {
			return "", !s.lastParameter(c, key, value)
		}
		if strings.Contains(value, parameterEnd) && strings.Contains(value, functionTag) || !s.parameters(c, key, value) {
			wrong = reasonSwallowed
		}
	}
	return wrong, false
}

// parameters adds an argument, and those after it that begin before it is closed: on a new
// line, with a name that the schema has and that the call does not have yet. It reports
// false if the value contains any other beginning: either may be a stranger's text.
func (s *Scanner) parameters(c *markupCall, key, value string) bool {
	const mark = "\n" + parameterTag
	for {
		one, rest, more := strings.Cut(value, mark)
		if !more {
			c.text(key, unwrapped(value))
			return true
		}
		next, behind, closed := strings.Cut(rest, ">\n")
		if !closed || !s.tools.takes(c.name, next) || next == key || c.has(next) {
			c.text(key, unwrapped(value))
			return false
		}
		c.text(key, unwrapped(one+"\n"))
		c.repaired = true
		key, value = next, "\n"+behind
	}
}

// lastParameter adds a value that only the end of its call closes. That is unambiguous if
// the answer ends there too; otherwise it reports false.
func (s *Scanner) lastParameter(c *markupCall, key, rest string) bool {
	value, behind, found := strings.Cut(rest, functionEnd)
	if behind = strings.TrimSpace(behind); !found || behind != "" && behind != "</tool_call>" || strings.Contains(value, parameterTag) {
		return false
	}
	c.repaired = true
	c.text(key, unwrapped(value))
	return true
}

// unclosed returns an invalid call: without its end tag, arguments may be missing.
func (s *Scanner) unclosed(c markupCall, begin int) Call {
	return invalid(c.name, s.in.slice(begin, s.in.pos), reasonCut)
}
