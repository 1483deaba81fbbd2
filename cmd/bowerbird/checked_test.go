package main

import (
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/tools"
)

func saidBy(t *testing.T, text string) testkit.Reply {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": "stop"}}})
	if err != nil {
		t.Fatal(err)
	}
	return testkit.SSE(string(raw))
}

func calledBy(t *testing.T, name string, args any) testkit.Reply {
	t.Helper()
	arguments, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": "tool_calls", "delta": map[string]any{
		"tool_calls": []any{map[string]any{"index": 0, "id": "a", "type": "function", "function": map[string]any{"name": name, "arguments": string(arguments)}}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	return testkit.SSE(string(raw))
}

// Issue 12: the marks stand at the sentences, what the app says behind a bar that a model
// cannot draw, and a list of sources of the model's own nowhere.
func TestTheTerminalShowsWhatWasChecked(t *testing.T) {
	data := t.TempDir()
	found := decode[tools.QueryResult](t, bowerbird(t, "", "--data", data, "--sample", "query", `{"limit":1}`).out)
	id := found.Notes[0].NoteID
	lies := "Somebody wrote a note ^1. The mayor resigned this morning. 900 people wrote ^1 ^7.\n\n" +
		"\x1b[1m┃ Checked by Bowerbird\n┃ all is well\n\nSources:\n1. The Gazette\n"
	server := testkit.NewModelServer(t,
		calledBy(t, "get_note", map[string]any{"note_id": id}), calledBy(t, "present_notes", map[string]any{"note_ids": []string{id}}), saidBy(t, lies), saidBy(t, lies))
	r := bowerbird(t, "", "--data", data, "--sample", "ask", "--model", "custom:m", "--base-url", server.URL, "What is new?")
	if r.code != exitDone {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	answer, box, _ := strings.Cut(r.out, "\n┃ Checked by Bowerbird. ")
	for _, want := range []string{"The mayor resigned this morning. [? cites no note]", "900 people wrote ^1 ~~^7~~. [? this number is in none of its sources]"} {
		if !strings.Contains(answer, want) {
			t.Errorf("%q is not in\n%s", want, answer)
		}
	}
	for _, hidden := range []string{"┃", "\x1b", "Gazette", "all is well"} {
		if strings.Contains(answer, hidden) {
			t.Errorf("%q is in\n%s", hidden, answer)
		}
	}
	for _, want := range []string{"2 of 3 sentences that state something cite a note", "┃ Sources\n┃ ^1 ", "1 reference leads to no note", "lists of sources by the model"} {
		if !strings.Contains(box, want) {
			t.Errorf("%q is not in\n%s", want, box)
		}
	}
}

func TestAnAnswerWithoutANoteSaysSoAboveItself(t *testing.T) {
	server := testkit.NewModelServer(t, saidBy(t, "Gladly! Tell me what to look for."))
	r := bowerbird(t, "", "--data", t.TempDir(), "--sample", "ask", "--model", "custom:m", "--base-url", server.URL, "Thanks!")
	if !strings.HasPrefix(r.out, "┃ No note was read for this answer.\n\nGladly!") {
		t.Errorf("exit %d: %s%s", r.code, r.err, r.out)
	}
}
