package textcall

import (
	"slices"
	"strings"
)

// harmony is the format of gpt-oss: messages, each with a header that names a channel and,
// for a call, a recipient. A message without a recipient is reasoning on the channel
// "analysis" and text on the others.
//
// https://cookbook.openai.com/articles/openai-harmony
func harmony() Format {
	return Format{
		Name:    "harmony",
		Openers: []string{harmonyStart, harmonyChannel},
		emits:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			s.in.pos = begin
			calls, ok := s.harmonyRead()
			if _, more := s.in.peek(); !ok && !more && (begin == s.message || s.atStart(begin)) {
				s.flush(begin)
				s.skip(s.in.pos) // a header that was cut off is not text
				return nil, true
			}
			return calls, ok
		},
	}
}

// harmonyBegun reads the first message of an answer if the beginning of its header is part
// of the template, or if a server has removed that mark alone.
func (s *Scanner) harmonyBegun() ([]Call, bool) {
	begin := s.in.pos
	s.in.take("assistant")
	s.in.space()
	if !s.in.starts("to=functions.") && !s.in.starts(harmonyChannel) {
		return nil, false
	}
	s.in.pos = begin
	return s.harmonyRead()
}

func (s *Scanner) harmonyRead() ([]Call, bool) {
	begin := s.in.pos
	header, ok := s.harmonyHeader()
	if !ok {
		return nil, false
	}
	if to := recipient(header); to != "" && to != "assistant" {
		if s.none {
			return nil, false
		}
		return []Call{s.harmonyCall(to)}, true
	}
	s.flush(begin)
	s.skip(s.in.pos)
	s.harmonyMessage(header)
	return nil, true
}

const (
	harmonyStart   = "<|start|>"
	harmonyChannel = "<|channel|>"
	harmonyBody    = "<|message|>"
)

func harmonyEnds() []string { return []string{"<|end|>", "<|call|>", "<|return|>"} }

const maxHeader = 256

func (s *Scanner) harmonyHeader() (string, bool) {
	start := s.in.pos
	for s.in.pos-start < maxHeader {
		c, ok := s.in.peek()
		switch {
		case !ok || c == '\n':
			return "", false
		case c == '<' && s.in.starts(harmonyBody):
			header := s.in.slice(start, s.in.pos)
			s.in.pos += len(harmonyBody)
			return header, true
		case c == '<' && s.in.pos > start && s.in.starts(harmonyStart):
			return "", false
		}
		s.in.pos++
	}
	return "", false
}

func recipient(header string) string {
	_, to, found := strings.Cut(header, "to=")
	if !found {
		return ""
	}
	if i := strings.IndexAny(to, " <\t"); i >= 0 {
		to = to[:i]
	}
	if to == "user" || to == "all" {
		return ""
	}
	return to
}

func (s *Scanner) harmonyCall(to string) Call {
	name, ours := strings.CutPrefix(to, "functions.")
	stops := append(harmonyEnds(), harmonyStart)
	if !ours && !s.tools.has(name) {
		raw, _ := s.in.until(stops...)
		s.in.takeAny(harmonyEnds()...)
		return invalid(name, raw, "there is no such tool")
	}
	c, ok := s.namedCall(name, stops...)
	if !ok {
		c = s.unread(name, s.in.pos, stops...)
	}
	s.in.space()
	s.in.takeAny(harmonyEnds()...)
	return c
}

// harmonyMessage emits the body of a message. A message to the assistant is a tool result
// that the model made up, so it counts as reasoning.
func (s *Scanner) harmonyMessage(header string) {
	kind := Text
	if strings.Contains(header, harmonyChannel+"analysis") || recipient(header) != "" {
		kind = Reasoning
	}
	s.begins = true
	stop := s.stream(kind, append(harmonyEnds(), harmonyStart, harmonyChannel)...)
	if slices.Contains([]string{harmonyStart, harmonyChannel}, stop) {
		s.in.pos -= len(stop)
	} else {
		s.in.space() // between messages
	}
	s.start, s.hold, s.message, s.begins = s.in.pos, s.in.pos, s.in.pos, false
}
