package chats

import (
	"testing"

	"bowerbird/app/llm"
)

// Issue 5, "the echo data of its own provider": chats that were saved before answers
// said whose they are know it from their turn.
func TestAnOldAnswerIsByTheModelOfItsTurn(t *testing.T) {
	record := `{"v":1,"id":"t","question":"q","model":"deepseek:v4","state":"done","events":[],"messages":[` +
		`{"role":"user","text":"q"},{"role":"assistant","text":"a","echo":{"reasoning_content":"hm"}},{"role":"assistant","by":"openai:gpt","text":"b"}]}`
	values, err := (&packer{}).split("c", 1, []byte(record))
	if err != nil {
		t.Fatal(err)
	}
	turn, err := decodeTurn("c", turnPrefix("c", 1), [][]byte{values[partKey("c", 1, 0)]})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "deepseek:v4", "openai:gpt"} {
		if got := turn.messages[i].By; got != want || (turn.messages[i].Role == llm.User) != (want == "") {
			t.Errorf("message %d is by %q, want %q", i, got, want)
		}
	}
}
