// Package keys gives what is typed, and what a widget has no use for, to those who
// have: Fyne gives a key only to what has the keyboard, and asks nobody else.
package keys

import "fyne.io/fyne/v2"

// Dialog is what lies over the window and takes Escape from all that is in it.
type Dialog interface{ Escape() }

// PassOn gives a key to what a widget is in: Escape to its dialog, others to the
// window, to which nothing goes while it is covered.
func PassOn(from fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if top := c.Overlays().Top(); top != nil {
		if d, ok := top.(Dialog); ok && e.Name == fyne.KeyEscape {
			d.Escape()
		}
		return
	}
	if typed := c.OnTypedKey(); typed != nil {
		typed(e)
	}
}

// PassShortcutOn gives a shortcut to the window of a widget: Fyne does not, once a
// widget that takes any has the keyboard.
func PassShortcutOn(from fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(from).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}
