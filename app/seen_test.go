package app

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/app/config"
	"bowerbird/tools"
)

// TestAnAnswerIsRememberedAsSeen by who was shown it; what the clock asks was shown to
// nobody.
func TestAnAnswerIsRememberedAsSeen(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	defer closeApp(t, a)
	// What is only answered stands there again, in brackets, and so does the note of the
	// reader's own that most reactions are on.
	answered := regexp.MustCompile(`\(“[^”]*” \^\d+\)|on (your note )?“[^”]*” \^\d+, the latest`)
	text := ""
	ask := func(q Question) map[string]bool {
		t.Helper()
		ids := map[int]string{}
		text = ""
		answer, err := a.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
		for e := range answer.Events {
			if e.Type == agent.EventText {
				text += e.Delta
			}
			if e.Type == agent.EventPresentNotes {
				for _, n := range e.Notes.Presented {
					ids[n.Index] = n.NoteID
				}
			}
		}
		for _, ref := range check.References(answered.ReplaceAllString(text, "")) {
			shown[ids[ref.Index]] = true
		}
		return shown
	}
	const unseen = "What did I miss in the last 5 days, only what I have not seen?"
	if shown := ask(Question{Text: "What did I miss in the last 5 days?", Unattended: true}); len(shown) == 0 {
		t.Fatal("nothing is shown")
	}
	if !strings.Contains(text, "no relay is asked") || strings.Contains(text, "Up to date") {
		t.Errorf("made-up notes are called complete:\n%s", text)
	}
	first := ask(Question{Text: unseen})
	second := ask(Question{Text: unseen})
	if len(first) == 0 || len(second) == 0 {
		t.Fatalf("%d notes, then %d", len(first), len(second))
	}
	for id := range second {
		if first[id] {
			t.Errorf("%s is shown again", id)
		}
	}
	for id := range ask(Question{Text: "What did I miss in the last 5 days?"}) {
		if first[id] {
			return
		}
	}
	t.Error("a plain question leaves out what was seen")
}

// TestWhatWasNotReadIsNotSeen: an answer that was left or stopped between its notes and
// its end has shown nobody what it would have told.
func TestWhatWasNotReadIsNotSeen(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	defer closeApp(t, a)
	for name, at := range map[string]agent.EventType{"before a word": agent.EventPresentNotes, "at the first word": agent.EventText} {
		for _, leave := range []bool{true, false} {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			answer, err := a.Ask(ctx, Question{Text: "What did I miss in the last 5 days?"})
			if err != nil {
				t.Fatal(err)
			}
			presented := false
			for e := range answer.Events {
				presented = presented || e.Type == agent.EventPresentNotes
				if e.Type != at {
					continue
				}
				if stop(); leave {
					break
				}
			}
			list, err := a.seen(t.Context())
			if err != nil || len(list) > 0 || !presented {
				t.Errorf("%s, left %v: %d notes count as seen, notes presented: %v, %v", name, leave, len(list), presented, err)
			}
		}
	}
}

// TestNotesWithoutAWordAreNotSeen, nor those of an answer that failed.
func TestNotesWithoutAWordAreNotSeen(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	defer closeApp(t, a)
	id := strings.Repeat("ab", 32)
	shown := agent.Event{Type: agent.EventPresentNotes, Notes: &tools.PresentResult{Presented: []tools.PresentedNote{{Index: 1, NoteID: id}}}}
	word := agent.Event{Type: agent.EventText, Delta: "The comet is back ^1."}
	ends := func(why string) agent.Event { return agent.Event{Type: agent.EventFinish, Finish: why} }
	for _, tt := range []struct {
		name   string
		events []agent.Event
		want   int
	}{
		{"no word", []agent.Event{shown, ends(agent.FinishStop)}, 0},
		{"blanks", []agent.Event{shown, {Type: agent.EventText, Delta: " \n"}, ends(agent.FinishStop)}, 0},
		{"an error", []agent.Event{shown, word, ends(agent.FinishError)}, 0},
		{"a whole answer", []agent.Event{shown, word, ends(agent.FinishStop)}, 1},
	} {
		for range a.marking(t.Context(), slices.Values(tt.events)) {
		}
		if list, err := a.seen(t.Context()); err != nil || len(list) != tt.want {
			t.Errorf("%s: %d notes count as seen, want %d, %v", tt.name, len(list), tt.want, err)
		}
	}
}
