package answers

import (
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/tools"
)

func TestEachBuiltinToolHasItsRow(t *testing.T) {
	names := map[string]bool{}
	for _, tool := range tools.BuiltinTools() {
		name := tool.Spec().Name
		names[name] = true
		row, ok := toolRows[name]
		if !ok {
			t.Errorf("%s has no row in tools.go", name)
			continue
		}
		if row.doing.Text == "" || row.failed.Text == "" || row.icon == "" || row.did(&lookup{row: row}).Text == "" {
			t.Errorf("the row of %s says too little: %+v", name, row)
		}
		if (row.goesOn == nil) != (row.take == nil) {
			t.Errorf("the row of %s joins calls by halves", name)
		}
	}
	for name := range toolRows {
		if !names[name] {
			t.Errorf("%s has a row, and is no tool", name)
		}
	}
}

func TestAToolFromElsewhereIsShownByItsName(t *testing.T) {
	asm := NewAssembler(Turn{Number: 1, Question: "q", Model: "ollama:m"}, nil)
	for _, e := range []agent.Event{
		{Step: 1, Type: agent.EventToolCall, ID: "c", Name: "weather\u202e_at", Arguments: json.RawMessage(`{"search":"Berlin"}`)},
		{Step: 1, Type: agent.EventToolResult, ID: "c", Name: "weather\u202e_at", Result: agent.RawResult(`{"total":9,"scope":{"context":"home"},"coverage":{"partly":3}}`)},
		{Step: 2, Type: agent.EventText, Delta: "Rain."},
		{Step: 2, Type: agent.EventFinish, Finish: "stop"},
	} {
		asm.Add(t.Context(), e)
	}
	blocks := asm.Turn().Blocks
	work, ok := blocks[0].(*Work)
	if !ok || work.Words.Text != "Used {{.Tool}}" || work.Words.Data["Tool"] != "weather_at" || work.Icon != "settings" || len(work.Facts) > 0 {
		t.Errorf("it is shown as %+v", blocks[0])
	}
	for _, b := range blocks {
		if c, ok := b.(*Coverage); ok {
			t.Errorf("its answer is read as one about notes: %+v", c)
		}
	}
	if p := Doing("weather_at"); !strings.HasPrefix(p.Text, "Calling ") {
		t.Errorf("while it runs: %+v", p)
	}
}

// Nobody follows themselves: the chip of an answer counts as its headline does.
func TestTheUserIsNotOneOfThePeopleFollowed(t *testing.T) {
	for _, tt := range []struct{ tool, result, want string }{
		{"query", `{"scope":{"context":"home"},"total":3,"returned":3,"authors":["01","02","03"]}`, "3 people you follow"},
		{"query", `{"scope":{"context":"home"},"total":3,"returned":3,"authors":["01","02","03"],"own":true}`, "2 people you follow, and you"},
		{"query", `{"scope":{"context":"home"},"total":1,"returned":1,"authors":["01"],"name":"Juno","own":true}`, "by Juno"},
		{"query", `{"scope":{"context":"any"},"total":3,"returned":3,"authors":["01","02","03"],"own":true}`, "3 people"},
		{"count", `{"scope":{"context":"home"},"count":9,"authors":4,"own":true}`, "3 people you follow, and you"},
		{"count", `{"scope":{"context":"home"},"count":9,"authors":1,"own":true}`, "1 people"},
	} {
		asm := NewAssembler(Turn{Number: 1, Question: "q", Model: "ollama:m"}, nil)
		for _, e := range []agent.Event{
			{Step: 1, Type: agent.EventToolCall, ID: "c", Name: tt.tool, Arguments: json.RawMessage(`{}`)},
			{Step: 1, Type: agent.EventToolResult, ID: "c", Name: tt.tool, Result: agent.RawResult(tt.result)},
			{Step: 2, Type: agent.EventFinish, Finish: "stop"},
		} {
			asm.Add(t.Context(), e)
		}
		work, ok := asm.Turn().Blocks[0].(*Work)
		if !ok || len(work.Facts) == 0 || English(work.Facts[0]) != tt.want {
			t.Errorf("%s of %s is shown as %+v, want %q", tt.tool, tt.result, asm.Turn().Blocks[0], tt.want)
		}
	}
}
