package agent_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// answers are answers of models, lying and honest, with the marks that are right.
type answers struct {
	Notes               []answeredNote
	Liars, Honest, Edge []modelAnswer
}

type answeredNote struct {
	ID, Name, Content, PubKey string
	At                        time.Time `json:"created_at"`
}

type modelAnswer struct {
	ID, Title, Question, Text string
	Read                      []string       `json:"notes_read"`
	Counts                    map[string]int `json:"tool_counts"`
	Presented                 []string
	Asked                     []string `json:"present_asked"`
	Unread                    *bool    `json:"no_note_read"`
	Want                      []struct {
		Sentence string
		Mark     string
		Also     []string `json:"also_right"`
	} `json:"marks_expected"`
}

// liarWorld is a store that holds the notes, signed by keys of their authors.
type liarWorld struct {
	answers
	env *tools.Env
	ids map[string]string
}

func newLiarWorld(t *testing.T, file string) *liarWorld {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	w := &liarWorld{ids: make(map[string]string)}
	if err := json.Unmarshal(raw, &w.answers); err != nil {
		t.Fatal(err)
	}
	var events []*nostr.Event
	for _, n := range w.Notes {
		key := testkit.NewKey(cmp.Or(n.PubKey, n.Name))
		profile, err := json.Marshal(map[string]string{"name": n.Name})
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range [][]byte{key.Event(t, 0, n.At.Unix(), string(profile)), key.Event(t, 1, n.At.Unix(), n.Content)} {
			e := &nostr.Event{}
			if err := json.Unmarshal(raw, e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
			w.ids[n.ID] = e.ID.String()
		}
	}
	now := time.Date(2026, 11, 18, 15, 30, 0, 0, berlin)
	w.env = &tools.Env{Store: openStore(t, now, events), Now: func() time.Time { return now }, Zone: berlin}
	return w
}

// answer has a model behind a real server give an answer, through the real tools; its
// numbers come from a tool that knows them. It returns how often the model was asked.
func (w *liarWorld) answer(t *testing.T, a modelAnswer) (report check.Report, asked int) {
	t.Helper()
	var reads []string
	for _, id := range a.Read {
		reads = append(reads, toolCall(t, id, "get_note", `{"note_id":"`+w.ids[id]+`"}`))
	}
	reads = append(reads, toolCall(t, "n", "numbers", `{}`))
	var shown []string
	for _, id := range slices.Concat(a.Presented, a.Asked) {
		if !slices.Contains(shown, cmp.Or(w.ids[id], id)) {
			shown = append(shown, cmp.Or(w.ids[id], id))
		}
	}
	list, err := json.Marshal(map[string]any{"note_ids": shown})
	if err != nil {
		t.Fatal(err)
	}
	s := testkit.NewModelServer(t)
	if len(a.Read)+len(a.Counts) > 0 {
		for _, call := range reads {
			s.Queue(testkit.SSE(call))
			asked--
		}
	}
	if len(shown) > 0 {
		s.Queue(testkit.SSE(toolCall(t, "p", "present_notes", string(list))))
		asked--
	}
	said := testkit.SSE(chunk(t, map[string]any{"content": a.Text}), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	s.Queue(said, said)
	numbers, err := json.Marshal(a.Counts)
	if err != nil {
		t.Fatal(err)
	}
	model := newAgent(t, agent.Options{
		Model: overHTTP(t, s), Tools: append(tools.BuiltinTools(), answering("numbers", string(numbers))), MaxSteps: 40,
		Prompts: agent.Prompts{References: "mend {refs}", Claims: "mend"},
	})
	found := false
	for e := range model.Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: "t", Question: a.Question, Env: w.env}) {
		if e.Type == agent.EventChecked {
			report, found = *e.Checked, true
		}
		if e.Type == agent.EventToolResult && e.Failure != "" {
			t.Fatalf("%s: %s", e.Name, e.Failure)
		}
	}
	if !found {
		t.Fatal("nothing was checked")
	}
	return report, asked + len(s.Received())
}

// judge returns what is wrong with the marks of an answer.
func (a modelAnswer) judge(report check.Report) []string {
	var bad []string
	used := make([]bool, len(report.Marks))
	for _, w := range a.Want {
		at := strings.Index(a.Text, w.Sentence)
		right := append(slices.Clone(w.Also), w.Mark)
		fine := slices.Contains(right, "none")
		got := []string{}
		for i, m := range report.Marks {
			if m.Start < at+len(w.Sentence) && m.End > at {
				used[i] = true
				got = append(got, string(m.Kind))
			}
		}
		fine = (fine || len(got) > 0) && !slices.ContainsFunc(got, func(k string) bool { return !slices.Contains(right, k) })
		if !fine {
			bad = append(bad, w.Sentence+": "+strings.Join(got, ",")+", want "+w.Mark)
		}
	}
	for i, m := range report.Marks {
		if !used[i] {
			bad = append(bad, m.Text+": "+string(m.Kind)+", want none")
		}
		if a.Text[m.Start:m.End] != m.Text || m.After < m.End || m.After > len(a.Text) {
			bad = append(bad, "the places of "+m.Text)
		}
	}
	if a.Unread != nil && *a.Unread != (report.Read == 0) {
		bad = append(bad, "whether a note was read")
	}
	return bad
}

// Issue 12: "a scripted model that lies in 20 ways: each mark right, none on 20 honest
// answers". The first file is by somebody who had not seen the checker, the second is
// ours.
func TestLyingAnswersAreMarkedAndHonestOnesAreNot(t *testing.T) {
	for _, file := range []string{"liars.json", "liars_own.json", "liars_fresh.json"} {
		w := newLiarWorld(t, file)
		for _, a := range slices.Concat(w.Liars, w.Honest) {
			t.Run(a.ID+" "+a.Title, func(t *testing.T) {
				report, asked := w.answer(t, a)
				for _, bad := range a.judge(report) {
					t.Error(bad)
				}
				if len(a.Want) == 0 && asked != 1 {
					t.Errorf("an honest answer was asked for %d times", asked)
				}
			})
		}
		for _, a := range w.Edge {
			if report, _ := w.answer(t, a); len(a.judge(report)) > 0 {
				t.Logf("%s %s, which does not count: %q", a.ID, a.Title, a.judge(report))
			}
		}
	}
}
