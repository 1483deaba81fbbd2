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
	"bowerbird/ui/theme"
)

// Entry is a field to type into. Enter submits; in one of several lines
// Shift+Enter begins a new line. Shortcuts that it has no use for go on to the
// window, which Fyne's own entry swallows.
type Entry struct {
	widget.Entry
	ID string
	// Lines is how many lines it grows to at most; 0 and 1 are one line.
	Lines int
	// OnKey sees each key first and says whether it took it.
	OnKey func(key fyne.KeyName) bool
	// OnFocus is told when the keyboard comes and goes.
	OnFocus func(has bool)
	// OnEscape is told of Escape; nil gives it to the dialog that the field is in.
	OnEscape func()
	// OnFull is told that a text was cut to what the field takes: 4,000 characters.
	OnFull func()

	shift, has bool
	rows       int        // shown
	card       *EntryCard // that it stands on; nil for none
}

// entryMost is how many runes a field takes: Fyne breaks lines in a time that grows
// with their square, and a book that is pasted would hang the window.
const entryMost = 4_000

// NewEntry returns a field of one line.
func NewEntry(placeholder string) *Entry {
	e := &Entry{}
	e.PlaceHolder = placeholder
	e.Scroll = fyne.ScrollHorizontalOnly // a long key stays within the field
	e.ExtendBaseWidget(e)
	return e
}

// NewTextEntry returns a field that grows to so many lines.
func NewTextEntry(placeholder string, lines int) *Entry {
	e := &Entry{Lines: lines}
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

// AcceptsTab lets the Tab key lead on also from a field of several lines: nobody
// wants one in a question, and the keyboard must come out again.
func (e *Entry) AcceptsTab() bool { return false }

// KeyDown notes whether Shift is held.
func (e *Entry) KeyDown(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = true
	}
	e.Entry.KeyDown(k)
}

// KeyUp notes that Shift is let go.
func (e *Entry) KeyUp(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = false
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
	// Fyne's own entry of several lines submits with Shift, where ours breaks.
	submit := e.OnSubmitted
	e.OnSubmitted = nil
	e.Entry.TypedKey(k)
	e.OnSubmitted = submit
	e.grow()
}

// escape closes the dialog that the field is in; without one the keyboard leaves the
// field, so that the next Escape is the window's.
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
	if utf8.RuneCountInString(e.Text) < entryMost {
		e.Entry.TypedRune(r)
		e.grow()
	} else if e.OnFull != nil {
		e.OnFull()
	}
}

// SetText shows another text.
func (e *Entry) SetText(text string) {
	e.Entry.SetText(e.cut(text, entryMost))
	e.grow()
}

// cut returns the beginning of a text that has too many runes.
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

// clip is a clipboard with a text that fits.
type clip struct {
	fyne.Clipboard
	text string
}

func (c clip) Content() string { return c.text }

// Resize implements fyne.CanvasObject.
func (e *Entry) Resize(size fyne.Size) {
	e.Entry.Resize(size)
	e.grow()
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
	room := size.Width - 2*th.Size(fynetheme.SizeNameInnerPadding)
	if rows := linesOf(e.Text, room, th.Size(fynetheme.SizeNameText), e.Lines); rows != e.rows {
		e.rows = rows
		e.SetMinRowsVisible(rows)
	}
}

// linesOf counts the lines that a text takes at a width, broken at spaces; no more
// than most are counted, and what a line cannot hold is not measured.
func linesOf(text string, width, size float32, most int) int {
	const longest = 400 // runes that one line has room for
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
		room := entryMost - utf8.RuneCountInString(e.Text) + utf8.RuneCountInString(e.SelectedText())
		s = &fyne.ShortcutPaste{Clipboard: clip{paste.Clipboard, e.cut(paste.Clipboard.Content(), max(0, room))}}
	}
	e.Entry.TypedShortcut(s)
	e.grow()
}

// editing reports whether a shortcut moves or deletes within a text.
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
	e.has = true
	e.Entry.FocusGained()
	reveal(e)
	e.tellCard()
	if e.OnFocus != nil {
		e.OnFocus(true)
	}
}

// FocusLost implements fyne.Focusable.
func (e *Entry) FocusLost() {
	e.shift, e.has = false, false
	e.Entry.FocusLost()
	e.tellCard()
	if e.OnFocus != nil {
		e.OnFocus(false)
	}
}

func (e *Entry) tellCard() {
	if e.card != nil {
		e.card.Refresh()
	}
}

// CreateRenderer implements fyne.Widget. Fyne marks the field that has the keyboard
// with a line of one point; ours is of two.
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

// paint shows the ring, which the card that a field stands on has in its place.
func (r *entryRenderer) paint() {
	r.ring.Hidden = !r.e.has || r.e.Disabled() || r.e.card != nil
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

// Objects leaves Fyne's ground and line out where the field stands on a card.
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
