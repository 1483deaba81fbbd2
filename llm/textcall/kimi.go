package textcall

import "strings"

// kimi is the format of Kimi K2: a section of calls, each with an id that contains the
// name, functions.NAME:INDEX, and must be sent back unchanged.
func kimi() Format {
	return Format{
		Name:    "kimi",
		Openers: []string{"<|tool_calls_section_begin|>", "<|tool_call_section_begin|>", kimiCall},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if opener == kimiCall {
				s.in.pos -= len(opener)
			}
			var calls []Call
			for s.in.space(); s.underLimit(calls) && s.in.take(kimiCall); s.in.space() {
				calls = append(calls, s.kimiCall())
			}
			_, closed := s.in.takeAny("<|tool_calls_section_end|>", "<|tool_call_section_end|>")
			return calls, closed || len(calls) > 0
		},
	}
}

const (
	kimiCall = "<|tool_call_begin|>"
	kimiArgs = "<|tool_call_argument_begin|>"
	kimiEnd  = "<|tool_call_end|>"
)

func (s *Scanner) kimiCall() Call {
	begin := s.in.pos
	id, found := s.in.until(kimiArgs, kimiEnd)
	id = strings.TrimSpace(id)
	name := strings.TrimPrefix(id, "functions.")
	if i := strings.LastIndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	if !found {
		return invalid("", id, reasonCut)
	}
	s.in.take(kimiArgs)
	c, ok := s.namedCall(name, kimiEnd)
	if !ok {
		c = s.unread(name, begin, kimiEnd)
	}
	s.in.space()
	s.in.take(kimiEnd)
	c.ID = id
	return c
}

// unread reads arguments that are not an object, up to one of the stops; empty arguments
// are valid.
func (s *Scanner) unread(name string, begin int, stops ...string) Call {
	raw, found := s.in.until(stops...)
	if !found {
		return invalid(name, s.in.slice(begin, s.in.pos), reasonCut)
	}
	return made(name, raw, true)
}
