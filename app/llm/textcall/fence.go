package textcall

import (
	"slices"
	"strings"
)

// fence reads blocks of code. What is in one is shown, not run, with two
// exceptions: a block that says to be a call, and one that holds nothing but
// calls and ends the answer, for then the model has nothing more to say on it.
func fence() Format {
	return Format{
		Openers: []string{fenceMarks},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if c := s.in.before(s.in.pos - len(opener)); c != 0 && !isSpace(c) {
				return nil, false
			}
			info := s.in.word(maxInfo, func(c byte) bool { return c != '\n' && c != '`' })
			if !s.in.take("\n") {
				return nil, false
			}
			calls := s.fencedCalls()
			callsOnly := slices.Contains([]string{"tool_call", "tool_calls", "tool_code", "function_call"}, strings.TrimSpace(info))
			if len(calls) > 0 && s.closesFence() && (callsOnly || s.endsAnswer()) {
				return calls, true
			}
			if len(calls) == 0 || !strings.HasSuffix(s.in.slice(s.in.pos-3, s.in.pos), fenceMarks) {
				if s.in.before(s.in.pos) == '\n' {
					s.in.pos--
				}
				s.pass("\n" + fenceMarks)
			}
			return nil, false
		},
	}
}

const fenceMarks = "```"

// maxInfo limits what stands behind the marks that open a fence, in bytes.
const maxInfo = 80

// fencedCalls reads the calls that a block begins with.
func (s *Scanner) fencedCalls() []Call {
	var all []Call
	for {
		before := s.in.pos
		s.in.space()
		calls := s.fencedCall()
		if len(calls) == 0 {
			if len(all) > 0 {
				s.in.pos = before
			}
			return all
		}
		all = append(all, calls...)
	}
}

func (s *Scanner) fencedCall() []Call {
	begin := s.in.pos
	opener, rows := s.match()
	for _, row := range rows {
		if row.Name == "" || row.tells {
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

// pythonLine reads a call that stands alone, as in the blocks of Gemma; it may
// print what it returns.
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

// closesFence takes the marks that close a block; the end of the answer does too.
func (s *Scanner) closesFence() bool {
	s.in.space()
	if s.in.take(fenceMarks) {
		return true
	}
	_, more := s.in.peek()
	return !more
}

// endsAnswer reports whether nothing but another block follows.
func (s *Scanner) endsAnswer() bool {
	end := s.in.pos
	for s.in.space(); s.templateToken(); {
		s.in.space()
	}
	_, more := s.in.peek()
	ends := !more || s.in.starts(fenceMarks)
	s.in.pos = end
	return ends
}
