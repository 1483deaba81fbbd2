package textcall

// tagged are the formats that are nothing but JSON between two marks of their own.
func tagged() []Format {
	row := func(name, models, opener string, closers ...string) Format {
		return Format{
			Name: name, Models: models, Openers: []string{opener},
			read: func(s *Scanner, opener string) ([]Call, bool) {
				if opener[len(opener)-1] == '[' {
					s.in.pos-- // the bracket belongs to the list
				}
				return s.taggedCalls(opener, closers...)
			},
		}
	}
	return []Format{
		row("lmstudio", "what LM Studio teaches models without tools", "[TOOL_REQUEST]", "[END_TOOL_REQUEST]", "[/TOOL_REQUEST]"),
		row("functools", "FireFunction 2, Phi-4 mini", "functools["),
		row("granite", "Granite 3, Phi-4 mini", "<|tool_call|>", "<|/tool_call|>", "<|end_of_text|>"),
		row("nemotron", "Nemotron Nano", "<TOOLCALL>", "</TOOLCALL>"),
		row("jamba", "Jamba, Hunyuan", "<tool_calls>", "</tool_calls>"),
		row("internlm", "InternLM 2", "<|action_start|><|plugin|>", "<|action_end|>"),
		row("command-a", "Command R7B, Command A", "<|START_ACTION|>", "<|END_ACTION|>"),
		row("lfm", "LFM 2, told to write JSON", "<|tool_call_start|>", "<|tool_call_end|>"),
		row("longcat", "LongCat", "<longcat_tool_call>", "</longcat_tool_call>"),
		row("minimax-json", "MiniMax M2, at times", "<minimax:tool_call>", "</minimax:tool_call>"),
		row("minimax-brackets", "MiniMax M2, at times", "[TOOL_CALL]", "[/TOOL_CALL]"),
		row("function_call", "fine-tunes of several families", "<function_call>", "</function_call>"),
	}
}
