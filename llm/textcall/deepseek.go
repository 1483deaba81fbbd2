package textcall

import (
	"slices"
	"strings"
)

// deepseek is the format of DeepSeek V3, R1 and V3.1. Its marks are tokens with full-width
// bars and U+2581 for a space. Servers and fine-tunes also write them in ASCII, with
// spaces, or with the underscore escaped as in Markdown.
func deepseek() Format {
	m := deepseekMarks{
		section:    spellings("tool▁calls▁begin", "tool▁calls"),
		sectionEnd: spellings("tool▁calls▁end"),
		call:       spellings("tool▁call▁begin"),
		separator:  spellings("tool▁sep"),
		callEnd:    spellings("tool▁call▁end"),
	}
	m.name = slices.Concat(m.separator, m.callEnd)
	return Format{
		Name:    "deepseek",
		Openers: slices.Concat(m.section, m.call),
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if slices.Contains(m.call, opener) {
				s.in.pos -= len(opener)
			}
			var calls []Call
			for {
				s.in.space()
				_, begun := s.in.takeAny(m.call...)
				if !s.underLimit(calls) || !begun && (len(calls) > 0 || !s.in.starts("function<")) { // R1 leaves out the first
					break
				}
				c, ok := s.deepseekCall(m)
				if !ok {
					return nil, false
				}
				calls = append(calls, c)
			}
			_, closed := s.in.takeAny(m.sectionEnd...)
			return calls, closed || len(calls) > 0
		},
	}
}

type deepseekMarks struct{ section, sectionEnd, call, separator, callEnd, name []string }

func spellings(names ...string) (marks []string) {
	for _, name := range names {
		for _, space := range []string{"▁", "_", " ", `\_`} {
			spelt := strings.ReplaceAll(name, "▁", space)
			marks = append(marks, "<｜"+spelt+"｜>", "<|"+spelt+"|>")
		}
	}
	return marks
}

// deepseekCall reads function<sep>NAME and the arguments in a code fence (V3), or
// NAME<sep> and the arguments (V3.1). It reports false if no <sep> follows, because Kimi
// begins a call with the same mark.
func (s *Scanner) deepseekCall(m deepseekMarks) (Call, bool) {
	begin := s.in.pos
	name, found := s.in.until(m.name...)
	name = strings.TrimSpace(name)
	if _, ok := s.in.takeAny(m.separator...); found && !ok {
		return Call{}, false
	}
	if name == "function" {
		s.in.space()
		name = s.in.name()
	}
	s.fenceMark()
	c, ok := s.namedCall(name, m.callEnd...)
	if !ok {
		c = s.unread(name, begin, m.callEnd...)
	}
	s.fenceMark()
	s.in.takeAny(m.callEnd...)
	return c, true
}
