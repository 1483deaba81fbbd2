package widgets

import (
	"slices"

	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// Segmented is a row of words, one of which is chosen: "Notes | With replies".
type Segmented struct {
	layout.Arranged
	ID string
	// OnKey sees the keys that lead to no other word, and says whether it took one;
	// may be nil.
	OnKey func(e *fyne.KeyEvent) bool

	buttons  []*segment
	selected int
	changed  func(int)
}

// NewSegmented returns a segmented control. changed is told what the user chose.
func NewSegmented(labels []string, selected int, changed func(int)) *Segmented {
	s := &Segmented{selected: selected, changed: changed}
	lines := layout.Wrap(4) // as many as they need
	for i, text := range labels {
		b := newSegment(text, func() { s.choose(i) })
		b.key = s.key
		b.selected = i == selected
		s.buttons = append(s.buttons, b)
		lines.Add(b)
	}
	s.Objects = []fyne.CanvasObject{lines}
	s.ExtendBaseWidget(s)
	return s
}

// segment is one of the words.
type segment struct {
	Press
	label *Label
	key   func(from *segment, e *fyne.KeyEvent) bool
}

func newSegment(text string, tap func()) *segment {
	b := &segment{label: NewLabel(text, theme.Small, theme.Muted)}
	b.Press = Press{Content: b.label, Insets: layout.Sides(6, 11), Tap: tap, ID: "segment:" + text}
	b.Press.Look = func() Look {
		color := theme.Muted
		if b.selected {
			color = theme.Text
		}
		b.label.SetColor(color)
		return Look{Hover: theme.Chip, Chosen: theme.Chip, Radius: theme.RadiusButton, Ring: 1}
	}
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey implements fyne.Focusable: arrows lead to the words beside.
func (b *segment) TypedKey(e *fyne.KeyEvent) {
	if !b.key(b, e) {
		b.Press.TypedKey(e)
	}
}

func (s *Segmented) key(from *segment, e *fyne.KeyEvent) bool {
	at := slices.Index(s.buttons, from)
	switch e.Name {
	case fyne.KeyLeft:
		at--
	case fyne.KeyRight:
		at++
	default:
		return s.OnKey != nil && s.OnKey(e)
	}
	if at >= 0 && at < len(s.buttons) {
		s.choose(at)
		s.TakeKeyboard()
	}
	return true
}

// TakeKeyboard gives the keyboard to the chosen word, if that is to be seen.
func (s *Segmented) TakeKeyboard() {
	b := s.buttons[s.selected]
	if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil && Seen(b) {
		c.Focus(b)
	}
}

// Chosen returns the word that is chosen, for the keyboard.
func (s *Segmented) Chosen() fyne.Focusable { return s.buttons[s.selected] }

// HasKeyboard reports whether the keyboard is on one of the words.
func (s *Segmented) HasKeyboard() bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	if c == nil {
		return false
	}
	b, ok := c.Focused().(*segment)
	return ok && slices.Contains(s.buttons, b)
}

func (s *Segmented) choose(i int) {
	if i == s.selected {
		return
	}
	s.SetSelected(i)
	if s.changed != nil {
		s.changed(i)
	}
}

// SetSelected shows another choice and tells nobody.
func (s *Segmented) SetSelected(i int) {
	s.selected = i
	for j, b := range s.buttons {
		b.SetSelected(j == i)
	}
}

// DumpName names the control in the dump of rectangles.
func (s *Segmented) DumpName() string { return s.ID }

func (s *Segmented) named(id string) { s.ID = id }

// MinSize is that of one line: where there is less room HeightFor tells how many it
// takes.
func (s *Segmented) MinSize() fyne.Size {
	var size fyne.Size
	for i, b := range s.buttons {
		least := b.MinSize()
		size.Height = max(size.Height, least.Height)
		if size.Width += least.Width; i > 0 {
			size.Width += 4
		}
	}
	return size
}
