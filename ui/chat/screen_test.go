package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/assets"
	"bowerbird/ndb"
	"bowerbird/tools"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

var (
	plain  = theme.Options{Mode: theme.Light}
	window = fyne.NewSize(796, 804)
)

// press finds something by its name in the dump, in what is drawn, and presses it.
func (st *stage) press(name string) {
	st.t.Helper()
	o := st.named(name)
	if o == nil {
		st.t.Fatalf("nothing drawn is called %s", name)
	}
	o.(fyne.Tappable).Tapped(&fyne.PointEvent{})
	st.settle()
}

// named finds what is drawn under a name; nil for nothing.
func (st *stage) named(name string) fyne.CanvasObject {
	objects := []fyne.CanvasObject{st.window.Canvas().Content()}
	if top := st.window.Canvas().Overlays().Top(); top != nil {
		objects = append(objects, top)
	}
	for _, root := range objects {
		if o := findNamed(root, name); o != nil {
			return o
		}
	}
	return nil
}

func findNamed(o fyne.CanvasObject, name string) fyne.CanvasObject {
	if !o.Visible() {
		return nil
	}
	if named, ok := o.(interface{ DumpName() string }); ok && named.DumpName() == name {
		if _, can := o.(fyne.Tappable); can {
			return o
		}
	}
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		if found := findNamed(child, name); found != nil {
			return found
		}
	}
	return nil
}

func TestAQuestionIsAnsweredCitedAndLeadsToItsThread(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What did I miss since yesterday evening?")
	if got := st.rowKinds(); got != "question work said rest source source source more chart foot end" {
		t.Fatalf("shown are %s", got)
	}
	if st.composer.entry.Text != "" {
		t.Errorf("the field still holds %q", st.composer.entry.Text)
	}
	st.list.ScrollToTop()
	st.press("cite:1")
	lit := st.byID[st.seen.lit]
	if lit.kind != rowSource || lit.index != 0 || !lit.lit {
		t.Fatalf("lit is %+v", lit)
	}
	if o := st.list.Row(lit.id); o == nil {
		t.Error("the source is out of sight")
	}
	st.press("source:1")
	want := "thread " + sourcesOf(st.open.turns[0]).List[0].ID.String()
	if st.calls.last() != want {
		t.Errorf("went to %q, want %q", st.calls.last(), want)
	}
}

func TestADigestIsReadFromItsBeginning(t *testing.T) {
	st := setStage(t, openApp(t), plain, fyne.NewSize(480, 600))
	st.askIt("Top hashtags this week")
	st.askIt("What did I miss since yesterday evening?")
	question := st.list.Row(st.seen.rowID(rowQuestion, 1, ""))
	if question == nil || st.list.AtEnd() {
		t.Fatal("the question went out of sight")
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(question)
	if at.Y < theme.HeadHeight || at.Y > 200 {
		t.Errorf("the question stands at %v", at.Y)
	}
}

func TestACitationOfALaterSourceOpensTheList(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What did I miss since yesterday evening?")
	n := len(sourcesOf(st.open.turns[0]).List)
	st.cite(0, n)
	if r := st.byID[st.seen.lit]; r.index != n-1 || !r.lit || st.list.Row(r.id) == nil {
		t.Errorf("lit is %+v, drawn: %v", r, st.list.Row(r.id) != nil)
	}
	before := st.seen.lit
	st.cite(0, n+1) // no such source
	if st.seen.lit != before {
		t.Error("a citation of nothing led somewhere")
	}
}

func sourcesOf(t present.Turn) *present.Sources {
	for _, b := range t.Blocks {
		if s, ok := b.(*present.Sources); ok {
			return s
		}
	}
	return nil
}

func TestWhatIsOpenedStaysOpen(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What did I miss since yesterday evening?")
	st.list.ScrollToEnd()
	st.press("chat.sources")
	n := len(sourcesOf(st.open.turns[0]).List)
	if got := strings.Count(st.rowKinds(), rowSource); got != n {
		t.Errorf("%d of %d sources are shown", got, n)
	}
	st.list.ScrollToEnd()
	st.press("chat.notes")
	if got := strings.Count(st.rowKinds(), rowNote); got != n || len(st.notes) != n {
		t.Errorf("%d notes are shown, %d were read, of %d", got, len(st.notes), n)
	}
	st.askIt("Top hashtags this week")
	if got := strings.Count(st.rowKinds(), rowNote); got != n {
		t.Errorf("after another question %d notes are shown", got)
	}
}

// lookFor types into the search of the chats and waits for what it finds.
func (st *stage) lookFor(text string) {
	st.t.Helper()
	st.history.search.SetText(text)
	st.until("it was searched", func() bool { return st.history.query == text })
	st.settle()
}

func TestAnEditedQuestionIsAnotherVersionInTheSameChat(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	first := st.open.id
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if st.composer.entry.Text != "Top hashtags this week" {
		t.Fatalf("Up fetched %q", st.composer.entry.Text)
	}
	st.composer.setText("")
	st.askIt("Who posted most this week?")
	if len(st.open.turns) != 1 || st.open.id == first {
		t.Errorf("%d turns in chat %s, which was %s", len(st.open.turns), st.open.id, first)
	}
	st.picture("versions")
	if st.head.title.Text() != "Who posted most this week?" {
		t.Errorf("it is called %q", st.head.title.Text())
	}
	second := st.open.id
	st.press("chat.version.chevron-left")
	if st.open.id != first || len(st.open.turns) != 1 || st.open.turns[0].Question != "Top hashtags this week" {
		t.Errorf("the version before holds %+v", st.open.turns)
	}
	st.press("chat.version.chevron-left") // there is none
	st.press("chat.version.chevron-right")
	if st.open.id != second {
		t.Errorf("the later version is %s, want %s", st.open.id, second)
	}
	st.press("chat.history")
	if ids := st.history.list.IDs(); len(ids) != 1 || len(st.history.items[ids[0]].members) != 2 {
		t.Errorf("listed are %v", ids)
	}
	st.lookFor("hashtags")
	if ids := st.history.list.IDs(); !slices.Equal(ids, []string{first}) {
		t.Errorf("found are %v", ids)
	}
	st.history.remove(first)
	st.settle()
	st.lookFor("")
	if ids := st.history.list.IDs(); len(ids) != 0 {
		t.Errorf("after it was deleted %v are listed", ids)
	}
	st.calls.undo()
	st.settle()
	if ids := st.history.list.IDs(); len(ids) != 1 || len(st.history.items[ids[0]].members) != 2 {
		t.Errorf("back are %v", ids)
	}
}

func TestAskingAgainStaysInTheChat(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	st.askIt("Who posted most this week?")
	st.askIt("How many notes were there today?")
	st.act(1, present.AskAgain)
	st.until("it is answered", func() bool { return st.open.running == nil })
	st.settle()
	var questions []string
	for _, turn := range st.open.turns {
		questions = append(questions, turn.Question)
	}
	if want := []string{"Top hashtags this week", "Who posted most this week?"}; !slices.Equal(questions, want) {
		t.Errorf("the chat holds %q", questions)
	}
	if at, of := st.open.version(1); at != 2 || of != 2 {
		t.Errorf("it is version %d of %d", at, of)
	}
	if list, err := st.findChats(t.Context(), ""); err != nil || len(list) != 1 {
		t.Errorf("%d chats are listed: %v", len(list), err)
	}
	st.openVersion(1, -1)
	st.settle()
	if len(st.open.turns) != 3 {
		t.Errorf("the version before has %d turns", len(st.open.turns))
	}
}

func TestAQuestionThatCouldNotBeAskedAnewTakesNothingAway(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, plain, window)
	st.askIt("Top hashtags this week")
	st.askIt("Who posted most this week?")
	before := st.open.id
	if err := a.SaveSettings(func(s *app.Settings) { s.Assistant.Model = "openrouter:some/model" }); err != nil {
		t.Fatal(err)
	}
	st.Shown() // back from the settings
	st.settle()
	st.act(0, present.AskAgain)
	st.until("it failed", func() bool { return st.open.running == nil })
	st.settle()
	if got := st.rowKinds(); got != "question problem end" {
		t.Fatalf("shown are %s", got)
	}
	st.press("chat.do.builtin")
	st.until("the built-in has answered", func() bool { return st.open.running == nil })
	st.settle()
	if at, of := st.open.version(0); len(st.open.turns) != 1 || at != 2 || of != 2 {
		t.Errorf("%d turns, version %d of %d", len(st.open.turns), at, of)
	}
	c := st.newConversation()
	if err := c.load(t.Context(), before); err != nil || len(c.turns) != 2 {
		t.Errorf("the version before has %d turns: %v", len(c.turns), err)
	}
}

func TestADraftIsKeptWhileAnotherChatIsRead(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	first := st.open.id
	test.Type(st.composer.entry, "and then")
	st.press("chat.new")
	if st.composer.entry.Text != "" {
		t.Errorf("a new chat begins with %q", st.composer.entry.Text)
	}
	st.openChat(first)
	st.settle()
	if st.composer.entry.Text != "and then" {
		t.Errorf("the draft is %q", st.composer.entry.Text)
	}
}

func TestShiftAndEnterBreakTheLine(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	low := st.composer.box.Size().Height
	e := st.composer.entry
	test.Type(e, "one")
	e.KeyDown(&fyne.KeyEvent{Name: "LeftShift"})
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	e.KeyUp(&fyne.KeyEvent{Name: "LeftShift"})
	test.Type(e, "two")
	if e.Text != "one\ntwo" || st.open.running != nil {
		t.Errorf("the field holds %q", e.Text)
	}
	if st.composer.box.Size().Height <= low {
		t.Error("the field did not grow")
	}
}

func TestTheHistoryFindsRenamesDeletesAndBringsBack(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.open.id
	st.press("chat.new")
	st.askIt("Who posted most this week?")
	st.press("chat.history")
	if n := len(st.history.list.IDs()); n != 2 {
		t.Fatalf("%d chats are listed", n)
	}
	st.lookFor("hashtags")
	if ids := st.history.list.IDs(); len(ids) != 1 || ids[0] != id {
		t.Fatalf("the search found %v", ids)
	}
	st.lookFor("")
	st.history.remove(id)
	st.settle()
	if slices.Contains(st.history.list.IDs(), id) || st.calls.undo == nil {
		t.Fatalf("deleted, but listed: %v", st.history.list.IDs())
	}
	st.calls.undo()
	st.settle()
	if !slices.Contains(st.history.list.IDs(), id) {
		t.Error("it did not come back")
	}
	st.press("history:" + id)
	if st.history.shown || st.open.id != id || len(st.open.turns) != 1 {
		t.Errorf("opened is %q, %d turns", st.open.id, len(st.open.turns))
	}
}

func TestADigestIsCalledByItsTimeUnlessItWasRenamed(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt(firstQuestion())
	if title, beside := st.head.title.Text(), st.head.beside.Text(); title != "Since yesterday" || beside != "Wed 00:00 to now" {
		t.Errorf("it is called %q, %q", title, beside)
	}
	st.open.title = "My digest"
	st.head.draw()
	if title, beside := st.head.title.Text(), st.head.beside.Text(); title != "My digest" || beside != "" {
		t.Errorf("renamed it is called %q, %q", title, beside)
	}
}

func TestTheHistoryIsUsedByTheKeyboard(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.open.id
	st.press("chat.new")
	press := func(key fyne.KeyName) {
		t.Helper()
		st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
		st.settle()
	}
	open := func() {
		t.Helper()
		st.NewChat()
		st.showHistory(true)
		st.settle()
	}
	open()
	press(fyne.KeyDown)
	press(fyne.KeyReturn)
	if st.history.shown || st.open.id != id {
		t.Errorf("Down and Enter opened %q", st.open.id)
	}
	open()
	test.Type(st.history.search, "hashtags")
	st.settle()
	press(fyne.KeyReturn)
	if st.history.shown || st.open.id != id {
		t.Errorf("a search and Enter opened %q", st.open.id)
	}
	open()
	press(fyne.KeyEscape)
	if !st.history.shown || st.history.search.Text != "" {
		t.Errorf("Escape left the search at %q", st.history.search.Text)
	}
	press(fyne.KeyEscape)
	if st.history.shown || st.window.Canvas().Focused() != st.composer.entry {
		t.Error("Escape did not lead back to the chat")
	}
}

func TestAChatIsRenamedByEnterAndLeftByEscape(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.open.id
	st.press("chat.history")
	for _, test := range []struct {
		typed string
		key   fyne.KeyName
		title string
	}{
		{"Thrown away", fyne.KeyEscape, "Top hashtags this week"},
		{"", fyne.KeyReturn, "Top hashtags this week"},
		{"What was used", fyne.KeyReturn, "What was used"},
		{"What was used most", fyne.KeyEnter, "What was used most"},
	} {
		st.history.rename(id)
		field, ok := st.window.Canvas().Focused().(*widgets.Entry)
		if !ok {
			t.Fatalf("the keyboard is on %T", st.window.Canvas().Focused())
		}
		field.SetText(test.typed)
		field.TypedKey(&fyne.KeyEvent{Name: test.key})
		if test.typed == "" {
			if st.named("chat.rename.cancel") == nil {
				t.Error("an empty name closed the dialog")
			}
			st.press("chat.rename.cancel")
		}
		st.settle()
		if st.window.Canvas().Overlays().Top() != nil {
			t.Fatalf("the dialog is still there after %s", test.key)
		}
		if got := st.history.items[id].Title; got != test.title || st.open.title != test.title {
			t.Errorf("after %q and %s it is called %q, in the list %q", test.typed, test.key, st.open.title, got)
		}
	}
}

// slow is an engine whose answers wait for the test.
type slow struct {
	*app.App
	step chan agent.Event // what is said next
}

func (s *slow) Ask(ctx context.Context, q app.Question) (*app.Answer, error) {
	store, err := s.Chats()
	if err != nil {
		return nil, err
	}
	chat, err := store.New("")
	if err != nil {
		return nil, err
	}
	answer := &app.Answer{Chat: chat}
	answer.Events = chat.Record(ctx, agent.Turn{ID: "t", Question: q.Text}, "test:m", func(yield func(agent.Event) bool) {
		for {
			select {
			case e := <-s.step:
				if !yield(e) || e.Type == agent.EventFinish {
					return
				}
			case <-ctx.Done():
				yield(agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishCancelled})
				return
			}
		}
	})
	return answer, nil
}

func said1(text string) agent.Event {
	return agent.Event{Turn: "t", Step: 1, Type: agent.EventText, Delta: text}
}

// streaming asks a question that is answered piece by piece.
func streaming(t *testing.T) (*stage, *slow) {
	t.Helper()
	a := openApp(t)
	st := setStage(t, a, plain, window)
	e := &slow{App: a, step: make(chan agent.Event)}
	st.open.engine = e
	test.Type(st.composer.entry, "How?")
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	e.step <- said1("one ")
	e.step <- said1("two ")
	st.until("the text is shown", func() bool { return strings.Contains(st.rowKinds(), rowSaid) })
	return st, e
}

func TestARunningAnswerGoesOnWhileAnotherChatIsRead(t *testing.T) {
	st, e := streaming(t)
	if !st.composer.stop.Visible() || st.composer.send.Visible() {
		t.Error("Stop does not stand in the place of Send")
	}
	first := st.open
	st.NewChat()
	st.settle()
	if len(st.open.turns) != 0 || st.composer.stop.Visible() {
		t.Error("the new chat shows the old one's answer")
	}
	e.step <- said1("three")
	id := first.id
	st.openChat(id)
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishStop}
	st.until("it ends", func() bool { return first.running == nil })
	if st.open != first || st.open.turns[0].Plain() != "one two three" {
		t.Errorf("shown is %q", st.open.turns[0].Plain())
	}
	if len(st.background) != 0 {
		t.Error("it is still kept as running")
	}
}

func TestEscapeStopsAndKeepsWhatWasSaid(t *testing.T) {
	st, _ := streaming(t)
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	st.until("it ends", func() bool { return st.open.running == nil })
	if turn := st.open.turns[0]; turn.State != chats.Cancelled || turn.Plain() != "one two" {
		t.Errorf("%s: %q", turn.State, turn.Plain())
	}
	if got := st.rowKinds(); got != "question said notice foot end" {
		t.Errorf("shown are %s", got)
	}
}

func TestClosingTheWindowKeepsAnAnswerAsInterrupted(t *testing.T) {
	st, _ := streaming(t)
	id, saved := st.open.id, st.open.running.done
	st.Close()
	<-saved
	c := st.newConversation()
	err := c.load(t.Context(), id)
	turns := c.turns
	if err != nil || c.title != "How?" || len(turns) != 1 {
		t.Fatal(c.title, turns, err)
	}
	if turns[0].State != chats.Interrupted || turns[0].Plain() != "one two" {
		t.Errorf("%s: %q", turns[0].State, turns[0].Plain())
	}
}

func TestAReaderWhoScrolledUpIsLeftInPeace(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, plain, fyne.NewSize(480, 400))
	st.askIt("What did I miss since yesterday evening?")
	st.list.ScrollToTop()
	st.moved()
	e := &slow{App: a, step: make(chan agent.Event)}
	st.open.engine = e
	st.open.ask(app.Question{Text: "How?"}) // as if it went on by itself
	e.step <- said1(strings.Repeat("word ", 400))
	st.settle()
	if !st.list.AtTop() {
		t.Error("the list moved under the reader")
	}
	st.stopAnswer()
	st.until("it ends", func() bool { return st.open.running == nil })
}

func TestAModelWithoutAKeySaysWhatToDo(t *testing.T) {
	a := openApp(t)
	err := a.SaveSettings(func(s *app.Settings) { s.Assistant.Model = "openrouter:some/model" })
	if err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, plain, window)
	st.askIt("How?")
	if got := st.rowKinds(); got != "question problem end" {
		t.Fatalf("shown are %s", got)
	}
	st.press("chat.do.builtin")
	st.until("the built-in has answered", func() bool { return st.open.running == nil })
	if got := st.open.turns; len(got) != 1 || got[0].Model != builtinModel || got[0].State != chats.Done {
		t.Errorf("%+v", got)
	}
}

func TestPeopleAndNotesInATableHaveTheirNames(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	id := noteIDs(t, st, 1)[0]
	n, err := st.reader.Note(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	note, err := ndb.Code{Prefix: ndb.CodeNote, Event: id}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	st.open.turns = []present.Turn{answered(t, st, 1, "Who?", "ollama:m", agent.Event{Step: 1, Type: agent.EventTable, Table: &tools.TableResult{
		Title: "Who", Columns: []tools.Column{{Key: "who"}, {Key: "what"}}, Rows: [][]string{{n.PubKey.Npub(), note}}, Numeric: []bool{false, false},
	}}, finish("stop"))}
	st.refresh()
	st.settle()
	st.picture("table-names")
	if got := st.names.named(ndb.Code{PubKey: n.PubKey}); got != present.Isolate(n.Author) {
		t.Errorf("the person is called %q, want %q", got, n.Author)
	}
	if got := st.names.named(ndb.Code{Event: id}); !strings.HasPrefix(got, present.Isolate(n.Author)+": ") {
		t.Errorf("the note is called %q", got)
	}
	shown := test.RenderToMarkup(st.window.Canvas())
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
	follows := map[ndb.PubKey]bool{}
	keys, err := a.Notes().Contacts(t.Context(), a.Me())
	if err != nil {
		t.Fatal(err)
	}
	for _, pk := range keys {
		follows[pk] = true
	}
	for _, chosen := range []bool{false, true} {
		p := &pictures{}
		st := setStageWith(t, a, plain, window, func(env *screen.Env) {
			env.Pictures, env.Look.ShowFollowed = p, chosen
		})
		read := st.faces.read
		st.faces.read = func(ctx context.Context, id ndb.ID) (present.Note, error) { // nobody in the sample has a picture
			n, err := read(ctx, id)
			n.Face = "https://faces.example/" + n.PubKey.String()
			return n, err
		}
		st.open.scope.Everyone = true
		st.askIt("What did I miss in the last 9 days?")
		st.list.ScrollTo(st.seen.rowID(rowSource, 0, "1"))
		st.settle()
		for _, source := range sourcesOf(st.open.turns[0]).List {
			st.faces.get(source)
		}
		st.settle()
		st.picture("faces")
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
			pk, err := ndb.ParsePubKey(strings.TrimPrefix(url, "https://faces.example/"))
			return err != nil || !follows[pk]
		}) {
			t.Errorf("asked for are %v", p.asked)
		}
		if chosen != (shown > 0) || chosen != (len(p.asked) > 0) {
			t.Errorf("chosen %v: %d shown, %d fetched", chosen, shown, len(p.asked))
		}
	}
}

func TestTheApprovalIsThatOfThePreviewThatWasShown(t *testing.T) {
	p := agent.Preview{Turn: "t", Call: "c", Tool: "publish_note", Effect: tools.Publishes, Arguments: `{"content":"good\u202emorning"}`, Tainted: true}
	for name, answer := range map[string]struct {
		press   string
		granted bool
	}{"yes": {"approve.yes", true}, "no": {"approve.no", false}, "escape": {"", false}} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), plain, window)
			given := make(chan agent.Approval, 1)
			go func() {
				a, err := (&approver{st.Screen}).Approve(t.Context(), p)
				if err != nil {
					t.Error(err)
				}
				given <- a
			}()
			st.until("it asks", func() bool { return st.named("approve.yes") != nil })
			if answer.press == "approve.yes" {
				st.named(answer.press).(fyne.Tappable).Tapped(&fyne.PointEvent{})
				if st.named(answer.press) == nil {
					t.Fatal("yes was taken before it could have been read")
				}
				st.until("yes can be pressed", func() bool { return !st.named(answer.press).(fyne.Disableable).Disabled() })
			}
			if answer.press == "" {
				st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			} else {
				st.named(answer.press).(fyne.Tappable).Tapped(&fyne.PointEvent{})
			}
			if a := <-given; a.Granted != answer.granted || a.Hash != p.Hash() {
				t.Errorf("%+v", a)
			}
		})
	}
	shown := fmt.Sprint(argumentsOf(p.Arguments))
	if !strings.Contains(shown, "⟦U+202E⟧") {
		t.Errorf("a hidden character is hidden: %s", shown)
	}
}

func TestDifferentArgumentsLookDifferent(t *testing.T) {
	seen := map[string]string{}
	for _, raw := range []string{
		`{"a":["a, b"]}`, `{"a":["a","b"]}`, `{"a":"a, b"}`, `{"a":null}`, `{"a":""}`, `{"a":[]}`, `{"a":"1"}`, `{"a":1}`,
		`{"a":1}{"b":2}`, `{"a":1} x`, `{"content":1}`, `{"content":"one"}`, `{"content":["one"]}`, `{"content":null}`, `{"a":1`, `{`, `"a"`,
	} {
		shown := fmt.Sprint(argumentsOf(raw))
		if other, there := seen[shown]; there {
			t.Errorf("%s and %s are both shown as %s", raw, other, shown)
		}
		seen[shown] = raw
	}
	if got := argumentsOf(`{"content":"good\nmorning"}`); len(got) != 1 || got[0].value != "good\nmorning" {
		t.Errorf("a note is shown as %+v", got)
	}
	if got := argumentsOf(`{"a":1} {"content":"more"}`); len(got) != 1 || !strings.Contains(got[0].value, "more") {
		t.Errorf("what stands behind is shown as %+v", got)
	}
}

func TestAStoppedTurnTakesItsDialogAway(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := (&approver{st.Screen}).Approve(ctx, agent.Preview{Arguments: "{}"})
		failed <- err
	}()
	st.until("it asks", func() bool { return st.named("approve.yes") != nil })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	st.settle()
	if st.named("approve.yes") != nil {
		t.Error("the dialog is still there")
	}
}

func TestWhatIsSuggestedIsAnswered(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	found, err := st.app.Suggestions(t.Context())
	if err != nil || len(found) != 3 {
		t.Fatalf("%d questions are found in the sample: %v", len(found), err)
	}
	for _, language := range []string{"en", "de"} {
		word := translated(t, language)
		words := present.Words{L: func(text string, data ...any) string { return fillIn(t, word(text), data...) }}
		var asked []app.Question
		for _, text := range append(suggested(), firstQuestion(), "Summarise this thread") {
			q := app.Question{Text: word(text)}
			if text == "Summarise this thread" {
				q.Scope.Thread = found[0].Thread
			}
			asked = append(asked, q)
		}
		for _, one := range found {
			asked = append(asked, words.Suggested(one))
		}
		asked = append(asked, app.Question{
			Text: words.L("What does this person write about?"), Scope: app.Scope{Person: found[2].Person},
		})
		for _, q := range asked {
			st.NewChat()
			st.ask(q)
			st.until("the answer is there", func() bool { return st.open.running == nil && len(st.open.turns) > 0 })
			if kinds := st.rowKinds(); strings.Contains(kinds, rowOffer) || !strings.Contains(kinds, rowSource) && !strings.Contains(kinds, rowTable) && !strings.Contains(kinds, rowChart) {
				t.Errorf("%s: %q is answered by %s: %s", language, q.Text, kinds, st.open.turns[0].Plain())
			}
		}
	}
}

// translated returns what the window says in a language, of all its packages.
func translated(t *testing.T, language string) func(string) string {
	t.Helper()
	files, err := fs.Glob(assets.Translations, "translations/*."+language+".json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	said := map[string]any{}
	for _, file := range files {
		raw, err := fs.ReadFile(assets.Translations, file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &said); err != nil {
			t.Fatal(file, err)
		}
	}
	return func(text string) string {
		word, ok := said[text].(string)
		if !ok {
			t.Errorf("%q is not there in %s", text, language)
		}
		return word
	}
}

func fillIn(t *testing.T, text string, data ...any) string {
	t.Helper()
	var b strings.Builder
	var values any
	if len(data) > 0 {
		values = data[0]
	}
	if err := template.Must(template.New("").Parse(text)).Execute(&b, values); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAChatAboutAPersonOrAThreadStaysAboutIt(t *testing.T) {
	a := openApp(t)
	found, err := a.Suggestions(t.Context())
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	person := found[2]
	for name, test := range map[string]struct {
		begin func(*Screen)
		label string
		scope app.Scope
		then  string // is asked further
	}{
		"person": {func(s *Screen) { s.AskAbout(person.Person, person.Name, "What does "+person.Name+" write about?") }, present.Isolate(person.Name), app.Scope{Person: person.Person}, "Top hashtags this week"},
		"thread": {func(s *Screen) { s.Summarise(found[0].Thread) }, "This thread", app.Scope{Thread: found[0].Thread}, "What is this about?"},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, a, plain, window)
			answered := func(n int) {
				t.Helper()
				st.until("it is answered", func() bool { return st.open.running == nil && len(st.open.turns) == n })
				st.settle()
			}
			test.begin(st.Screen)
			answered(1)
			st.picture("about-" + name)
			if got := st.open.scope.label(); got != test.label {
				t.Errorf("the picker stands at %q, want %q", got, test.label)
			}
			if name == "person" {
				for _, source := range sourcesOf(st.open.turns[0]).List {
					if source.PubKey != person.Person {
						t.Errorf("^%d is by %s", source.Index, source.Author)
					}
				}
			}
			st.askIt(test.then)
			answered(2)
			id := st.open.id
			st.NewChat()
			if st.open.scope.single() {
				t.Error("a new chat is about it too")
			}
			st.openChat(id)
			st.settle()
			if got := st.open.scope.label(); got != test.label || st.open.turns[1].Scope != test.scope {
				t.Errorf("opened again the picker stands at %q, and it was about %+v", got, st.open.turns[1].Scope)
			}
			st.act(0, present.AskAgain)
			answered(1)
			if got := st.open.turns[0].Scope; got != test.scope {
				t.Errorf("asked again it was about %+v", got)
			}
		})
	}
}

func TestAQuestionThatIsNotUnderstoodOffersOthersToClick(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Write a poem about autumn")
	if got := st.rowKinds(); got != "question said offer foot end" {
		t.Fatalf("shown are %s", got)
	}
	st.picture("not-understood")
	offers := st.open.turns[0].Blocks[1].(*present.Offer)
	if text := st.open.turns[0].Plain(); !strings.Contains(text, "\n- "+offers.Patterns[0]) {
		t.Errorf("copied is %s", text)
	}
	st.press("chat.offer.1")
	st.until("it is answered", func() bool { return st.open.running == nil && len(st.open.turns) == 2 })
	if got := st.open.turns[1].Question; got != offers.Questions[0] {
		t.Errorf("asked is %q", got)
	}
	st.list.ScrollToTop()
	st.press(fmt.Sprintf("chat.offer.%d", len(offers.Questions)+1))
	if got := st.composer.entry.Text; got != offers.Patterns[0] || st.window.Canvas().Focused() != st.composer.entry {
		t.Errorf("the field holds %q", got)
	}
	test.Type(st.composer.entry, "Ada")
	if got, want := st.composer.entry.Text, strings.Replace(offers.Patterns[0], "NAME", "Ada", 1); got != want || got == offers.Patterns[0] {
		t.Errorf("typing into the pattern makes %q", got)
	}
}

func TestTheFirstFetchingStaysInSightWhileNoRelayAnswers(t *testing.T) {
	half := app.Status{First: true, Stage: app.StageNotes, People: 103, PeopleDone: 41, Share: 0.4, Left: 18 * time.Second, Days: 3}
	lost, ended, whole, nobody := half, half, half, half
	lost.Offline = true
	ended.Stage, ended.Trouble, ended.Offline = app.StageWaiting, app.TroubleNet, true
	whole.Stage, whole.First = app.StageLive, false
	nobody.Stage, nobody.Trouble = app.StageWaiting, app.TroubleEmpty
	for _, tt := range []struct {
		name  string
		is    app.Status
		shown bool
	}{{"under way", half, true}, {"all connections lost", lost, true}, {"ended for that", ended, true}, {"done", whole, false}, {"nobody is followed", nobody, false}} {
		if got := isFirst(tt.is); got != tt.shown {
			t.Errorf("%s: shown is %v", tt.name, got)
		}
	}
	st := setStage(t, openApp(t), plain, window)
	st.sync.shown, st.sync.status = true, ended
	st.refresh()
	if got := st.sync.figure.Text(); got != "41 of 103 people" {
		t.Errorf("it says %q", got)
	}
	if got := st.sync.text.String(); !strings.Contains(got, "No relay can be reached") || !strings.Contains(got, "by itself") {
		t.Errorf("it says %q", got)
	}
}

func TestTheFirstFetchingIsShownWhileItLasts(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.sync.shown = true
	st.sync.status = app.Status{First: true, People: 103, PeopleDone: 41, Share: 0.4, Left: 18 * time.Second, Days: 3}
	st.refresh()
	if got := st.rowKinds(); got != "sync end" {
		t.Fatalf("shown are %s", got)
	}
	if got := st.sync.figure.Text(); got != "41 of 103 people · about 20 s left" {
		t.Errorf("it says %q", got)
	}
	st.picture("sync")
}

func TestAChipCanBeClickedWhileTheAnswerIsWritten(t *testing.T) {
	st, e := streaming(t)
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventToolCall, ID: "c", Name: "count", Arguments: []byte(`{"search":"comet"}`)}
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventToolResult, ID: "c", Name: "count", Result: agent.RawResult(`{"count":3}`)}
	st.until("the chip is shown", func() bool { return st.named("chat.work") != nil })
	st.settle()
	pressed := st.named("chat.work")
	e.step <- agent.Event{Turn: "t", Step: 2, Type: agent.EventText, Delta: "There are "}
	st.settle()
	if st.named("chat.work") != pressed {
		t.Fatal("the chip that was pressed is not there when it is let go")
	}
	pressed.(fyne.Tappable).Tapped(&fyne.PointEvent{})
	e.step <- agent.Event{Turn: "t", Step: 2, Type: agent.EventText, Delta: "three."}
	st.settle()
	if st.named("chat.work") != pressed || st.named("chat.details") == nil {
		t.Error("it did not open, or was made anew")
	}
	st.stopAnswer()
	st.until("it ends", func() bool { return st.open.running == nil })
}
