package chat

import (
	"context"
	"image"
	"slices"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
)

func TestPeopleAndNotesInATableHaveTheirNames(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	id := noteIDs(t, st, 1)[0]
	n, err := st.reader.Note(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	note, err := nostr.Code{Prefix: nostr.CodeNote, Event: id}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	st.open.turns = []answers.Turn{answered(t, st, 1, "Who?", "ollama:m", agent.Event{Step: 1, Type: agent.EventTable, Table: &tools.TableResult{
		Title: "Who", Columns: []tools.Column{{Key: "who"}, {Key: "what"}}, Rows: [][]string{{n.PubKey.Npub(), note}}, Numeric: []bool{false, false},
	}}, finish("stop"))}
	st.refresh()
	st.Settle()
	st.Picture("table-names")
	if got := st.names.named(nostr.Code{PubKey: n.PubKey}); got != present.Isolate(n.Author) {
		t.Errorf("the person is called %q, want %q", got, n.Author)
	}
	if got := st.names.named(nostr.Code{Event: id}); !strings.HasPrefix(got, present.Isolate(n.Author)+": ") {
		t.Errorf("the note is called %q", got)
	}
	shown := test.RenderToMarkup(st.Window.Canvas())
	if strings.Contains(shown, "npub1") || strings.Contains(shown, "note1") || !strings.Contains(shown, n.Author) {
		t.Error("the table shows codes")
	}
}

// pictures hands out a picture and keeps the addresses.
type pictures struct {
	mu    sync.Mutex
	asked []string
}

func (p *pictures) Load(_ context.Context, url string) (image.Image, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, url)
	return image.NewNRGBA(image.Rect(0, 0, 200, 100)), nil
}

func TestFacesInSourcesAreOnlyLoadedOfPeopleFollowedAndWhereThatIsChosen(t *testing.T) {
	a := openApp(t)
	follows := map[nostr.PubKey]bool{}
	keys, err := a.Notes().Contacts(t.Context(), a.Me())
	if err != nil {
		t.Fatal(err)
	}
	for _, pk := range keys {
		follows[pk] = true
	}
	follows[a.Me()] = true // one's own face is like theirs
	for _, chosen := range []bool{false, true} {
		p := &pictures{}
		st := setStageWith(t, a, plain, window, func(env *screen.Env) {
			env.Pictures, env.Look.ShowFollowed = p, chosen
		})
		find := st.faces.find
		st.faces.find = func(ctx context.Context, pk nostr.PubKey) (string, bool, error) { // nobody in the sample has a picture
			_, followed, err := find(ctx, pk)
			return "https://faces.example/" + pk.String(), followed, err
		}
		st.open.scope.Everyone = true
		st.askIt("What did I miss in the last 9 days?")
		st.list.ScrollTo(st.seen.rowID(rowSource, 0, "1"))
		st.Settle()
		for _, source := range sourcesOf(st.open.turns[0]).List {
			st.faces.get(source.PubKey)
		}
		st.Settle()
		st.Picture("faces")
		shown := 0
		for pk, img := range st.faces.known {
			switch {
			case img != nil && !follows[pk]:
				t.Errorf("the picture of the stranger %s is shown", pk)
			case img != nil:
				shown++
				if b := img.Bounds(); b.Dx() > faceSide || b.Dy() > faceSide {
					t.Errorf("it is kept at %v", b)
				}
			}
		}
		if len(follows) == 0 || slices.ContainsFunc(p.asked, func(url string) bool {
			pk, err := nostr.ParsePubKey(strings.TrimPrefix(url, "https://faces.example/"))
			return err != nil || !follows[pk]
		}) {
			t.Errorf("asked for are %v", p.asked)
		}
		if chosen != (shown > 0) || chosen != (len(p.asked) > 0) {
			t.Errorf("chosen %v: %d shown, %d fetched", chosen, shown, len(p.asked))
		}
	}
}

func TestANameInATableLeadsToThePerson(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	people, err := st.reader.Named(t.Context())
	if err != nil || len(people) < 3 {
		t.Fatal(len(people), err)
	}
	rows := [][]string{}
	for name := range people {
		if rows = append(rows, []string{name, "2026-11-21T20:00:00Z"}); len(rows) == 3 {
			break
		}
	}
	result := &tools.TableResult{Columns: []tools.Column{{Key: "name"}, {Key: "last"}}, Rows: rows}
	st.open.turns = []answers.Turn{{Number: 1, ID: "1", Question: "Who?", Blocks: []answers.Block{&answers.Table{Call: "1", TableResult: result}}}}
	st.refresh()
	st.Settle()
	st.Picture("names")
	shown := test.RenderToMarkup(st.Window.Canvas())
	if got := strings.Count(shown, "*widgets.Avatar"); got != 3 {
		t.Errorf("%d faces are shown", got)
	}
	if strings.Contains(shown, "2026-11-21") {
		t.Error("a time is shown as programs write it")
	}
}
