package textcall

import (
	"slices"
	"strings"
	"unicode"
)

// Reasoning that stands in the text. What it holds is never a call.

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

// thinking reads reasoning that begins the answer or follows reasoning or a call.
// Further on it is text, as where a tag is only spoken of; but what stands before
// its end tag is not searched for calls, since nobody can tell.
func thinking() (rows []Format) {
	for _, tag := range thinkTags() {
		rows = append(rows, Format{
			Openers: tag.open,
			tells:   true,
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

// thinkingEnds reads the end tags of reasoning that never began. They stay text, but
// for one that begins an answer of which a server took the reasoning out.
func thinkingEnds() Format {
	return Format{
		Openers: thinkEnds(),
		tells:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			if s.apart && s.atStart(begin) {
				s.in.space()
				s.skip(s.in.pos)
				return nil, true
			}
			if s.calls > 0 {
				s.flush(begin)
				s.tell(Event{Kind: Thought})
			}
			return nil, false
		},
	}
}

// pass lets text pass as far as one of the stops, which passes too.
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

// stream tells what comes next as it comes, as far as one of the stops, which it
// takes. The white space at the end of reasoning is left out.
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

// openThinking reads an answer whose template opened the reasoning, as far as that goes.
// It reports false where the reasoning never ended: then all was text, or all reasoning
// if the answer broke off.
func (s *Scanner) openThinking() bool {
	s.in.space()
	for _, tag := range thinkTags() {
		if s.in.startsAny(tag.open...) { // the model opens it once more
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
				s.tell(Event{Kind: Reasoning, Delta: inside})
			}
			s.in.space()
			s.any = true
			s.skip(s.in.pos)
			return true
		}
		s.in.pos++
	}
}
