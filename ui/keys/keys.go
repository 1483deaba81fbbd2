// Package keys passes on the keys and shortcuts that a focused widget does not use. Fyne gives
// them to the focused widget only.
package keys

import "fyne.io/fyne/v2"

// PassOn passes a key on: Escape to the dialog around a widget, other keys to the window
// unless an overlay covers it.
func PassOn(from fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if top := c.Overlays().Top(); top != nil {
		if d, ok := top.(interface{ Escape() }); ok && e.Name == fyne.KeyEscape {
			d.Escape()
		}
		return
	}
	if typed := c.OnTypedKey(); typed != nil {
		typed(e)
	}
}

// PassShortcutOn passes a shortcut on to the window: Fyne does not, once the focused widget
// takes any shortcut.
func PassShortcutOn(from fyne.CanvasObject, s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(from).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}
