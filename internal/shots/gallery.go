package main

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ndb"
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
	do    func(*stage) error
}

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
		{name: "cannot-open", fails: &ndb.InUseError{}, do: waitFor("open.again")},
	}
}

// chats are what the assistant shows.
func chats() []shot {
	return []shot{
		{name: "new-chat", do: waitFor("chat.try.5")},
		{name: "digest", do: digest},
		{name: "digest-details", do: steps(digest, tap("chat.work"), tap("chat.details"))},
		{name: "chart", do: steps(ask("Top hashtags this week, as a chart"), waitFor("chat.chart.plot"))},
		{name: "chart-table", do: steps(ask("Top hashtags this week, as a chart"), tap("chat.chart.table"))},
		{name: "answering", model: breaksOff("The **flood path** is open again: forty people came with wheelbarrows, "), do: steps(ask("What happened at the allotments?"), waitFor("chat.stop"))},
		{name: "states", model: refuses, do: steps(ask("Who talks about moderation?"), waitFor("chat.problem"))},
		{name: "approval", model: publishes, do: steps(ask("Write a note that asks who brings bread on Sunday."), waitFor("approve.yes"), pause(2*time.Second))},
		{name: "scope-menu", do: steps(waitFor("chat.try.5"), tap("chat.scope"))},
		{name: "model-menu", do: steps(waitFor("chat.try.5"), tap("chat.model"))},
		{name: "history", do: threeChats},
		{name: "history-rename", do: steps(threeChats, tap("history.more:*"), tap("menu:Rename"))},
		{name: "history-undo", do: steps(threeChats, tap("history.more:*"), tap("menu:Delete"), waitFor("toast.action"))},
		{name: "history-nothing", do: steps(threeChats, tap("chat.history.search"), write("penguins"))},
		{name: "save", do: steps(ask("Top hashtags this week, as a chart"), tap("chat.chart.save"), tap("menu:*"))},
		{name: "small", size: small, do: digest},
		{name: "large-text", text: 200, do: digest},
	}
}

// reading are the places where notes are read.
func reading() []shot {
	return []shot{
		{name: "home", do: steps(waitFor("note:*"), tap("rail.home"))},
		{name: "thread", do: steps(digest, tap("cite:1"), tap("source:1"), waitFor("thread.back"))},
		{name: "article", do: article},
		{name: "profile", do: steps(tap("author:*"), waitFor("profile.*"))},
		{name: "search", do: search("relay since:9d", "note:*")},
		{name: "search-empty", do: tap("rail.search")},
		{name: "search-nothing", do: search("penguins", "search.entry")},
		{name: "note-menu", do: tap("more:*")},
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
	return []shot{
		{name: "settings", do: page("appearance")},
		{name: "account-settings", do: page("account")},
		{name: "assistant-settings", do: page("assistant")},
		{name: "relays-settings", do: page("relays")},
		{name: "storage-settings", do: page("storage")},
		{name: "remove", do: steps(page("storage"), tap("settings.remove-all"))},
		{name: "about-settings", do: page("about")},
	}
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
		s.shell.Ask(question, "")
		return s.rest()
	}
}

func digest(s *stage) error {
	return errors.Join(ask("What did I miss since yesterday?")(s), s.wait("cite:1"))
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
	named := ndb.Filter{Kinds: []uint16{30023}, Tags: map[byte][]string{'d': {"heron-outage"}}}
	for e, err := range s.opened.Notes().Query(s.ctx, ndb.QueryOptions{}, named) {
		if err != nil {
			return err
		}
		s.shell.OpenArticle(e.ID)
		return s.wait("article.title")
	}
	return errors.New("the sample has no article")
}
