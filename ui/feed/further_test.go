package feed

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

func event(t testing.TB, raw []byte) *nostr.Event {
	t.Helper()
	e, err := nostr.ParseEvent(raw)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wait runs what is posted until something is so, which nothing that is posted tells.
func (st *stage) wait(what string, so func() bool) {
	st.t.Helper()
	for end := time.Now().Add(testkit.Patience); !so(); {
		if time.Now().After(end) {
			st.t.Fatalf("waited in vain until %s", what)
		}
		select {
		case f := <-st.Posted:
			f()
		case <-time.After(time.Millisecond):
		}
	}
}

func TestWhatLackedANoteIsShownWhenThatArrives(t *testing.T) {
	a, _ := openWorld(t, testworld.Options{Seed: 3, Events: 400, People: 60})
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	far := testkit.NewKey("far")
	passed := event(t, far.Event(t, 1, worldNow.Unix()-100, "The ferry runs again."))
	quoted := event(t, far.Event(t, 1, worldNow.Unix()-90, "So does the train."))
	me := testkit.NewKey("reader of this test")
	if err := a.ReadAs(t.Context(), event(t, me.Event(t, 1, 1, "")).PubKey); err != nil {
		t.Fatal(err)
	}
	put(t, a,
		event(t, me.Event(t, 3, worldNow.Unix()-1000, "", []string{"p", testkit.NewKey("near").PubKey})),
		event(t, me.Event(t, 6, worldNow.Unix()-20, "", []string{"e", passed.ID.String()})),
		event(t, me.Event(t, 1, worldNow.Unix()-10, "Look: nostr:"+quoted.ID.Note(), []string{"q", quoted.ID.String()})),
	)
	h := NewHome(st.env)
	st.show(h)
	shows := func(text string) bool {
		found := false
		for _, row := range h.list().rows.IDs() {
			card, ok := h.list().rows.Row(row).(*note.Card)
			if !ok {
				continue
			}
			n := card.Note()
			if n.Quote != nil {
				n = n.Quote
			}
			for _, p := range n.Body {
				for _, s := range p {
					found = found || strings.Contains(s.Text, text)
				}
			}
		}
		return found
	}
	if n := len(rowIDs(h.list())); n != 1 || shows("The ferry") || shows("the train") {
		t.Fatalf("%d rows, want one that lacks something: the test has lost its meaning", n)
	}
	put(t, a, passed)
	st.wait("the repost has a row", func() bool { return shows("The ferry") })
	put(t, a, quoted)
	st.wait("the quote is filled in", func() bool { return shows("the train") })
}

// TestOpeningANoteThatIsNotStoredLooksForIt opens what the click on such a card opens.
func TestOpeningANoteThatIsNotStoredLooksForIt(t *testing.T) {
	far, near, me := testkit.NewKey("far"), testkit.NewKey("near"), testkit.NewKey("reader")
	now := time.Now().Unix()
	root := far.Event(t, 1, now-100, "The ferry runs again.")
	reply := far.Event(t, 1, now-90, "It was late.", []string{"e", event(t, root).ID.String(), "", "root"})
	relay := testkit.StartGoRelay(t, testkit.GoRelayOptions{},
		me.Event(t, 3, now-1000, "", []string{"p", near.PubKey}), near.Event(t, 1, now-500, "hello"), root, reply)
	a, err := app.Open(t.Context(), app.Options{
		Places: config.Locate(t.TempDir(), ""), As: me.PubKey, AllowPrivate: true, Getenv: func(string) string { return "" },
		Settings: config.Settings{Sync: config.Sync{Relays: []string{relay.URL}, Indexers: []string{relay.URL}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	a.Live().Start()
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	st.wait("it is up to date", func() bool { return a.Live().Status().Stage == live.StageLive })
	open := func(id nostr.ID) *Thread {
		th := NewThread(st.env, id)
		st.window.SetContent(th.Content())
		st.window.Resize(fyne.NewSize(mainPart.Width, mainPart.Height))
		th.Shown()
		t.Cleanup(th.Close)
		return th
	}
	th := open(event(t, reply).ID)
	st.wait("the note is there, and what it answers", func() bool {
		return !th.thread.Focus.Missing && len(th.thread.Ancestors) == 1 && !th.thread.Ancestors[0].Missing
	})

	gone := nostr.ID{9}
	th = open(gone)
	if !th.looking[gone] {
		t.Error("nobody looks for a note that is not stored")
	}
	words := func() string {
		row, ok := th.rows.Row(rowID(rowMissing, gone)).(*inset)
		if !ok {
			return ""
		}
		return row.content.(*fyne.Container).Objects[1].(*prose.Text).String()
	}
	// What is quickly answered may be over before the thread is drawn.
	looked := false
	st.wait("it is said that no relay has it", func() bool {
		looked = looked || th.looking[gone] || strings.Contains(words(), "Looking")
		return looked && strings.Contains(words(), "none of your relays") && strings.Contains(words(), "Look further")
	})
}
