package app

import (
	"regexp"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/app/config"
)

// TestAnAnswerIsRememberedAsSeen by who was shown it; what the clock asks was shown to
// nobody.
func TestAnAnswerIsRememberedAsSeen(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	defer closeApp(t, a)
	// What is only answered stands there again, in brackets.
	answered := regexp.MustCompile(`\(“[^”]*”…? \^\d+\)`)
	ask := func(q Question) map[string]bool {
		t.Helper()
		text, ids := "", map[int]string{}
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
