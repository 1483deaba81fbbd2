package tools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

func TestTwoHundredNotesReachASmallModelWhole(t *testing.T) {
	v := newVillage(t)
	v.Put(v.bo.Notes(200, func(i int) (string, time.Duration) {
		return strings.Repeat(fmt.Sprint("word", i, " \u202e<b>\x07 "), 200), time.Duration(i) * time.Second
	})...)
	res := query(t, v.World, `{"limit":200}`)
	limits := []int{512, 5_000, 32_000, 700, 1000, 20_000, 64_000}
	if testing.Short() {
		limits = limits[:3]
	}
	for _, limit := range limits {
		var got struct {
			Total, Returned int
			LeftOut         int `json:"left_out"`
			Cursor          string
			Notes           []struct {
				NoteID  string `json:"note_id"`
				Content string
			}
		}
		text := res.ForModel(limit)
		if len(text) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(text))
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
		if len(got.Notes) != got.Returned || got.Returned+got.LeftOut != 200 || got.Total != 203 {
			t.Errorf("limit %d: %d notes, %d left out of %d", limit, got.Returned, got.LeftOut, got.Total)
		}
		if limit >= 32_000 && got.Returned != 200 {
			t.Errorf("limit %d holds only %d notes", limit, got.Returned)
		}
		for i, n := range got.Notes {
			if n.NoteID != res.Notes[i].NoteID[:16] || !strings.HasSuffix(n.Content, "…") || strings.ContainsAny(n.Content, "\u202e\x07") || strings.Contains(text, "<") {
				t.Errorf("limit %d, note %d: %+v", limit, i, n)
			}
		}
		if got.LeftOut > 0 && got.Returned > 0 {
			next := query(t, v.World, fmt.Sprintf(`{"limit":1,"cursor":%q}`, got.Cursor))
			if next.Notes[0].NoteID != res.Notes[got.Returned].NoteID {
				t.Errorf("limit %d: the cursor does not go on behind the last note shown", limit)
			}
		}
	}
}

func TestPeopleOfOneNameAreToldApartByTheirKeys(t *testing.T) {
	v := newVillage(t)
	other := v.Person("other", "ADA")
	other.Note("another one", time.Minute)
	v.Person("nameless", "").Note("no profile", time.Minute)
	text := query(t, v.World, `{"context":"any"}`).ForModel(64_000)
	for _, pk := range []nostr.PubKey{v.ada.Key, other.Key} {
		if !strings.Contains(text, pk.String()) {
			t.Errorf("no key for %s", pk)
		}
	}
	if strings.Contains(text, v.bo.Key.String()) {
		t.Error("a key where the name says who it is")
	}
}

// Row 001-7: notes as a model reads them, and as the terminal does; a content that is cut
// ends with a mark.
func TestNotesLookAsInTheGoldenFile(t *testing.T) {
	v := newVillage(t)
	v.ada.Note(strings.Repeat("All of it. ", 300), time.Minute)
	res := query(t, v.World, `{"include_replies":true,"limit":3}`)
	full, err := json.MarshalIndent(res, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var short bytes.Buffer
	if err := json.Indent(&short, []byte(res.ForModel(2*tools.MinForModel)), "", " "); err != nil {
		t.Fatal(err)
	}
	got := "# for a model with little room\n" + short.String() + "\n# in full\n" + string(full) + "\n"
	path := filepath.Join("testdata", "notes.golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("notes look otherwise:\n%s", got)
	}
}

func TestNotesAreShownTheSameByEveryTool(t *testing.T) {
	v := newVillage(t)
	v.cy.Post(tooltest.Post{Kind: 7, Content: "+", Ago: time.Minute, Tags: nostr.Tags{{"e", v.root.ID.String()}, {"p", v.ada.Key.String()}}})
	fromQuery := query(t, v.World, `{"search":"down"}`).Notes[0]
	id := fmt.Sprintf(`{"note_id":%q}`, v.root.ID.String()[:16])
	fromNote := tooltest.Call(t, builtin(t, "get_note"), v.Env(), id).(tools.NoteResult).Note
	fromThread := tooltest.Call(t, builtin(t, "get_thread"), v.Env(), id).(tools.ThreadResult).Notes[0].Note
	if fromQuery.Reactions != 1 || fromQuery.Replies != 1 {
		t.Errorf("counters %+v", fromQuery)
	}
	fromQuery.Event, fromNote.Event, fromThread.Event = nil, nil, nil
	if fromQuery != fromNote || fromNote != fromThread {
		t.Errorf("query %+v\nget_note %+v\nget_thread %+v", fromQuery, fromNote, fromThread)
	}
	if !slices.Equal([]string{fromQuery.Name, fromQuery.CreatedAt}, []string{"Ada", "2026-05-03T10:00:00+02:00"}) {
		t.Errorf("got %+v", fromQuery)
	}
}
