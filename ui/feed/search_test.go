package feed

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
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

func TestWhatIsWrongWithASearchIsSaid(t *testing.T) {
	a := openApp(t)
	for text, want := range map[string]string{
		"from:":                       "Type a name after “from:”.",
		"dog since:":                  "Type a time after “since:”: today, 7d or 2026-03-01.",
		"#":                           "Type a hashtag after “#”.",
		"dog lang:":                   "Type a language after “lang:”: en, de, ja.",
		"from:nobodyatall":            "Nobody stored here is called “nobodyatall”.",
		`dog -to:"Nobody at all"`:     "Nobody stored here is called “Nobody at all”.",
		"since:whenever":              "“since:whenever” is not a time. Type today, yesterday, 24h, 7d or 2026-03-01.",
		"since:1d until:5d":           "“since:” is later than “until:”, so there is nothing between them.",
		"has:":                        "After “has:”, type what the note has: image, video, audio, link, article or quote.",
		"dog has:sound":               "“has:sound” is not known; has:image, has:video, has:audio, has:link, has:article and has:quote are.",
		"kind:letter":                 "“kind:letter” is not known; kind:note, kind:article, kind:picture, kind:comment and is:reply are, among others.",
		"lang:klingon":                "“lang:klingon” is not a language. Type its code: lang:en, lang:de, lang:ja.",
		"site:here":                   "“site:here” is not a site. Type it like site:github.com.",
		"dog sort:new":                "“sort:new” is not known here. Put it in quotes to find it as words.",
		"???":                         "Only words can be found, not punctuation.",
		strings.Repeat("long ", 2000): "This is too long to search for.",
	} {
		read, err := readSearch(t.Context(), a, text, false)
		if err != nil {
			t.Fatalf("%.40s: %v", text, err)
		}
		if read.kind == noTrouble {
			t.Errorf("%.40s: nothing is wrong", text)
			continue
		}
		if got := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(troubleWords(read.trouble)); got != want {
			t.Errorf("%.40s: %q, want %q", text, got, want)
		}
	}
}

func TestSuggestionsGoOnWithTheLastWord(t *testing.T) {
	a := openApp(t)
	tags, err := a.Notes().SuggestHashtags(t.Context(), "", 10)
	if err != nil || len(tags) < 5 {
		t.Fatalf("%d usual hashtags (%v)", len(tags), err)
	}
	for text, want := range map[string]string{
		"dog from:wre":        "dog from:wren ",
		`dog from:"Wren Tal`:  `dog from:wren `,
		"#" + tags[0].Tag[:2]: "#" + tags[0].Tag + " ",
		"dog -has:au":         "dog -has:audio ",
		"is:r":                "is:reply ",
		"a since:y":           "a since:yesterday ",
	} {
		found, err := suggest(t.Context(), a, text)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v (%v)", text, found, err)
			continue
		}
		if found[0].text != want {
			t.Errorf("%s: goes on as %q, want %q", text, found[0].text, want)
		}
		if read, err := readSearch(t.Context(), a, found[0].text, true); err != nil || read.kind != noTrouble {
			t.Errorf("%s: what is suggested cannot be read: %v %v", text, read.trouble, err)
		}
	}
	if found, _ := suggest(t.Context(), a, "from: dog"); len(found) > 0 {
		t.Errorf("behind a finished word stands %v", found)
	}
}

func TestTheSearchFollowsTheKeys(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	pictures := &loads{}
	st.env.Pictures, st.env.Look.ShowFollowed = pictures, true
	s := NewSearch(st.env)
	st.show(s)
	s.Focus(st.window.Canvas())
	if h := s.chips.Objects[0].MinSize().Height; h > 24.5 {
		t.Errorf("the chips are %v points high, where the picture has 24", h)
	}
	test.Type(s.entry, "relay ") // with the space the word is whole
	st.until("the notes are there", func() bool { return s.read().text == "relay" && s.list.count() > 0 })
	st.settle()
	if got := s.summary.String(); got != "4 notes by 3 people, from what is stored here" {
		t.Errorf("the line says %q", got)
	}
	marked := false
	for _, p := range cardOf(s.list.rows.Row(s.list.rows.IDs()[0])).Note().Body {
		for _, sp := range p {
			marked = marked || sp.Mark && strings.EqualFold(sp.Text, "relay")
		}
	}
	if !marked {
		t.Error("what is looked for is not marked")
	}
	s.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	first, _ := idOf(s.list.rows.IDs()[0])
	if want := "thread " + first.String(); st.Calls.Last() != want {
		t.Errorf("Enter on the first result led to %q, want %q", st.Calls.Last(), want)
	}

	s.SetQuery("wren")
	st.settle()
	toPeople(s)
	st.settle()
	if ids := s.list.rows.IDs(); len(ids) == 0 || !strings.HasPrefix(ids[0], "person:") {
		t.Fatalf("nobody is found: %d rows", len(ids))
	}
	wren := s.list.rows.Row(s.list.rows.IDs()[0]).(*personRow)
	if wren.face.url == "" || !slices.Contains(pictures.urls, wren.face.url) {
		t.Errorf("the picture %q is not shown; loaded %q", wren.face.url, pictures.urls)
	}
	wren.press.Tapped(nil)
	if !strings.HasPrefix(st.Calls.Last(), "profile ") {
		t.Errorf("a click on a person led to %q", st.Calls.Last())
	}
	st.Calls.Log = nil
	s.Focus(st.window.Canvas())
	s.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !strings.HasPrefix(st.Calls.Last(), "profile ") {
		t.Errorf("the keys on a person led to %q", st.Calls.Last())
	}

	s.SetQuery("wordthatnobodywrites")
	st.settle()
	if s.body.Objects[0] == fyne.CanvasObject(s.list.rows) {
		t.Error("nothing found is not said")
	}
	s.SetQuery("")
	st.settle()
	if s.line.Visible() || s.list.count() > 0 {
		t.Error("an empty search shows something")
	}
}

// toPeople chooses the tab of people.
func toPeople(s *Search) {
	if s.read().tab != peopleTab {
		s.choose(int(peopleTab))
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

func TestFiltersStandBesideTheFieldInWords(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	s.SetQuery(`relay from:ada since:7d has:image -is:reply "exact from:ada" lamp OR from:wren`)
	st.settle()
	if want := `relay "exact from:ada" lamp OR from:wren`; s.entry.Text != want {
		t.Errorf("the field has %q, want %q", s.entry.Text, want)
	}
	if want := []string{"from:ada", "since:7d", "has:image", "-is:reply"}; !slices.Equal(s.filters, want) {
		t.Errorf("filters %q, want %q", s.filters, want)
	}
	var shown []string
	for _, o := range s.chips.Objects[:len(s.filters)] {
		shown = append(shown, strings.NewReplacer("\u2068", "", "\u2069", "").Replace(o.(*widgets.Picker).Text()))
	}
	if want := []string{"From ada", "Last 7 days", "With picture", "No replies"}; !slices.Equal(shown, want) {
		t.Errorf("the chips say %q, want %q", shown, want)
	}
	query := s.Query()
	s.SetQuery(query)
	if s.Query() != query {
		t.Errorf("%q comes back as %q", query, s.Query())
	}
	s.chips.Objects[1].(*widgets.Picker).Tapped(nil)
	if strings.Contains(s.Query(), "since:") {
		t.Errorf("a removed filter stays: %q", s.Query())
	}
	s.SetQuery("has:image")
	s.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	if s.Query() != "" {
		t.Errorf("Backspace in the empty field leaves %q", s.Query())
	}
	for _, op := range append(offered(), more()...) {
		s.SetQuery("")
		if s.insert(op); s.Query() != op.insert {
			t.Errorf("%s asks for %q, not %q", op.label, s.Query(), op.insert)
		}
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

func TestWhatIsWrongIsShownAtItsPlace(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	s.SetQuery("a relay has:sound since:7d")
	st.settle()
	got := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s.summary.String())
	if !strings.HasPrefix(got, "“has:sound” is not known") || !strings.HasSuffix(got, "  since:7d a relay has:sound") {
		t.Errorf("the line says %q", got)
	}
}

func TestTheLastWordStandsForItsBeginningsOnlyWhileItIsTyped(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	s.Focus(st.window.Canvas())
	test.Type(s.entry, "rela")
	st.until("the notes are there", func() bool { return s.read().text == "rela" && s.list.count() > 0 })
	s.entry.OnSubmitted("")
	st.until("the whole word is looked for", func() bool { return s.read().text == "rela" && !s.list.reading && s.list.count() == 0 })
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

func TestEscapeInTheSearchClearsOnlyWhatWasJustTyped(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	s := NewSearch(st.env)
	st.show(s)
	s.Focus(st.window.Canvas())
	escape := func() { st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }
	test.Type(s.entry, "relay")
	st.until("the notes are there", func() bool { return s.read().text == "relay" && s.list.count() > 0 })
	cardOf(s.list.rows.Row(s.list.rows.IDs()[0])).Tapped(&fyne.PointEvent{})
	for _, when := range []string{"a note is opened", "one came back from it"} {
		st.Calls.Log = nil
		escape()
		if s.entry.Text != "relay" || st.Calls.Last() != "back" {
			t.Errorf("when %s, Escape leaves %q and leads %q", when, s.entry.Text, st.Calls.Last())
		}
		s.Focus(st.window.Canvas())
	}
	st.Calls.Log = nil
	test.Type(s.entry, "s")
	escape()
	if s.entry.Text != "" || len(st.Calls.Log) > 0 {
		t.Errorf("when words were typed, Escape leaves %q and leads to %q", s.entry.Text, st.Calls.Log)
	}
	escape()
	if st.Calls.Last() != "back" {
		t.Error("in the empty field Escape does not lead back")
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
