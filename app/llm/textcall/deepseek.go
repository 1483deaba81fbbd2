package textcall

import "strings"

// deepseek is the format of DeepSeek V3, R1 and V3.1. Its marks are tokens with
// wide bars and a low block for a space, which servers and fine-tunes write in
// ASCII as well.
func deepseek() Format {
	openers := append(deepseekMarks("tool▁calls▁begin"), deepseekMarks("tool▁call▁begin")...)
	return Format{
		Name:    "deepseek",
		Models:  "DeepSeek V3, R1 (0528), V3.1 and what was distilled from them",
		Openers: openers,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := deepseekMarks("tool▁call▁begin")
			for _, mark := range begin {
				if opener == mark {
					s.in.pos -= len(opener)
				}
			}
			var calls []Call
			for {
				s.in.space()
				if _, ok := s.in.takeAny(begin...); !ok {
					break
				}
				c, ok := s.deepseekCall()
				if !ok {
					return nil, false
				}
				calls = append(calls, c)
			}
			_, closed := s.in.takeAny(deepseekMarks("tool▁calls▁end")...)
			return calls, closed || len(calls) > 0
		},
	}
}

// deepseekMarks returns the spellings of a token.
func deepseekMarks(name string) []string {
	plain := strings.ReplaceAll(name, "▁", "_")
	return []string{"<｜" + name + "｜>", "<|" + name + "|>", "<｜" + plain + "｜>", "<|" + plain + "|>"}
}

// deepseekCall reads function<sep>NAME and the arguments in a fence (V3), or
// NAME<sep> and the arguments (V3.1). It reports false where no <sep> comes: Kimi
// begins a call alike.
func (s *Scanner) deepseekCall() (Call, bool) {
	begin := s.in.pos
	separators, ends := deepseekMarks("tool▁sep"), deepseekMarks("tool▁call▁end")
	name, found := s.in.until(append(separators, ends...)...)
	name = strings.TrimSpace(name)
	if _, ok := s.in.takeAny(separators...); found && !ok {
		return Call{}, false
	}
	if name == "function" {
		s.in.space()
		name = s.in.name()
	}
	s.fenceMark()
	c, ok := s.namedCall(name, ends...)
	if !ok {
		c = s.unread(name, begin, ends...)
	}
	s.fenceMark()
	s.in.takeAny(ends...)
	return c, true
}
