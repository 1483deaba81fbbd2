package feed

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/note"
	"bowerbird/ui/widgets"
)

// walk moves the keyboard from the card of a row to another card: with the arrows, j and
// k, Home and End, Page Up and Down. It skips rows without a card, and reports whether it
// handled the key.
func walk(rows *widgets.VirtualList, row, key string) bool {
	at, ok := rows.Index(row)
	if !ok {
		return false
	}
	const page = 5
	end := len(rows.IDs()) - 1
	switch key {
	case "j", string(fyne.KeyDown):
		focusNext(rows, at+1, +1)
	case "k", string(fyne.KeyUp):
		focusNext(rows, at-1, -1)
	case string(fyne.KeyHome):
		focusNext(rows, 0, +1)
	case string(fyne.KeyEnd):
		focusNext(rows, end, -1)
	case string(fyne.KeyPageDown):
		focusNext(rows, min(at+page, end), -1)
	case string(fyne.KeyPageUp):
		focusNext(rows, max(at-page, 0), +1)
	default:
		return false
	}
	return true
}

// walkInto moves the keyboard into a list for a key that no widget handled, lets the list
// handle the key, and reports whether it did.
func walkInto(rows *widgets.VirtualList, e *fyne.KeyEvent) bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(rows)
	if c == nil {
		return false
	}
	switch e.Name {
	case fyne.KeyDown, fyne.KeyUp:
		focusTop(rows)
	case fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageDown, fyne.KeyPageUp:
		before := c.Focused()
		focusTop(rows)
		if now := c.Focused(); now != nil && now != before {
			now.TypedKey(e)
		}
	default:
		return false
	}
	return true
}

// focusNext focuses the first card from a row on, in the direction of step, and scrolls to
// it. If its note is not read yet the list gets the keyboard.
func focusNext(rows *widgets.VirtualList, at, step int) {
	ids := rows.IDs()
	for ; at >= 0 && at < len(ids); at += step {
		rows.Reveal(ids[at])
		card := cardOf(rows.Row(ids[at]))
		if card == nil {
			continue
		}
		c := fyne.CurrentApp().Driver().CanvasForObject(rows)
		switch {
		case c == nil:
		case widgets.Seen(card):
			c.Focus(card)
		default:
			rows.SetCurrent(ids[at])
			c.Focus(rows)
		}
		return
	}
}

// focusTop focuses the first card that begins in sight, without scrolling; the list itself
// while there is none.
func focusTop(rows *widgets.VirtualList) {
	c := fyne.CurrentApp().Driver().CanvasForObject(rows)
	if c == nil || !widgets.Seen(rows) {
		return
	}
	c.Focus(rows)
	row, above := rows.Place()
	at, ok := rows.Index(row)
	if !ok {
		return
	}
	if above > 0 {
		at++
	}
	for _, row := range rows.IDs()[at:] {
		o := rows.Row(row)
		if o == nil {
			return // out of sight
		}
		if card := cardOf(o); card != nil && widgets.Seen(card) {
			c.Focus(card)
			return
		}
	}
}

// unfocus takes the keyboard from a card.
func unfocus(card *note.Card) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(card); c != nil && c.Focused() == fyne.Focusable(card) {
		c.Unfocus()
	}
}

// cardOf returns the card in the object of a row; nil if it has none.
func cardOf(o fyne.CanvasObject) *note.Card {
	switch o := o.(type) {
	case *note.Card:
		return o
	case *inset:
		return cardOf(o.content)
	}
	return nil
}

// tap does what a click on the object of a row does.
func tap(o fyne.CanvasObject) {
	if card := cardOf(o); card != nil {
		card.Tapped(&fyne.PointEvent{})
		return
	}
	if t, ok := o.(fyne.Tappable); ok {
		t.Tapped(&fyne.PointEvent{})
	}
}
