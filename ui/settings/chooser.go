package settings

import (
	"cmp"
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// chooser chooses a model: its provider, the address of its server, its key and
// its name (models.go). It hides what a provider does not need.
type chooser struct {
	s       *Screen
	changed func() // called after another model was chosen, or a key entered
	rows    *fyne.Container

	provider *widgets.Picker
	address  *widgets.Entry
	key      *widgets.Entry
	save     *widgets.Button
	remove   *widgets.Button
	keyFile  *widgets.Button
	model    *widgets.Entry
	choose   *widgets.Button
	other    *widgets.Button // shows the list again

	from, addressField, keyField, modelField *field
	keyBox, modelBox, chooseRow, matches     *fyne.Container

	chosen  models.Provider
	base    string           // of its server; "" for the provider's own
	at      models.State     // of that server
	offer   present.KeyOffer // what keyFile does
	offered []llm.ModelInfo  // the models of its server; empty until it has answered
	settled form             // the form before the user entered anything
	left    map[string]form  // the forms of other providers, as they were left
	loading int              // numbers the reads of the state: only the newest counts
	asking  int              // the same for the models of a server
	about   prose.Span       // the line about the models
}

// form is the content of the fields.
type form struct{ provider, address, key, model string }

func newChooser(s *Screen, changed func()) *chooser {
	c := &chooser{s: s, changed: changed, left: map[string]form{}}
	c.provider = widgets.Named("settings.provider", widgets.NewPicker(" ", c.pickProvider))
	c.address = widgets.Named("settings.address", widgets.NewEntry("http://127.0.0.1:11434/v1"))
	c.address.OnSubmitted = c.setAddress
	c.address.OnFocus = func(has bool) {
		if !has {
			c.takeAddress()
		}
	}
	c.addressField = newField(lang.L("Address of the server"), lang.L("It often ends in /v1. Press Enter when it is complete."), c.address)
	c.makeKey()
	c.makeModels()
	c.from = newField(lang.L("Provider"), " ", c.provider)
	c.rows = layout.Column(16, c.from, c.addressField, c.keyBox, c.modelBox)
	for _, o := range c.rows.Objects {
		o.Hide() // until the settings are read, which shows those that the provider needs
	}
	return c
}

// load shows the model of the settings, unless the user is entering something.
func (c *chooser) load() {
	if c.entering() {
		return
	}
	c.loading++
	mine, choice := c.loading, c.s.chosenModel()
	c.s.work(func(ctx context.Context) func() {
		state := c.s.env.App.Models().State(ctx, choice)
		return func() {
			if mine != c.loading || c.entering() {
				return
			}
			c.base = ownAddress(state.Provider, choice.BaseURL)
			c.setProvider(state.Provider)
			c.model.SetText(state.Name)
			c.settled = c.entered()
		}
	})
}

// ownAddress returns an address; "" if it is the provider's default.
func ownAddress(p models.Provider, address string) string {
	if address == p.BaseURL {
		return ""
	}
	return address
}

// reload shows the model of the settings in place of what is being entered.
func (c *chooser) reload() {
	c.settled = c.entered()
	c.load()
}

// again reads what depends on settings outside of the form, such as whether the server may
// be asked.
func (c *chooser) again() {
	key := c.key.Text
	c.setProvider(c.chosen)
	c.key.SetText(key)
}

func (c *chooser) entered() form {
	return form{c.chosen.ID, c.address.Text, c.key.Text, c.model.Text}
}

func (c *chooser) entering() bool { return c.entered() != c.settled }

func (c *chooser) pickProvider() {
	lines, why := c.s.env.Words.ProviderLines(models.Providers(), c.s.host.Settings().Assistant.LocalOnly)
	var items []widgets.MenuItem
	local := true
	for _, l := range lines {
		if local && !l.Provider.Local {
			items = append(items, widgets.MenuItem{Rule: true})
			if why != "" {
				items = append(items, widgets.MenuItem{Text: why, Off: true})
			}
		}
		local = l.Provider.Local
		items = append(items, widgets.MenuItem{Text: l.Text, Off: l.Off, Checked: l.Provider.ID == c.chosen.ID, Do: func() { c.pick(l.Provider) }})
	}
	widgets.ShowMenu(c.provider, items...)
}

// pick shows the form of another provider, as the user left it or as the settings have it.
func (c *chooser) pick(p models.Provider) {
	if p.ID == c.chosen.ID {
		return
	}
	c.left[c.chosen.ID] = c.entered()
	f, been := c.left[p.ID]
	if !been {
		f.address = c.s.host.Settings().Models[p.ID].BaseURL
		if chosen := c.s.chosenModel(); strings.HasPrefix(chosen.ID, p.ID+":") {
			f.model, f.address = strings.TrimPrefix(chosen.ID, p.ID+":"), chosen.BaseURL
		}
	}
	c.base = ownAddress(p, f.address)
	c.model.SetText(f.model)
	c.setProvider(p)
	c.key.SetText(f.key)
	if p.ID == models.Builtin {
		c.use("")
	}
}

// setProvider shows the fields that a provider needs, and asks its server for its models.
func (c *chooser) setProvider(p models.Provider) {
	c.chosen, c.offered = p, nil
	if p.ID != "" {
		c.provider.SetText(c.s.env.Words.Provider(p))
	} else {
		c.provider.SetText(lang.L("Choose"))
	}
	c.from.Show()
	c.sayFrom()
	c.address.SetText(c.server())
	own := p.ID != "" && p.ID != models.Builtin
	widgets.SetVisible(c.addressField, own && (p.Local || p.NeedsAddress))
	widgets.SetVisible(c.keyBox, own)
	widgets.SetVisible(c.remove, false)
	widgets.SetVisible(c.keyFile, false)
	widgets.SetVisible(c.modelBox, own)
	c.key.SetText("")
	c.showMatches()
	if own {
		c.ask()
	}
	c.s.frame.place()
}

// sayFrom shows where text goes with the provider and the address in the form.
func (c *chooser) sayFrom() {
	c.from.say(c.s.env.Words.SentTo(c.chosen, c.base != ""), theme.Muted)
}

// server returns the address of the server; "" if there is none.
func (c *chooser) server() string { return cmp.Or(c.base, c.chosen.BaseURL) }

func (c *chooser) setAddress(text string) {
	c.base = ownAddress(c.chosen, strings.TrimSpace(text))
	c.offered = nil // another server has other models
	c.sayFrom()
	c.showMatches()
	c.ask()
}

// takeAddress applies the address in the field, so that a key is never kept for, or sent
// to, another server than the one that the user sees.
func (c *chooser) takeAddress() {
	if c.addressField.Visible() && strings.TrimSpace(c.address.Text) != c.server() {
		c.setAddress(c.address.Text)
	}
}

// ask reads where the key is and which models there are.
func (c *chooser) ask() {
	c.asking++
	mine, p, base := c.asking, c.chosen, c.server()
	c.sayModel(lang.L("Getting its models…"), theme.Muted)
	if p.NeedsAddress && base == "" {
		c.sayModel(lang.L("Enter the address of the server first."), theme.Muted)
	}
	c.s.work(func(ctx context.Context) func() {
		a := c.s.env.App
		state := a.Models().State(ctx, models.Choice{ID: p.ID + ":?", BaseURL: base})
		place, keyErr := a.Models().KeyPlace(ctx, p.ID, base)
		file, _ := a.Models().KeyFile() // a damaged one is a state
		var offered []llm.ModelInfo
		var err error
		if state.Obstacle == models.NoObstacle {
			offered, err = a.Models().List(ctx, p.ID, base)
		}
		kept := a.Models().Known(p.ID, base)
		return func() {
			if mine != c.asking {
				return
			}
			c.at = state
			c.gotKey(place, file, keyErr)
			c.gotModels(offered, kept, err)
		}
	})
}

// choiceOf returns a model of a provider, at an address or at its default; the built-in
// has only one.
func choiceOf(p models.Provider, base, name string) models.Choice {
	if p.ID == models.Builtin {
		return models.Choice{}
	}
	return models.Choice{ID: p.ID + ":" + name, BaseURL: cmp.Or(base, p.BaseURL)}
}
