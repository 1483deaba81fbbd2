package textcall

// qwenAgent is what Qwen-Agent teaches models: ✿FUNCTION✿: NAME, ✿ARGS✿: {…}.
func qwenAgent() Format {
	return Format{
		Name:    "qwen-agent",
		Models:  "Qwen 2 and 2.5 behind Qwen-Agent",
		Openers: []string{"✿FUNCTION✿"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.take(":")
			s.in.space()
			name := s.in.name()
			s.in.space()
			if name == "" || !s.in.take("✿ARGS✿") {
				return nil, false
			}
			s.in.take(":")
			c, ok := s.namedCall(name, "✿RESULT✿", "✿FUNCTION✿")
			s.in.space()
			if s.in.take("✿RESULT✿") {
				s.in.take(":")
			}
			return []Call{c}, ok
		},
	}
}
