package llm_test

import (
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Harmony that no server read passes through two readers: the one that parts
// thinking from answer, and the one that looks for calls in what is left.
func TestACallInHarmonyIsFoundAndOneInItsThinkingIsNot(t *testing.T) {
	const (
		thinks = `<|channel|>analysis<|message|>I may call <|channel|>`
		mused  = `<|channel|>analysis<|message|><tool_call>{"name": "query", "arguments": {"search": "x"}}</tool_call><|end|>`
		says   = `<|start|>assistant<|channel|>commentary<|message|>I look.<|end|>`
		calls  = `<|start|>assistant<|channel|>commentary to=functions.query <|constrain|>json<|message|>{"search":"lmdb"}<|call|>`
		final  = `<|start|>assistant<|channel|>final<|message|>Yes.<|return|>`
	)
	for _, test := range []struct {
		name, said, text string
		calls            int
	}{
		{"a call", calls, "", 1},
		{"thinking and a call", mused + calls, "", 1},
		{"words and a call", mused + says + calls, "I look.", 1},
		{"a call in the thinking alone", mused + final, "Yes.", 0},
		{"thinking that stops in a mark", thinks, "", 0},
		{"a call of which the template wrote the first mark", " to=functions.query<|channel|>commentary <|constrain|>json<|message|>{\"search\":\"lmdb\"}<|call|>", "", 1},
		{"the same with the role", "assistant to=functions.query<|channel|>analysis json<|message|>{\"search\":\"lmdb\"}<|call|>", "", 1},
		{"thinking behind a role that was left", "assistant" + mused + final, "Yes.", 0},
		{"words that begin like a header", "to=functions.query is how one says it.", "to=functions.query is how one says it.", 0},
		{"a role that is a word", "assistants help.", "assistants help.", 0},
		{"a message to the user", `<|channel|>final to=user<|message|>Yes.<|return|>`, "Yes.", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			c := newClient(t, s)
			body := sayings("stop", test.said)
			for _, sizes := range splits(len(body), 10) {
				s.Queue(testkit.Reply{Body: body, Chunks: sizes})
				got := llm.Collect(c.Stream(t.Context(), withTools()))
				if got.Text != test.text || len(got.Calls) != test.calls {
					t.Fatalf("got text %q and calls %+v", got.Text, got.Calls)
				}
				if test.calls == 1 && (got.Calls[0].Name != "query" || string(got.Calls[0].Arguments) != `{"search":"lmdb"}` || got.Calls[0].Invalid) {
					t.Errorf("got %+v", got.Calls[0])
				}
			}
		})
	}
}
