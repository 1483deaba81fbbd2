package textcall

import (
	"maps"
	"slices"
	"strings"
)

// Reasoning that stands in the text. What it holds is never a call.

// thinkTags returns the tags, each with its end tag.
func thinkTags() map[string]string {
	return map[string]string{
		"<think>": "</think>", "<thinking>": "</thinking>", "<thought>": "</thought>", "<reasoning>": "</reasoning>",
		"<antThinking>": "</antThinking>", "<seed:think>": "</seed:think>", "<longcat_think>": "</longcat_think>",
		"[THINK]": "[/THINK]", "◁think▷": "◁/think▷", "<|channel>thought": "<channel|>",
		"<|START_THINKING|>": "<|END_THINKING|>", "<|begin_of_thought|>": "<|end_of_thought|>",
	}
}

// thinking reads reasoning that begins the answer or follows reasoning or a call.
// Further on it is text, as where a tag is only spoken of; but what stands before
// its end tag is not searched for calls, since nobody can tell.
func thinking() Format {
	tags := thinkTags()
	return Format{
		Openers: slices.Sorted(maps.Keys(tags)),
		tells:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			if !s.atStart(begin) {
				s.pass(tags[opener])
				return nil, false
			}
			s.in.space()
			s.skip(s.in.pos)
			s.any = true
			s.stream(Reasoning, tags[opener])
			s.in.space()
			s.skip(s.in.pos)
			return nil, true
		},
	}
}

// thinkingEnds reads the end tags of reasoning that never began. They stay text.
func thinkingEnds() Format {
	return Format{
		Openers: slices.Compact(slices.Sorted(maps.Values(thinkTags()))),
		tells:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if s.calls > 0 {
				s.flush(s.in.pos - len(opener))
				s.tell(Event{Kind: Thought})
			}
			return nil, false
		},
	}
}

// pass lets text pass as far as one of the stops, which passes too.
func (s *Scanner) pass(stops ...string) {
	first := firstBytes(stops)
	for {
		s.hold = s.in.pos
		c, ok := s.in.peek()
		if !ok {
			return
		}
		if strings.IndexByte(first, c) >= 0 {
			if _, ok := s.in.takeAny(stops...); ok {
				return
			}
		}
		s.in.pos++
	}
}

// stream tells what comes next as it comes, as far as one of the stops, which it
// takes. The white space at the end of reasoning is left out.
func (s *Scanner) stream(kind Kind, stops ...string) (stop string) {
	s.kind = kind
	defer func() { s.kind = Text }()
	first := firstBytes(stops)
	s.hold = s.in.pos
	for {
		c, ok := s.in.peek()
		if !ok {
			break
		}
		if strings.IndexByte(first, c) >= 0 {
			end := s.in.pos
			if stop, ok = s.in.takeAny(stops...); ok {
				if kind == Text {
					s.hold = end
				}
				break
			}
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

// openThinking reads an answer whose template opened the reasoning. It reports
// false where the reasoning never ended: then all was text.
func (s *Scanner) openThinking() bool {
	s.in.space()
	tags := thinkTags()
	if _, ok := s.in.takeAny(slices.Sorted(maps.Keys(tags))...); !ok {
		s.in.pos = 0
	}
	closers := slices.Sorted(maps.Values(tags))
	inside, found := s.in.until(closers...)
	if !found {
		s.fresh = false
		s.flush(s.in.pos)
		return false
	}
	if inside = strings.TrimSpace(inside); inside != "" {
		s.tell(Event{Kind: Reasoning, Delta: inside})
	}
	s.in.takeAny(closers...)
	s.in.space()
	s.any = true
	s.skip(s.in.pos)
	return true
}
