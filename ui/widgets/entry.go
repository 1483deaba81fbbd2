package widgets

import (
	"image/color"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/keys"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// Entry is a text field. Enter submits; in a field of several lines Shift+Enter begins a
// new line. Shortcuts that it does not use go on to the window, where Fyne's own entry
// swallows them.
type Entry struct {
	widget.Entry
	ID string
	// Lines is the number of lines that it grows to at most; 0 and 1 are one line.
	Lines int
	// OnKey receives each key first and reports whether it handled it.
	OnKey func(key fyne.KeyName) bool
	// OnFocus is called when the focus comes and goes.
	OnFocus func(has bool)
	// OnEscape is called for Escape; if nil, Escape closes the dialog around the field.
	OnEscape func()
	// OnFull is called when a text was cut to the 4,000 characters that the field takes.
	OnFull func()

	hint           string // the whole placeholder
	shift, focused bool
	tabbed         bool       // the focus came by the Tab key: only then a card shows a ring
	rows           int        // shown
	card           *entryCard // around it; nil for none
}

// entryMost is the number of characters that a field takes: the time in which Fyne breaks
// lines grows with their square, and a pasted book would hang the window.
const entryMost = 4_000

// Left returns how many more characters the field takes.
func (e *Entry) Left() int { return entryMost - utf8.RuneCountInString(e.Text) }

// NewEntry returns a field of one line.
func NewEntry(placeholder string) *Entry {
	e := &Entry{hint: placeholder}
	e.PlaceHolder = placeholder
	e.Scroll = fyne.ScrollHorizontalOnly // else a long key would widen the field
	e.ExtendBaseWidget(e)
	return e
}

// NewTextEntry returns a field that grows to a number of lines.
func NewTextEntry(placeholder string, lines int) *Entry {
	e := &Entry{Lines: lines, hint: placeholder}
	e.PlaceHolder = placeholder
	e.MultiLine = true
	e.Wrapping = fyne.TextWrapWord
	e.SetMinRowsVisible(1)
	e.ExtendBaseWidget(e)
	return e
}

// DumpName names the entry in the dump of rectangles.
func (e *Entry) DumpName() string { return e.ID }

func (e *Entry) named(id string) { e.ID = id }

// AcceptsTab lets the Tab key leave a field of several lines too: nobody types one into a
// question, and the keyboard must get out again.
func (e *Entry) AcceptsTab() bool { return false }

// KeyDown implements desktop.Keyable.
func (e *Entry) KeyDown(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = true
	}
	e.Entry.KeyDown(k)
}

// KeyUp implements desktop.Keyable.
func (e *Entry) KeyUp(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = false
	}
	if k.Name == fyne.KeyTab { // let go where it has led to
		e.tabbed = e.focused
		e.refreshCard()
	}
	e.Entry.KeyUp(k)
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if e.OnKey != nil && e.OnKey(k.Name) {
		return
	}
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !e.shift && e.OnSubmitted != nil {
			e.OnSubmitted(e.Text)
			return
		}
	case fyne.KeyEscape:
		if e.OnEscape != nil {
			e.OnEscape()
		} else {
			e.escape(k)
		}
		return
	case fyne.KeyF1, fyne.KeyF2, fyne.KeyF3, fyne.KeyF4, fyne.KeyF5, fyne.KeyF6, fyne.KeyF7, fyne.KeyF8, fyne.KeyF9, fyne.KeyF10, fyne.KeyF11, fyne.KeyF12:
		keys.PassOn(e, k)
		return
	}
	// Fyne's entry submits on Shift+Enter, where this one begins a new line.
	submit := e.OnSubmitted
	e.OnSubmitted = nil
	e.Entry.TypedKey(k)
	e.OnSubmitted = submit
	e.grow()
}

// escape closes the dialog around the field; without one the field loses the focus, so that
// the next Escape reaches the window.
func (e *Entry) escape(k *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(e)
	switch {
	case c == nil:
	case c.Overlays().Top() != nil:
		keys.PassOn(e, k)
	default:
		c.Unfocus()
	}
}

// TypedRune implements fyne.Focusable.
func (e *Entry) TypedRune(r rune) {
	if e.Left() > 0 {
		e.Entry.TypedRune(r)
		e.grow()
	} else if e.OnFull != nil {
		e.OnFull()
	}
}

// SetText replaces the text.
func (e *Entry) SetText(text string) {
	e.Entry.SetText(e.cut(text, entryMost))
	e.grow()
}

// cut returns the first characters of a text, at most most.
func (e *Entry) cut(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			if e.OnFull != nil {
				e.OnFull()
			}
			return text[:i]
		}
		n++
	}
	return text
}

// clip is a clipboard whose text fits the field.
type clip struct {
	fyne.Clipboard
	text string
}

func (c clip) Content() string { return c.text }

// Resize implements fyne.CanvasObject.
func (e *Entry) Resize(size fyne.Size) {
	e.Entry.Resize(size)
	e.fitHint()
	e.grow()
}

// SetPlaceHolder changes what the empty field shows.
func (e *Entry) SetPlaceHolder(text string) {
	e.hint = text
	e.Entry.SetPlaceHolder(text)
	e.fitHint()
}

// fitHint cuts the placeholder of a field of one line to its width.
func (e *Entry) fitHint() {
	if e.MultiLine {
		return
	}
	th := e.Theme()
	hint := fit(e.hint, e.Size().Width-2*th.Size(fynetheme.SizeNameInnerPadding), th.Size(fynetheme.SizeNameText), e.TextStyle)
	if hint != e.PlaceHolder {
		e.Entry.SetPlaceHolder(hint)
	}
}

// grow shows as many lines as the text takes, up to Lines.
func (e *Entry) grow() {
	if e.Lines < 2 {
		return
	}
	size := e.Size()
	if size.Width <= 0 {
		return
	}
	th := e.Theme()
	inner := size.Width - 2*th.Size(fynetheme.SizeNameInnerPadding)
	if rows := linesOf(e.Text, inner, th.Size(fynetheme.SizeNameText), e.Lines); rows != e.rows {
		e.rows = rows
		e.SetMinRowsVisible(rows)
	}
}

// linesOf counts the lines that a text takes at a width, broken at spaces; it stops at most
// and measures no further than a line reaches.
func linesOf(text string, width, size float32, most int) int {
	const longest = 400 // characters that fit on the widest line
	lines := 0
	for line := range strings.SplitSeq(text, "\n") {
		rest := []rune(line)
		for lines++; lines < most; lines++ {
			n := min(len(rest), longest)
			if n == len(rest) && fyne.MeasureText(string(rest), size, fyne.TextStyle{}).Width <= width {
				break
			}
			cut := sort.Search(n, func(n int) bool {
				return fyne.MeasureText(string(rest[:n+1]), size, fyne.TextStyle{}).Width > width
			})
			if space := strings.LastIndexByte(string(rest[:cut]), ' '); space > 0 {
				cut = len([]rune(string(rest[:cut])[:space])) + 1
			}
			rest = rest[max(cut, 1):]
		}
		if lines >= most {
			return most
		}
	}
	return lines
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if custom, ok := s.(*desktop.CustomShortcut); ok && !editing(custom) {
		keys.PassShortcutOn(e, s)
		return
	}
	if paste, ok := s.(*fyne.ShortcutPaste); ok {
		left := e.Left() + utf8.RuneCountInString(e.SelectedText())
		s = &fyne.ShortcutPaste{Clipboard: clip{paste.Clipboard, e.cut(paste.Clipboard.Content(), max(0, left))}}
	}
	e.Entry.TypedShortcut(s)
	e.grow()
}

// editing reports whether a shortcut moves the cursor or deletes within a text.
func editing(s *desktop.CustomShortcut) bool {
	switch s.KeyName {
	case fyne.KeyLeft, fyne.KeyRight:
		return s.Modifier&fyne.KeyModifierAlt == 0 || s.Modifier&^fyne.KeyModifierAlt != 0
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyBackspace, fyne.KeyDelete:
		return true
	}
	return false
}

// FocusGained implements fyne.Focusable.
func (e *Entry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
	reveal(e)
	e.refreshCard()
	if e.OnFocus != nil {
		e.OnFocus(true)
	}
}

// FocusLost implements fyne.Focusable.
func (e *Entry) FocusLost() {
	e.shift, e.focused, e.tabbed = false, false, false
	e.Entry.FocusLost()
	e.refreshCard()
	if e.OnFocus != nil {
		e.OnFocus(false)
	}
}

func (e *Entry) refreshCard() {
	if e.card != nil {
		e.card.Refresh()
	}
}

// CreateRenderer implements fyne.Widget. Fyne marks the focused field with a line of one
// point; ours is two points wide.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	ring := canvas.NewRectangle(color.Transparent)
	ring.StrokeWidth = 2
	r := &entryRenderer{WidgetRenderer: e.Entry.CreateRenderer(), e: e, ring: ring}
	r.paint()
	return r
}

type entryRenderer struct {
	fyne.WidgetRenderer
	e    *Entry
	ring *canvas.Rectangle
}

// paint shows the focus ring, unless the card around the field shows it.
func (r *entryRenderer) paint() {
	r.ring.Hidden = !r.e.focused || r.e.Disabled() || r.e.card != nil
	r.ring.StrokeColor = theme.Color(theme.Primary)
	r.ring.CornerRadius = r.e.Theme().Size(fynetheme.SizeNameInputRadius)
}

func (r *entryRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.ring.Resize(size)
}

func (r *entryRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.paint()
	r.ring.Refresh()
}

// Objects leaves out Fyne's background and border where a card is around the field.
func (r *entryRenderer) Objects() []fyne.CanvasObject {
	objects := append(slices.Clone(r.WidgetRenderer.Objects()), r.ring)
	if r.e.card == nil {
		return objects
	}
	return slices.DeleteFunc(objects, func(o fyne.CanvasObject) bool {
		_, ok := o.(*canvas.Rectangle)
		return ok
	})
}

// entryCard is a card around an entry and the controls that belong to it. The entry itself
// has no border; the card shows the focus.
type entryCard struct {
	layout.Arranged
	Flat    bool // no border: what is around shows one
	Ring    bool // shown whenever the field has the keyboard, not only after the Tab key
	entry   *Entry
	content fyne.CanvasObject
	frame   *canvas.Rectangle
}

// entryPadding is the space around the text of an entry on a card, in points.
const entryPadding = 4

// NewEntryCard returns a card with what around returns for the entry without its border.
func NewEntryCard(e *Entry, around func(bare fyne.CanvasObject) fyne.CanvasObject) *entryCard {
	// Fyne's padding is meant for a field with a border. A theme override would remove it, but
	// for each override, and at each of its redraws, Fyne loads all fonts (5 MB) and keeps them.
	bare := layout.Pad(layout.All(entryPadding-fynetheme.InnerPadding()), e)
	c := &entryCard{entry: e, content: around(bare), frame: canvas.NewRectangle(color.Transparent)}
	c.Objects, c.Paint = []fyne.CanvasObject{c.frame, c.content}, c.paint
	c.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(c.frame, 0, 0, width, c.Size().Height)
			put(c.content, 0, 0, width, c.Size().Height)
		}
		return layout.HeightFor(c.content, width)
	}
	c.ExtendBaseWidget(c)
	e.card = c
	return c
}

// MinSize implements fyne.CanvasObject.
func (c *entryCard) MinSize() fyne.Size { return c.content.MinSize() }

func (c *entryCard) paint() {
	f := c.frame
	f.CornerRadius = theme.RadiusCard
	f.FillColor = theme.Color(theme.Surface)
	f.StrokeColor, f.StrokeWidth = theme.Color(theme.Line), 1
	if c.Flat {
		f.FillColor, f.StrokeWidth = color.Transparent, 0
		return
	}
	if c.entry.tabbed || c.Ring && c.entry.focused {
		f.StrokeColor, f.StrokeWidth = theme.Color(theme.Primary), 2
	}
}
