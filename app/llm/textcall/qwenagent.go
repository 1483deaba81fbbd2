package textcall

import "strings"

// qwenAgent is what Qwen-Agent teaches models: ✿FUNCTION✿: NAME, ✿ARGS✿: {…}.
func qwenAgent() Format {
	return Format{
		Name:    "qwen-agent",
		Models:  "Qwen 2 and 2.5 behind Qwen-Agent",
		Openers: []string{"✿FUNCTION✿"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.take(":")
			s.in.space()
			name := s.in.word(maxName, func(c byte) bool { return c != '\n' && c != flower[0] })
			s.in.space()
			if name = strings.TrimSpace(name); name == "" || !s.in.take("✿ARGS✿") {
				return nil, false
			}
			s.in.take(":")
			c, ok := s.namedCall(name, "✿RESULT✿", "✿FUNCTION✿")
			s.in.space()
			closed := s.in.take("✿RESULT✿")
			if closed {
				s.in.take(":")
			}
			if !ok && closed {
				c, ok = made(name, "", true), true
			}
			return []Call{c}, ok
		},
	}
}

const flower = "✿"
