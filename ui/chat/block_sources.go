package chat

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// source draws one line of the sources, which opens the thread of its note.
type source struct {
	screen *Screen
	box    *fyne.Container
	back   *panel
	light  *panel
	rule   fyne.CanvasObject // above, within a box
	line   *fyne.Container
	high   *layout.Arranged
	above  float32 // space to the card's upper and lower side
	below  float32
	tap    *widgets.Tappable
	of     answers.Source
}

// sourceHeight is that of a line without the space to the card's sides, linePad the
// space at its ends.
const (
	sourceHeight float32 = 32
	linePad      float32 = 9
)

func newSource(s *Screen) *source {
	o := &source{screen: s, back: newPanel(theme.Surface, theme.Line, theme.RadiusCard, 0), light: newPanel(theme.Surface, "", theme.RadiusButton, allCorners)}
	o.line, o.rule = layout.Row(9, 2), ruleAbove()
	o.high = layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		if put != nil {
			h := layout.HeightFor(o.line, width-2*linePad)
			put(o.light, 0, o.above, width, o.tall())
			put(o.line, linePad, o.above+(o.tall()-h)/2, width-2*linePad, h)
		}
		return o.above + o.tall() + o.below
	}, o.light, o.line)
	o.tap = widgets.NewTappable(o.high, func() {
		if !o.of.Gone {
			s.env.Go.OpenThread(o.of.ID)
		}
	})
	o.box = layout.Stack(o.back, o.rule, layout.Pad(layout.Sides(0, 6), o.tap))
	return o
}

// tall is how high the line is: at large texts it needs more.
func (o *source) tall() float32 { return max(sourceHeight, ceil(theme.Size(theme.Body)*2)) }

func (o *source) object() fyne.CanvasObject { return o.box }

func (o *source) draw(r row) {
	o.of = r.block.(*answers.Sources).List[r.index]
	s := o.of
	o.tap.ID = fmt.Sprintf("source:%d", s.Index)
	var round corners
	o.above, o.below = 0, 0
	if r.first {
		round |= topCorners
		o.above = 6
	}
	if r.last {
		round |= lowCorners
		o.below = 6
	}
	fill := theme.Surface
	if r.boxed {
		fill, round = theme.Quiet, round&lowCorners
	}
	if o.rule.Hide(); r.boxed && r.first {
		o.rule.Show()
	}
	o.back.set(fill, theme.Line, round)
	o.light.set(fill, "", allCorners)
	if r.lit {
		o.light.set(theme.PrimarySoft, "", allCorners)
	}
	number := prose.New(prose.Span{Text: fmt.Sprint(s.Index), Chip: true})
	avatar := widgets.NewAvatar(s.Author, s.PubKey, theme.AvatarSmall)
	if img := o.screen.faces.get(s); img != nil {
		avatar.SetPicture(img)
	}
	now := o.screen.now()
	spans := []prose.Span{
		{Text: present.Isolate(s.Author), Bold: true, Size: theme.Small},
		{Text: "  " + lang.L("“{{.Text}}”", in("Text", present.Isolate(s.Quote))), Size: theme.Small, Color: theme.Muted},
	}
	when := inWords().Ago(s.At, now)
	if s.Gone {
		spans = []prose.Span{{Text: lang.L("This note is no longer here."), Size: theme.Small, Color: theme.Muted}}
		when = ""
	}
	words := prose.New(spans...)
	words.MaxLines = 1
	o.line.Objects = []fyne.CanvasObject{layout.Fixed(24, number), avatar, words, widgets.NewLabel(when, theme.Small, theme.Muted)}
	o.high.Refresh()
	o.box.Refresh()
}

// more draws the end of the sources: show all, show as notes, what is missing.
type more struct {
	screen *Screen
	box    *fyne.Container
}

func newMore(s *Screen) *more { return &more{screen: s, box: layout.Stack()} }

func (m *more) object() fyne.CanvasObject { return m.box }

func (m *more) draw(r row) {
	b := r.block.(*answers.Sources)
	s := m.screen
	cards := s.seen.cards[r.id]
	links := layout.Wrap(14)
	if n := len(b.List); n > firstSources {
		label := lang.N("Show all {{.Count}} sources", n, in("Count", inWords().Number(n)))
		if r.open {
			label = lang.L("Show fewer")
		}
		links.Add(widgets.Named("chat.sources", widgets.NewLink(label, func() { s.toggle(r.id) })))
	}
	if len(b.List) > 0 {
		label := lang.L("Show the notes")
		if cards {
			label = lang.L("Show as a list")
		}
		links.Add(widgets.Named("chat.notes", widgets.NewLink(label, func() { s.toggleCards(r.id) })))
	}
	if b.Missing > 0 {
		links.Add(widgets.NewLabel(lang.N("{{.Count}} notes could not be found", b.Missing, in("Count", inWords().Number(b.Missing))), theme.Small, theme.Muted))
	}
	m.box.Objects = nil
	switch {
	case r.boxed:
		m.box.Objects = []fyne.CanvasObject{newPanel(theme.Quiet, theme.Line, theme.RadiusCard, endOf(r))}
	case !r.first:
		m.box.Objects = append(m.box.Objects, newPanel(theme.Surface, theme.Line, theme.RadiusCard, lowCorners))
	}
	m.box.Objects = append(m.box.Objects, layout.Pad(layout.Insets{Top: 2, Right: 16, Bottom: 12, Left: 15}, links))
	m.box.Refresh()
}

// ruleAbove is a thin line at the upper side of what it is stacked with.
func ruleAbove() fyne.CanvasObject {
	rule := widgets.NewRule()
	return layout.NewArranged(1, func(width float32, put layout.Put) float32 {
		if put != nil {
			put(rule, 1, 0, width-2, 1)
		}
		return 0
	}, rule)
}

// endOf are the round corners of a row in a box.
func endOf(r row) corners {
	if r.last {
		return lowCorners
	}
	return 0
}

// space takes room.
func space(width, height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, height))
	return r
}
