package feed

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

func TestTheRepliesBelowOneAreHiddenAndShownByKeysAndByTheMouse(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, longest(t, a))
	st.show(th)
	all := slices.Clone(th.rows.IDs())
	at := slices.IndexFunc(all, func(id string) bool { return th.byID[id].kind == rowReply && th.byID[id].below > 0 })
	if at < 0 {
		t.Fatal("no reply of the longest thread has one below it")
	}
	row := all[at]
	r := th.byID[row]
	focusNext(th.rows, at, +1)
	key := func(name fyne.KeyName) {
		st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
		st.settle()
	}
	key(fyne.KeyLeft)
	if got, want := len(th.rows.IDs()), len(all)-r.below+1; got != want {
		t.Errorf("with %d replies hidden, %d rows stand there, want %d", r.below, got, want)
	}
	folded := rowID(rowFolded, r.note.ID)
	if th.byID[folded].more != r.below {
		t.Fatalf("it is not told how many are hidden: %+v", th.byID[folded])
	}
	if card, ok := st.window.Canvas().Focused().(*note.Card); !ok || card.Note().ID != r.note.ID {
		t.Errorf("the keyboard went to %T", st.window.Canvas().Focused())
	}
	st.picture("thread-folded")
	key(fyne.KeyRight)
	if !slices.Equal(th.rows.IDs(), all) {
		t.Error("not all replies are shown again")
	}
	th.foldFor(rowReply)(r.note.ID) // as the button on the card does
	words := th.rows.Row(folded).(*inset).content.(*prose.Text)
	words.Spans()[1].Tap()
	if !slices.Equal(th.rows.IDs(), all) {
		t.Error("the words do not show the replies again")
	}
	th.fold(r.note.ID, true)
	th.load()
	st.settle()
	if _, there := th.byID[folded]; !there {
		t.Error("what is hidden comes back when the thread is read anew")
	}
}

func TestLeftLeadsOutToWhatIsAnswered(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, longest(t, a))
	st.show(th)
	ids := th.rows.IDs()
	at := slices.IndexFunc(ids, func(id string) bool {
		return th.byID[id].kind == rowReply && th.byID[id].depth == 1 && th.byID[id].below == 0
	})
	focusNext(th.rows, at, +1)
	st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	st.settle()
	card, ok := st.window.Canvas().Focused().(*note.Card)
	if !ok || th.byID[rowID(rowReply, card.Note().ID)].depth != 0 {
		t.Errorf("the keyboard is on %T", st.window.Canvas().Focused())
	}
}

func TestTheHeadOfAReplysThreadTellsOfTheNoteAbove(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	root := NewThread(st.env, longest(t, a))
	st.show(root)
	at := slices.IndexFunc(root.thread.Replies, func(b present.Branch) bool { return b.Depth == 0 && b.Below == 0 })
	th := NewThread(st.env, root.thread.Replies[at].Note.ID)
	st.show(th)
	want := "No replies · " + root.thread.Focus.Replies.Text + " replies to the note above"
	if got := th.count.Text(); !strings.HasPrefix(got, want) {
		t.Errorf("the head says %q, want %q", got, want)
	}
}

func TestOnlyWhatIsLongIsOfferedToBeSummarised(t *testing.T) {
	short := present.Note{ID: nostr.ID{1}, Kind: kindNote, Body: []present.Paragraph{{{Text: "short"}}}}
	long, article := short, short
	long.Whole = []present.Paragraph{{{Text: "long"}}}
	article.Kind = kindArticle
	for name, tc := range map[string]struct {
		thread present.Thread
		want   bool
	}{
		"a short note alone":      {present.Thread{Focus: short}, false},
		"a long note alone":       {present.Thread{Focus: long}, true},
		"an article alone":        {present.Thread{Focus: article}, true},
		"a note with a reply":     {present.Thread{Focus: short, Total: 1}, true},
		"a reply":                 {present.Thread{Focus: short, Ancestors: []present.Note{short}}, true},
		"a note that is not here": {present.Thread{Focus: present.Note{Missing: true}}, false},
	} {
		if got := isLong(tc.thread); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
