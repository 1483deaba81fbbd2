package textcall

import "strings"

// llama is what Llama 3 writes behind <|python_tag|>: objects, parted by
// semicolons, or a line of Python. Without the tag it is pure JSON.
func llama() Format {
	return Format{
		Name:    "llama",
		Models:  "Llama 3.1, 3.2, 3.3",
		Openers: []string{"<|python_tag|>"},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if calls, ok := s.taggedCalls(opener, "<|eom_id|>", "<|eot_id|>"); ok {
				return calls, true
			}
			name := s.in.name()
			if name == "" || !s.in.starts("(") {
				return nil, false
			}
			c, ok := s.pythonCall(strings.TrimSuffix(name, ".call")) // how it calls the tools that it was born with
			return []Call{c}, ok
		},
	}
}
