package widgets

import (
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// MenuItem is one line of a menu.
type MenuItem struct {
	Text    string
	Detail  string // muted, at the right: a shortcut, or where something goes
	Do      func()
	Checked bool
	Off     bool // disabled
	Rule    bool // a rule between groups; the other fields are then unused
}

// menuMost is the greatest width of a menu, in points at the usual text size.
const menuMost float32 = 420

// ShowMenu opens a menu below an object, or above it where there is no space below. Arrow
// keys, Home, End and the first letter of a line select it; Enter runs it; Escape, Tab and
// a click outside close the menu. The focus then returns to where it was.
func ShowMenu(at fyne.CanvasObject, items ...MenuItem) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(at)
	if c == nil || len(items) == 0 {
		return
	}
	m := newMenu(items)
	m.close = func() { c.Overlays().Remove(m) }
	from := driver.AbsolutePositionForObject(at)
	c.Overlays().Add(m)
	m.Resize(c.Size())
	m.put(from, at.Size())
	m.veil.lift()
	c.Focus(m)
}

// menu covers the window, so that a click anywhere closes it.
type menu struct {
	layout.Arranged
	card   *fyne.Container
	column *fyne.Container // of the lines, in the card
	shadow fyne.CanvasObject
	veil   *veil
	lines  []*menuLine // without the rules
	at     int         // the selected line; -1 for none
	close  func()
}

func newMenu(items []MenuItem) *menu {
	column := layout.Column(0)
	m := &menu{at: -1, column: column}
	marks := slices.ContainsFunc(items, func(it MenuItem) bool { return it.Checked })
	for _, it := range items {
		if it.Rule {
			column.Add(layout.Pad(layout.Sides(4, 0), NewRule()))
			continue
		}
		l := newMenuLine(it, marks)
		l.Tap = func() { m.choose(it) }
		m.lines = append(m.lines, l)
		column.Add(l)
	}
	scroll := NewScroll(column)
	m.card = NewFrame(theme.Raised, theme.Line, theme.RadiusChip, layout.Pad(layout.All(5), scroll))
	m.shadow, m.veil = newShadow(theme.RadiusChip), newVeil(theme.RadiusChip)
	m.Objects = []fyne.CanvasObject{m.shadow, m.card, m.veil.Rectangle}
	m.Arrange = func(float32, layout.Put) float32 { return 0 } // put places the card
	m.ExtendBaseWidget(m)
	return m
}

// put places the card beside the object that the menu belongs to.
func (m *menu) put(from fyne.Position, size fyne.Size) {
	const gap, edge, inset = 4, 4, 10
	window := m.Size()
	wide := min(m.column.MinSize().Width, theme.Eased(menuMost), window.Width-2*edge-inset)
	card := fyne.NewSize(wide+inset, min(layout.HeightFor(m.column, wide)+inset, window.Height-2*edge))
	y := from.Y + size.Height + gap
	if y+card.Height > window.Height-edge {
		if y = from.Y - card.Height - gap; y < edge {
			y = max(edge, window.Height-card.Height-edge)
		}
	}
	x := from.X
	if x+card.Width > window.Width-edge { // it ends where the object ends
		x = from.X + size.Width - card.Width
	}
	x = max(edge, min(x, window.Width-card.Width-edge))
	m.card.Resize(card)
	m.card.Move(fyne.NewPos(x, y))
	for _, o := range []fyne.CanvasObject{m.shadow, m.veil.Rectangle} {
		o.Resize(card)
		o.Move(fyne.NewPos(x, y))
	}
}

func (m *menu) choose(it MenuItem) {
	m.close()
	if it.Do != nil && !it.Off {
		it.Do()
	}
}

// Tapped closes the menu: the click was outside the card.
func (m *menu) Tapped(*fyne.PointEvent) { m.close() }

// TappedSecondary closes the menu.
func (m *menu) TappedSecondary(*fyne.PointEvent) { m.close() }

// AcceptsTab makes Tab a key of the menu, which closes it.
func (m *menu) AcceptsTab() bool { return true }

func (m *menu) FocusGained() {}
func (m *menu) FocusLost()   {}

// TypedRune selects the next line that begins with a letter; the space bar runs the
// selected one.
func (m *menu) TypedRune(r rune) {
	if r == ' ' {
		m.enter()
		return
	}
	for i := range m.lines {
		j := (m.at + 1 + i + len(m.lines)) % len(m.lines)
		if strings.HasPrefix(strings.ToLower(m.lines[j].text), string(unicode.ToLower(r))) && !m.lines[j].Disabled() {
			m.mark(j)
			return
		}
	}
}

func (m *menu) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		m.walk(m.at, 1)
	case fyne.KeyUp:
		m.walk(max(m.at, 0), -1)
	case fyne.KeyHome:
		m.walk(-1, 1)
	case fyne.KeyEnd:
		m.walk(len(m.lines), -1)
	case fyne.KeyReturn, fyne.KeyEnter:
		m.enter()
	case fyne.KeyEscape, fyne.KeyTab:
		m.close()
	}
}

func (m *menu) enter() {
	if m.at >= 0 {
		m.lines[m.at].activate()
	}
}

// walk selects the next line that is not off, past the end of the menu too.
func (m *menu) walk(from, by int) {
	n := len(m.lines)
	for range n {
		from = ((from+by)%n + n) % n
		if !m.lines[from].Disabled() {
			m.mark(from)
			return
		}
	}
}

func (m *menu) mark(i int) {
	for j, l := range m.lines {
		l.SetSelected(j == i)
	}
	m.at = i
}

// menuLine is one line of a menu. The menu has the focus, never a line.
type menuLine struct {
	Press
	text string
}

func newMenuLine(it MenuItem, marks bool) *menuLine {
	color, muted := theme.Text, theme.Muted
	if it.Off {
		color, muted = theme.Faint, theme.Faint
	}
	l := &menuLine{text: it.Text}
	var parts []fyne.CanvasObject
	if marks {
		mark := NewIcon("", 16, theme.Primary)
		if it.Checked {
			mark.SetIcon("check")
		}
		parts = append(parts, mark)
	}
	label := NewLabel(it.Text, theme.Body, color)
	label.Most = menuMost
	words := fyne.CanvasObject(label)
	if it.Detail != "" {
		detail := NewLabel(it.Detail, theme.Small, muted)
		detail.Most = menuMost / 2
		words = layout.Parted(10, label, detail)
	}
	parts = append(parts, words)
	l.Press = Press{Content: layout.Row(10, len(parts)-1, parts...), Insets: layout.Sides(6, 10), disabled: it.Off, ID: "menu:" + it.Text}
	l.Press.Look = func() Look {
		return Look{Hover: theme.Chip, Down: theme.ChipDown, Chosen: theme.PrimarySoft, Radius: 6}
	}
	l.ExtendBaseWidget(l)
	return l
}
