package textcall

import "strings"

// qwenCoder is the format of Qwen3-Coder: <function=NAME>, and in it
// <parameter=KEY> with a text of which only the schema tells the type. Llama 3
// writes the arguments in the same tag as JSON.
func qwenCoder() Format {
	return Format{
		Name:    "qwen3-coder",
		Models:  "Qwen3-Coder, Seed-OSS, some Nemotron; with JSON inside: Llama 3.1, Functionary 3.1",
		Openers: []string{"<tool_call>", "<seed:tool_call>", functionTag},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if opener == functionTag {
				s.in.pos -= len(functionTag)
			}
			var calls []Call
			for s.in.space(); s.in.take(functionTag); s.in.space() {
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
	functionTag  = "<function="
	functionEnd  = "</function>"
	parameterTag = "<parameter="
	parameterEnd = "</parameter>"
)

func (s *Scanner) functionCall() (Call, bool) {
	begin := s.in.pos
	name := strings.Trim(s.in.word(maxName, func(c byte) bool { return c != '>' && c != '\n' && c != '<' }), `"' `)
	if !s.in.take(">") || name == "" {
		return Call{}, false
	}
	if c, ok := s.namedCall(name, functionEnd); ok {
		s.in.space()
		s.in.take(functionEnd)
		return c, true
	}
	c := markupCall{tools: s.tools, name: name}
	for s.in.take(parameterTag) {
		key, _ := s.in.until(">")
		if !s.in.take(">") {
			break
		}
		value, ok := s.in.closed(parameterEnd, parameterTag, functionEnd, "</tool_call>")
		if !ok {
			break
		}
		if strings.Contains(value, "\n"+parameterTag) {
			s.in.take(functionEnd)
			return invalid(name, s.in.slice(begin, s.in.pos), "an argument is not closed by "+parameterEnd), true
		}
		c.text(strings.Trim(key, `"' `), unwrapped(value))
	}
	s.in.space()
	if _, more := s.in.peek(); !more {
		return s.unclosed(c, begin), true
	}
	if !s.in.take(functionEnd) && !s.in.starts("</tool_call>") {
		rest, found := s.in.until(functionEnd, "</tool_call>")
		if !found {
			return invalid(name, rest, reasonCut), true
		}
		s.in.take(functionEnd)
		return invalid(name, s.in.slice(begin, s.in.pos), "the arguments do not stand in "+parameterTag+"…>"), true
	}
	return c.call(), true
}

// unclosed is a call whose end tag never came: what is missing may be arguments.
func (s *Scanner) unclosed(c markupCall, begin int) Call {
	return invalid(c.name, s.in.slice(begin, s.in.pos), reasonCut)
}
