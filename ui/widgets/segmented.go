package widgets

import (
	"slices"

	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// Segmented is a row of words of which one is chosen: "Notes | With replies".
type Segmented struct {
	layout.Arranged
	ID string
	// OnKey receives the keys that choose no other word, and reports whether it handled
	// one; may be nil.
	OnKey func(e *fyne.KeyEvent) bool

	buttons  []*segment
	selected int
	changed  func(int)
}

// NewSegmented returns a segmented control. changed is called with the index that the user
// chose.
func NewSegmented(labels []string, selected int, changed func(int)) *Segmented {
	s := &Segmented{selected: selected, changed: changed}
	lines := layout.Wrap(segmentGap)
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
		if b.label.Bold = b.selected; b.selected {
			color = theme.Primary
		}
		b.label.SetColor(color)
		return Look{Hover: theme.Chip, Chosen: theme.PrimarySoft, Radius: theme.RadiusButton, Ring: 1}
	}
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey implements fyne.Focusable: the arrow keys choose the words beside.
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

// TakeKeyboard focuses the chosen word, if it is visible.
func (s *Segmented) TakeKeyboard() {
	b := s.buttons[s.selected]
	if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil && Seen(b) {
		c.Focus(b)
	}
}

// HasKeyboard reports whether one of the words has the focus.
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

// SetSelected shows another choice without calling changed.
func (s *Segmented) SetSelected(i int) {
	s.selected = i
	for j, b := range s.buttons {
		b.SetSelected(j == i)
	}
}

// SetLabels changes the words.
func (s *Segmented) SetLabels(labels []string) {
	for i, b := range s.buttons {
		b.label.SetText(labels[i])
	}
	s.Refresh()
}

// DumpName returns the control's ID.
func (s *Segmented) DumpName() string { return s.ID }

func (s *Segmented) named(id string) { s.ID = id }

const segmentGap = 4 // between words and lines, in points

// MinSize is the size of one line; HeightFor returns the height where they wrap.
func (s *Segmented) MinSize() fyne.Size {
	var size fyne.Size
	for i, b := range s.buttons {
		least := b.MinSize()
		size.Height = max(size.Height, least.Height)
		if size.Width += least.Width; i > 0 {
			size.Width += segmentGap
		}
	}
	return size
}
