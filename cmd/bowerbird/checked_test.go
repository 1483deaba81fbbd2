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
	return saidAndCalledBy(t, "", name, args)
}

func saidAndCalledBy(t *testing.T, text, name string, args any) testkit.Reply {
	t.Helper()
	arguments, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": "tool_calls", "delta": map[string]any{
		"content":    text,
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
	for _, want := range []string{"2 of 3 statements cite a note", "┃ Sources\n┃ ^1 ", "1 citation leads to no note", "lists of sources written by the model"} {
		if !strings.Contains(box, want) {
			t.Errorf("%q is not in\n%s", want, box)
		}
	}
}

// What was said before a chart has its marks too, and the line above the answer above it.
func TestWhatIsSaidBeforeAChartIsCheckedInItsPlace(t *testing.T) {
	spec := map[string]any{"mark": "bar", "data": map[string]any{"values": []any{map[string]any{"day": "Mon", "n": 3}}}, "encoding": map[string]any{
		"x": map[string]any{"field": "day", "type": "nominal"}, "y": map[string]any{"field": "n", "type": "quantitative"},
	}}
	server := testkit.NewModelServer(t, saidAndCalledBy(t, "The mayor resigned this morning.", "render_chart", map[string]any{"title": "Notes", "spec": spec}), saidBy(t, "The deputy left too."))
	r := bowerbird(t, "", "--data", t.TempDir(), "--sample", "ask", "--model", "custom:m", "--base-url", server.URL, "What is new?")
	rest := r.out
	for _, want := range []string{"┃ No note was read for this answer.\n\n", "The mayor resigned this morning. [? cites no note]\n", "Notes\nMon █", "The deputy left too. [? cites no note]\n", "┃ Checked by"} {
		before, behind, found := strings.Cut(rest, want)
		if !found || strings.Contains(before, "[?") {
			t.Fatalf("exit %d, no %q in its place in\n%s%s", r.code, want, r.err, r.out)
		}
		rest = behind
	}
}

// How complete the notes are is said below an answer by the app alone, as the window does.
func TestTheTerminalSaysHowCompleteTheNotesAre(t *testing.T) {
	sample, fetched := t.TempDir(), "┃ 48 people complete. This is the sample: its notes are made up, and no relay is asked.\n"
	for _, tt := range []struct{ context, want string }{
		{"home", fetched},
		{"any", ""},
	} {
		server := testkit.NewModelServer(t, calledBy(t, "query", map[string]any{"context": tt.context, "since": "24h"}), saidBy(t, "It is quiet."))
		r := bowerbird(t, "", "--data", sample, "--sample", "ask", "--model", "custom:m", "--base-url", server.URL, "What is new?")
		if said := strings.Contains(r.out, "complete"); r.code != exitDone || !strings.Contains(r.out, tt.want) || said != (tt.want != "") {
			t.Errorf("%v: exit %d, want %q in\n%s%s", tt, r.code, tt.want, r.err, r.out)
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
