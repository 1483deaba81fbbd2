package textcall

// answers are the marks that some models write around what they say: Command R7B and
// Command A, Qwen behind Qwen-Agent. They are left out where they stand first or
// last; in the middle they are spoken of.
func answers() Format {
	return Format{
		Openers: []string{"<|START_RESPONSE|>", "<|END_RESPONSE|>", "✿RETURN✿:"},
		tells:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			s.in.space()
			_, more := s.in.peek()
			if more && !s.atStart(begin) {
				return nil, false
			}
			s.flush(begin)
			s.skip(s.in.pos)
			return nil, true
		},
	}
}
