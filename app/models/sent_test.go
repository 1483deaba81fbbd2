package models

import (
	"fmt"
	"testing"

	"bowerbird/llm"
)

func TestTheInspectorKeepsTheLastTurnsWithinItsRoom(t *testing.T) {
	r := &Registry{}
	send := func(turn, size int) func(llm.Outcome) {
		ctx := InTurn(t.Context(), "chat", fmt.Sprint(turn))
		return r.inspector.sent(ctx, llm.SentRequest{Body: make([]byte, size)})
	}
	if told := r.inspector.sent(t.Context(), llm.SentRequest{Body: make([]byte, 9)}); told != nil || len(r.Sent("", "")) != 0 {
		t.Error("a request of no turn was kept")
	}
	late := send(0, 1000)
	for turn := 1; turn <= inspectTurns; turn++ {
		send(turn, 1000)(llm.Outcome{Status: 200})
	}
	late(llm.Outcome{Status: 500}) // its turn is gone: nothing happens
	if got := r.Sent("chat", ""); len(got) != inspectTurns || got[0].Turn != "1" || got[0].Status != 200 {
		t.Fatalf("%d are kept, the first %+v", len(got), got[0])
	}
	if r.inspector.bytes != inspectTurns*1000 {
		t.Errorf("%d bytes are counted", r.inspector.bytes)
	}
	send(21, inspectBytes-5000)
	got := r.Sent("chat", "")
	for i, s := range got {
		if s.Dropped != (i < 14) || s.Dropped != (s.Body == nil) || s.Size == 0 {
			t.Errorf("request %d: dropped %v, %d of %d bytes", i, s.Dropped, len(s.Body), s.Size)
		}
	}
	send(21, inspectBytes+1)
	for _, s := range r.Sent("chat", "") {
		if !s.Dropped {
			t.Errorf("a request of %d bytes is kept beside one that fills the room", s.Size)
		}
	}
	if r.inspector.bytes != 0 {
		t.Errorf("%d bytes are counted where none are kept", r.inspector.bytes)
	}
}
