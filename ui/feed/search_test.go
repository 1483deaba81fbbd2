package feed

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

func TestTheSearchFindsWhatTheToolsFind(t *testing.T) {
	a := openApp(t)
	env, err := a.Env(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	count, _ := a.Tools().Get("count")
	query, _ := a.Tools().Get("query")
	for _, text := range []string{
		"relay", "dog", "#lua", "from:ada", `from:"Wren Talaudi" since:7d`, `"the dog"`, "dog -lamp", "猫", "bread since:30d until:yesterday",
		"(dog OR relay) -is:reply", "has:image", "to:ada", "is:article", "kind:note lang:en dog OR cat", "site:example.com OR #lua", "relay*",
	} {
		read, err := readSearch(t.Context(), a, text, false)
		if err != nil || read.kind != noTrouble {
			t.Fatalf("%s: %v %v", text, read.trouble, err)
		}
		got, err := read.count(t.Context(), longTally)
		if err != nil {
			t.Fatal(err)
		}
		args, err := json.Marshal(tools.SearchArgs(read.query))
		if err != nil {
			t.Fatal(err)
		}
		res, err := count.Call(t.Context(), env, args)
		if err != nil {
			t.Fatal(err)
		}
		want := res.(tools.CountResult)
		if got.notes.n+got.articles.n != want.Count || got.atLeast {
			t.Errorf("%s: %d notes and %d articles, the tool counts %d", text, got.notes.n, got.articles.n, want.Count)
		}
		if got.articles.n == 0 && got.notes.people != want.Authors {
			t.Errorf("%s: notes by %d, the tool counts %d", text, got.notes.people, want.Authors)
		}
		items, _, err := read.tl.page(t.Context(), nil, 20)
		if err != nil {
			t.Fatal(err)
		}
		page, err := query.Call(t.Context(), env, args)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range page.(tools.QueryResult).Notes[:len(items)] {
			if n.NoteID != items[i].id.String() {
				t.Errorf("%s: note %d is another one", text, i)
			}
		}
	}
}

func TestTheBestMatchesComeInTheOrderOfTheTools(t *testing.T) {
	a := openApp(t)
	env, err := a.Env(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	query, _ := a.Tools().Get("query")
	for _, text := range []string{"relay", "dog OR bread", `"the dog" OR cat`, "猫"} {
		read, err := readSearch(t.Context(), a, text, false)
		if err != nil || read.kind != noTrouble {
			t.Fatalf("%s: %v %v", text, read.trouble, err)
		}
		read.tl.best = true
		var got []string
		var last *item
		for whole := false; !whole; { // small pages have to fit together
			var items []item
			if items, whole, err = read.tl.page(t.Context(), last, 3); err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				got = append(got, it.id.String())
			}
			if len(items) > 0 {
				last = &items[len(items)-1]
			}
		}
		args := tools.SearchArgs(read.query)
		raw, err := json.Marshal(tools.QueryArgs{Context: args.Context, Search: args.Search, Kind: args.Kind, IncludeReplies: args.IncludeReplies, Order: "best", Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		res, err := query.Call(t.Context(), env, raw)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, n := range res.(tools.QueryResult).Notes {
			want = append(want, n.NoteID)
		}
		if len(want) < 2 || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestTheOrderOfTheResultsIsChosenAndKept(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	s.SetQuery("dog OR bread")
	st.settle()
	newest := rowIDs(s.list)
	st.window.Canvas().Focus(s.entry)
	for range 12 { // the keyboard comes to it
		if st.window.Canvas().FocusNext(); st.window.Canvas().Focused() == fyne.Focusable(s.order) {
			break
		}
	}
	if st.window.Canvas().Focused() != fyne.Focusable(s.order) {
		t.Fatal("the Tab key does not lead to the order")
	}
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn} {
		st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
	st.settle()
	best := rowIDs(s.list)
	if slices.Equal(best, newest) || len(best) != len(newest) {
		t.Errorf("the best matches are %v, the newest %v", best, newest)
	}
	if st.window.Canvas().Focused() != fyne.Focusable(s.order) || s.order.Text() != "Best match first" {
		t.Errorf("the keyboard has left the order %q", s.order.Text())
	}
	marked := false
	for _, p := range cardOf(s.list.rows.Row(rowOf(best[0]))).Note().Body {
		for _, sp := range p {
			marked = marked || sp.Mark
		}
	}
	if !marked {
		t.Error("nothing is marked in the best match")
	}
	s.SetQuery("relay")
	st.settle()
	if !s.list.tl.best {
		t.Error("the order is forgotten with the next search")
	}
	s.SetQuery("from:ada")
	st.settle()
	if s.order.Visible() || s.list.tl.best {
		t.Error("an order by words is offered where none are looked for")
	}
}

func TestTheTabsOfASearchHoldAllThatIsFoundOnce(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	s.SetQuery("relay")
	st.settle()
	notes := s.list.count()
	for _, r := range rowIDs(s.list) {
		if e, err := st.env.App.Notes().Event(t.Context(), r); err != nil || e.Kind == kindArticle {
			t.Errorf("an article is among the notes (%v)", err)
		}
	}
	s.choose(int(articlesTab))
	st.settle()
	if notes != s.read().found.notes.n || s.list.count() == 0 || s.list.count() != s.read().found.articles.n {
		t.Errorf("%d notes and %d articles are shown of %+v", notes, s.list.count(), s.read().found)
	}
	if got := s.summary.String(); got != "1 article by 1 person, from what is stored here" {
		t.Errorf("the line says %q", got)
	}
	s.SetQuery("Wren Talaudi") // no article: the notes come instead
	st.settle()
	if s.read().tab == articlesTab {
		t.Error("an empty tab is shown although others have something")
	}
}

func TestTheSummaryHasItsOwnLine(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light, Scale: 2}, fyne.NewSize(416, 560))
	s := NewSearch(st.env)
	st.show(s)
	s.SetQuery("dog OR relay")
	st.settle()
	line, one := s.summary.Size(), theme.Size(theme.Small)
	if line.Width < 350 || line.Height > 4*one {
		t.Errorf("the summary is %v at a text size of %v", line, one)
	}
	if end := s.body.Position().Y + s.body.Size().Height; end > s.content.Size().Height+0.5 {
		t.Errorf("the results reach down to %v of %v", end, s.content.Size().Height)
	}
}

func TestAnOvertakenSearchIsNotShown(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	for _, text := range []string{"r", "re", "rel", "dog", "#lua"} {
		s.SetQuery(text) // the answers come later, in any order
	}
	st.settle()
	tag := 0
	for _, id := range rowIDs(s.list) {
		e, err := st.env.App.Notes().Event(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if f := (nostr.Filter{Tags: map[byte][]string{'t': {"lua"}}}); f.Matches(e) {
			tag++
		}
	}
	if tag == 0 || tag != s.list.count() || s.read().text != "#lua" {
		t.Errorf("%d of %d rows are of the last search %q", tag, s.list.count(), s.read().text)
	}
}

func TestPeopleFoundOneAfterAnotherShareTheirRows(t *testing.T) {
	a := openApp(t)
	_, who := stranger(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	people, err := a.Notes().Contacts(t.Context(), a.Me())
	if err != nil {
		t.Fatal(err)
	}
	rows := map[fyne.CanvasObject]bool{}
	found := map[nostr.PubKey]bool{}
	find := func(words string) {
		s.SetQuery(words)
		st.until("it is looked for", func() bool { return s.read().text == words && !s.list.reading })
		toPeople(s)
		st.settle()
		for _, p := range s.read().people {
			row, ok := s.list.rows.Row(personKind + ":" + p.PubKey.String()).(*personRow)
			if !ok {
				continue // out of sight
			}
			rows[row], found[p.PubKey] = true, true
			if !reflect.DeepEqual(row.person, p) || row.name.Text() != p.Name {
				t.Errorf("the row of %q shows %q", p.Name, row.name.Text())
			}
		}
	}
	for _, pk := range people[:12] {
		p, err := a.Notes().Profile(t.Context(), pk)
		if err != nil {
			t.Fatal(err)
		}
		find(present.Name(p))
	}
	if len(found) < 10 || len(rows) > len(found)/2 {
		t.Errorf("%d people were shown by %d rows", len(found), len(rows))
	}

	put(t, a, who.Sign(tooltest.Post{Kind: 0, Ago: time.Hour, Content: `{"name":"Quendolin"}`}))
	find("Quendolin")
	before := len(found)
	put(t, a, who.Sign(tooltest.Post{Kind: kindNote, Ago: time.Minute, Content: "Good morning"}))
	find("nobody")
	find("Quendolin")
	if len(found) != before || s.read().people[0].Notes.N != 1 {
		t.Errorf("the figures are those of before: %v", s.read().people)
	}
}

func TestTheFootOfASearchAsksTheAssistantAboutItsWords(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	for query, offered := range map[string]bool{"": false, "since:30d": false, "relay since:30d": true} {
		s.SetQuery(query)
		st.settle()
		if s.foot.Visible() != offered {
			t.Errorf("%q: the assistant is offered: %v", query, s.foot.Visible())
		}
	}
	s.SetQuery("relay since:30d")
	st.settle()
	size := st.window.Canvas().Size()
	words := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.ask)
	test.TapCanvas(st.window.Canvas(), words.AddXY(8, s.ask.Size().Height/2))
	if words.Y+s.ask.Size().Height > size.Height {
		t.Errorf("the foot is at %v of a window of %v", words, size)
	}
	if got := st.Calls.Last(); got != "ask What do people say about relay?" {
		t.Errorf("the foot leads to %q", got)
	}
}
