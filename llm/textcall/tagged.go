package textcall

import "strings"

// tagged returns the formats that are nothing but JSON between two marks.
func tagged() []Format {
	row := func(name, opener string, closers ...string) Format {
		return Format{
			Name: name, Openers: []string{opener},
			read: func(s *Scanner, opener string) ([]Call, bool) {
				if opener[len(opener)-1] == '[' {
					s.in.pos-- // the bracket belongs to the list
				}
				return s.taggedCalls(opener, closers...)
			},
		}
	}
	return []Format{
		row("lmstudio", "[TOOL_REQUEST]", "[END_TOOL_REQUEST]", "[/TOOL_REQUEST]"), // what LM Studio teaches models without tools
		row("functools", "functools["),                                             // FireFunction 2, Phi-4 mini
		row("granite", "<|tool_call|>", "<|/tool_call|>", "<|end_of_text|>"),       // Granite 3, Phi-4 mini
		row("nemotron", "<TOOLCALL>", "</TOOLCALL>"),                               // Nemotron Nano
		row("jamba", "<tool_calls>", "</tool_calls>"),                              // Jamba, Hunyuan
		row("internlm", "<|action_start|><|plugin|>", "<|action_end|>"),            // InternLM 2
		row("command-a", "<|START_ACTION|>", "<|END_ACTION|>"),                     // Command R7B, Command A
		row("lfm", "<|tool_call_start|>", "<|tool_call_end|>"),                     // LFM 2, instructed to write JSON
		row("longcat", "<longcat_tool_call>", "</longcat_tool_call>"),              // LongCat
		row("minimax-json", "<minimax:tool_call>", "</minimax:tool_call>"),         // MiniMax M2, at times
		row("minimax-brackets", "[TOOL_CALL]", "[/TOOL_CALL]"),                     // MiniMax M2, at times
		row("function_call", "<function_call>", "</function_call>"),                // fine-tunes of several families
	}
}

// llama is the format of Llama 3: after <|python_tag|>, objects separated by semicolons or
// a line of Python. Without the tag it is pure JSON.
func llama() Format {
	return Format{
		Name:    "llama",
		Openers: []string{"<|python_tag|>"},
		read: func(s *Scanner, opener string) ([]Call, bool) {
			if calls, ok := s.taggedCalls(opener, "<|eom_id|>", "<|eot_id|>"); ok {
				return calls, true
			}
			name := s.in.name()
			if name == "" || !s.in.starts("(") {
				return nil, false
			}
			c, ok := s.pythonCall(strings.TrimSuffix(name, ".call")) // as it calls the tools it was trained with
			return []Call{c}, ok
		},
	}
}

// commandR is the format of Command R and R+: "Action:" and a fenced list.
func commandR() Format {
	return Format{
		Name:    "command-r",
		Openers: []string{"Action:"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.space()
			if !s.in.starts("```json") {
				return nil, false
			}
			s.fenceMark()
			calls, ok := s.valueCalls("```")
			for _, c := range calls {
				ok = ok && s.tools.may(c.Name)
			}
			s.in.space()
			s.in.take("```")
			return calls, ok
		},
	}
}

// qwenAgent is the format of Qwen-Agent's prompts: ✿FUNCTION✿: NAME, ✿ARGS✿: {…}.
func qwenAgent() Format {
	return Format{
		Name:    "qwen-agent",
		Openers: []string{"✿FUNCTION✿"},
		read: func(s *Scanner, _ string) ([]Call, bool) {
			s.in.take(":")
			s.in.space()
			name := s.in.word(maxName, func(c byte) bool { return c != '\n' && c != "✿"[0] })
			s.in.space()
			if name = strings.TrimSpace(name); name == "" || !s.in.take("✿ARGS✿") {
				return nil, false
			}
			s.in.take(":")
			c, ok := s.namedCall(name, "✿RESULT✿", "✿FUNCTION✿")
			s.in.space()
			closed := s.in.take("✿RESULT✿")
			if closed {
				s.in.take(":")
			}
			if !ok && closed {
				c, ok = made(name, "", true), true
			}
			return []Call{c}, ok
		},
	}
}

// answers removes the marks that some models write around their text: Command R7B and
// Command A, and Qwen after Qwen-Agent's prompts. Only marks at the beginning or the end
// are removed; elsewhere the answer mentions them.
func answers() Format {
	return Format{
		Openers: []string{"<|START_RESPONSE|>", "<|END_RESPONSE|>", "✿RETURN✿:"},
		emits:   true,
		read: func(s *Scanner, opener string) ([]Call, bool) {
			begin := s.in.pos - len(opener)
			s.in.space()
			_, more := s.in.peek()
			if more && !s.atStart(begin) {
				return nil, false
			}
			s.flush(begin)
			s.skip(s.in.pos)
			return nil, true
		},
	}
}
