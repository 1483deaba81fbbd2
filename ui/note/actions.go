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

// open does what a click on the card does.
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

// over is told when the mouse comes onto the card or one of its parts, and when it
// goes: Fyne tells only the uppermost.
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
func (c *Card) FocusLost() { c.focus = false; c.repaint() }

// TypedRune opens the thread with the space bar, the menu with m.
func (c *Card) TypedRune(r rune) {
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
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		c.Tapped(nil)
	case desktop.KeyMenu:
		c.showMenu(c.anchor())
	case fyne.KeySpace: // comes as a rune too
	default:
		if !c.passKey(string(e.Name)) {
			keys.PassOn(c, e)
		}
	}
}

// anchor is what the menu opens below: its button, where there is one.
func (c *Card) anchor() fyne.CanvasObject {
	if c.parts.counts != nil && !c.note.Missing {
		return c.parts.counts.more
	}
	return c
}

// repaint draws the backdrop anew, and nothing else.
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
	if text := copied(&n); text != "" {
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

// copied is the text of a note as it is copied: as it is shown, and whole.
func copied(n *present.Note) string {
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
