package main

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// clock is when the pictures are taken: the sample is made for it.
var clock = time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)

// shot is one picture.
type shot struct {
	name  string
	size  fyne.Size // full where none is given
	text  int       // size of texts, in percent
	own   bool      // the user's notes, of which there are none yet, in place of the sample
	model answers   // of a model's server; none for the built-in assistant
	fails error     // why nothing can be opened
	// relays, where set, says how the relays are from which the sample's reader fetches
	// their notes; nil for the sample itself. With own nobody is chosen yet.
	relays func(*world)
	do     func(*stage) error
	then   []frame // further pictures of the same window
}

// frame is a picture that is drawn after another one.
type frame struct {
	name string
	do   func(*stage) error
}

// frames are all pictures of a shot.
func (sh shot) frames() []frame { return append([]frame{{sh.name, sh.do}}, sh.then...) }

var (
	full  = fyne.NewSize(1280, 832)
	small = fyne.NewSize(480, 600)
)

// shots are the pictures of the gallery.
func shots() []shot {
	var all []shot
	for _, part := range [][]shot{beginnings(), chats(), reading(), settingsPages(), everywhere()} {
		all = append(all, part...)
	}
	return all
}

// beginnings are what is seen before there are notes.
func beginnings() []shot {
	return []shot{
		{name: "welcome", own: true, do: waitFor("welcome.sample")},
		{name: "welcome-person", own: true, relays: asIs, do: func(s *stage) error {
			return steps(waitFor("welcome.sample"), tab, write(s.world.npub), waitFor("welcome.person"))(s)
		}},
		{name: "first-sync", relays: halfway, do: firstSync},
		{name: "cannot-open", fails: &ndb.InUseError{}, do: waitFor("open.again")},
	}
}

// chats are what the assistant shows.
func chats() []shot {
	return []shot{
		{name: "new-chat", do: waitFor("chat.try.5"), then: []frame{{"scope-menu", tap("chat.scope")}}},
		{name: "digest", do: digest, then: []frame{{"digest-smaller", tap("chat.smaller")}}},
		{name: "chart", do: steps(ask("Top hashtags this week, as a chart"), waitFor("chat.chart.plot")), then: []frame{
			{"save", steps(tap("chat.chart.save"), tap("menu:*"))},
			{"chart-table", steps(tap("save.cancel"), tap("chat.chart.table"))},
		}},
		{name: "answering", model: breaksOff("The **flood path** is open again: forty people came with wheelbarrows, "), do: steps(ask("What happened at the allotments?"), waitFor("chat.stop"))},
		{name: "answers", model: errs, do: steps(ask("What happened to Ada's relay, and who is helping her?"), waitFor("chat.leave"))},
		{name: "states", model: refuses, do: steps(ask("Who talks about moderation?"), waitFor("chat.problem"))},
		{name: "approval", model: publishes, do: steps(ask("Write a note that asks who brings bread on Sunday."), waitFor("approve.yes"), pause(2*time.Second))},
		{name: "model-menu", do: steps(waitFor("chat.try.5"), tap("chat.model"))},
		{name: "history", do: threeChats, then: []frame{
			{"history-nothing", write("penguins")},
			{"history-rename", steps(erase, tap("history.more:*"), tap("menu:Rename"))},
			{"history-undo", steps(tap("chat.rename.cancel"), tap("history.more:*"), tap("menu:Delete"), waitFor("toast.action"))},
		}},
		{name: "small", size: small, do: digest},
		{name: "large-text", text: 200, do: digest},
	}
}

// reading are the places where notes are read.
func reading() []shot {
	return []shot{
		{name: "home", do: steps(waitFor("note:*"), tap("rail.home"))},
		{name: "thread", do: steps(digest, tap("cite:5"), waitFor("thread.back"))},
		{name: "article", do: article},
		{name: "profile", do: steps(tap("author:*"), waitFor("profile.*"))},
		{name: "search-empty", do: tap("rail.search"), then: []frame{
			{"search", search("relay since:9d", "note:*")},
			{"search-nothing", search("penguins", "search.entry")},
		}},
		{name: "note-menu", do: tap("more:*")},
		{name: "relays", relays: asIs, do: fetched, then: []frame{
			{"relay", tap("relay:wss://" + notes)},
			{"relays-people", steps(tap("relays.close"), tap("relays.everybody"))},
			{"relay-add", steps(tap("relays.close"), tap("relays.add"), write("relay.marrow.example"))},
		}},
		{name: "home-offline", relays: unreachable, do: steps(waitFor("home.again"), tap("rail.home"))},
		{name: "relays-sample", do: func(s *stage) error { s.shell.OpenRelays(); return s.rest() }},
	}
}

// settingsPages are the pages of the settings.
func settingsPages() []shot {
	page := func(name string) func(*stage) error {
		return func(s *stage) error {
			s.shell.OpenSettings(name)
			return s.wait("settings.about")
		}
	}
	return []shot{{name: "settings", do: page("appearance"), then: []frame{
		{"account-settings", page("account")},
		{"assistant-settings", page("assistant")},
		{"tools-settings", page("tools")},
		{"relays-settings", page("relays")},
		{"about-settings", page("about")},
		{"storage-settings", page("storage")},
		{"remove", steps(wheel(2000), tap("settings.remove-all"))},
	}}}
}

// everywhere is what can be had on each screen.
func everywhere() []shot {
	ctrl := fyne.KeyModifierControl
	return []shot{
		{name: "palette", do: press(fyne.KeyK, ctrl)},
		{name: "keys", do: press(fyne.KeySlash, ctrl)},
		{name: "link", do: func(s *stage) error {
			s.shell.OpenURL("https://marrow.example/releases")
			return s.wait("link.open")
		}},
	}
}

// steps does one thing after the other.
func steps(all ...func(*stage) error) func(*stage) error {
	return func(s *stage) error {
		for _, do := range all {
			if err := do(s); err != nil {
				return err
			}
		}
		return nil
	}
}

func waitFor(name string) func(*stage) error { return func(s *stage) error { return s.wait(name) } }
func tap(name string) func(*stage) error     { return func(s *stage) error { return s.tap(name) } }
func write(text string) func(*stage) error   { return func(s *stage) error { return s.write(text) } }

// erase empties the entry that has the keyboard.
func erase(s *stage) error {
	s.canvas.Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	return s.rest()
}

// wheel scrolls what is right of the middle, down by so many points.
func wheel(down float32) func(*stage) error {
	return func(s *stage) error {
		size := s.canvas.Size()
		test.Scroll(s.canvas, fyne.NewPos(size.Width*2/3, size.Height/2), 0, -down)
		return s.rest()
	}
}

// tab leads the keyboard to what comes next.
func tab(s *stage) error { s.canvas.FocusNext(); return s.rest() }

func pause(d time.Duration) func(*stage) error {
	return func(s *stage) error { return s.quietFor(d) }
}

func later(d time.Duration) func(*stage) error {
	return func(s *stage) error { s.pass(d); return nil }
}

func press(key fyne.KeyName, mods fyne.KeyModifier) func(*stage) error {
	return func(s *stage) error {
		s.canvas.(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: mods})
		return s.rest()
	}
}

func ask(question string) func(*stage) error {
	return func(s *stage) error {
		s.shell.Ask(question)
		return s.rest()
	}
}

func digest(s *stage) error {
	return errors.Join(ask("What did I miss since yesterday?")(s), s.wait("chat.headline"))
}

func search(query, found string) func(*stage) error {
	return func(s *stage) error {
		s.shell.Search(query)
		return s.wait(found)
	}
}

// threeChats asks three questions and lists them.
func threeChats(s *stage) error {
	return steps(
		ask("Search lighthouse"), later(time.Hour), ask("Who posted most last week?"), waitFor("chat.table"), later(40*time.Minute),
		digest, later(5*time.Minute), tap("chat.history"),
	)(s)
}

// article opens an article of the sample.
func article(s *stage) error {
	named := nostr.Filter{Kinds: []uint16{30023}, Tags: map[byte][]string{'d': {"heron-outage"}}}
	for e, err := range s.opened.Notes().Query(s.ctx, ndb.QueryOptions{}, named) {
		if err != nil {
			return err
		}
		s.shell.OpenArticle(e.ID)
		return s.wait("article.title")
	}
	return errors.New("the sample has no article")
}

// halfway leaves two relays without answers in the middle of a first sync.
func halfway(w *world) {
	hold := func(filters []nostr.Filter) <-chan struct{} {
		if forNotes(filters) {
			return never()
		}
		return nil
	}
	w.relays[nos].waits, w.relays[notes].waits = hold, hold
}

// unreachable takes all relays away.
func unreachable(w *world) {
	for _, r := range w.relays {
		r.away = true
	}
}

// asIs leaves a world as it is made.
func asIs(*world) {}

// firstSync comes to where all that can be answered at once is there, then lets time
// pass, and the rest of it come.
func firstSync(s *stage) error {
	return steps(waitFor("note:*"), pause(2*time.Second), later(14*time.Second), restComes, pause(time.Second))(s)
}

// fetched comes to where all that can be fetched is there, a little later.
func fetched(s *stage) error {
	return steps(restComes, waitFor("status.age=Up to date*"), later(14*time.Second), tap("rail.relays"), pause(3*time.Second))(s)
}

func restComes(s *stage) error { close(s.world.rest); return nil }
