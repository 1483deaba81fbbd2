package textcall

import (
	"iter"
	"slices"
	"unicode/utf8"
)

// Scanner finds the calls in an answer that arrives in pieces.
//
// The reading runs in a coroutine ([iter.Pull]) that waits wherever the answer stops, so
// that each format can be read by straight-line code.
type Scanner struct {
	in    reader
	tools toolbox
	known bool      // Options.KnownOnly
	none  bool      // Options.NoCalls
	index *node     // of the openers
	first [256]bool // the first bytes of the openers

	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	ended  bool
	broken bool // the answer was cut off
	apart  bool // see Apart

	events  []Event
	kind    Kind // of the text that is passing
	begins  bool // no event of the current message has been emitted
	message int  // where the last message ended
	start   int  // nothing from here on has been emitted
	hold    int  // nothing from here on may be emitted yet
	fresh   bool // only white space since the beginning, a call or reasoning
	blank   int  // with fresh: everything from start to here is white space
	any     bool // there has been reasoning or a call
	calls   int
	tried   int // bytes read as calls that turned out to be text
}

// maxTried limits the bytes that are read as calls and turn out to be text. After that, no
// more calls are looked for.
const maxTried = 1 << 20

// maxCalls limits the calls of one answer. What follows them is text: no answer means
// that many, and parsing takes time.
const maxCalls = 256

func (s *Scanner) underLimit(calls []Call) bool { return s.calls+len(calls) < maxCalls }

// New returns a [Scanner] for one answer. Call [Scanner.End] or [Scanner.Close] in the end:
// otherwise its coroutine leaks.
func New(o Options) *Scanner {
	s := &Scanner{tools: newToolbox(o.Tools), known: o.KnownOnly, none: o.NoCalls, fresh: true}
	rows := append(thinking(), thinkingEnds(), answers())
	if s.none {
		rows = append(rows, harmony())
	} else {
		rows = slices.Concat(Formats(), rows, []Format{quoted()})
	}
	s.index = newIndex(rows)
	for i := range len(s.index.bytes) {
		s.first[s.index.bytes[i]] = true
	}
	s.in.wait = s.wait
	s.resume, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		s.run(o.ThinkingOpen)
	})
	return s
}

// Add takes the next piece of the answer and returns the events that are certain by now.
func (s *Scanner) Add(piece string) []Event {
	if s.ended || piece == "" {
		return nil
	}
	s.in.drop(min(s.start, s.hold))
	s.in.buf = append(s.in.buf, piece...)
	s.resume()
	return s.taken()
}

// Apart reports to the Scanner that the server sends reasoning separately from the text: the
// answer does not begin inside reasoning, but may begin with its end tag.
func (s *Scanner) Apart() { s.apart = true }

// End returns the events that were held back, once the answer is over. whole means that it
// was not cut off. A call that was is invalid.
func (s *Scanner) End(whole bool) []Event {
	if s.ended {
		return nil
	}
	s.ended, s.broken = true, !whole
	s.resume()
	return s.taken()
}

// Close ends the Scanner without a result. Further calls do nothing.
func (s *Scanner) Close() {
	s.ended = true
	s.stop()
}

func (s *Scanner) taken() []Event {
	events := s.events
	s.events = nil
	return events
}

// wait emits what is certain and waits for the next piece.
func (s *Scanner) wait() bool {
	if s.ended {
		return false
	}
	s.flush(s.hold - s.partialRune(s.hold))
	return s.yield(struct{}{}) && !s.ended
}

// partialRune returns how many bytes before pos are the beginning of a character whose
// remainder has not arrived.
func (s *Scanner) partialRune(pos int) int {
	for n := 1; n < utf8.UTFMax && pos-n >= s.start; n++ {
		c := s.in.buf[pos-n-s.in.base]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(s.in.buf[pos-n-s.in.base:pos-s.in.base]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// flush emits what comes before a position. White space waits for text.
func (s *Scanner) flush(to int) {
	if to <= s.start {
		return
	}
	if s.fresh && s.kind == Text && s.allBlank(to) {
		return
	}
	if s.kind == Text {
		s.fresh = false
	} else {
		s.any = true
	}
	s.emit(Event{Kind: s.kind, Delta: s.in.slice(s.start, to), Begins: s.begins})
	s.start, s.begins = to, false
}

func (s *Scanner) emit(e Event) { s.events = append(s.events, e) }

// skip leaves out what comes before a position.
func (s *Scanner) skip(to int) { s.start, s.hold, s.blank, s.fresh = to, to, to, true }

func (s *Scanner) run(thinkingOpen bool) {
	if thinkingOpen && !s.openThinking() {
		return
	}
	s.begun()
	for {
		s.plain()
		if _, ok := s.in.peek(); !ok {
			break
		}
		s.opener()
	}
	s.finish()
}

// begun reads a first message whose opening mark is part of the model's template.
func (s *Scanner) begun() {
	s.in.space()
	begin := s.in.pos
	for _, read := range []func() ([]Call, bool){s.harmonyBegun, s.functionaryBegun} {
		if calls, ok := read(); ok && s.takeCalls(begin, calls) {
			return
		}
		if s.in.pos = begin; s.none {
			break
		}
	}
	s.in.pos = s.start
}

// finish emits the remainder. White space alone is an answer only if there is no other.
func (s *Scanner) finish() {
	if s.fresh && !s.any {
		s.fresh = false
	}
	s.flush(s.in.pos)
}

// plain passes over text up to a byte that may begin something.
func (s *Scanner) plain() {
	r := &s.in
	for {
		rest := r.buf[r.pos-r.base:]
		for i, c := range rest {
			if s.first[c] {
				r.looks += i + 1
				r.pos += i
				s.hold = r.pos
				return
			}
		}
		r.looks += len(rest)
		r.pos += len(rest)
		s.hold = r.pos
		if _, ok := r.peek(); !ok {
			return
		}
	}
}

// opener reads what begins at the next byte: a call, reasoning, a fence, or text.
func (s *Scanner) opener() {
	begin := s.in.pos
	s.hold = begin
	opener, rows := s.match()
	if len(rows) == 0 {
		s.text(max(begin+1, s.in.pos))
		return
	}
	furthest := begin + 1
	for _, row := range rows {
		if row.Name != "" && (!s.underLimit(nil) || s.tried >= maxTried) {
			continue
		}
		s.in.pos = begin + len(opener)
		calls, ok := row.read(s, opener)
		if ok && (row.emits || len(calls) > 0) && s.takeCalls(begin, calls) {
			return
		}
		furthest = max(furthest, s.in.pos)
		if row.Name != "" {
			s.tried += s.in.pos - begin
		}
	}
	s.text(furthest)
}

func (s *Scanner) text(to int) {
	s.in.pos, s.hold = to, to
}

// takeCalls emits the calls that were read from begin on. It reports false if they are to
// remain text.
func (s *Scanner) takeCalls(begin int, calls []Call) bool {
	if s.start > begin {
		return true // the format emitted its events itself
	}
	for _, c := range calls {
		if s.known && !s.tools.has(c.Name) {
			return false
		}
	}
	if s.inQuotes(begin) {
		return false
	}
	raw := s.in.slice(begin, s.in.pos)
	s.flush(begin)
	s.skip(s.in.pos)
	for _, c := range calls {
		if s.calls++; s.calls > maxCalls {
			break // of one block
		}
		if c.Name == "" && c.Invalid == "" {
			c = invalid("", string(c.Arguments), reasonNoName)
		}
		s.any = true
		s.emit(Event{Kind: Called, Call: c, Raw: raw})
		raw = ""
	}
	s.leftovers()
	return true
}

// leftovers drops tokens of the template after a call.
func (s *Scanner) leftovers() {
	for s.in.space(); s.templateToken(); s.in.space() {
		s.skip(s.in.pos)
	}
	s.in.pos = s.start
}

// templateToken takes a token that ends a turn, or a repeated closer.
func (s *Scanner) templateToken() bool {
	_, ok := s.in.takeAny("<|im_end|>", "<|stop|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>",
		"<|end|>", "<|return|>", "<|call|>", "<｜end▁of▁sentence｜>", "</s>", "<|END_OF_TURN_TOKEN|>",
		"<end_of_turn>", "[e~[", "</tool_call>")
	return ok
}

// atStart reports whether there is only white space before a position, since the beginning
// or the last call or reasoning.
func (s *Scanner) atStart(pos int) bool { return s.fresh && s.allBlank(pos) }

func (s *Scanner) allBlank(pos int) bool {
	s.blank = max(s.blank, s.start)
	for s.blank < pos && isSpace(s.in.buf[s.blank-s.in.base]) {
		s.blank++
	}
	return s.blank >= pos
}
