package feed

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

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
