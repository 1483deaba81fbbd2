package textcall

// mistral is the format of Mistral, old and new: [TOOL_CALLS] and a list of objects, or
// [TOOL_CALLS]name{…} for each call, in some models with [ARGS] before the arguments and
// [CALL_ID] before the id. There is no closing mark.
func mistral() Format {
	return Format{
		Name:    "mistral",
		Openers: []string{"[TOOL_CALLS]"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.space()
			calls, ok := s.valueCalls("[/TOOL_CALLS]")
			if !ok {
				return s.mistralNamed()
			}
			s.in.take("[/TOOL_CALLS]")
			return calls, true
		},
		Write: &Writer{
			tools:   [2]string{"[AVAILABLE_TOOLS]\n", "\n[/AVAILABLE_TOOLS]"},
			example: "[TOOL_CALLS] [{\"name\": \"NAME\", \"arguments\": {\"KEY\": VALUE}}]",
			several: "For several calls put several objects into the list.",
			results: "the results come in [TOOL_RESULTS].",
			calls:   func(calls []Call) string { return "[TOOL_CALLS] " + objects(calls) },
			result:  [2]string{"[TOOL_RESULTS] ", " [/TOOL_RESULTS]"},
		},
	}
}

func (s *Scanner) mistralNamed() ([]Call, bool) {
	name := s.in.name()
	if name == "" {
		return nil, false
	}
	id := ""
	if s.in.take("[CALL_ID]") {
		id = s.in.name()
	}
	sure := s.in.take("[ARGS]") || s.tools.may(name)
	c, ok := s.namedCall(name, "[TOOL_CALLS]")
	if _, more := s.in.peek(); !ok && sure && !more {
		c, ok = invalid(name, "", reasonCut), true
	} else if !ok && sure && s.in.starts("[TOOL_CALLS]") {
		c, ok = made(name, "", true), true
	}
	c.ID = id
	return []Call{c}, ok
}
