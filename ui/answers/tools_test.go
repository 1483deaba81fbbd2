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
