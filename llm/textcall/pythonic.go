package textcall

import (
	"maps"
	"slices"
)

// pythonic is a list of calls in the syntax of Python, [name(key='value'), …], without
// marks. It is recognised at the beginning of an answer, and later on if it is complete or
// names a known tool.
func pythonic() Format {
	return Format{
		Name:    "pythonic",
		Openers: []string{"["},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			return s.pythonList(begin, s.atStart(begin))
		},
		Write: &Writer{
			example: "[NAME(KEY=VALUE)]",
			several: "Values are written as in Python. For several calls put them into the list, parted by commas.",
			results: "the results come as JSON in the next message.",
			calls:   pythonText,
			result:  [2]string{"{\"tool_result\": ", "}"},
		},
	}
}

// pythonicTags is the same between marks, or calls there without a list.
func pythonicTags() Format {
	closers := map[string]string{
		"<|python_start|>":    "<|python_end|>",
		"<|tool_call_start|>": "<|tool_call_end|>",
		"<function_calls>":    "</function_calls>",
		"<tool_call>":         "</tool_call>",
	}
	f := Format{Name: "pythonic-tags", Openers: slices.Sorted(maps.Keys(closers))}
	f.read = func(s *Scanner, opener string) ([]Call, bool) {
		s.in.space()
		begin := s.in.pos
		var calls []Call
		ok := false
		if s.in.take("[") {
			calls, ok = s.pythonList(begin, true)
		} else {
			calls, ok = s.pythonLines()
		}
		s.in.space()
		s.in.take(closers[opener])
		return calls, ok
	}
	return f
}

func (s *Scanner) pythonLines() (calls []Call, ok bool) {
	for {
		end := s.in.pos
		s.in.space()
		name := s.in.word(maxName, isPythonName)
		if name == "" || !s.tools.may(name) || !s.in.starts("(") || !s.underLimit(calls) {
			s.in.pos = end
			return calls, len(calls) > 0
		}
		c, ok := s.pythonCall(name)
		if !ok {
			return append(calls, s.brokenPython(name, end)), true
		}
		calls = append(calls, c)
	}
}

// pythonList reads a list of calls after its bracket. sure means that it can be nothing
// else, so that a list that cannot be parsed is an invalid call and not text.
func (s *Scanner) pythonList(begin int, sure bool) ([]Call, bool) {
	var calls []Call
	for {
		s.in.space()
		c, more := s.in.peek()
		if !more && len(calls) > 0 {
			return calls, sure
		}
		if !more || c >= '0' && c <= '9' {
			return nil, false
		}
		name := s.in.word(maxName, isPythonName)
		s.in.space()
		if name == "" || len(calls) == 0 && !s.tools.may(name) || !s.in.starts("(") {
			if len(calls) == 0 {
				s.in.pos = begin // another format may begin in what was read
			}
			return nil, false
		}
		call, ok := s.pythonCall(name)
		sure = sure || len(s.tools) > 0
		s.in.space()
		switch {
		case ok && s.in.take("]"):
			calls = append(calls, call)
			return calls, !s.in.starts("(") // a Markdown link
		case ok && s.underLimit(calls) && s.in.take(","):
			calls = append(calls, call)
			s.in.space()
			if s.in.take("]") { // a comma after the last call
				return calls, true
			}
			continue
		case !sure:
			return nil, false
		}
		return append(calls, s.brokenPython(name, begin)), true
	}
}

// brokenPython returns an invalid call, which takes the remainder of the line with it.
func (s *Scanner) brokenPython(name string, begin int) Call {
	reason := reasonPython
	if _, more := s.in.peek(); !more {
		reason = reasonCut
	}
	s.in.until("\n")
	return invalid(name, s.in.slice(begin, s.in.pos), reason)
}

const reasonPython = "the arguments are not written as key=value with values of Python or JSON"

func isPythonName(c byte) bool { return c != ':' && c != '/' && isNameByte(c) }

// pythonCall reads the arguments of a call, from its bracket on. It reports false if they
// are not valid Python.
func (s *Scanner) pythonCall(name string) (Call, bool) {
	begin := s.in.pos
	p := python{in: &s.in}
	if !p.members(")", "{}", p.argument) {
		return invalid(name, s.in.slice(begin, s.in.pos), reasonPython), false
	}
	if p.bad != "" {
		return invalid(name, s.in.slice(begin, s.in.pos), p.bad), true
	}
	return made(name, p.out.String(), true), true
}
