package chat

import (
	"context"
	"slices"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
)

// relays is a sync whose notes come when people are asked for again.
type relays struct {
	asked   []nostr.PubKey
	changed func()
}

func (r *relays) Retry() {}
func (r *relays) RetryPeople(_ context.Context, people ...nostr.PubKey) {
	r.asked = people
	r.changed()
}

func (r *relays) OnChange(changed func()) func() {
	r.changed = changed
	return func() {}
}

// lackingAnswer is a turn that lacks the notes of six people.
func lackingAnswer(t testing.TB, st *stage) answers.Turn {
	t.Helper()
	return answered(
		t, st, 1, "What did I miss?", "ollama:m",
		call("c1", "query", `{"since":"20h"}`),
		result("c1", "query", `{"scope":{"context":"home","authors":103,"since":"2026-03-11T18:00:00Z","until":"2026-03-12T14:00:00Z"},"total":1,"returned":1,"coverage":{"complete":97,"partly":0,"unreachable":6}}`),
		agent.Event{Step: 1, Type: agent.EventText, Delta: "Little."}, finish("stop"),
	)
}

func TestTryAgainSaysWhatCameAndOffersToAskAgain(t *testing.T) {
	ada := nostr.PubKey{1}
	for name, test := range map[string]struct {
		after completeness
		says  string
		links []string
	}{
		"all came":     {completeness{notes: 12}, "2 new notes have arrived. Nobody is missing any more.  Ask again", []string{"chat.fetch.ask"}},
		"some came":    {completeness{notes: 11, people: []nostr.PubKey{ada}}, "1 new note has arrived. 1 person is still missing.  Ask again  Who is missing  Try again", []string{"chat.fetch.ask", "chat.who", "chat.fetch"}},
		"nothing came": {completeness{notes: 10, people: []nostr.PubKey{ada, {2}}}, "Nothing new has arrived. 2 people are still missing.  Who is missing  Try again", []string{"chat.who", "chat.fetch"}},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), plain, window)
			sync, first := &relays{}, true
			st.fetcher, st.fetchQuiet = sync, 40*time.Millisecond // all that comes has come when it begins
			st.completeness = func(*answers.Coverage) (completeness, error) {
				if first {
					first = false
					return completeness{notes: 10, people: []nostr.PubKey{ada, {2}}}, nil
				}
				return test.after, nil
			}
			st.open.turns = []answers.Turn{lackingAnswer(t, st)}
			st.refresh()
			st.press("chat.fetch")
			i := slices.IndexFunc(st.rows, func(r row) bool { return r.kind == rowCoverage })
			r := st.rows[i]
			st.Until("it is known what came", func() bool { return !st.fetches[r.id].running })
			st.Settle()
			st.Picture("fetched")
			said, links := "", []string(nil)
			for _, s := range st.fetched(r, r.block.(*answers.Coverage)) {
				said += s.Text
				if s.ID != "" {
					links = append(links, s.ID)
				}
			}
			if said != " "+test.says || !slices.Equal(links, test.links) {
				t.Errorf("it says %q with %v", said, links)
			}
			if !slices.Equal(sync.asked, []nostr.PubKey{ada, {2}}) {
				t.Errorf("asked for are %v", sync.asked)
			}
			for _, link := range test.links {
				if st.named(link) == nil {
					t.Errorf("%s is not drawn", link)
				}
			}
		})
	}
}

func TestHowTheNotesStandIsReadFromTheTools(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	now, err := st.readCompleteness(&answers.Coverage{Since: noon.AddDate(0, 0, -2)})
	if err != nil || now.notes == 0 || len(now.people) > 0 {
		t.Errorf("%+v, %v", now, err)
	}
}
