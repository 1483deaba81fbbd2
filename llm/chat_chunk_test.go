package llm

import (
	"encoding/json"
	"testing"
)

func TestChunksOfManyDialectsAreRead(t *testing.T) {
	for _, test := range []struct {
		name, data                                string
		text, reasoning, refusal, finish, failure string
	}{
		{"a text delta", `{"choices":[{"delta":{"content":"a"}}]}`, "a", "", "", "", ""},
		{"a finish", `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "", "", "", "stop", ""},
		{"choices as an object", `{"choices":{"delta":{"content":"a"}}}`, "a", "", "", "", ""},
		{"a second choice", `{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}`, "a", "", "", "", ""},
		{"a list of parts", `{"choices":[{"delta":{"content":[{"type":"text","text":"a"},"b",{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}`, "ab", "hm", "", "", ""},
		{"thinking as a text", `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":"hm"}]}}]}`, "", "hm", "", "", ""},
		{"reasoning", `{"choices":[{"delta":{"reasoning":"hm"}}]}`, "", "hm", "", "", ""},
		{"reasoning twice", `{"choices":[{"delta":{"reasoning":"hm","reasoning_content":"hm"}}]}`, "", "hm", "", "", ""},
		{"reasoning as an object", `{"choices":[{"delta":{"reasoning":{"text":"hm"}}}]}`, "", "hm", "", "", ""},
		{"a refusal", `{"choices":[{"delta":{"refusal":"no"}}]}`, "", "", "no", "", ""},
		{"a message", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, "a", "", "", "stop", ""},
		{"an empty delta beside a message", `{"choices":[{"delta":{},"message":{"content":"a"}}]}`, "a", "", "", "", ""},
		{"a completion", `{"choices":[{"text":"a","finish_reason":null}]}`, "a", "", "", "", ""},
		{"Ollama's own", `{"message":{"role":"assistant","content":"a","thinking":"hm"},"done":false}`, "a", "hm", "", "", ""},
		{"Ollama's own end", `{"message":{"content":""},"done":true,"done_reason":"length","eval_count":3}`, "", "", "", "length", ""},
		{"a finish that is a number", `{"choices":[{"delta":{},"finish_reason":7}]}`, "", "", "", "7", ""},
		{"a text that is a number", `{"choices":[{"delta":{"content":7}}]}`, "7", "", "", "", ""},
		{"a finish that is false", `{"choices":[{"delta":{"content":"a"},"finish_reason":false}]}`, "a", "", "", "", ""},
		{"Copilot's reasoning", `{"choices":[{"delta":{"reasoning_text":"hm"}}]}`, "", "hm", "", "", ""},
		{"a summary of reasoning", `{"choices":[{"delta":{"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"text","text":"a"}]}}]}`, "a", "hm", "", "", ""},
		{"null", `null`, "", "", "", "", ""},
		{"an error beside choices", `{"choices":[],"error":{"message":"no"}}`, "", "", "", "", "no"},
		{"an error in a choice", `{"choices":[{"error":{"message":"no"},"finish_reason":"error"}]}`, "", "", "", "error", "no"},
		{"an error as a text", `{"error":"no"}`, "", "", "", "", "no"},
		{"an error that is empty", `{"choices":[{"delta":{"content":"a"}}],"error":null}`, "a", "", "", "", ""},
		{"an error without its member", `{"object":"error","message":"no"}`, "", "", "", "", "no"},
		{"an error as a message alone", `{"code":429,"message":"no"}`, "", "", "", "", "no"},
		{"an error as a detail alone", `{"detail":"no"}`, "", "", "", "", "no"},
		{"an error in a list", `[{"error":{"message":"no"}}]`, "", "", "", "", "no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := parseChunk([]byte(test.data))
			if err != nil {
				t.Fatal(err)
			}
			failure := ""
			if c.err != nil {
				failure = c.err.Message
			}
			got := [5]string{c.text, c.reasoning, c.refusal, c.finish, failure}
			if want := [5]string{test.text, test.reasoning, test.refusal, test.finish, test.failure}; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestUsageIsFoundInItsManyForms(t *testing.T) {
	for data, want := range map[string]Usage{
		`{"usage":{"prompt_tokens":10.0,"completion_tokens":2,"total_tokens":12}}`:                                                                    {Input: 10, Output: 2, Total: 12},
		`{"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":8}},"choices":[]}`:                               {Input: 10, Output: 2, Total: 12, Cached: 8},
		`{"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_cache_hit_tokens":4,"prompt_tokens_details":null}}`:                               {Input: 10, Output: 2, Total: 12, Cached: 4},
		`{"choices":[],"usage":null,"x_groq":{"id":"x","usage":{"prompt_tokens":1,"completion_tokens":2}}}`:                                           {Input: 1, Output: 2, Total: 3},
		`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":7}}}`:                        {Input: 10, Output: 9, Total: 19, Thought: 7},
		`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":9,"reasoning_tokens":7,"completion_tokens_details":null}}`:                     {Input: 10, Output: 9, Total: 19, Thought: 7},
		`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":6}}}`:        {Input: 10, Output: 2, Total: 12, Cached: 1, Written: 6},
		`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"cache_creation_input_tokens":6,"cache_read_input_tokens":0}}`:               {Input: 10, Output: 2, Total: 12, Written: 6},
		`{"choices":[],"usage":{"input_tokens":10,"output_tokens":2,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":1}}}`: {Input: 10, Output: 2, Total: 12, Written: 5},
		`{"choices":[],"usage":{"input_tokens":10,"output_tokens":9,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":19}}`:               {Input: 10, Output: 9, Total: 19, Thought: 3},
		`{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":-2,"total_tokens":-3,"cached_tokens":-4}}`:                                     {},
		`{"message":{"content":""},"done":true,"prompt_eval_count":5,"eval_count":6}`:                                                                 {Input: 5, Output: 6, Total: 11},
		`{"usage":{"input_tokens":"7","output_tokens":1e300,"input_tokens_details":{"cached_tokens":3}},"choices":[null]}`:                            {Input: 7, Total: 7, Cached: 3},
	} {
		c, err := parseChunk([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := readUsage(c.usage); got == nil || *got != want {
			t.Errorf("%s: got %+v, want %+v", data, got, want)
		}
	}
}

func TestWhatIsNoObjectIsNoChunk(t *testing.T) {
	for _, data := range []string{"", "hello", "3", `"x"`, "[1]", "[", `{"a":1`, `{"a":1}{"b":2}`} {
		if _, err := parseChunk([]byte(data)); err == nil {
			t.Errorf("%q was read", data)
		}
	}
}

// FuzzChunk holds that any event can be read, to the end of an answer.
func FuzzChunk(f *testing.F) {
	f.Add([]byte(`{"choices":[{"delta":{"content":[{"text":"a"}],"tool_calls":[{"index":0,"function":{"name":"f","arguments":{}}}]},"finish_reason":"stop"}]}`))
	f.Add([]byte(`{"error":{"message":[{"loc":["a",1],"msg":"b"}]},"usage":{"prompt_tokens":1e9}}`))
	f.Add([]byte(`{"choices":[{"message":{"function_call":{"name":"f"},"reasoning_details":[{"type":"x","text":"y","index":0}]}}],"x_groq":{"usage":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		row, _ := FindProvider("custom")
		a := newAnswer(row, chatFamily{}, newTextReader(nil, "", false), func() string { return "new" })
		for range 2 {
			if _, stop, err := a.read(sseEvent{data: data}); stop || err != nil {
				break
			}
		}
		a.held(true)
		events, err := a.end(nil)
		if err == nil && (len(events) == 0 || events[len(events)-1].Type != EventFinish) {
			t.Fatalf("a good answer ends with %+v", events)
		}
		for _, e := range events {
			for name, raw := range e.Echo {
				if !json.Valid(raw) {
					t.Fatalf("echo %s is %s", name, raw)
				}
			}
		}
	})
}
