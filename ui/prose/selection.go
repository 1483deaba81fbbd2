package prose

import (
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/keys"
)

// againWithin is the longest time between the clicks of a double or triple click.
const againWithin = 400 * time.Millisecond

// selection is an object over all of a Selectable text, under its links, with what the
// mouse has selected. It can be focused by a click but not by Tab: a chat of a hundred
// paragraphs has a hundred of them.
type selection struct {
	widget.BaseWidget
	t        *Text
	from, to int // bytes of the text; from is where the selection began
	active   bool
	clicks   int
	last     time.Time
	now      func() time.Time
}

// drawSelector adds the selection's object, or removes it.
func (r *renderer) drawSelector() {
	t := r.t
	if !t.Selectable {
		t.sel = nil
		return
	}
	if t.sel == nil {
		t.sel = &selection{t: t, now: time.Now}
		t.sel.ExtendBaseWidget(t.sel)
	}
	t.sel.Move(fyne.Position{})
	t.sel.Resize(t.Size())
	r.objects = append(r.objects, t.sel)
}

func (s *selection) clear() { s.from, s.to = 0, 0 }

// SelectedText returns the selected text.
func (s *selection) SelectedText() string {
	text := s.t.ready().text
	from, to := min(s.from, s.to), max(s.from, s.to)
	if to > len(text) {
		return ""
	}
	return text[from:to]
}

func (s *selection) set(from, to int) {
	if s.from != from || s.to != to {
		s.from, s.to = from, to
		s.t.Refresh()
	}
}

// part returns where the selected part of a piece begins, and its width.
func (s *selection) part(f *flow, p *placed) (x, w float32) {
	from, to := max(min(s.from, s.to), p.from), min(max(s.from, s.to), p.to)
	if from >= to {
		return 0, 0
	}
	l := &f.looks[p.look]
	if l.chip {
		return p.x, p.w
	}
	a, _ := measure(f.text[p.from:from], l)
	b, _ := measure(f.text[p.from:to], l)
	if p.level == 1 {
		return p.x + p.w - b, b - a
	}
	return p.x + a, b - a
}

// at returns the byte of the text that is nearest to a place in the widget.
func (s *selection) at(pos fyne.Position) int {
	f := s.t.ready()
	ps := s.t.place(s.t.Size().Width)
	lines := s.t.layOut(s.t.Size().Width).lines
	if len(lines) == 0 {
		return 0
	}
	row := min(max(int(pos.Y/f.line), 0), len(lines)-1)
	best, dist := int(lines[row].from), float32(-1)
	for i := range ps {
		p := &ps[i]
		if p.line != row || p.ellipsis {
			continue
		}
		d := max(p.x-pos.X, pos.X-p.x-p.w, 0)
		if dist < 0 || d < dist {
			best, dist = f.byteIn(p, pos.X-p.x), d
		}
	}
	return best
}

// byteIn returns the boundary between characters of a piece that is nearest to x.
func (f *flow) byteIn(p *placed, x float32) int {
	l := &f.looks[p.look]
	if l.chip {
		if x > p.w/2 {
			return p.to
		}
		return p.from
	}
	if p.level == 1 {
		x = p.w - x
	}
	at, before := p.from, float32(0)
	f.glyphs.InitWithString(f.text[p.from:p.to])
	for it := f.glyphs.GraphemeIterator(); it.Next(); {
		end := at + runeBytes(it.Grapheme().Text)
		w, _ := measure(f.text[p.from:end], l)
		if x < (before+w)/2 {
			return at
		}
		at, before = end, w
	}
	return at
}

// wordAround returns the word around a byte of the text.
func wordAround(text string, at int) (from, to int) {
	in := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '_' || r == '\''
	}
	from, to = at, at
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:from])
		if !in(r) {
			break
		}
		from -= n
	}
	for to < len(text) {
		r, n := utf8.DecodeRuneInString(text[to:])
		if !in(r) {
			break
		}
		to += n
	}
	if from == to && to < len(text) {
		_, n := utf8.DecodeRuneInString(text[to:])
		to += n
	}
	return from, to
}

// MouseDown begins a selection; a second click selects the word, a third everything.
func (s *selection) MouseDown(e *desktop.MouseEvent) {
	s.focus()
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	at := s.at(e.Position)
	now := s.now()
	if now.Sub(s.last) <= againWithin {
		s.clicks = s.clicks%3 + 1
	} else {
		s.clicks = 1
	}
	s.last = now
	text := s.t.ready().text
	switch s.clicks {
	case 1:
		if e.Modifier&fyne.KeyModifierShift != 0 {
			s.set(s.from, at)
		} else {
			s.set(at, at)
		}
	case 2:
		from, to := wordAround(text, at)
		s.set(from, to)
	default:
		s.set(0, len(text))
	}
}

func (s *selection) MouseUp(*desktop.MouseEvent) {}

// Dragged selects up to the mouse.
func (s *selection) Dragged(e *fyne.DragEvent) {
	s.last = time.Time{}
	s.set(s.from, s.at(e.Position))
}

func (s *selection) DragEnd() {}

// TappedSecondary opens a menu that copies.
func (s *selection) TappedSecondary(e *fyne.PointEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	if c == nil {
		return
	}
	cp := fyne.NewMenuItem(lang.L("Copy"), s.copy)
	cp.Disabled = s.from == s.to
	all := fyne.NewMenuItem(lang.L("Select all"), s.all)
	items := []*fyne.MenuItem{cp, all}
	if s.t.More != nil {
		items = append(items, s.t.More()...)
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, e.AbsolutePosition)
}

func (s *selection) all() { s.set(0, len(s.t.ready().text)) }

func (s *selection) copy() {
	if text := s.SelectedText(); text != "" {
		fyne.CurrentApp().Clipboard().SetContent(text)
	}
}

func (s *selection) Cursor() desktop.Cursor { return desktop.TextCursor }

func (s *selection) focus() {
	s.active = true
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
}

// Disabled keeps the selection out of the Tab order until it is clicked.
func (s *selection) Disabled() bool { return !s.active }

func (s *selection) Enable()  {}
func (s *selection) Disable() {}

func (s *selection) FocusGained() { s.active = true; s.t.Refresh() }

// FocusLost hides the selection, since another text may have one now. It is kept, and shown
// again while the menu is open.
func (s *selection) FocusLost() { s.active = false; s.t.Refresh() }

func (s *selection) TypedRune(rune) {}

// TypedKey clears the selection with Escape and passes other keys on.
func (s *selection) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape && s.from != s.to {
		s.set(s.to, s.to)
		return
	}
	keys.PassOn(s, e)
}

// TypedShortcut copies or selects everything, and passes other shortcuts on.
func (s *selection) TypedShortcut(sc fyne.Shortcut) {
	switch sc.(type) {
	case *fyne.ShortcutCopy:
		s.copy()
	case *fyne.ShortcutSelectAll:
		s.all()
	default:
		keys.PassShortcutOn(s, sc)
	}
}

// MinSize is zero: the selection is as large as its text.
func (s *selection) MinSize() fyne.Size { return fyne.Size{} }

// CreateRenderer draws nothing: the text draws what is selected.
func (s *selection) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(&fyne.Container{})
}
