package settings

import (
	"cmp"
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// chooser chooses a model: whose it is, where its server is, its key, its name. What
// does not apply to a provider is not shown.
type chooser struct {
	s       *Screen
	changed func() // what answers is another, or it has a key now
	rows    *fyne.Container

	provider *widgets.Picker
	address  *widgets.Entry
	key      *widgets.Entry
	save     *widgets.Button
	remove   *widgets.Button
	model    *widgets.Entry

	from, addressField, keyField, modelField *field
	keyBox, modelBox, matches                *fyne.Container

	chosen  app.Provider
	base    string          // of its server; "" for the provider's own
	place   app.KeyPlace    // of its key
	offered []app.ModelInfo // what its server has, as far as it was asked
	settled form            // the form as it stood when nothing was being entered
	loading int             // which state is waited for; those before are late
	asking  int             // the same for what a server has
	about   prose.Span      // what is said of the models
}

// form is what stands in the fields.
type form struct{ provider, address, key, model string }

func newChooser(s *Screen, changed func()) *chooser {
	c := &chooser{s: s, changed: changed, matches: layout.Wrap(8)}
	c.provider = widgets.NewPicker(" ", c.pickProvider)
	c.provider.ID = "settings.provider"
	c.address = widgets.NewEntry("http://127.0.0.1:11434/v1")
	c.address.ID = "settings.address"
	c.address.OnSubmitted = c.setAddress
	c.address.OnFocus = func(has bool) {
		if !has {
			c.takeAddress()
		}
	}
	c.key = widgets.NewEntry(lang.L("Paste a key"))
	c.key.Password = true
	c.key.ID = "settings.key"
	c.key.OnSubmitted = func(string) { c.saveKey() }
	c.save = widgets.NewButton(lang.L("Keep the key"), widgets.Outline, c.saveKey)
	c.save.ID = "settings.key.save"
	c.remove = widgets.NewButton(lang.L("Remove the key"), widgets.Quiet, c.removeKey)
	c.remove.ID = "settings.key.remove"
	c.model = widgets.NewEntry(lang.L("Type a part of its name"))
	c.model.ID = "settings.model"
	c.model.OnChanged = func(string) { c.showMatches() }
	c.model.OnSubmitted = func(text string) { c.use(strings.TrimSpace(text)) }

	c.addressField = newField(lang.L("Address of the server"), lang.L("It often ends in /v1. Press Enter when it is complete."), c.address)
	c.keyField = newField(lang.L("Key"), "", c.key)
	c.modelField = newField(lang.L("Model"), "", c.model)
	c.keyBox = layout.Column(8, c.keyField, layout.Row(8, 0, layout.Column(0), c.remove, c.save))
	c.modelBox = layout.Column(8, c.modelField, c.matches)
	c.from = newField(lang.L("From whom"), " ", c.provider)
	c.rows = layout.Column(16,
		c.from,
		c.addressField,
		c.keyBox, c.modelBox,
	)
	return c
}

// load shows what the settings choose, unless something is being entered: that stays.
func (c *chooser) load() {
	if c.entering() {
		return
	}
	c.loading++
	mine := c.loading
	choice, base := c.s.chosenModel(), c.s.host.Settings().Assistant.BaseURL
	c.s.work(func(ctx context.Context) func() {
		state := c.s.env.App.ModelState(ctx, choice)
		return func() {
			if mine != c.loading || c.entering() {
				return
			}
			c.base = base
			c.setProvider(state.Provider)
			c.model.SetText(state.Name)
			c.settled = c.entered()
		}
	})
}

// reload shows what the settings choose in place of what is being entered.
func (c *chooser) reload() {
	c.settled = c.entered()
	c.load()
}

func (c *chooser) entered() form {
	return form{c.chosen.ID, c.address.Text, c.key.Text, c.model.Text}
}

func (c *chooser) entering() bool { return c.entered() != c.settled }

func (c *chooser) pickProvider() {
	var items []widgets.MenuItem
	local := true
	for _, p := range c.s.env.App.Providers() {
		if local && !p.Local {
			items = append(items, widgets.MenuItem{Rule: true})
		}
		local = p.Local
		items = append(items, widgets.MenuItem{Text: c.s.env.Words.Provider(p), Checked: p.ID == c.chosen.ID, Do: func() {
			c.base = ""
			c.model.SetText("")
			c.setProvider(p)
			if p.ID == app.BuiltinProvider {
				c.use("")
			}
		}})
	}
	widgets.ShowMenu(c.provider, items...)
}

// setProvider shows what a provider needs, and asks its server for its models.
func (c *chooser) setProvider(p app.Provider) {
	c.chosen, c.offered = p, nil
	if p.ID != "" {
		c.provider.SetText(c.s.env.Words.Provider(p))
	} else {
		c.provider.SetText(lang.L("Choose"))
	}
	c.from.say(c.s.env.Words.SentTo(p, c.base != ""), theme.Muted)
	c.address.SetText(c.server())
	own := p.ID != "" && p.ID != app.BuiltinProvider
	widgets.SetVisible(c.addressField, own && (p.Local || p.NeedsAddress))
	widgets.SetVisible(c.keyBox, own)
	widgets.SetVisible(c.remove, false)
	widgets.SetVisible(c.modelBox, own)
	c.key.SetText("")
	c.showMatches()
	if own {
		c.ask()
	}
	c.s.frame.place()
}

// server is where the provider's server is; "" when nobody said.
func (c *chooser) server() string { return cmp.Or(c.base, c.chosen.BaseURL) }

func (c *chooser) setAddress(text string) {
	c.base = strings.TrimSpace(text)
	if c.base == c.chosen.BaseURL {
		c.base = ""
	}
	c.offered = nil // another server has other models
	c.from.say(c.s.env.Words.SentTo(c.chosen, c.base != ""), theme.Muted)
	c.showMatches()
	c.ask()
}

// takeAddress makes the address in the field the one that counts: nothing is kept
// for, or asked of, another server than the one that is read there.
func (c *chooser) takeAddress() {
	if c.addressField.Visible() && strings.TrimSpace(c.address.Text) != c.server() {
		c.setAddress(c.address.Text)
	}
}

// ask finds out where the key is and what models there are.
func (c *chooser) ask() {
	c.asking++
	mine, p, base := c.asking, c.chosen, c.server()
	c.sayModel(lang.L("Looking for its models…"), theme.Muted)
	if p.NeedsAddress && base == "" {
		c.sayModel(lang.L("Enter the address of its server first."), theme.Muted)
	}
	c.s.work(func(ctx context.Context) func() {
		a := c.s.env.App
		place, keyErr := a.ModelKeyPlace(ctx, p.ID, base)
		var models []app.ModelInfo
		var err error
		wanting := p.NeedsAddress && base == "" || p.NeedsKey && place == app.KeyNowhere
		if !wanting {
			models, err = a.Models(ctx, p.ID, base)
		}
		return func() {
			if mine != c.asking {
				return
			}
			c.gotKey(place, keyErr)
			c.gotModels(models, err, wanting)
		}
	})
}

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

func (c *chooser) gotModels(models []app.ModelInfo, err error, wanting bool) {
	c.offered = models
	switch {
	case wanting && c.chosen.NeedsKey:
		c.sayModel(lang.L("Its models are listed once it has a key."), theme.Muted)
	case wanting:
		c.sayModel(lang.L("Enter the address of its server first."), theme.Muted)
	case err != nil:
		c.sayModel(c.s.env.Words.ModelError(err), theme.Warn)
	case len(models) == 0:
		c.sayModel(lang.L("The server has no model yet."), theme.Warn)
	default:
		c.sayModel(c.s.env.Words.Offered(len(models)), theme.Muted)
	}
	c.showMatches()
}

// sayModel says something of the provider's models, and as long as none of them is
// chosen who answers instead.
func (c *chooser) sayModel(text string, color fyne.ThemeColorName) {
	c.about = prose.Span{Text: text, Color: color}
	if answers, _, _ := strings.Cut(c.s.chosenModel().ID, ":"); answers != c.chosen.ID {
		text += " " + lang.L("Nothing changes before you choose one of them here.")
	}
	c.modelField.say(text, color)
	c.s.frame.place()
}

// mostMatches is how many models are offered below the field.
const mostMatches = 8

// showMatches offers the models that have what was typed in their names.
func (c *chooser) showMatches() {
	c.matches.Objects = nil
	for _, name := range present.MatchingModels(c.offered, c.model.Text, mostMatches) {
		chip := widgets.NewChip(present.Isolate(clean(name, 60)), func() {
			c.model.SetText(name)
			c.use(name)
		})
		chip.ID = "settings.model:" + clean(name, 60)
		c.matches.Add(chip)
	}
	c.matches.Refresh()
	c.s.frame.place()
}

// use makes a model of the provider the one that answers.
func (c *chooser) use(name string) {
	if name == "" && c.chosen.ID != app.BuiltinProvider || c.chosen.ID == "" {
		return
	}
	c.takeAddress()
	choice := choiceOf(c.chosen, c.base, name)
	c.s.host.Change(func(set *app.Settings) {
		set.Assistant.Model, set.Assistant.BaseURL = choice.ID, choice.BaseURL
	})
	c.matches.Objects = nil
	c.matches.Refresh()
	c.settled = c.entered()
	c.settled.key = "" // one that stands there is not kept yet
	c.sayModel(c.about.Text, c.about.Color)
	c.changed()
}

// choiceOf is a model of a provider; the built-in has but one.
func choiceOf(p app.Provider, base, name string) app.ModelChoice {
	if p.ID == app.BuiltinProvider {
		return app.ModelChoice{}
	}
	if base == p.BaseURL {
		base = ""
	}
	return app.ModelChoice{ID: p.ID + ":" + name, BaseURL: base}
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
			if err != nil {
				c.keyField.say(c.s.env.Words.KeyRefused(err), theme.Bad)
				c.s.frame.place()
				return
			}
			c.ask()
			c.changed()
		}
	})
}

func (c *chooser) removeKey() {
	c.takeAddress()
	p, base := c.chosen, c.server()
	c.s.work(func(ctx context.Context) func() {
		err := c.s.env.App.RemoveModelKey(ctx, p.ID, base)
		return func() {
			if err != nil {
				c.keyField.say(c.s.env.Words.KeyRefused(err), theme.Bad)
				c.s.frame.place()
				return
			}
			c.ask()
			c.changed()
		}
	})
}

// clean makes a name that a server gave fit for a line.
func clean(name string, most int) string { return ndb.CleanLine(name, most) }
