package chat

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// newWork draws what was looked up: a chip with words and facts, which opens to the
// single look-ups, and these to the calls as the model wrote them.
func newWork(s *Screen) drawer {
	var id string
	chip := layout.Stack()
	// The same object for all states: what is pressed must be there when it is let go.
	tap := widgets.Named("chat.work", widgets.NewTappable(chip, func() { s.toggle(id) }))
	box := layout.Column(0, tap)
	return drawer{box, func(r row) {
		id = r.id
		b := r.block.(*answers.Work)
		chip.Objects = []fyne.CanvasObject{workChip(b, r.open, s.now())}
		box.Objects = []fyne.CanvasObject{tap}
		if r.open {
			box.Objects = append(box.Objects, s.lookUps(r, b))
		}
		box.Refresh()
	}}
}

// workChip is the chip that is always there, as wide as its words.
func workChip(b *answers.Work, open bool, now time.Time) fyne.CanvasObject {
	mark := theme.Primary
	if b.State == answers.WorkFailed || b.State == answers.WorkUnknown {
		mark = theme.Warn
	}
	words := widgets.NewLabel(say(b.Words, now), theme.Small, theme.Text)
	words.Bold = true
	parts := []fyne.CanvasObject{widgets.NewIcon(b.Icon, 16, mark), words}
	for _, f := range b.Facts {
		label := widgets.NewLabel(say(f, now), theme.Tiny, theme.Muted)
		parts = append(parts, layout.Stack(newPanel(theme.Surface, theme.Line, 5, allCorners), layout.Pad(layout.Sides(1.5, 6), label)))
	}
	parts = append(parts, widgets.NewIcon(chevron(open), 12, theme.Muted))
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

// flow places objects at their minimal sizes in lines of at most a width, centred in each
// line. It returns the height and the width of the widest line.
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

// lookUps draws a line for each look-up, and behind a click the calls themselves.
func (s *Screen) lookUps(r row, b *answers.Work) fyne.CanvasObject {
	now := s.now()
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
	link := widgets.Named("chat.details", widgets.NewLink(label, func() { s.toggle(r.id + deepID) }))
	column.Add(layout.Row(0, -1, link))
	return layout.Pad(layout.Insets{Top: 8, Left: 12}, column)
}

// raw shows calls as the model wrote them, and their results.
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
	text.ID, text.Selectable = "chat.details.text", true
	return card(theme.Line, layout.All(10), text)
}
