package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// turn is what an answer said and read.
type turn struct {
	text   string
	scopes []tools.Scope // of queries and counts
	notes  []nostr.ID    // presented
}

func askIn(t *testing.T, a *App, q Question) turn {
	t.Helper()
	answer, err := a.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var got turn
	for e := range answer.Events {
		switch e.Type {
		case agent.EventText:
			got.text += e.Delta
		case agent.EventToolResult:
			switch r := e.Result.(type) {
			case tools.QueryResult:
				got.scopes = append(got.scopes, r.Scope)
			case tools.CountResult:
				got.scopes = append(got.scopes, r.Scope)
			}
		case agent.EventPresentNotes:
			for _, n := range e.Notes.Presented {
				id, err := nostr.ParseID(n.NoteID)
				if err != nil {
					t.Fatal(err)
				}
				got.notes = append(got.notes, id)
			}
		case agent.EventError:
			t.Fatal(e.Err)
		}
	}
	return got
}

func TestTheScopeOfAQuestionDecidesWhoseNotesAreRead(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: func() time.Time { return now }, Zone: time.UTC})
	root, replies := longestThread(t, a)

	t.Run("all stored notes", func(t *testing.T) {
		got := askIn(t, a, Question{Text: "What happened in the last 2 days?", Scope: Scope{Everyone: true}})
		if !strings.Contains(got.text, "These are all notes stored here, also by people you do not follow") {
			t.Errorf("the answer does not say so:\n%s", got.text)
		}
		for _, s := range got.scopes {
			if s.Context != "any" {
				t.Errorf("read %+v", s)
			}
		}
	})
	t.Run("a thread", func(t *testing.T) {
		got := askIn(t, a, Question{Text: "Summarise this thread", Scope: Scope{Thread: root}})
		if !strings.Contains(got.text, "A thread of") || len(got.notes) < 2 {
			t.Errorf("no summary of %d replies:\n%s", replies, got.text)
		}
		for _, id := range got.notes {
			e, err := a.Notes().Event(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := nostr.ReplyTo(e); id != root && (!ok || r.Root != root) {
				t.Errorf("cites %s, which is not of the thread", id)
			}
		}
	})
	t.Run("a person", func(t *testing.T) {
		e, err := a.Notes().Event(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		got := askIn(t, a, Question{Text: "Summarise", Scope: Scope{Person: e.PubKey}})
		if !strings.HasPrefix(got.text, "**What ") || !strings.Contains(got.text, " wrote since") {
			t.Errorf("not about the person:\n%s", got.text)
		}
	})
}

func longestThread(t *testing.T, a *App) (nostr.ID, int) {
	t.Helper()
	replies := map[nostr.ID]int{}
	for e, err := range a.Notes().Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}}) {
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := nostr.ReplyTo(e); ok {
			replies[r.Root]++
		}
	}
	best, most := nostr.ID{}, 0
	for id, n := range replies {
		if _, err := a.Notes().Event(t.Context(), id); err == nil && n > most {
			best, most = id, n
		}
	}
	if most < 3 {
		t.Fatal("the sample has no thread")
	}
	return best, most
}

// A model that says nothing of whose notes it wants reads those of the scope.
func TestAToolWithoutAContextReadsTheScope(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: func() time.Time { return now }, Zone: time.UTC})
	count, _ := a.Tools().Get("count")
	ada := nostr.PubKey{1}
	for _, tt := range []struct {
		name  string
		scope Scope
		args  string
		want  string
	}{
		{"people followed", Scope{}, `{}`, "home"},
		{"everyone", Scope{Everyone: true}, `{}`, "any"},
		{"everyone, but the model asks for home", Scope{Everyone: true}, `{"context":"home"}`, "home"},
		{"a profile", Scope{Person: ada}, `{}`, "profile"},
		{"a thread", Scope{Thread: nostr.ID{1}}, `{}`, "any"},
		{"an author is named", Scope{Everyone: true}, fmt.Sprintf(`{"author":%q}`, a.Me()), "profile"},
	} {
		env, err := a.Env(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tt.scope.env(env)
		r, err := count.Call(t.Context(), env, []byte(tt.args))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := r.(tools.CountResult).Scope.Context; got != tt.want {
			t.Errorf("%s: context %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWhatIsOpenIsToldToTheModelWithoutTextByOthers(t *testing.T) {
	for scope, want := range map[Scope]string{
		{}:                       "the search",
		{Everyone: true}:         "the search; the question is about all stored notes, not only those of people followed, unless it says otherwise (context any)",
		{Thread: nostr.ID{0xab}}: "the search; the thread of note ab000000",
	} {
		if got := scope.looking("the search"); !strings.HasPrefix(got, want) {
			t.Errorf("%+v: %q", scope, got)
		}
	}
}
