package chat

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
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

func newSource(s *Screen) drawer {
	o := &source{screen: s, back: newPanel(theme.Surface, theme.Line, theme.RadiusCard, 0)}
	o.line, o.rule = layout.Row(9, 2), ruleAbove()
	o.high = layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		if put != nil {
			h := layout.HeightFor(o.line, width-2*linePad)
			put(o.line, linePad, o.above+(o.tall()-h)/2, width-2*linePad, h)
		}
		return o.above + o.tall() + o.below
	}, o.line)
	o.tap = widgets.NewTappable(o.high, func() {
		if !o.of.Gone {
			s.env.Go.OpenThread(o.of.ID)
		}
	})
	o.box = layout.Stack(o.back, o.rule, layout.Pad(layout.Sides(0, 6), o.tap))
	return drawer{o.box, o.draw}
}

// tall is the height of the line, which grows with the text.
func (o *source) tall() float32 { return max(sourceHeight, ceil(theme.Size(theme.Body)*2)) }

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
	number := prose.New(prose.Span{Text: fmt.Sprint(s.Index), Chip: true})
	avatar := widgets.NewAvatar(s.PubKey, theme.AvatarSmall)
	if img := o.screen.faces.get(s.PubKey); img != nil {
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

// sourcesEnd draws the links below the sources, and how many notes are missing.
func (s *Screen) sourcesEnd(r row) []fyne.CanvasObject {
	b := r.block.(*answers.Sources)
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
	content := layout.Pad(layout.Insets{Top: 2, Right: 16, Bottom: 12, Left: 15}, links)
	switch {
	case r.boxed:
		return []fyne.CanvasObject{newPanel(theme.Quiet, theme.Line, theme.RadiusCard, endOf(r)), content}
	case !r.first:
		return []fyne.CanvasObject{newPanel(theme.Surface, theme.Line, theme.RadiusCard, lowCorners), content}
	}
	return []fyne.CanvasObject{content}
}

// ruleAbove is a thin line along the top of what it is stacked with.
func ruleAbove() fyne.CanvasObject {
	rule := widgets.NewRule()
	return layout.NewArranged(1, func(width float32, put layout.Put) float32 {
		if put != nil {
			put(rule, 1, 0, width-2, 1)
		}
		return 0
	}, rule)
}

// endOf returns the round corners of a row in a box.
func endOf(r row) corners {
	if r.last {
		return lowCorners
	}
	return 0
}

// space is an empty area of a size.
func space(width, height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, height))
	return r
}

// newNoteRow draws a source as a note card. Until loadNotes has read the note, the card
// shows what is in the source.
func newNoteRow(s *Screen) drawer {
	opt := note.OptionsFor(s.env, s.memory)
	opt.Changed = func(nostr.ID) { s.redraw(rowNote) }
	shown, number := note.NewCard(opt), prose.New()
	number.ID = "chat.note.number"
	// The number precedes the card, so that it is found from the text.
	line := layout.TopRow(9, 1, layout.Pad(layout.Insets{Top: 14}, layout.Fixed(24, number)), card(theme.Line, layout.Insets{}, shown))
	return drawer{line, func(r row) {
		of := r.block.(*answers.Sources).List[r.index]
		number.SetSpans(prose.Span{Text: fmt.Sprint(of.Index), Chip: true})
		n, ok := s.notes[of.ID]
		if !ok {
			n = present.Note{ID: of.ID, Row: of.ID, PubKey: of.PubKey, Author: of.Author, At: of.At, Missing: of.Gone}
		}
		shown.SetNote(n)
	}}
}

// loadNotes reads the sources of a block as notes, off the window's thread.
func (s *Screen) loadNotes(b *answers.Sources) {
	ids := make([]nostr.ID, 0, len(b.List))
	for _, one := range b.List {
		ids = append(ids, one.ID)
	}
	s.away(func() func() {
		notes, err := s.reader.Notes(s.ctx, ids)
		return func() {
			if err != nil {
				s.sayFailed("", err)
				return
			}
			for i, n := range notes {
				s.notes[ids[i]] = n
			}
			s.redraw(rowNote)
		}
	})
}

// redraw redraws the rows of a kind.
func (s *Screen) redraw(kind string) {
	for _, r := range s.rows {
		if r.kind == kind {
			s.list.RefreshRow(r.id)
		}
	}
}

// faces keeps the pictures of people. It follows the same rules as note cards: only pictures
// of people whom the user follows, and only where the settings say so.
type faces struct {
	screen  *Screen
	find    func(context.Context, nostr.PubKey) (url string, followed bool, err error)
	known   map[nostr.PubKey]image.Image // nil where there is none, or not yet
	waiting map[nostr.PubKey][]*widgets.Avatar
}

// The size in which faces are kept, in pixels, and how many.
const (
	faceSide  = 48
	mostFaces = 500
)

func newFaces(s *Screen) *faces {
	return &faces{
		screen: s, find: s.reader.Face,
		known: map[nostr.PubKey]image.Image{}, waiting: map[nostr.PubKey][]*widgets.Avatar{},
	}
}

// avatar returns a face that shows one person for good: first the pattern, then the picture.
func (f *faces) avatar(pk nostr.PubKey, size float32) *widgets.Avatar {
	a := widgets.NewAvatar(pk, size)
	if img := f.get(pk); img != nil {
		a.SetPicture(img)
	} else if f.screen.env.Look.ShowFollowed {
		f.waiting[pk] = append(f.waiting[pk], a)
	}
	return a
}

// get returns a person's picture, nil while there is none. The sources are redrawn when it
// arrives.
func (f *faces) get(pk nostr.PubKey) image.Image {
	env := f.screen.env
	if env.Pictures == nil || !env.Look.ShowFollowed {
		return nil
	}
	if img, asked := f.known[pk]; asked {
		return img
	}
	if len(f.known) >= mostFaces {
		clear(f.known)
		clear(f.waiting)
	}
	f.known[pk] = nil
	ctx := f.screen.ctx
	env.Do.Go(func() func() {
		url, followed, err := f.find(ctx, pk)
		if err != nil || url == "" || !followed {
			return nil
		}
		img, err := env.Pictures.Load(ctx, url)
		if err != nil {
			return nil // the pattern stays
		}
		img = note.Small(img, faceSide)
		return func() {
			f.known[pk] = img
			for _, a := range f.waiting[pk] {
				a.SetPicture(img)
			}
			delete(f.waiting, pk)
			f.screen.redraw(rowSource)
		}
	})
	return nil
}
