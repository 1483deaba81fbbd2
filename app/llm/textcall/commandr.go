package textcall

// commandR is the format of Command R and R+: "Action:" and a fenced list.
func commandR() Format {
	return Format{
		Name:    "command-r",
		Models:  "Command R, Command R+",
		Openers: []string{"Action:"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.space()
			if !s.in.starts("```json") {
				return nil, false
			}
			s.fenceMark()
			calls, ok := s.valueCalls("```")
			for _, c := range calls {
				ok = ok && s.tools.may(c.Name)
			}
			s.in.space()
			s.in.take("```")
			return calls, ok
		},
	}
}
