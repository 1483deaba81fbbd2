package textcall

import (
	"encoding/json"
	"strings"
)

// invokes returns the formats of calls as <invoke name="…"> with <parameter name="…">. Those
// of DeepSeek since V3.2 have a prefix that ordinary text does not contain, and the type of
// each argument.
func invokes() []Format {
	return []Format{
		invokeFormat("dsml", "｜DSML｜", `invoke name="`, "function_calls>", "tool_calls>"),
		invokeFormat("dsml-ascii", "|DSML|", `invoke name="`, "function_calls>", "tool_calls>"),
		invokeFormat("minimax", "", "", "minimax:tool_call>"),
		invokeFormat("claude", "", `invoke name="`, "function_calls>"),
	}
}

// invokeFormat returns a format whose tags have a prefix. Calls are in one of the sections,
// or begin with bare if that is not "".
func invokeFormat(name, prefix, bare string, sections ...string) Format {
	var openers, closers []string
	for _, section := range sections {
		openers, closers = append(openers, "<"+prefix+section), append(closers, "</"+prefix+section)
	}
	if bare != "" {
		openers = append(openers, "<"+prefix+bare)
	}
	return Format{
		Name: name, Openers: openers,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if strings.HasSuffix(opener, `"`) {
				s.in.pos -= len(opener)
			}
			tags := invokeTags{open: "<" + prefix + "invoke", end: "</" + prefix + "invoke>", argument: "<" + prefix + "parameter", argumentEnd: "</" + prefix + "parameter>"}
			var calls []Call
			for s.in.space(); s.underLimit(calls) && s.in.take(tags.open); s.in.space() {
				calls = append(calls, s.invoked(tags))
			}
			s.in.takeAny(closers...)
			return calls, len(calls) > 0
		},
	}
}

type invokeTags struct{ open, end, argument, argumentEnd string }

func (s *Scanner) invoked(tags invokeTags) Call {
	begin := s.in.pos
	c := markupCall{tools: s.tools, name: attribute(s.tag(), "name")}
	wrong := ""
	s.in.space()
	if call, ok := s.namedCall(c.name, tags.end); ok && c.name != "" {
		s.in.space()
		s.in.take(tags.end)
		return call
	}
	for s.in.space(); s.in.take(tags.argument); s.in.space() {
		tag := s.tag()
		value, ok := s.in.closed(tags.argumentEnd, tags.argument, tags.end)
		if !ok {
			break
		}
		if strings.Contains(value, tags.argumentEnd) && strings.Contains(value, tags.open) {
			wrong = reasonSwallowed
		}
		key := attribute(tag, "name")
		switch text := unwrapped(value); attribute(tag, "string") {
		case "true":
			c.add(key, quote(value))
		case "false":
			if !json.Valid([]byte(text)) {
				wrong = "the argument " + key + " is not valid JSON"
			}
			c.add(key, json.RawMessage(text))
		default:
			c.text(key, text)
		}
	}
	if s.in.take(tags.end) {
		switch {
		case c.name == "":
			wrong = reasonNoName
		case wrong == "":
			return c.call()
		}
		return invalid(c.name, s.in.slice(begin, s.in.pos), wrong)
	}
	if _, found := s.in.until(tags.end); !found {
		return s.unclosed(c, begin)
	}
	s.in.take(tags.end)
	return invalid(c.name, s.in.slice(begin, s.in.pos), "the arguments do not stand in "+tags.argument+">")
}

// tag takes the remainder of a tag and returns its attributes.
func (s *Scanner) tag() string {
	attributes, _ := s.in.until(">")
	s.in.take(">")
	return attributes
}

func attribute(tag, name string) string {
	_, after, found := strings.Cut(tag, name+"=")
	if !found || after == "" {
		return ""
	}
	if quote := after[:1]; quote == `"` || quote == "'" {
		value, _, _ := strings.Cut(after[1:], quote)
		return value
	}
	value, _, _ := strings.Cut(after, " ")
	return value
}
