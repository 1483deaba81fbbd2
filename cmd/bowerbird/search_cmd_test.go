package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
	"bowerbird/tools"
)

// TestTheSameTextFindsTheSameNotesEverywhere asks the terminal in its three ways; that
// the window asks as the tools do is tested beside it (ui/feed).
func TestTheSameTextFindsTheSameNotesEverywhere(t *testing.T) {
	data := t.TempDir()
	ask := func(args ...string) string {
		r := bowerbird(t, "", append([]string{"--data", data, "--sample", "--json"}, args...)...)
		if r.code != exitDone {
			t.Fatalf("%v: exit %d: %s", args, r.code, r.err)
		}
		return r.out
	}
	for _, text := range []string{
		"relay", `dog OR "the lamp"`, "from:ada", "#lua -is:reply", "has:link since:7d", "has:quote OR has:article", "is:article", "to:ada", "kind:note rel*", "lang:en bread",
		"猫", `from:"Wren Talaudi" until:yesterday`,
	} {
		searched := decode[searchAnswer](t, ask("search", "--limit", "200", text))
		var ids []string
		for _, n := range searched.Notes {
			ids = append(ids, n.NoteID)
		}
		if len(ids) == 0 && text != "猫" {
			t.Errorf("%s finds nothing", text)
		}
		q, err := search.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		whole := tools.SearchArgs(q)
		args, err := json.Marshal(tools.QueryArgs{
			Context: whole.Context, Search: whole.Search, Kind: whole.Kind, IncludeReplies: true, Limit: 200,
		})
		if err != nil {
			t.Fatal(err)
		}
		var queried []string
		for _, n := range decode[tools.QueryResult](t, ask("query", string(args))).Notes {
			queried = append(queried, n.NoteID)
		}
		if !slices.Equal(ids, queried) {
			t.Errorf("%s: search finds %d notes, query %d, or others", text, len(ids), len(queried))
		}
		limit := 200
		filter, err := json.Marshal(nostr.Filter{Search: text, Kinds: whole.Kind, Limit: &limit})
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for line := range strings.Lines(ask("req", string(filter))) {
			asked = append(asked, decode[struct{ ID string }](t, line).ID)
		}
		// A filter knows no mutes; the sample's reader mutes nobody who writes of these.
		if !slices.Equal(ids, asked) {
			t.Errorf("%s: search finds %d notes, req %d, or others", text, len(ids), len(asked))
		}
	}
}

func TestSearchMarksWhatItFoundAndGoesOnByItsCursor(t *testing.T) {
	data := t.TempDir()
	ask := func(args ...string) searchAnswer {
		r := bowerbird(t, "", append([]string{"--data", data, "--sample", "--json", "search"}, args...)...)
		if r.code != exitDone {
			t.Fatalf("%v: exit %d: %s", args, r.code, r.err)
		}
		return decode[searchAnswer](t, r.out)
	}
	for _, order := range []string{"newest", "best"} {
		all := ask("--order", order, "--limit", "50", "relay")
		first := ask("--order", order, "--limit", "2", "relay")
		rest := ask("--order", order, "--limit", "50", "--cursor", first.Cursor, "relay")
		if !first.Truncated || all.Total != len(all.Notes) || len(first.Notes)+len(rest.Notes) != len(all.Notes) {
			t.Fatalf("%s: %d and %d of %d notes", order, len(first.Notes), len(rest.Notes), all.Total)
		}
		for i, n := range append(first.Notes, rest.Notes...) {
			if n.NoteID != all.Notes[i].NoteID {
				t.Errorf("%s: note %d is another one in pages", order, i)
			}
			if len(n.Highlights) == 0 || !strings.EqualFold(n.Content[n.Highlights[0][0]:n.Highlights[0][1]], "relay") {
				t.Errorf("%s: %q is marked at %v", order, n.Content, n.Highlights)
			}
		}
	}
}

func TestAWrongSearchIsShownAtItsPlace(t *testing.T) {
	data := t.TempDir()
	for text, want := range map[string]string{
		"dog has:sound x": "  dog has:sound x\n      ^^^^^^^^^",
		"犬 since:never":   "  犬 since:never\n     ^^^^^^^^^^^",
		"from:nobodyhere": "^^^^^^^^^^^^^^^",
		"???":             "contains nothing to search for",
	} {
		for _, args := range [][]string{{"search", text}, {"req", `{"search":"` + text + `"}`}} {
			if text == "???" && args[0] == "req" {
				continue // finds nothing
			}
			r := bowerbird(t, "", append([]string{"--data", data, "--sample"}, args...)...)
			if r.code != exitUsage || !strings.Contains(r.err, want) {
				t.Errorf("%v: exit %d:\n%s\nwant\n%s", args, r.code, r.err, want)
			}
		}
	}
}

func TestHowFarAMigrationIsIsToldOncePerTenth(t *testing.T) {
	var err strings.Builder
	tell := (&program{streams: streams{err: &err}, line: newProgressLine(&err)}).sayPreparing()
	for done := range 2001 {
		tell(app.BringingAlong, done, 2000)
	}
	if got := strings.Count(err.String(), "\n"); got != 11 || !strings.HasSuffix(err.String(), ": 100%\n") {
		t.Errorf("%d lines: %s", got, err.String())
	}
}

func TestASearchAmongNoNotesSaysWhatToDo(t *testing.T) {
	data := t.TempDir()
	if r := bowerbird(t, "", "--data", data, "search", "relay"); r.code != exitDone || !strings.Contains(r.err, "There are no notes yet") || strings.Contains(r.err, "0 of 0") {
		t.Errorf("exit %d: %q", r.code, r.err)
	}
	if r := bowerbird(t, "", "--data", data, "--sample", "search", "nosuchwordanywhere"); r.code != exitDone || strings.Contains(r.err, "There are no notes yet") {
		t.Errorf("in the sample: exit %d: %q", r.code, r.err)
	}
}
