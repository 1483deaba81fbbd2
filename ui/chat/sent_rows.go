package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// drawer makes what draws the rows of a kind of the panel.
func (p *sent) drawer(kind string) drawer {
	switch kind {
	case sentNote:
		return &sentNoteRow{panel: p, text: prose.New()}
	case sentRequest:
		return newSentRequest(p)
	case sentPart:
		return newSentPart(p)
	}
	return newSentText(p)
}

// sentNoteRow says what the panel is.
type sentNoteRow struct {
	panel *sent
	text  *prose.Text
}

func (n *sentNoteRow) object() fyne.CanvasObject { return n.text }

func (n *sentNoteRow) draw(row) {
	n.text.ID = "chat.sent.note"
	n.text.SetSpans(prose.Span{Text: n.panel.noteWords(), Size: theme.Small, Color: theme.Muted})
}

// sentRequestRow draws one request: to whom, when, how large, what came of it; opened,
// also in which form it is shown, and a button that copies it.
type sentRequestRow struct {
	panel *sent
	at    int
	id    string
	mark  *widgets.Icon
	text  *prose.Text
	tap   *widgets.Tappable
	form  *widgets.Segmented
	copy  *widgets.IconButton
	tools *fyne.Container
	box   *fyne.Container
}

func newSentRequest(p *sent) *sentRequestRow {
	o := &sentRequestRow{panel: p, mark: widgets.NewIcon("chevron-right", 12, theme.Muted), text: prose.New()}
	o.tap = widgets.NewTappable(layout.Pad(layout.Sides(8, 12), layout.Row(8, 1, o.mark, o.text)), func() { p.toggle(o.id) })
	o.tap.ID = "chat.sent.request"
	o.form = widgets.NewSegmented([]string{lang.L("By message"), lang.L("Exact bytes")}, 0, func(i int) { p.choose(o.at, i == 1) })
	o.form.ID = "chat.sent.form"
	o.copy = widgets.NewIconButton("copy", lang.L("Copy the exact request"), func() { p.copyBody(o.at) })
	o.copy.ID = "chat.sent.copy"
	o.tools = layout.Pad(layout.Insets{Left: 8, Right: 8, Bottom: 6}, layout.Row(8, 1, o.form, space(1, 1), o.copy))
	back := newPanel(theme.Surface, theme.Line, theme.RadiusCard, allCorners)
	o.box = layout.Stack(back, layout.Column(0, o.tap, o.tools))
	return o
}

func (o *sentRequestRow) object() fyne.CanvasObject { return o.box }

func (o *sentRequestRow) draw(r row) {
	p := o.panel
	of := p.rows[r.id]
	o.id, o.at = r.id, of.request
	request := p.requests[of.request]
	now := p.screen.now()
	words := inWords()
	title := lang.L("Request {{.N}} to {{.Host}}", in("N", words.Number(of.request+1), "Host", request.Host))
	facts := words.Moment(request.At, now) + " · " + words.Bytes(int64(request.Size)) + " · " + say(request.Outcome, now)
	if request.Try > 1 {
		facts += " · " + lang.L("try {{.N}}", in("N", words.Number(request.Try)))
	}
	if request.Body == nil {
		facts += " · " + lang.L("no longer kept")
	}
	o.text.SetSpans(prose.Span{Text: title + "\n", Bold: true}, prose.Span{Text: facts, Size: theme.Small, Color: theme.Muted})
	o.mark.SetIcon(chevron(of.open))
	o.tools.Hidden = !of.open || request.Body == nil
	o.form.SetSelected(0)
	if of.exact || len(request.Parts) == 0 {
		o.form.SetSelected(1)
	}
	o.box.Refresh()
}

func chevron(open bool) string {
	if open {
		return "chevron-down"
	}
	return "chevron-right"
}

// sentPartRow draws a message, folded: who wrote it, how it begins, how large it is.
type sentPartRow struct {
	panel *sent
	id    string
	mark  *widgets.Icon
	name  *widgets.Label
	first *prose.Text
	size  *widgets.Label
	tap   *widgets.Tappable
}

func newSentPart(p *sent) *sentPartRow {
	o := &sentPartRow{
		panel: p, mark: widgets.NewIcon("chevron-right", 12, theme.Muted), name: widgets.NewLabel("", theme.Small, theme.Text),
		first: prose.New(), size: widgets.NewLabel("", theme.Tiny, theme.Muted),
	}
	o.name.Bold = true
	o.first.MaxLines = 1
	o.tap = widgets.NewTappable(layout.Pad(layout.Sides(6, 12), layout.Row(8, 2, o.mark, o.name, o.first, o.size)), func() { p.toggle(o.id) })
	o.tap.ID = "chat.sent.part"
	return o
}

func (o *sentPartRow) object() fyne.CanvasObject { return o.tap }

func (o *sentPartRow) draw(r row) {
	p := o.panel
	of := p.rows[r.id]
	o.id = r.id
	part := p.requests[of.request].Parts[of.part]
	o.mark.SetIcon(chevron(of.open))
	o.name.SetText(say(part.Name, p.screen.now()))
	first := part.First
	if of.open {
		first = ""
	}
	o.first.SetSpans(prose.Span{Text: first, Size: theme.Small, Color: theme.Muted})
	o.size.SetText(inWords().Bytes(int64(part.Size)))
	o.tap.Refresh()
}

// sentTextRow draws a piece of a text.
type sentTextRow struct {
	panel *sent
	text  *prose.Text
	box   *fyne.Container
}

func newSentText(p *sent) *sentTextRow {
	o := &sentTextRow{panel: p, text: prose.New()}
	o.text.Selectable = true
	o.text.ID = "chat.sent.text"
	o.box = layout.Stack(newPanel(theme.Chip, "", 0, 0), o.text)
	return o
}

func (o *sentTextRow) object() fyne.CanvasObject { return o.box }

func (o *sentTextRow) draw(r row) {
	of := o.panel.rows[r.id]
	o.text.SetSpans(prose.Span{Text: o.panel.text(of), Mono: true, Size: theme.Tiny})
	around := layout.Sides(0, 12) // the pieces of a text join
	if of.piece == 0 {
		around.Top = 6
	}
	if of.last {
		around.Bottom = 6
	}
	o.box.Objects[1] = layout.Pad(around, o.text)
	o.box.Refresh()
}
