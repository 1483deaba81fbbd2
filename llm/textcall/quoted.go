package textcall

import (
	"slices"
	"strings"
)

// quoted reads what an answer only shows: inline code, code blocks and quoted lines. Calls
// in it are not run, with two exceptions: a block whose info string names it a call, and a
// block of nothing but calls at the end of the answer, which the model adds nothing to.
func quoted() Format {
	return Format{
		Openers: []string{"`", "~~~", ">", functionaryMark},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			s.in.pos = begin
			if opener[0] == '>' {
				if s.beginsLine(begin) {
					s.pass("\n")
				}
				return nil, false
			}
			f := fence{mark: opener[0]}
			f.length = s.in.run(f.mark)
			if f.length >= 3 && (begin == 0 || isSpace(s.in.before(begin))) {
				if calls, opens := s.block(f); opens {
					return calls, len(calls) > 0
				}
			}
			if f.mark == '`' {
				s.codeInLine(f.length)
			}
			return nil, false
		},
	}
}

// fence is what opens a code block. At least as many of the same mark close it
// (CommonMark, section 4.5).
type fence struct {
	mark   byte
	length int
}

func (r *reader) run(c byte) (length int) {
	for {
		if next, ok := r.peek(); !ok || next != c {
			return length
		}
		r.pos++
		length++
	}
}

// beginsLine reports whether there is only white space before a position, in its line or
// since the last call or reasoning.
func (s *Scanner) beginsLine(pos int) bool {
	const indent = 3 // as far as Markdown allows
	for i := range indent + 1 {
		switch s.in.before(pos - i) {
		case 0, '\n':
			return true
		case ' ', '\t':
		default:
			return s.atStart(pos)
		}
	}
	return false
}

// codeInLine passes inline code up to as many ticks as it began with. If they never come,
// the tick may have been an apostrophe, and the remainder of the line passes.
func (s *Scanner) codeInLine(ticks int) {
	for {
		s.hold = s.in.pos
		c, ok := s.in.peek()
		switch {
		case !ok || c == '\n':
			return
		case c != '`':
			s.in.pos++
		case s.in.run('`') == ticks:
			return
		}
	}
}

// block reads a code block after the marks of its fence, and the blocks that follow. It
// reports false if the marks do not open one. What is not a call passes.
func (s *Scanner) block(f fence) (calls []Call, opens bool) {
	calls, certain, opens := s.fenced(f)
	for opens && len(calls) > 0 && !certain {
		for s.in.space(); s.templateToken(); {
			s.in.space()
		}
		next, more := s.in.peek()
		if !more {
			break
		}
		if next != '`' && next != '~' {
			return nil, true
		}
		f := fence{mark: next, length: s.in.run(next)}
		if f.length < 3 {
			return nil, true
		}
		others, _, _ := s.fenced(f)
		calls = append(calls, others...)
		if len(others) == 0 || !s.underLimit(calls) {
			return nil, true
		}
	}
	return calls, opens
}

// fenced reads one block, and returns its calls if it contains nothing else. certain means
// that they are to be run whatever follows.
func (s *Scanner) fenced(f fence) (calls []Call, certain, opens bool) {
	info := s.in.word(maxInfo, func(c byte) bool { return c != '\n' && (c != '`' || c != f.mark) })
	if !s.in.take("\n") {
		return nil, false, false
	}
	begin := s.in.pos
	if s.underLimit(nil) && s.tried < maxTried {
		s.in.block = codeBlock{fence: f, seen: begin, line: begin, end: -1}
		calls = s.fencedCalls()
		s.in.block = codeBlock{}
	}
	s.tried += s.in.pos - begin
	if len(calls) == 0 || !s.closes(f) {
		s.passBlock(f)
		return nil, false, true
	}
	certain = slices.Contains([]string{"tool_call", "tool_calls", "tool_code", "function_call"}, strings.TrimSpace(info))
	return calls, certain, true
}

const maxInfo = 80

// closes takes the marks that close a block, and reports whether it ends here; the end of
// the answer closes it too.
func (s *Scanner) closes(f fence) bool {
	s.in.space()
	if s.in.run(f.mark) >= f.length {
		return true
	}
	_, more := s.in.peek()
	return !more
}

// passBlock passes the remainder of a block, and the line that closes it.
func (s *Scanner) passBlock(f fence) {
	if s.in.before(s.in.pos) != '\n' {
		s.pass("\n")
	}
	for {
		s.hold = s.in.pos
		s.in.word(maxInfo, isBlank)
		marks := s.in.run(f.mark)
		s.in.word(maxInfo, isBlank)
		if c, more := s.in.peek(); !more || marks >= f.length && (c == '\n' || c == '\r') {
			return
		}
		s.pass("\n")
	}
}

// codeBlock is the code block whose calls are being read: even an incomplete call ends with
// it.
type codeBlock struct {
	fence
	seen int // no line before this position closes it
	line int // where the last line before seen begins
	end  int // where the line that closes it begins; -1 while unknown
}

func (r *reader) inBlock(pos int) bool {
	b := &r.block
	for b.end < 0 && b.seen <= pos {
		if b.seen == b.line && r.closesBlock(b.seen) {
			b.end = b.seen
			break
		}
		c, more := r.byteAt(b.seen)
		if !more {
			break
		}
		b.seen++
		if c == '\n' {
			b.line = b.seen
		}
	}
	return b.end < 0 || pos < b.end
}

func (r *reader) closesBlock(pos int) bool {
	skip := func(in func(byte) bool) (skipped int, next byte) {
		for {
			c, more := r.byteAt(pos)
			if !more || !in(c) {
				return skipped, c
			}
			pos++
			skipped++
		}
	}
	skip(isBlank)
	marks, _ := skip(func(c byte) bool { return c == r.block.mark })
	_, next := skip(isBlank)
	return marks >= r.block.length && (next == 0 || next == '\n' || next == '\r')
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func (s *Scanner) fencedCalls() []Call {
	var all []Call
	for {
		before := s.in.pos
		s.in.space()
		begin := s.in.pos
		calls := s.fencedCall()
		if len(calls) == 0 {
			if len(all) > 0 || s.in.pos == begin {
				s.in.pos = before
			}
			return all
		}
		all = append(all, calls...)
		if !s.underLimit(all) {
			return nil
		}
	}
}

func (s *Scanner) fencedCall() []Call {
	begin := s.in.pos
	opener, rows := s.match()
	for _, row := range rows {
		if row.Name == "" || row.emits {
			continue
		}
		s.in.pos = begin + len(opener)
		calls, ok := row.read(s, opener)
		unknown := func(c Call) bool { return !s.tools.may(c.Name) }
		if ok && !slices.ContainsFunc(calls, unknown) {
			return calls
		}
	}
	if len(rows) == 0 {
		return s.pythonLine()
	}
	return nil
}

// pythonLine reads a call outside a list, as Gemma writes it in blocks, possibly inside
// print().
func (s *Scanner) pythonLine() []Call {
	printed := s.in.take("print(")
	name := s.in.word(maxName, isPythonName)
	name = strings.TrimPrefix(name, "default_api.")
	if !s.tools.has(name) || !s.in.starts("(") {
		return nil
	}
	c, ok := s.pythonCall(name)
	if !ok || printed && !s.in.take(")") {
		return nil
	}
	return []Call{c}
}

// inQuotes reports whether what was read from begin on is in quotation marks: those are
// somebody else's words.
func (s *Scanner) inQuotes(begin int) bool {
	for _, marks := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"„", "“"}, {"‘", "’"}, {"‚", "‘"}, {"«", "»"}, {"»", "«"}, {"「", "」"}} {
		if s.in.endsIn(begin, marks[0]) && s.in.starts(marks[1]) {
			return true
		}
	}
	return false
}

func (r *reader) endsIn(pos int, text string) bool {
	for i := range len(text) {
		if r.before(pos-len(text)+i+1) != text[i] {
			return false
		}
	}
	return true
}
