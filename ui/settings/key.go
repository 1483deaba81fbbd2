package settings

import (
	"context"
	"strings"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// makeKey makes the part of the chooser that is about the key.
func (c *chooser) makeKey() {
	c.key = widgets.NewEntry(lang.L("Paste a key"))
	c.key.Password = true
	c.key.ID = "settings.key"
	c.key.OnSubmitted = func(string) { c.saveKey() }
	c.save = widgets.Named("settings.key.save", widgets.NewButton(lang.L("Keep the key"), widgets.Outline, c.saveKey))
	c.remove = widgets.Named("settings.key.remove", widgets.NewButton(lang.L("Remove the key"), widgets.Quiet, c.removeKey))
	c.keyFile = widgets.Named("settings.key.file", widgets.NewButton(" ", widgets.Outline, func() { c.s.keyFile(c.offer, c.keysOpened) }))
	c.keyField = newField(lang.L("Key"), "", c.key)
	c.keyBox = layout.Column(8, c.keyField, layout.WrapEnd(8, c.keyFile, c.remove, c.save))
}

// gotKey shows where the key is, or that there is none, and offers the key file if there
// is no keyring.
func (c *chooser) gotKey(place models.KeyPlace, file config.KeyFileState, err error) {
	l := c.s.env.Words.KeyAt(c.chosen, place, file, err)
	c.offer = l.Offer
	c.keyField.say(l.Text, screen.ToneColor(l.Tone, theme.Muted))
	c.keyFile.SetText(c.s.env.Words.KeyFileDo(l.Offer))
	widgets.SetVisible(c.keyFile, l.Offer != present.NoKeyOffer)
	widgets.SetVisible(c.remove, place == models.KeyInKeyring || place == models.KeyInMemory || place == models.KeyInFile)
	c.s.frame.place()
}

// keysOpened reads the state again after the key file was unlocked.
func (c *chooser) keysOpened() { c.keyChanged(nil) }

// saveKey saves the key that was pasted, and clears the field.
func (c *chooser) saveKey() {
	c.takeAddress()
	key, p, base := c.key.Text, c.chosen, c.server()
	if strings.TrimSpace(key) == "" {
		return
	}
	c.key.SetText("")
	c.save.Disable()
	c.s.work(func(ctx context.Context) func() {
		_, err := c.s.env.App.Models().SetKey(ctx, p.ID, base, key)
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
		err := c.s.env.App.Models().RemoveKey(ctx, p.ID, base)
		return func() { c.keyChanged(err) }
	})
}

// keyChanged reads the state again after a change of the key, or shows why it failed.
func (c *chooser) keyChanged(err error) {
	if err != nil {
		c.keyField.say(c.s.env.Words.KeyRefused(err), theme.Bad)
		c.s.frame.place()
		return
	}
	c.ask()
	c.changed()
}
