package textcall

// functionary is the format of Functionary 3.2: >>>NAME, a line break, and the
// arguments; >>>all before text.
func functionary() Format {
	return Format{
		Name:    "functionary",
		Models:  "Functionary 2 and 3.2",
		Openers: []string{functionaryMark},
		tells:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			name := s.in.name()
			if name == "" || !s.in.take("\n") {
				return nil, false
			}
			if name == "all" {
				s.flush(begin)
				s.skip(s.in.pos)
				return nil, true
			}
			c, ok := s.namedCall(name, functionaryMark)
			return []Call{c}, ok
		},
	}
}

// functionaryBegun reads the first message of an answer, of which the template wrote
// the mark. Without it, a word is only taken for a name where an object follows.
func (s *Scanner) functionaryBegun() ([]Call, bool) {
	if s.in.take("all\n") {
		s.skip(s.in.pos)
		return nil, true
	}
	for name := range s.tools {
		if s.in.take(name + "\n") {
			c, ok := s.namedCall(name, functionaryMark)
			return []Call{c}, ok
		}
	}
	return nil, false
}

const functionaryMark = ">>>"
