package settings

import (
	"context"
	"strings"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// makeKey makes the part of the chooser that is about the key.
func (c *chooser) makeKey() {
	c.key = widgets.NewEntry(lang.L("Paste a key"))
	c.key.Password = true
	c.key.ID = "settings.key"
	c.key.OnSubmitted = func(string) { c.saveKey() }
	c.save = widgets.NewButton(lang.L("Keep the key"), widgets.Outline, c.saveKey)
	c.save.ID = "settings.key.save"
	c.remove = widgets.NewButton(lang.L("Remove the key"), widgets.Quiet, c.removeKey)
	c.remove.ID = "settings.key.remove"
	c.keyField = newField(lang.L("Key"), "", c.key)
	c.keyBox = layout.Column(8, c.keyField, layout.Row(8, 0, layout.Column(0), c.remove, c.save))
}

// gotKey says where the key is, or that there is none.
func (c *chooser) gotKey(place app.KeyPlace, err error) {
	c.place = place
	text, color := c.s.env.Words.Key(c.chosen, place), theme.Muted
	if err != nil && c.chosen.NeedsKey {
		text, color = lang.L("This computer has no keyring that answers. A key that you enter is kept until Bowerbird is closed."), theme.Warn
	}
	c.keyField.say(text, color)
	widgets.SetVisible(c.remove, place == app.KeyInKeyring || place == app.KeyInMemory)
	c.s.frame.place()
}

// saveKey keeps the key that was pasted. It stays in the field no longer than that.
func (c *chooser) saveKey() {
	c.takeAddress()
	key, p, base := c.key.Text, c.chosen, c.server()
	if strings.TrimSpace(key) == "" {
		return
	}
	c.key.SetText("")
	c.save.Disable()
	c.s.work(func(ctx context.Context) func() {
		_, err := c.s.env.App.SetModelKey(ctx, p.ID, base, key)
		return func() {
			c.save.Enable()
			c.keyChanged(err)
		}
	})
}

func (c *chooser) removeKey() {
	c.takeAddress()
	p, base := c.chosen, c.server()
	c.s.work(func(ctx context.Context) func() {
		err := c.s.env.App.RemoveModelKey(ctx, p.ID, base)
		return func() { c.keyChanged(err) }
	})
}

// keyChanged asks anew for what a key opens, or says why it is as it was.
func (c *chooser) keyChanged(err error) {
	if err != nil {
		c.keyField.say(c.s.env.Words.KeyRefused(err), theme.Bad)
		c.s.frame.place()
		return
	}
	c.ask()
	c.changed()
}
