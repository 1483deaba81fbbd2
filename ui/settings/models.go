package settings

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// mostMatches is how many models are offered below the field.
const mostMatches = 7

// makeModels makes the part of the chooser that is about the model itself.
func (c *chooser) makeModels() {
	c.matches = layout.Column(0)
	c.model = widgets.Named("settings.model", widgets.NewEntry(lang.L("Type part of its name")))
	c.model.OnChanged = func(string) { c.showMatches() }
	c.model.OnSubmitted = func(text string) { c.use(strings.TrimSpace(text)) }
	c.model.OnKey = func(key fyne.KeyName) bool { return key == fyne.KeyDown && c.toMatches() }
	c.choose = widgets.Named("settings.model.use", widgets.NewButton(lang.L("Let it answer"), widgets.Outline, func() { c.use(strings.TrimSpace(c.model.Text)) }))
	c.modelField = newField(lang.L("Model"), "", c.model)
	c.other = widgets.Named("settings.model.other", widgets.NewButton(lang.L("Choose another model"), widgets.Quiet, func() {
		c.model.SetText("")
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(c.model); canvas != nil {
			canvas.Focus(c.model)
		}
	}))
	c.chooseRow = layout.WrapEnd(8, c.other, c.choose)
	c.modelBox = layout.Column(8, c.modelField, c.chooseRow, c.matches)
}

// gotModels shows the models of the server, or why they are not known; kept is its last
// known list.
func (c *chooser) gotModels(offered, kept []llm.ModelInfo, err error) {
	c.offered = offered
	if err != nil {
		c.offered = kept
	}
	switch {
	case c.at.Obstacle == models.LocalOnlyOn:
		c.sayModel(c.s.env.Words.Elsewhere(c.at), theme.Warn)
	case c.at.Obstacle == models.AddressMissing:
		c.sayModel(lang.L("Enter the address of the server first."), theme.Muted)
	case c.at.Obstacle == models.KeysLocked:
		c.sayModel(lang.L("Unlock the keys to list its models."), theme.Muted)
	case c.at.Obstacle != models.NoObstacle:
		c.sayModel(lang.L("Enter a key to list its models."), theme.Muted)
	case err != nil && len(kept) > 0:
		c.sayModel(c.s.env.Words.Failure(err, c.at).What+" "+c.s.env.Words.KeptModels(len(kept)), theme.Warn)
	case err != nil:
		c.sayModel(c.s.env.Words.Failure(err, c.at).String(), theme.Warn)
	case len(offered) == 0:
		c.sayModel(lang.L("The server has no model yet."), theme.Warn)
	default:
		c.sayModel(c.s.env.Words.Offered(len(offered)), theme.Muted)
	}
	c.showMatches()
}

// sayModel shows a line about the provider's models, and while none of them is chosen that
// another model still answers.
func (c *chooser) sayModel(text string, color fyne.ThemeColorName) {
	c.about = prose.Span{Text: text, Color: color}
	if answers, _, _ := strings.Cut(c.s.chosenModel().ID, ":"); answers != c.chosen.ID {
		text += " " + lang.L("Nothing changes until you choose one of them here.")
	}
	c.modelField.say(text, color)
	c.s.frame.place()
}

// showMatches lists the models whose names contain what was typed.
func (c *chooser) showMatches() {
	rows, more := c.s.env.Words.ModelRows(c.offered, c.model.Text, c.staysHere, c.s.host.Settings().Assistant.LocalOnly, mostMatches)
	c.matches.Objects = nil
	for i, r := range rows {
		if i > 0 {
			c.matches.Add(widgets.NewRule())
		}
		c.matches.Add(c.newMatch(r))
	}
	if more > 0 {
		c.matches.Add(layout.Pad(layout.Sides(6, 10), note(c.s.env.Words.MoreModels(more))))
	}
	c.matches.Refresh()
	widgets.SetVisible(c.matches, len(c.matches.Objects) > 0)
	name := strings.TrimSpace(c.model.Text)
	use, other := name != "" && c.allowed(name) && !c.answers(name), name != "" && len(rows) == 0 && len(c.offered) > 1
	widgets.SetVisible(c.choose, use)
	widgets.SetVisible(c.other, other)
	widgets.SetVisible(c.chooseRow, use || other)
	c.s.frame.place()
}

// staysHere reports whether text for a model of the provider in the form stays on this
// computer.
func (c *chooser) staysHere(name string) bool {
	return c.s.env.App.Models().StaysHere(choiceOf(c.chosen, c.server(), name))
}

// allowed reports whether a model of the provider in the form may be chosen: where its server
// is must be known.
func (c *chooser) allowed(name string) bool {
	return (c.server() != "" || !c.chosen.NeedsAddress) && c.s.allowed(choiceOf(c.chosen, c.server(), name))
}

// answers reports whether a model of the provider in the form is the chosen one.
func (c *chooser) answers(name string) bool {
	chosen := c.s.chosenModel()
	return chosen.ID == c.chosen.ID+":"+name && chosen.BaseURL == c.server()
}

// newMatch is a line of the list, which chooses its model.
func (c *chooser) newMatch(r present.ModelRow) fyne.CanvasObject {
	words := layout.Column(1, prose.New(prose.Span{Text: r.Name}))
	if r.About != "" {
		words.Add(note(r.About))
	}
	tap := widgets.Named("settings.model:"+clean.Line(r.ID, 60), widgets.NewTappable(layout.Pad(layout.Sides(7, 10), words), func() {
		c.model.SetText(r.ID)
		c.use(r.ID)
	}))
	if r.Off {
		tap.Disable()
	}
	return tap
}

// toMatches focuses the first line of the list, and reports whether there is one.
func (c *chooser) toMatches() bool {
	for _, o := range c.matches.Objects {
		if tap, ok := o.(*widgets.Tappable); ok && !tap.Disabled() {
			if canvas := fyne.CurrentApp().Driver().CanvasForObject(c.model); canvas != nil {
				canvas.Focus(tap)
				return true
			}
		}
	}
	return false
}

// use makes a model of the provider answer from now on.
func (c *chooser) use(name string) {
	if name == "" && c.chosen.ID != models.Builtin || c.chosen.ID == "" {
		return
	}
	c.takeAddress()
	if !c.allowed(name) {
		return
	}
	c.s.host.Change(choiceOf(c.chosen, c.server(), name).ChosenIn)
	c.settled = c.entered()
	c.settled.key = "" // a key in the field is not saved yet
	c.showMatches()
	c.sayModel(c.about.Text, c.about.Color)
	c.changed()
}

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
