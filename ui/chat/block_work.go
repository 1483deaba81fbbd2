package chat

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// work draws what was looked up: a chip with words and facts, which opens to the
// single look-ups, and these to the calls as the model wrote them.
type work struct {
	screen *Screen
	id     string
	chip   *fyne.Container
	tap    *widgets.Tappable // stays the same: what is pressed must be there when it is let go
	box    *fyne.Container
}

func newWork(s *Screen) *work {
	w := &work{screen: s, chip: layout.Stack()}
	w.tap = widgets.NewTappable(w.chip, func() { s.toggle(w.id) })
	w.tap.ID = "chat.work"
	w.box = layout.Column(0, w.tap)
	return w
}

func (w *work) object() fyne.CanvasObject { return w.box }

func (w *work) draw(r row) {
	w.id = r.id
	b := r.block.(*answers.Work)
	w.chip.Objects = []fyne.CanvasObject{w.line(b, r.open)}
	w.box.Objects = []fyne.CanvasObject{w.tap}
	if r.open {
		w.box.Objects = append(w.box.Objects, w.details(r, b))
	}
	w.box.Refresh()
}

// line is the chip that is always there: as wide as what it says.
func (w *work) line(b *answers.Work, open bool) fyne.CanvasObject {
	now := w.screen.now()
	mark := theme.Primary
	if b.State == answers.WorkFailed || b.State == answers.WorkUnknown {
		mark = theme.Warn
	}
	words := widgets.NewLabel(say(b.Words, now), theme.Small, theme.Text)
	words.Bold = true
	parts := []fyne.CanvasObject{widgets.NewIcon(b.Icon, 16, mark), words}
	for _, f := range b.Facts {
		parts = append(parts, newFact(say(f, now)))
	}
	end := "chevron-right"
	if open {
		end = "chevron-down"
	}
	parts = append(parts, widgets.NewIcon(end, 12, theme.Muted))
	back := newPanel(theme.Chip, theme.Line, theme.RadiusChip, allCorners)
	const padX, padY, gap = 12, 6, 8
	return layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		high, wide := flow(parts, gap, padX, padY, width-2*padX, put)
		if put != nil {
			put(back, 0, 0, min(width, wide+2*padX), high+2*padY)
		}
		return high + 2*padY
	}, append([]fyne.CanvasObject{back}, parts...)...)
}

// flow places objects at their smallest sizes in lines, centred on each, within
// left and right of a width. It returns the height and how wide the widest line is.
func flow(objects []fyne.CanvasObject, gap, x0, y0, width float32, put layout.Put) (height, widest float32) {
	type item struct {
		o    fyne.CanvasObject
		x, w float32
		h    float32
	}
	var line []item
	x, y := float32(0), float32(0)
	end := func() {
		var high float32
		for _, it := range line {
			high = max(high, it.h)
		}
		for _, it := range line {
			if put != nil {
				put(it.o, x0+it.x, y0+y+(high-it.h)/2, it.w, it.h)
			}
			widest = max(widest, it.x+it.w)
		}
		y += high
		line = line[:0]
	}
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		w := min(size.Width, width)
		if len(line) > 0 && x+w > width {
			end()
			x, y = 0, y+gap
		}
		line = append(line, item{o, x, w, layout.HeightFor(o, w)})
		x += w + gap
	}
	end()
	return y, widest
}

// details says each look-up in words.
func (w *work) details(r row, b *answers.Work) fyne.CanvasObject {
	now := w.screen.now()
	column := layout.Column(5)
	for _, l := range b.Lines {
		spans := []prose.Span{{Text: say(l.Words, now), Size: theme.Small}}
		for _, f := range l.Facts {
			spans = append(spans, prose.Span{Text: " · " + say(f, now), Size: theme.Small, Color: theme.Muted})
		}
		if n := len(l.Details); n > 1 {
			spans = append(spans, prose.Span{Text: " · " + lang.N("{{.Count}} times", n, in("Count", inWords().Number(n))), Size: theme.Small, Color: theme.Muted})
		}
		if l.State == answers.WorkUnknown {
			spans = append(spans, prose.Span{Text: " · " + lang.L("Bowerbird was closed while it was running. It will not run again by itself: check first."), Size: theme.Small, Color: theme.Bad})
		}
		if l.Problem != "" {
			spans = append(spans, prose.Span{Text: " · " + l.Problem, Size: theme.Small, Color: theme.Bad})
		}
		column.Add(prose.New(spans...))
		if r.deep {
			column.Add(raw(l.Details))
		}
	}
	label := lang.L("Show the details")
	if r.deep {
		label = lang.L("Hide the details")
	}
	link := widgets.NewLink(label, func() { w.screen.toggle(r.id + deepID) })
	link.ID = "chat.details"
	column.Add(layout.Row(0, -1, link))
	return layout.Pad(layout.Insets{Top: 8, Left: 12}, column)
}

// raw shows calls as the model wrote them and what came back, for those who want
// to know.
func raw(details []answers.Detail) fyne.CanvasObject {
	const most = 5
	var b strings.Builder
	for i, d := range details {
		if i == most {
			fmt.Fprintf(&b, "… %s\n", lang.N("{{.Count}} more", len(details)-most, in("Count", len(details)-most)))
			break
		}
		fmt.Fprintf(&b, "%s %s\n", d.Tool, d.Arguments)
		if d.Answer != "" {
			fmt.Fprintf(&b, "→ %s\n", d.Answer)
		}
	}
	text := prose.New(prose.Span{Text: strings.TrimSpace(b.String()), Mono: true, Size: theme.Tiny, Color: theme.Muted})
	text.Selectable = true
	return card(theme.Line, layout.All(10), text)
}

// newFact returns a figure in a chip.
func newFact(text string) fyne.CanvasObject {
	label := widgets.NewLabel(text, theme.Tiny, theme.Muted)
	return layout.Stack(newPanel(theme.Surface, theme.Line, 5, allCorners), layout.Pad(layout.Sides(1.5, 6), label))
}
