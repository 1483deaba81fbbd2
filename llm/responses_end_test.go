package llm_test

import (
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// What the end of an answer holds and was not told before must not be taken for
// something that was told, and whose end comes later: a call would run with the
// arguments of another.
func TestTheEndOfAnAnswerIsReadByIdsFirst(t *testing.T) {
	added := `{"type":"response.output_item.added","output_index":1,"item":`
	for name, tt := range map[string]struct {
		events []string
		end    string // the items
		want   string
	}{
		"texts": {
			[]string{
				added + `{"type":"message","id":"b"}}`,
				`{"type":"response.output_text.delta","item_id":"b","output_index":1,"content_index":0,"delta":"second"}`,
			},
			`{"type":"message","id":"a","content":[{"type":"output_text","text":"first"}]},{"type":"message","id":"b","content":[{"type":"output_text","text":"second"}]}`,
			"second first",
		},
		"calls": {
			[]string{added + `{"type":"function_call","id":"b","call_id":"cb","name":"show","arguments":""}}`},
			`{"type":"function_call","id":"a","call_id":"ca","name":"show","arguments":"{\"n\":1}"},{"type":"function_call","id":"b","call_id":"cb","name":"show","arguments":"{\"n\":2}"}`,
			`cb:{"n":2} ca:{"n":1}`,
		},
		"calls with an id of their own in each event": {
			[]string{added + `{"type":"function_call","id":"x","name":"show","arguments":""}}`},
			`{"type":"function_call","id":"y","name":"show","arguments":"{\"n\":1}"}`,
			`x:{"n":1}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := testkit.NewModelServer(t, testkit.SSE(append(tt.events,
				`{"type":"response.completed","response":{"status":"completed","output":[`+tt.end+`]}}`)...))
			var said []string
			for e, err := range newClient(t, s, row(t, "responses")).Stream(t.Context(), question()) {
				if err != nil {
					t.Fatal(err)
				}
				switch e.Type {
				case llm.EventText:
					said = append(said, e.Delta)
				case llm.EventToolCall:
					said = append(said, e.Call.ID+":"+string(e.Call.Arguments))
				}
			}
			if got := strings.Join(said, " "); got != tt.want {
				t.Errorf("said %s, want %s", got, tt.want)
			}
		})
	}
}
