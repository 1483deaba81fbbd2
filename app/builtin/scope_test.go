package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

func countIn(t *testing.T, r *reader, args string) tools.CountResult {
	t.Helper()
	tool, _ := tools.Builtin().Get("count")
	res, err := tool.Call(t.Context(), r.env(), []byte(args))
	if err != nil {
		t.Fatal(err)
	}
	return res.(tools.CountResult)
}

// TestScopesOnTheSample asks one store about what is open.
func TestScopesOnTheSample(t *testing.T) {
	r, w := sampleReader(t)
	t.Run("everyone", func(t *testing.T) { aDigestOfEveryoneCountsAllStoredNotesAndSaysSo(t, r) })
	t.Run("thread", func(t *testing.T) { summarisingAnOpenThreadCitesItsNotes(t, r, w) })
	t.Run("person", func(t *testing.T) { askingOnAProfileTellsOfThatPerson(t, r, w) })
}

func aDigestOfEveryoneCountsAllStoredNotesAndSaysSo(t *testing.T, r *reader) {
	r.scope = builtin.Scope{Everyone: true}
	since := noon.AddDate(0, 0, -2).Unix()
	all := countIn(t, r, fmt.Sprintf(`{"context":"any","kind":[1,1111,30023],"since":%d,"until":%d,"include_replies":true}`, since, noon.Unix()))
	followed := countIn(t, r, fmt.Sprintf(`{"context":"home","kind":[1,1111,30023],"since":%d,"until":%d,"include_replies":true}`, since, noon.Unix()))
	if all.Count <= followed.Count {
		t.Fatalf("the sample has %d notes, %d by people followed: nobody else", all.Count, followed.Count)
	}
	a := r.chat(t, "What happened in the last 2 days?", "details")
	for _, want := range []string{
		"These are all notes stored here",
		fmt.Sprintf("Read %d notes", all.Count), fmt.Sprintf("by %d people", all.Authors), "also by people you do not follow",
	} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%q is missing in\n%s", want, a)
		}
	}
	for _, wrong := range []string{"you follow talked", "Up to date"} {
		if strings.Contains(a.text, wrong) {
			t.Errorf("%q stands in\n%s", wrong, a)
		}
	}
	if checkQuotes(t, r, a) == 0 {
		t.Errorf("nothing is quoted:\n%s", a)
	}
	if a := r.ask(t, "How many notes were there in the last 2 days?"); !strings.HasPrefix(a.text, fmt.Sprintf("%d notes by %d people", all.Count, all.Authors)) {
		t.Errorf("want %d notes by %d people:\n%s", all.Count, all.Authors, a)
	}
	if a := r.ask(t, "Was habe ich seit gestern verpasst?"); !strings.Contains(a.text, "auch von Personen, denen du nicht folgst") {
		t.Errorf("not about everyone:\n%s", a)
	}
}

func summarisingAnOpenThreadCitesItsNotes(t *testing.T, r *reader, w *testworld.World) {
	id := mostAnswered(w, 1)[0]
	r.scope = builtin.Scope{Thread: id}
	tool, _ := tools.Builtin().Get("get_thread")
	res, err := tool.Call(t.Context(), r.env(), fmt.Appendf(nil, `{"note_id":%q}`, id))
	if err != nil {
		t.Fatal(err)
	}
	inThread := map[string]bool{}
	for _, n := range res.(tools.ThreadResult).Notes {
		inThread[n.Note.NoteID] = true
	}
	for _, question := range []string{
		"Summarise this thread", "Summarise", "What is this about?", "What happened here?", "Fasse diesen Thread zusammen", "Worum geht es?", "gist please",
	} {
		a := r.ask(t, question)
		if a.calls["get_thread"] != 1 || checkQuotes(t, r, a) < 2 {
			t.Errorf("%s: no summary of the thread:\n%s", question, a)
		}
		for _, n := range a.notes {
			if !inThread[n] {
				t.Errorf("%s: cites %s, which is not in the thread", question, n)
			}
		}
	}
	if a := r.ask(t, "What did I miss since yesterday?"); a.calls["get_thread"] != 0 {
		t.Errorf("a question about other things was taken to be about the thread:\n%s", a)
	}
}

func askingOnAProfileTellsOfThatPerson(t *testing.T, r *reader, w *testworld.World) {
	ada := sampled(t, w, "Ada Lindqvist")
	r.scope = builtin.Scope{Person: ada.PubKey.String()}
	for question, want := range map[string]string{
		"What happened in the last 9 days?":             "What Ada Lindqvist wrote since",
		"Summarise":                                     "What Ada Lindqvist wrote since",
		"How many notes were there in the last 9 days?": " notes by Ada Lindqvist",
		"What does Ada Lindqvist write about?":          "What Ada Lindqvist wrote since",
		"What does this person write about?":            "What Ada Lindqvist wrote since",
		"Worüber schreibt diese Person?":                "Ada Lindqvist",
		"Who posted most in the last 9 days?":           " notes by Ada Lindqvist",
		"Top hashtags in the last 9 days":               " notes by Ada Lindqvist",
		"Search relay":                                  "by Ada Lindqvist with “relay”",
		"Search nosuchword":                             "No note by Ada Lindqvist here has",
	} {
		a := r.ask(t, question)
		if !strings.Contains(a.text, want) {
			t.Errorf("%s: %q is missing in\n%s", question, want, a)
		}
		for _, id := range a.notes {
			key, err := nostr.ParseID(id)
			if err != nil {
				t.Fatal(err)
			}
			if e, err := r.store.Event(t.Context(), key); err != nil || e.PubKey != ada.PubKey {
				t.Errorf("%s: cites a note that is not hers: %v", question, err)
			}
		}
	}
	if a := r.ask(t, "Who is Ben Okafor?"); strings.Contains(a.text, "Ada Lindqvist") {
		t.Errorf("a question about somebody else was taken to be about her:\n%s", a)
	}
}
