package feed

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// newHeadBack is the head of a screen that was opened from another one: a way back, a
// title, a line about it, and what can be done.
func newHeadBack(env screen.Env, id string, title, about *widgets.Label, action fyne.CanvasObject) fyne.CanvasObject {
	back := widgets.Named(id+".back", widgets.NewIconButton("back", lang.L("Back"), env.Go.Back))
	back.SetGlyph(16)
	return widgets.NewHead(layout.Parted(10, layout.Beside(10, layout.Row(4, 1, back, title), about), action))
}

// newTitle is the title in the head of a screen.
func newTitle(text string) *widgets.Label {
	l := widgets.NewLabel(text, theme.Heading, theme.Text)
	l.Bold = true
	return l
}

// make makes the object of a row: a card or a text, with space around it.
func (t *Thread) make(kind rowKind) fyne.CanvasObject {
	size := note.Reply
	switch kind {
	case rowMissing:
		avatar := widgets.NewAvatar([32]byte{}, theme.AvatarSmall)
		return threadInset(newInset(14, 14, layout.Row(10, 1, avatar, prose.New())), size)
	case rowMore, rowFolded, rowCut:
		return threadInset(newInset(9, 9, prose.New()), size)
	case rowFocus:
		size = note.Focus
	}
	var card *note.Card
	opt := note.OptionsFor(t.env, t.memory)
	opt.Line, opt.Size, opt.Fold = size == note.Focus, size, t.foldFor(kind)
	opt.Changed = func(nostr.ID) { t.rows.RefreshRow(rowID(kind, card.Note().ID)) }
	opt.Key = func(_ nostr.ID, key string) bool { return t.key(kind, card.Note().ID, key) }
	card = note.NewCard(opt)
	return threadInset(newInset(0, 0, card), size)
}

// threadInset gives a row of a thread its measure, and the lines of the thread.
func threadInset(in *inset, size note.Size) *inset {
	in.most = threadWidth
	in.lines = newBranchLines(size)
	in.Objects = []fyne.CanvasObject{in.lines, in.content}
	return in
}

// bind fills the object of a row.
func (t *Thread) bind(id string, o fyne.CanvasObject) {
	r := t.byID[id]
	in, ok := o.(*inset)
	if !ok {
		return
	}
	step := in.step(t.rows.Size().Width)
	in.lines.set(r.branch, step)
	if card := cardOf(in); card != nil {
		if card.Note().ID != r.note.ID {
			unfocus(card)
		}
		card.SetIndent(step * float32(r.depth))
		card.SetBelow(r.below, r.fold)
		card.SetNote(r.note)
		return
	}
	in.left = step * float32(r.depth)
	switch r.kind {
	case rowMissing:
		t.bindMissing(in, r)
	case rowMore:
		in.content.(*prose.Text).SetSpans(prose.Span{
			Text: lang.L("Continue this thread") + " · " +
				lang.N("{{.Number}} replies", r.more, map[string]any{"Number": t.env.Words.Number(r.more)}),
			Size: theme.Small, ID: "thread.more:" + r.note.ID.String()[:8],
			Tap: func() { t.env.Go.OpenThread(r.note.ID) },
		})
	case rowFolded:
		number := map[string]any{"Number": t.env.Words.Number(r.more)}
		in.content.(*prose.Text).SetSpans(
			prose.Span{Text: lang.N("{{.Number}} replies hidden", r.more, number) + " · ", Size: theme.Small, Color: theme.Muted},
			prose.Span{
				Text: lang.L("Show"), Size: theme.Small, ID: "thread.unfold:" + r.note.ID.String()[:8],
				Tap: func() { t.fold(r.note.ID, false) },
			})
	case rowCut:
		in.content.(*prose.Text).SetSpans(prose.Span{
			Text: lang.L("There are more replies than are shown here. Open one of them to read on."),
			Size: theme.Small, Color: theme.Muted,
		})
	}
	in.Refresh()
}

// bindMissing shows that a note is not stored, and offers to ask more relays for it.
func (t *Thread) bindMissing(in *inset, r threadRow) {
	row := in.content.(*fyne.Container)
	row.Objects[0].(*widgets.Avatar).Set(r.note.PubKey)
	spans := []prose.Span{{Text: missingWords(r) + "  ", Size: theme.Small, Color: theme.Muted}}
	if t.looking[r.note.ID] {
		spans = append(spans, prose.Span{Text: lang.L("Looking …"), Size: theme.Small, Color: theme.Muted})
	} else {
		spans = append(spans, prose.Span{
			Text: lang.L("Look further"), Size: theme.Small, ID: "thread.further",
			Tip: lang.L("Ask more relays for this note"), Tap: func() { t.lookFurther(r.note.ID) },
		})
	}
	row.Objects[1].(*prose.Text).SetSpans(spans...)
}

// foldFor returns what folds and unfolds the replies below a card; nil for other cards
// than replies.
func (t *Thread) foldFor(kind rowKind) func(id nostr.ID) {
	if kind != rowReply {
		return nil
	}
	return func(id nostr.ID) { t.fold(id, !t.folded[id]) }
}

// fold hides the replies below a note, or shows them again.
func (t *Thread) fold(id nostr.ID, hide bool) {
	if t.folded[id] == hide {
		return
	}
	if hide {
		t.folded[id] = true
	} else {
		delete(t.folded, id)
	}
	t.show(t.thread)
}

// key handles the keys of a card. Left folds the replies below it, or moves to the note
// that it answers; Right unfolds them; other keys walk from card to card.
func (t *Thread) key(kind rowKind, id nostr.ID, key string) bool {
	row := rowID(kind, id)
	r := t.byID[row]
	switch {
	case kind == rowReply && key == string(fyne.KeyLeft) && r.below > 0 && !r.fold:
		t.fold(id, true)
	case kind == rowReply && key == string(fyne.KeyRight) && r.fold:
		t.fold(id, false)
	case kind == rowReply && key == string(fyne.KeyLeft):
		t.focusParent(row, r.depth)
	default:
		return walk(t.rows, row, key)
	}
	return true
}

// focusParent focuses the note that a reply answers.
func (t *Thread) focusParent(row string, depth int) {
	at, _ := t.rows.Index(row)
	ids := t.rows.IDs()
	for at--; at >= 0; at-- {
		if r := t.byID[ids[at]]; r.kind == rowFocus || r.kind == rowReply && r.depth < depth {
			focusNext(t.rows, at, -1)
			return
		}
	}
}
