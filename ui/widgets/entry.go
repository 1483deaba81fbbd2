package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
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

	shift bool
}

// NewEntry returns a field of one line.
func NewEntry(placeholder string) *Entry {
	e := &Entry{}
	e.PlaceHolder = placeholder
	e.Scroll = fyne.ScrollNone
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
	enter := k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter
	if enter && !e.shift && e.OnSubmitted != nil {
		e.OnSubmitted(e.Text)
		return
	}
	// Fyne's own entry of several lines submits with Shift, where ours breaks.
	submit := e.OnSubmitted
	e.OnSubmitted = nil
	e.Entry.TypedKey(k)
	e.OnSubmitted = submit
	e.grow()
}

// TypedRune implements fyne.Focusable.
func (e *Entry) TypedRune(r rune) {
	e.Entry.TypedRune(r)
	e.grow()
}

// grow shows as many lines as are written, up to Lines.
func (e *Entry) grow() {
	if e.Lines > 1 {
		rows := 1
		for _, r := range e.Text {
			if r == '\n' {
				rows++
			}
		}
		e.SetMinRowsVisible(min(rows, e.Lines))
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if custom, ok := s.(*desktop.CustomShortcut); ok && !editing(custom) {
		if c, ok := fyne.CurrentApp().Driver().CanvasForObject(e).(fyne.Shortcutable); ok {
			c.TypedShortcut(s)
		}
		return
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
	e.Entry.FocusGained()
	if e.OnFocus != nil {
		e.OnFocus(true)
	}
}

// FocusLost implements fyne.Focusable.
func (e *Entry) FocusLost() {
	e.shift = false
	e.Entry.FocusLost()
	if e.OnFocus != nil {
		e.OnFocus(false)
	}
}
