package textcall

import (
	"maps"
	"slices"
)

// functionary is the format of Functionary: messages addressed to a tool, with its
// arguments, or to "all", with text. Version 3.2 writes >>>NAME and a line break before
// them, version 2 <|recipient|>NAME and <|content|>.
func functionary() Format {
	return Format{
		Name:    "functionary",
		Openers: []string{functionaryMark, "<|recipient|>", functionaryFrom + "assistant\n<|recipient|>"},
		emits:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			name := s.in.name()
			if name == "" || !s.in.take("\n") || opener != functionaryMark && !s.in.take(functionaryBody) {
				return nil, false
			}
			return s.functionaryMessage(begin, name)
		},
	}
}

const (
	functionaryMark = ">>>"
	functionaryFrom = "<|from|>"
	functionaryBody = "<|content|>"
)

// functionaryBegun reads the first message of an answer, whose mark is part of the model's
// template and therefore missing. Without the mark, a word counts as a name only if an
// object follows.
func (s *Scanner) functionaryBegun() ([]Call, bool) {
	begin := s.in.pos
	for _, name := range append(slices.Collect(maps.Keys(s.tools)), functionaryAll) {
		if s.in.take(name + "\n") {
			s.in.take(functionaryBody)
			if _, more := s.in.peek(); !more {
				return nil, false
			}
			return s.functionaryMessage(begin, name)
		}
	}
	return nil, false
}

const functionaryAll = "all"

func (s *Scanner) functionaryMessage(begin int, to string) ([]Call, bool) {
	if to == functionaryAll {
		s.flush(begin)
		s.skip(s.in.pos)
		return nil, true
	}
	c, ok := s.namedCall(to, functionaryMark, functionaryFrom)
	return []Call{c}, ok
}
