package textcall

// fence lets a block of code pass: what is in it is shown, not run.
func fence() Format {
	return Format{
		Openers: []string{"```"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			if c := s.in.before(s.in.pos - 3); c != 0 && !isSpace(c) {
				return nil, false
			}
			s.in.word(maxInfo, func(c byte) bool { return c != '\n' && c != '`' })
			if !s.in.take("\n") {
				return nil, false
			}
			s.in.pos--
			s.pass("\n```")
			return nil, false
		},
	}
}

// maxInfo limits what stands behind the marks that open a fence, in bytes.
const maxInfo = 80
