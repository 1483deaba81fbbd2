package textcall

import (
	"slices"
	"strings"
	"unicode"
)

// thinkTag is a pair of tags around reasoning in text, in all spellings.
type thinkTag struct{ open, close []string }

func thinkTags() (tags []thinkTag) {
	for _, pair := range [][2]string{
		{"<think>", "</think>"},
		{"<thinking>", "</thinking>"},
		{"<thought>", "</thought>"},
		{"<reasoning>", "</reasoning>"},
		{"<antThinking>", "</antThinking>"},
		{"<seed:think>", "</seed:think>"},              // Seed-OSS
		{"[THINK]", "[/THINK]"},                        // Magistral
		{"◁think▷", "◁/think▷"},                        // Kimi-VL
		{"<|channel>thought", "<channel|>"},            // Gemma
		{"<|START_THINKING|>", "<|END_THINKING|>"},     // Command A
		{"<|begin_of_thought|>", "<|end_of_thought|>"}, // Sky-T1, OpenThinker
		{"<longcat_think>", "</longcat_think>"},        // LongCat
	} {
		tags = append(tags, thinkTag{anyCase(pair[0]), anyCase(pair[1])})
	}
	return tags
}

func anyCase(tag string) []string {
	first := strings.IndexFunc(tag, unicode.IsLetter)
	all := []string{tag, strings.ToLower(tag), strings.ToUpper(tag), tag[:first] + strings.ToUpper(tag[first:first+1]) + tag[first+1:]}
	slices.Sort(all)
	return slices.Compact(all)
}

func thinkEnds() (ends []string) {
	for _, t := range thinkTags() {
		ends = append(ends, t.close...)
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}

// thinking reads reasoning at the beginning of the answer or after reasoning or a call.
// Elsewhere the answer may only mention the tag, so it remains text; but as that is not
// certain, calls before the end tag do not count.
func thinking() (rows []Format) {
	for _, tag := range thinkTags() {
		rows = append(rows, Format{
			Openers: tag.open,
			emits:   true,
			read: func(s *Scanner, opener string) ([]Call, bool) {
				begin := s.in.pos - len(opener)
				if !s.atStart(begin) {
					s.pass(tag.close...)
					return nil, false
				}
				s.in.space()
				s.skip(s.in.pos)
				s.any = true
				s.stream(Reasoning, tag.close...)
				s.in.space()
				s.skip(s.in.pos)
				return nil, true
			},
		})
	}
	return rows
}

// thinkingEnds reads the end tags of reasoning that never began. They remain text, except
// at the beginning of an answer from which the server has removed the reasoning.
func thinkingEnds() Format {
	return Format{
		Openers: thinkEnds(),
		emits:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			if s.apart && s.atStart(begin) {
				s.in.space()
				s.skip(s.in.pos)
				return nil, true
			}
			if s.calls > 0 {
				s.flush(begin)
				s.emit(Event{Kind: Thought})
			}
			return nil, false
		},
	}
}

// pass passes text up to and including the first of the stops.
func (s *Scanner) pass(stops ...string) {
	for {
		s.hold = s.in.pos
		_, stopped := s.in.takeAny(stops...)
		if _, more := s.in.peek(); stopped || !more {
			return
		}
		s.in.pos++
	}
}

// stream emits text as it arrives, up to one of the stops, which it takes. White space at
// the end of reasoning is left out.
func (s *Scanner) stream(kind Kind, stops ...string) (stop string) {
	s.kind = kind
	defer func() { s.kind = Text }()
	s.hold = s.in.pos
	for {
		end, found := s.in.pos, false
		if stop, found = s.in.takeAny(stops...); found {
			if kind == Text {
				s.hold = end
			}
			break
		}
		c, ok := s.in.peek()
		if !ok {
			break
		}
		s.in.pos++
		if kind == Text || !isSpace(c) {
			s.hold = s.in.pos
		}
	}
	s.flush(s.hold)
	if kind == Reasoning {
		s.skip(s.in.pos)
	} else {
		s.start, s.hold = s.in.pos, s.in.pos
	}
	return stop
}

// openThinking reads the reasoning of an answer that begins inside it. It reports false if
// the reasoning never ended: then everything was text, or, if the answer was cut off,
// reasoning.
func (s *Scanner) openThinking() bool {
	s.in.space()
	for _, tag := range thinkTags() {
		if s.in.startsAny(tag.open...) { // the model repeats the tag
			s.in.pos = 0
			return true
		}
	}
	closers := thinkEnds()
	for {
		_, more := s.in.peek()
		if s.apart {
			s.in.pos = 0
			return true
		}
		if !more {
			if s.broken {
				s.kind = Reasoning
			}
			s.fresh = false
			s.flush(s.in.pos)
			return false
		}
		end := s.in.pos
		if _, ok := s.in.takeAny(closers...); ok {
			if inside := strings.TrimSpace(s.in.slice(0, end)); inside != "" {
				s.emit(Event{Kind: Reasoning, Delta: inside})
			}
			s.in.space()
			s.any = true
			s.skip(s.in.pos)
			return true
		}
		s.in.pos++
	}
}
