package chat

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// sent is the panel that shows what was sent to a model's server for a turn: each request
// with its messages, folded, or as exact bytes. Texts are rows of a virtual list, so that
// even the longest appears at once.
type sent struct {
	screen   *Screen
	shown    bool
	asked    int // counts the look-ups: only the newest one is shown
	requests []answers.SentRequest
	open     map[string]bool // requests and parts, by their rows
	exact    map[int]bool    // requests that are shown as their bytes
	rows     map[string]sentRow
	bound    map[string]sentRow
	list     *widgets.VirtualList
	box      *layout.Arranged
}

// sentRow is one line of the panel. Rows that are equal look the same.
type sentRow struct {
	id      string
	kind    string
	request int
	part    int
	piece   int
	open    bool
	exact   bool
	last    bool // of the pieces of a text
	of      int  // which opening of the panel it is of
}

// The kinds of rows of the panel.
const (
	sentNote    = "note" // what this is, or that nothing is kept
	sentRequest = "request"
	sentPart    = "part"
	sentText    = "text"
)

func newSent(s *Screen) *sent {
	p := &sent{screen: s}
	p.list = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind:     kindOf,
		Make:     func(kind string) fyne.CanvasObject { return newSlot(p.drawer(kind)) },
		Bind:     p.bind,
		Open:     p.toggle,
		Escape:   func() { s.hideSent() },
		Estimate: 40,
	})
	p.list.ID = "chat.sent"
	back := newPanel(theme.Surface, "", 0, 0)
	p.box = layout.NewArranged(240, nil, back, p.list)
	p.box.Arrange = func(width float32, put layout.Put) float32 {
		if put == nil {
			return 200
		}
		high := p.box.Size().Height
		put(back, 0, 0, width, high)
		put(p.list, 0, 0, width, high)
		return high
	}
	p.box.Hide()
	return p
}

// showSent shows what was sent for a turn of the open chat. It reads that off the window's
// thread: it may be megabytes.
func (s *Screen) showSent(t answers.Turn) {
	p, chat := s.sent, s.open.id
	p.asked++
	asked := p.asked
	s.away(func() func() {
		requests := answers.ReadSent(s.env.App.Models().Sent(chat, t.ID))
		return func() {
			if p.asked == asked {
				p.show(requests)
			}
		}
	})
}

// show opens the panel with the last request unfolded: it contains what the earlier ones
// sent.
func (p *sent) show(requests []answers.SentRequest) {
	p.requests, p.open, p.exact, p.bound = requests, map[string]bool{}, map[int]bool{}, map[string]sentRow{}
	if n := len(requests); n > 0 {
		p.open[p.rowID(sentRequest, n-1, 0, 0)] = true
	}
	p.shown = true
	p.screen.showHistory(false)
	p.screen.over()
	p.draw()
	p.list.ScrollToTop()
	p.list.SetCurrent(p.rowID(sentRequest, max(0, len(requests)-1), 0, 0))
	if w := p.screen.env.Go.Window(); w != nil {
		w.Canvas().Focus(p.list)
	}
}

// hideSent returns to the chat.
func (s *Screen) hideSent() {
	if !s.sent.shown {
		return
	}
	s.sent.shown, s.sent.requests = false, nil
	s.sent.asked++
	s.sent.list.SetIDs(nil)
	s.over()
	if w := s.env.Go.Window(); w != nil {
		s.Focus(w.Canvas())
	}
}

func (p *sent) rowID(kind string, request, part, piece int) string {
	return fmt.Sprintf("%s|%d.%d.%d.%d", kind, p.asked, request, part, piece)
}

func (p *sent) allRows() []sentRow {
	var rows []sentRow
	add := func(kind string, request, part, piece int) *sentRow {
		id := p.rowID(kind, request, part, piece)
		rows = append(rows, sentRow{id: id, kind: kind, request: request, part: part, piece: piece, open: p.open[id], of: p.asked})
		return &rows[len(rows)-1]
	}
	add(sentNote, 0, 0, 0)
	for i, r := range p.requests {
		head := add(sentRequest, i, 0, 0)
		if head.exact = p.exact[i]; !head.open || r.Body == nil {
			continue
		}
		if p.exact[i] || len(r.Parts) == 0 {
			for n := range r.Exact {
				add(sentText, i, -1, n).last = n == len(r.Exact)-1
			}
			continue
		}
		for j, part := range r.Parts {
			if !add(sentPart, i, j, 0).open {
				continue
			}
			for n := range part.Text {
				add(sentText, i, j, n).last = n == len(part.Text)-1
			}
		}
	}
	return rows
}

// draw redraws the rows that changed.
func (p *sent) draw() {
	rows := p.allRows()
	ids := make([]string, len(rows))
	p.rows = make(map[string]sentRow, len(rows))
	for i, r := range rows {
		ids[i], p.rows[r.id] = r.id, r
	}
	p.list.SetIDs(ids)
	for _, r := range rows {
		if old, there := p.bound[r.id]; there && old != r {
			p.list.RefreshRow(r.id)
		}
	}
	p.screen.head.draw()
}

// toggle folds or unfolds a request or a part.
func (p *sent) toggle(id string) {
	if kind := p.rows[id].kind; kind == sentRequest || kind == sentPart {
		p.open[id] = !p.open[id]
		p.draw()
	}
}

// choose shows a request as exact bytes, or by its parts.
func (p *sent) choose(request int, exact bool) {
	p.exact[request] = exact
	p.draw()
}

// text returns the piece of text of a row.
func (p *sent) text(r sentRow) string {
	of := p.requests[r.request]
	if r.part < 0 {
		return of.Exact[r.piece]
	}
	return of.Parts[r.part].Text[r.piece]
}

func (p *sent) bind(id string, o fyne.CanvasObject) {
	r := p.rows[id]
	p.bound[id] = r
	gap := float32(0)
	switch r.kind {
	case sentNote, sentRequest:
		gap = gapBlock
	case sentPart:
		gap = gapClose
	}
	o.(*slot).bind(row{id: id, gap: gap})
}

// noteWords explains what the panel shows, or why it is empty.
func (p *sent) noteWords() string {
	if len(p.requests) == 0 {
		return lang.L("What was sent for this answer is no longer kept: it is only in memory, for the latest answers, until you close Bowerbird.")
	}
	var hosts []string
	for _, r := range p.requests {
		if len(hosts) == 0 || hosts[len(hosts)-1] != r.Host {
			hosts = append(hosts, present.Isolate(r.Host))
		}
	}
	return lang.N("{{.Count}} requests went to {{.Host}}, exactly as shown here. Keys and passwords were removed before sending; your key for the server is not shown.",
		len(p.requests), in("Count", inWords().Number(len(p.requests)), "Host", strings.Join(hosts, ", ")))
}

// drawer returns a new drawer for the rows of a kind of the panel.
func (p *sent) drawer(kind string) drawer {
	switch kind {
	case sentNote:
		text := prose.New()
		text.ID = "chat.sent.note"
		return drawer{text, func(row) {
			text.SetSpans(prose.Span{Text: p.noteWords(), Size: theme.Small, Color: theme.Muted})
		}}
	case sentRequest:
		return newSentRequest(p)
	case sentPart:
		return newSentPart(p)
	}
	return newSentText(p)
}

// sentRequestRow draws one request: to which host, when, how large, with which outcome.
// Unfolded it offers the two forms and a copy button.
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

func newSentRequest(p *sent) drawer {
	o := &sentRequestRow{panel: p, mark: widgets.NewIcon("chevron-right", 12, theme.Muted), text: prose.New()}
	o.tap = widgets.Named("chat.sent.request", widgets.NewTappable(layout.Pad(layout.Sides(8, 12), layout.Row(8, 1, o.mark, o.text)), func() { p.toggle(o.id) }))
	o.form = widgets.Named("chat.sent.form", widgets.NewSegmented([]string{lang.L("By message"), lang.L("Exact bytes")}, 0, func(i int) { p.choose(o.at, i == 1) }))
	o.copy = widgets.Named("chat.sent.copy", widgets.NewIconButton("copy", lang.L("Copy the exact request"), func() { p.screen.env.Go.Copy(string(p.requests[o.at].Body)) }))
	o.tools = layout.Pad(layout.Insets{Left: 8, Right: 8, Bottom: 6}, layout.Row(8, 1, o.form, space(1, 1), o.copy))
	back := newPanel(theme.Surface, theme.Line, theme.RadiusCard, allCorners)
	o.box = layout.Stack(back, layout.Column(0, o.tap, o.tools))
	return drawer{o.box, o.draw}
}

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

// newSentPart draws a message, folded: who wrote it, how it begins, how large it is.
func newSentPart(p *sent) drawer {
	var id string
	mark, name := widgets.NewIcon("chevron-right", 12, theme.Muted), widgets.NewLabel("", theme.Small, theme.Text)
	begins, size := prose.New(), widgets.NewLabel("", theme.Tiny, theme.Muted)
	name.Bold = true
	begins.MaxLines = 1
	tap := widgets.Named("chat.sent.part", widgets.NewTappable(layout.Pad(layout.Sides(6, 12), layout.Row(8, 2, mark, name, begins, size)), func() { p.toggle(id) }))
	return drawer{tap, func(r row) {
		id = r.id
		of := p.rows[id]
		part := p.requests[of.request].Parts[of.part]
		mark.SetIcon(chevron(of.open))
		name.SetText(say(part.Name, p.screen.now()))
		first := part.First
		if of.open {
			first = ""
		}
		begins.SetSpans(prose.Span{Text: first, Size: theme.Small, Color: theme.Muted})
		size.SetText(inWords().Bytes(int64(part.Size)))
		tap.Refresh()
	}}
}

// newSentText draws a piece of a text.
func newSentText(p *sent) drawer {
	text := prose.New()
	text.Selectable = true
	text.ID = "chat.sent.text"
	box := layout.Stack(newPanel(theme.Chip, "", 0, 0), text)
	return drawer{box, func(r row) {
		of := p.rows[r.id]
		text.SetSpans(prose.Span{Text: p.text(of), Mono: true, Size: theme.Tiny})
		around := layout.Sides(0, 12) // no space between the pieces of a text
		if of.piece == 0 {
			around.Top = 6
		}
		if of.last {
			around.Bottom = 6
		}
		box.Objects[1] = layout.Pad(around, text)
		box.Refresh()
	}}
}
