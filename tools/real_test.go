package tools_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// realReader follows many of the authors of the real events.
const realReader = "7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e"

// realWorld is the shared set of real events, as realReader sees it. Short tests
// take every third of them, and all that name the reader.
func realWorld(t testing.TB) *tooltest.World {
	t.Helper()
	data, err := os.ReadFile(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var taken bytes.Buffer
	i := 0
	for line := range bytes.Lines(data) {
		if !testing.Short() || i%3 == 0 || bytes.Contains(line, []byte(realReader)) {
			taken.Write(line)
		}
		i++
	}
	w := tooltest.NewWorld(t)
	if _, err := w.Store.Import(t.Context(), &taken, ndb.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	me, err := nostr.ParsePubKey(realReader)
	if err != nil {
		t.Fatal(err)
	}
	w.Me = &tooltest.Person{Key: me}
	return w
}

func TestRealNotesAreFoundCountedAndGroupedAlike(t *testing.T) {
	w := realWorld(t)
	for _, filter := range []string{`"since":"2023-01-01"`, `"context":"any"`, `"context":"any","include_replies":true`, `"context":"any","kind":[1,6,7,30023,1111]`, `"context":"any","search":"nostr"`} {
		start := time.Now()
		n := tooltest.Call(t, builtin(t, "count"), w.Env(), `{`+filter+`}`).(tools.CountResult)
		seen, cursor := map[string]bool{}, ""
		for {
			page := query(t, w, fmt.Sprintf(`{"limit":200,"cursor":%q,%s}`, cursor, filter))
			for _, note := range page.Notes {
				if seen[note.NoteID] {
					t.Errorf("{%s}: %s comes twice", filter, note.NoteID)
				}
				seen[note.NoteID] = true
				if note.Name == "" || note.CreatedAtUnix == 0 {
					t.Errorf("{%s}: %+v", filter, note)
				}
			}
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		byAuthor := aggregate(t, w, `{"by":"author","limit":500,`+filter+`}`)
		if len(seen) != n.Count || n.Count == 0 || byAuthor.Total != n.Count {
			t.Errorf("{%s}: count %d, pages hold %d, groups %d", filter, n.Count, len(seen), byAuthor.Total)
		}
		t.Logf("{%s}: %d notes by %d people, %s", filter, n.Count, n.Authors, time.Since(start).Round(time.Millisecond))
	}
}

func TestRealThreadsHoldEachNoteOnceBelowItsParent(t *testing.T) {
	w := realWorld(t)
	replies, notes := 0, query(t, w, `{"context":"any","include_replies":true,"limit":200}`).Notes
	if testing.Short() {
		notes = notes[:len(notes)/3]
	}
	for _, n := range notes {
		if n.ReplyTo == "" {
			continue
		}
		replies++
		res, _ := thread(t, w, n.NoteID)
		depth, found := map[string]int{}, false
		for _, row := range res.Notes {
			if _, twice := depth[row.Note.NoteID]; twice {
				t.Errorf("%s stands twice in a thread", row.Note.NoteID)
			}
			depth[row.Note.NoteID] = row.Depth
			if parent, ok := depth[row.Note.ReplyTo]; row.Note.ReplyTo != "" && row.Depth > 0 && (!ok || parent != row.Depth-1) {
				t.Errorf("%s is not right below %s", row.Note.NoteID, row.Note.ReplyTo)
			}
			found = found || row.Note.NoteID == n.NoteID
		}
		if !found {
			t.Errorf("%s is not in its own thread", n.NoteID)
		}
	}
	if replies == 0 {
		t.Error("no replies among the newest notes")
	}
}

// Texts that try to command a model come out as JSON strings, and nothing in
// them closes the string, opens a tag or reaches another field.
func TestHostileTextsStayInsideTheirField(t *testing.T) {
	f, err := os.Open(testkit.Shared(t, "data", "hostile", "injection.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada")
	var events []*nostr.Event
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for i := 0; lines.Scan(); i++ {
		if testing.Short() && i%5 != 0 {
			continue
		}
		events = append(events, ada.Sign(tooltest.Post{Kind: 1, Content: lines.Text(), Ago: time.Duration(len(events)+1) * time.Second}))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	w.Put(events...)
	cursor, shown := "", 0
	for {
		page := query(t, w, fmt.Sprintf(`{"context":"any","limit":200,"cursor":%q}`, cursor))
		text := page.ForModel(64_000)
		if strings.ContainsAny(text, "<>\x1b\u202e\n") {
			t.Error("markup or control characters reach a model raw")
		}
		var got struct {
			Notes []struct {
				Name    string
				Content string
			}
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		for i, n := range got.Notes {
			shown++
			if n.Name != "Ada" || !strings.HasPrefix(clean.Text(page.Notes[i].Content), strings.TrimSuffix(n.Content, "…")) {
				t.Errorf("note %d reads %q by %q", i, n.Content, n.Name)
			}
		}
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	if shown != len(events) {
		t.Errorf("%d of %d shown", shown, len(events))
	}
}
