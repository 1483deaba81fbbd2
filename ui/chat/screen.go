// Package chat is the assistant's screen: the questions and answers of a chat, the field
// to ask in, the history of chats.
//
// conversation.go holds the course of a chat (asking, streaming, stopping, editing,
// resuming) without any widget; the other files draw it. Package [bowerbird/ui/answers]
// decides which blocks an answer has, block_*.go how they look, and rows.go lists which
// draws which.
//
// Everything runs on the window's thread, except that one goroutine per turn reads its
// events and passes them on through the dispatcher, at most once per [dispatch.Interval].
// A turn continues while another screen or chat is shown. It ends by itself, with Stop, or
// with Close; Close saves it as interrupted, which the App waits for before it closes its
// stores.
package chat

import (
	"context"
	"maps"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/save"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

var _ screen.Screen = (*Screen)(nil)

// Screen is the assistant.
type Screen struct {
	env  screen.Env
	find answers.NoteFinder
	ctx  context.Context // ends with the screen
	end  context.CancelFunc

	open       *conversation          // the chat that is shown
	background map[*conversation]bool // chats that are left while they run
	seen       *seen                  // what is opened in the chat that is shown
	made       map[string]madeBlock
	written    map[string]writtenTable   // by the row and the block of its text
	notes      map[nostr.ID]present.Note // sources that are shown as cards
	reader     *present.Reader
	memory     *note.Memory
	faces      *faces
	names      cellNames               // of people and notes in the cells of tables
	people     map[string]nostr.PubKey // followed, by their names; nil until a table asks
	saver      *save.Saver

	fetches      map[string]fetch // by the row of the coverage that they were begun in
	fetcher      fetcher
	fetchQuiet   time.Duration // how long nothing must change for a fetch to be over
	completeness func(*answers.Coverage) (completeness, error)

	models modelMenu

	kinds     rowKinds
	rows      []row
	byID      map[string]row
	bound     map[string]row  // as the rows of the chat were drawn last
	shown     int             // counts the chats that were shown
	opened    int             // counts what makes a chat that is still being read unwanted
	atEnd     bool            // the list is held at its end
	fromTop   bool            // or rather at the last question: its answer is there at once
	pop       widgets.Popover // the note behind a number
	head      *head
	list      *widgets.VirtualList
	try       *suggestions
	composer  *composer
	history   *history
	sent      *sent
	opening   *opening
	sync      *syncing
	body      *layout.Arranged
	content   fyne.CanvasObject
	drafts    map[string]string
	editing   int    // the number of the turn whose question is in the field; 0 for none
	displaced bool   // the field holds a question that was put there; see fillField
	draft     string // the draft that was displaced; it comes back with Escape, or when the question is sent
	unwatch   func()

	counting bool                            // a second is waited for: see count
	later    func(d time.Duration, f func()) // runs f on the window's thread, after d
}

// New returns the assistant's screen with an empty chat.
func New(env screen.Env) *Screen {
	s := &Screen{
		env: env, find: answers.StoreNotes{Store: env.App.Notes()},
		kinds: newRowKinds(), background: map[*conversation]bool{}, drafts: map[string]string{}, atEnd: true,
	}
	s.reader = &present.Reader{Store: env.App.Notes(), Me: env.App.Me(), Now: env.App.Now, Words: env.Words}
	s.memory, s.faces, s.names = note.NewMemory(), newFaces(s), cellNames{}
	s.saver = save.New(env.Do, env.Go.Window, func(text string) { env.Go.Toast(text, "", nil) })
	s.fetches, s.fetcher, s.completeness = map[string]fetch{}, env.App.Live(), s.readCompleteness
	s.fetchQuiet = fetchQuiet
	s.ctx, s.end = context.WithCancel(context.Background())
	s.later = func(d time.Duration, f func()) { time.AfterFunc(d, func() { s.env.Do.Do(f) }) }
	s.head = newHead(s)
	s.list = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind:     kindOf,
		Make:     func(kind string) fyne.CanvasObject { return newSlot(s.drawer(kind)) },
		Bind:     s.bind,
		Estimate: 60,
	})
	s.list.OnMoved = s.moved
	s.try = newSuggestions(s)
	s.composer = newComposer(s)
	s.opening = newOpening(s)
	s.sync = newSyncing(s)
	s.history = newHistory(s)
	s.sent = newSent(s)
	below := layout.Column(gapBlock, s.try.box, s.composer.box)
	s.body = layout.NewArranged(240, nil, s.list, below)
	s.body.Arrange = func(width float32, put layout.Put) float32 { return s.place(below, width, put) }
	s.content = layout.Stack(newPanel(theme.Surface, "", 0, 0), s.frame())
	s.show(s.newConversation())
	s.watchSync()
	s.loadOpening()
	s.loadModels()
	s.openCut()
	return s
}

// Content implements screen.Screen.
func (s *Screen) Content() fyne.CanvasObject { return s.content }

// Shown implements screen.Screen.
func (s *Screen) Shown() {
	s.loadModels() // the settings may have changed them
	s.refresh()
}

// Hidden implements screen.Screen. A turn that runs goes on.
func (s *Screen) Hidden() { s.pop.Hide() }

// Focus implements screen.Screen.
func (s *Screen) Focus(c fyne.Canvas) {
	switch {
	case s.history.shown:
		s.history.focus(c)
		return
	case s.sent.shown:
		c.Focus(s.sent.list)
		return
	}
	c.Focus(s.composer.entry)
}

// Close implements [screen.Screen]. It ends running turns as interrupted; the App, not the
// window, waits until they are saved.
func (s *Screen) Close() {
	if s.unwatch != nil {
		s.unwatch()
	}
	s.open.close()
	for c := range s.background {
		c.close()
	}
	s.end()
}

// Kept is what one screen hands to the one that takes its place.
type Kept struct {
	chat   string
	drafts map[string]string // by chat
}

// Keep returns which chat is open, and what was typed.
func (s *Screen) Keep() Kept {
	k := Kept{s.open.id, maps.Clone(s.drafts)}
	k.drafts[s.open.id] = s.composer.entry.Text
	return k
}

// Resume goes on where another screen was.
func (s *Screen) Resume(k Kept) {
	maps.Copy(s.drafts, k.drafts)
	s.composer.setText(k.drafts[""])
	if k.chat != "" {
		s.OpenChat(k.chat)
	}
}

// Ask opens a new chat and asks in it.
func (s *Screen) Ask(question string) {
	s.begin(scope{})
	s.ask(app.Question{Text: question})
}

// AskAbout opens a new chat about one person, and asks in it.
func (s *Screen) AskAbout(pk nostr.PubKey, name, question string) {
	s.begin(scope{Scope: app.Scope{Person: pk}, name: name})
	s.ask(app.Question{Text: question})
}

// begin shows a new chat about a person or a thread. With the zero value it has the scope
// of the chat before, unless that was a single person or thread.
func (s *Screen) begin(about scope) {
	s.showHistory(false)
	c := s.newConversation()
	if about.single() {
		c.scope, c.about = about, about
	}
	s.show(c)
}

// Digest opens a new chat and asks what happened since the last visit.
func (s *Screen) Digest() {
	s.away(func() func() {
		since, err := s.env.App.LastVisit(s.ctx)
		return func() {
			if err == nil { // else it asks about yesterday
				s.opening.since = since
			}
			s.Ask(s.opening.question())
		}
	})
}

// Summarise opens a new chat about the thread around a note, and asks for a summary.
func (s *Screen) Summarise(id nostr.ID) {
	s.begin(scope{Scope: app.Scope{Thread: id}})
	s.ask(app.Question{Text: lang.L("Summarise this thread")})
}

func (s *Screen) newConversation() *conversation {
	c := &conversation{
		engine: s.env.App, do: s.env.Do, find: s.find,
		approver: &approver{screen: s}, changed: s.changed,
	}
	if s.open != nil {
		c.scope.Everyone = s.open.scope.Everyone
	}
	return c
}

// show makes a conversation the open one. A running turn of the one before continues in
// the background.
func (s *Screen) show(c *conversation) {
	s.pop.Hide()
	s.restoreDraft()
	s.hideSent()
	if old := s.open; old != nil {
		s.drafts[old.id] = s.composer.entry.Text
		if old.running != nil && old != c {
			s.background[old] = true
		}
		if old != c {
			old.countdown = answers.Countdown{} // the user could not see it to stop it
		}
		s.leave(old)
	}
	s.shown++
	s.opened++
	s.open, s.seen, s.bound = c, &seen{chat: s.shown, open: map[string]bool{}, parts: map[string]int{}, cards: map[string]bool{}}, map[string]row{}
	s.made, s.written, s.notes = map[string]madeBlock{}, map[string]writtenTable{}, map[nostr.ID]present.Note{}
	s.atEnd, s.fromTop = true, c.running == nil // what is finished is read from its last question on
	s.composer.setText(s.drafts[c.id])
	delete(s.drafts, c.id) // it is in the field now
	s.drawPickers()
	s.refresh()
}

// changed draws what is new in a conversation.
func (s *Screen) changed(c *conversation) {
	if c.running == nil {
		delete(s.background, c)
		if s.history.shown {
			s.history.load() // it says which are being answered
		}
	}
	if c == s.open {
		s.refresh()
	} else {
		c.countdown = answers.Countdown{}
	}
}

// ask asks in the open chat.
func (s *Screen) ask(q app.Question) {
	s.opened++
	s.fill(&q)
	s.follow(q)
	s.open.ask(q)
}

// fill completes a question with the scope and the model of the pickers.
func (s *Screen) fill(q *app.Question) {
	if q.Model.ID == "" {
		q.Model = s.models.shown().Choice
	}
	if q.Scope == (app.Scope{}) {
		q.Scope = s.open.scope.Scope
	}
	if about := (scope{Scope: q.Scope}); about.single() && !s.open.about.single() {
		s.open.about = about // stays in the scope menu
	}
}

// askTyped sends what is in the field: as a new question, or in place of the edited one.
// While an answer is running the text stays in the field.
func (s *Screen) askTyped(text string) {
	if s.open.running != nil {
		return
	}
	number := s.editing
	s.composer.setText("")
	s.restoreDraft()
	q := app.Question{Text: text}
	if number == 0 {
		s.ask(q)
		return
	}
	s.fill(&q)
	s.follow(q)
	s.open.replaceTurn(number, q)
}

// stopAnswer cancels the running answer. Without one it restores the draft and cancels a
// countdown.
func (s *Screen) stopAnswer() {
	if s.open.running == nil {
		s.restoreDraft()
		if s.open.countdown.Runs() {
			s.cancelCountdown()
		}
	}
	s.open.stop()
}

// away does something off the window's thread; see [screen.Env.Work].
func (s *Screen) away(work func() (show func())) {
	s.env.Work(s.ctx, work)
}

func (s *Screen) now() time.Time { return s.env.App.Now() }

// sayFailed reports an error that is not part of an answer.
func (s *Screen) sayFailed(what string, err error) {
	s.env.Go.Toast(what+" "+present.Isolate(clean.Line(err.Error(), 200)), "", nil)
}

// NewChat puts an empty chat on the screen.
func (s *Screen) NewChat() {
	s.showHistory(false)
	s.show(s.newConversation())
	s.loadOpening()
	if w := s.env.Go.Window(); w != nil {
		s.Focus(w.Canvas())
	}
}

// OpenChat shows a saved chat.
func (s *Screen) OpenChat(id string) { s.openAt(id, 0) }

// openAt shows a saved chat from the turn with a number on; 0 is its end. A chat that is
// running in the background is shown as it is.
func (s *Screen) openAt(id string, turn int) {
	s.showHistory(false)
	s.opened++
	opened := s.opened
	for c := range s.background {
		if c.id == id {
			s.show(c)
			return
		}
	}
	if s.open.id == id {
		return
	}
	c := s.newConversation()
	s.away(func() func() {
		err := c.load(s.ctx, id)
		return func() {
			if opened != s.opened {
				return // another one was opened or begun since
			}
			if err != nil {
				s.sayFailed(lang.L("This chat could not be opened."), err)
				return
			}
			s.show(c)
			if i := c.index(turn); i >= 0 {
				s.atEnd = false
				s.list.ScrollTo(s.seen.rowID(rowQuestion, i, ""))
			}
		}
	})
}
