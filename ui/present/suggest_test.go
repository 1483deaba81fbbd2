package present

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
)

// translations returns Words that say what a file of translations has.
func translations(t *testing.T, file string) Words {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(testkit.Root(t), "assets", "translations", file))
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any // plurals are objects
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return Words{L: func(text string, data ...any) string {
		if said, ok := texts[text].(string); ok {
			text = said
		}
		for _, d := range data {
			for name, value := range d.(map[string]any) {
				text = strings.ReplaceAll(text, "{{."+name+"}}", value.(string))
			}
		}
		return text
	}}
}

func TestWhatIsSuggestedIsAnsweredFromNotesInBothLanguages(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	a, err := app.Open(t.Context(), app.Options{
		Places: config.Locate(t.TempDir(), ""), Sample: true, Now: func() time.Time { return now }, Zone: time.UTC,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	suggested, err := a.Suggestions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(suggested) != 3 {
		t.Fatalf("%+v", suggested)
	}
	for name, words := range map[string]Words{"English": {}, "German": translations(t, "settings.de.json")} {
		for _, s := range suggested {
			q := words.Suggested(s)
			if byOthers := s.Hashtag + s.Name; q.Foreign != (byOthers != "") {
				t.Errorf("%q holds %q: %v", q.Text, byOthers, q.Foreign)
			}
			answer, err := a.Ask(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			text, notes := "", 0
			for e := range answer.Events {
				switch e.Type {
				case agent.EventText:
					text += e.Delta
				case agent.EventPresentNotes:
					notes += len(e.Notes.Presented)
				}
			}
			if notes < 2 || !strings.Contains(text, "^1") {
				t.Errorf("%s, %q: nothing is cited:\n%s", name, q.Text, text)
			}
		}
	}
}
