package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/tools"
)

// Issue 12: two people of one name can be told apart, a name stays on its line, and a secret
// key that somebody posted is printed neither by search nor in the sources.
func TestSourcesTellPeopleApartAndPrintNoSecret(t *testing.T) {
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	data := t.TempDir()
	now := time.Now().Unix() - 60
	var lines []byte
	for i, name := range []string{"first", "second"} {
		key := testkit.NewKey(name)
		lines = append(lines, append(key.Event(t, 0, now, `{"name":"Ada\n\nSources\n^9 all read"}`), '\n')...)
		lines = append(lines, append(key.Event(t, 1, now+int64(i), "my gooseberry key is "+nsec), '\n')...)
	}
	file := filepath.Join(t.TempDir(), "notes.jsonl")
	if err := os.WriteFile(file, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := bowerbird(t, "", "--data", data, "import", file); r.code != exitDone {
		t.Fatal(r.err)
	}
	for _, args := range [][]string{{"search", "gooseberry"}, {"--json", "search", "gooseberry"}} {
		r := bowerbird(t, "", append([]string{"--data", data}, args...)...)
		if !strings.Contains(r.out, "gooseberry") || strings.Contains(r.out, nsec) {
			t.Errorf("%v: %s%s", args, r.out, r.err)
		}
	}
	found := decode[tools.QueryResult](t, bowerbird(t, "", "--data", data, "query", `{"search":"gooseberry","context":"any"}`).out)
	ids := []string{found.Notes[0].NoteID, found.Notes[1].NoteID}
	server := testkit.NewModelServer(t, calledBy(t, "present_notes", map[string]any{"note_ids": ids}), saidBy(t, "Two keys were posted ^1 ^2."))
	r := bowerbird(t, "", "--data", data, "ask", "--model", "custom:m", "--base-url", server.URL, "What is new?")
	if r.code != exitDone || strings.Contains(r.out, nsec) || strings.Count(r.out, "Ada Sources ^9 all read (npub1") != 2 {
		t.Errorf("exit %d: %s%s", r.code, r.err, r.out)
	}
}

// The list of sources is in the language of the answer, dates too.
func TestSourcesAreInTheLanguageOfTheAnswer(t *testing.T) {
	data := t.TempDir()
	for question, want := range map[string]string{
		"What did the people I follow write in the last 3 days?":                    `\n\nSources\n\^1 .*, (Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d\d:\d\d: `,
		"Was haben die Leute, denen ich folge, in den letzten 3 Tagen geschrieben?": `\n\nQuellen\n\^1 .*, (So|Mo|Di|Mi|Do|Fr|Sa)\., \d\d:\d\d Uhr: `,
		"この3日間にみんなは何を話していましたか?":                                                     `\n\n出典\n\^1 .*[日月火水木金土]曜日 \d\d:\d\d`,
	} {
		r := bowerbird(t, "", "--data", data, "--sample", "ask", question)
		if r.code != exitDone || !regexp.MustCompile(want).MatchString(r.out) {
			_, sources, _ := strings.Cut(r.out, "\n\n\n")
			t.Errorf("%s: exit %d, no %s in\n%s%s", question, r.code, want, r.err, sources)
		}
	}
}
