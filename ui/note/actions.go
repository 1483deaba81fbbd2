package note

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/keys"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// open opens the thread of the note.
func (c *sheet) open() {
	if c.note.ID != (nostr.ID{}) {
		c.opt.Go.OpenThread(c.note.ID)
	}
}

func (c *sheet) openProfile(pk nostr.PubKey) {
	if pk != (nostr.PubKey{}) {
		c.opt.Go.OpenProfile(pk)
	}
}

// Tapped opens the note's thread.
func (c *Card) Tapped(*fyne.PointEvent) {
	if c.opt.Size != Focus {
		c.open()
	}
}

// TappedSecondary opens the menu.
func (c *Card) TappedSecondary(*fyne.PointEvent) { c.showMenu(c.anchor()) }

// MouseIn implements desktop.Hoverable.
func (c *Card) MouseIn(*desktop.MouseEvent) { c.over(true) }

// MouseMoved implements desktop.Hoverable.
func (c *Card) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Card) MouseOut() { c.over(false) }

// over receives whether the mouse is on the card or one of its parts: Fyne notifies only
// the uppermost object.
func (c *sheet) over(on bool) {
	on = on && c.opt.Size != Focus && c.opt.Size != Quote
	if c.hover != on {
		c.hover = on
		c.repaint()
	}
}

// FocusGained implements fyne.Focusable.
func (c *Card) FocusGained() { c.focus = true; c.repaint() }

// FocusLost implements fyne.Focusable.
func (c *Card) FocusLost() { c.focus, c.calm = false, false; c.repaint() }

// HideRing hides the focus ring until a key is pressed.
func (c *Card) HideRing() { c.calm = true; c.repaint() }

func (c *Card) showRing() {
	if c.calm {
		c.calm = false
		c.repaint()
	}
}

// TypedRune opens the thread with the space bar and the menu with m.
func (c *Card) TypedRune(r rune) {
	c.showRing()
	switch r {
	case ' ':
		c.Tapped(nil)
	case 'm', 'M':
		c.showMenu(c.anchor())
	default:
		c.passKey(string(r))
	}
}

func (c *Card) passKey(key string) bool { return c.opt.Key != nil && c.opt.Key(c.note.Row, key) }

// TypedKey opens the thread with Enter, the menu with the menu key.
func (c *Card) TypedKey(e *fyne.KeyEvent) {
	c.showRing()
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		c.Tapped(nil)
	case desktop.KeyMenu:
		c.showMenu(c.anchor())
	case fyne.KeySpace: // arrives as a rune too
	default:
		if !c.passKey(string(e.Name)) {
			keys.PassOn(c, e)
		}
	}
}

// anchor returns what the menu opens below: its button, if it has one.
func (c *Card) anchor() fyne.CanvasObject {
	if c.parts.head != nil && !c.note.Missing {
		return c.parts.head.more
	}
	return c
}

// repaint draws the backdrop only: the content may be long.
func (c *sheet) repaint() {
	if c.back == nil {
		return
	}
	c.back.paint(c)
	c.back.hover.Refresh()
	c.back.ring.Refresh()
}

func (c *sheet) showMenu(at fyne.CanvasObject) {
	n := c.note
	nav := c.opt.Go
	items := []widgets.MenuItem{
		{Text: say("Copy link"), Do: func() { nav.Copy(n.Link) }},
	}
	if text := plainText(&n); text != "" {
		items = append(items, widgets.MenuItem{Text: say("Copy text"), Do: func() { nav.Copy(text) }})
	}
	if n.PubKey != (nostr.PubKey{}) {
		items = append(items, widgets.MenuItem{Text: say("Profile of {{.Name}}", "Name", n.Author), Do: func() { nav.OpenProfile(n.PubKey) }})
	}
	if c.opt.Details != nil && c.opt.Do != nil && !n.Missing {
		items = append(items, widgets.MenuItem{Text: say("Copy details for experts (JSON)"), Do: func() { c.copyDetails(n.ID) }})
	}
	widgets.ShowMenu(at, items...)
}

// plainText returns the text of a note to copy: as it is shown, but uncut.
func plainText(n *present.Note) string {
	body := n.Body
	if n.Whole != nil {
		body = n.Whole
	}
	text := present.Text(body)
	if n.Title != "" && text != "" {
		return n.Title + "\n\n" + text
	}
	return n.Title + text
}

func (c *sheet) copyDetails(id nostr.ID) {
	nav, details := c.opt.Go, c.opt.Details
	c.opt.Do.Go(func() func() {
		json, err := details(context.Background(), id)
		if err != nil {
			return func() { nav.Toast(say("The note's details could not be read."), "", nil) }
		}
		return func() { nav.Copy(json) }
	})
}
