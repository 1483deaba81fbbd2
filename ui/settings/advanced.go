package settings

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// advanced holds the options of the chosen model that override what is known of it or what
// its server would do.
type advanced struct {
	*disclosure
	s       *Screen
	changed func() // something was set, and holds
	id      string // of the model
	known   models.Facts

	window, answer, temperature, prompt *value
	paid                                [3]*value // for tokens read, written, and read from the cache
	format, effort                      *widgets.Picker
	formatField                         *field
}

// How many digits behind the point are shown of what was set.
const (
	temperatureDigits = 3
	priceDigits       = 4
)

func newAdvanced(s *Screen, changed func()) *advanced {
	a := &advanced{s: s, changed: changed}
	words := s.env.Words
	a.window = a.figure("settings.window", lang.L("Context window"), lang.L("In tokens: a token is about three quarters of a word. Empty: automatic. Whatever exceeds the server's own limit is refused or ignored."),
		func(o config.ModelOptions) string { return words.Tokens(o.Context) },
		func(text string, o *config.ModelOptions) (problem string) {
			o.Context, problem = words.ReadCount(text, config.LeastContext, config.MostContext, 32_000)
			return problem
		})
	a.answer = a.figure("settings.answer", lang.L("Longest answer"), lang.L("In tokens. Empty: no limit. Too low a limit cuts answers off."),
		func(o config.ModelOptions) string { return words.Tokens(o.MaxTokens) },
		func(text string, o *config.ModelOptions) (problem string) {
			o.MaxTokens, problem = words.ReadCount(text, 1, config.MostAnswer, 2_000)
			return problem
		})
	a.temperature = a.figure("settings.temperature", lang.L("Temperature"), lang.L("Also called temperature: at 0 answers are nearly the same each time, at higher values they vary more. Some models do not support it."),
		func(o config.ModelOptions) string { return words.Amount(o.Temperature, temperatureDigits) },
		func(text string, o *config.ModelOptions) (problem string) {
			o.Temperature, problem = words.ReadTemperature(text)
			return problem
		})
	a.paid = a.prices()
	a.format = menuOf("settings.format", func() []choice { return a.choices(a.formats(), words.FormatChoice) },
		func() string { return a.options().Format }, func(v string) { a.set(func(o *config.ModelOptions) { o.Format = v }) })
	a.formatField = newField(lang.L("Looks things up"), lang.L("How the model asks for your notes. If it says that it is looking something up but nothing happens, choose “In the text”."), a.format)
	a.effort = menuOf("settings.effort", func() []choice { return a.choices(a.efforts(), words.Effort) },
		func() string { return a.options().Effort }, func(v string) { a.set(func(o *config.ModelOptions) { o.Effort = v }) })
	a.prompt = newPrompt(s, "settings.model.prompt", lang.L("Instructions for this model"),
		lang.L("Replaces the instructions for all models, below. The rules about your notes always apply."),
		func() string { return a.options().Prompt },
		func(text string) { a.set(func(o *config.ModelOptions) { o.Prompt = text }) })
	body := layout.Column(18, a.window, a.formatField,
		newField(lang.L("Reasoning"), lang.L("More is slower, costs more, and helps with hard questions. Not every model supports it."), a.effort),
		a.temperature, a.answer, a.paid[0], a.paid[1], a.paid[2], a.prompt)
	a.disclosure = newDisclosure("settings.advanced", lang.L("Advanced"), lang.L("How much this model reads, how it looks things up, how it answers and what it costs."), body, s.frame.place)
	return a
}

// prices are the fields for what the user pays for the model.
func (a *advanced) prices() [3]*value {
	words := a.s.env.Words
	price := func(id, name, about string, of func(*config.ModelOptions) **float64) *value {
		return a.figure(id, name, about,
			func(o config.ModelOptions) string { return words.Amount(*of(&o), priceDigits) },
			func(text string, o *config.ModelOptions) (problem string) {
				*of(o), problem = words.ReadPrice(text)
				return problem
			})
	}
	return [3]*value{
		price("settings.price.in", lang.L("Price of input"), lang.L("In US dollars per million tokens. Costs are then computed from what you enter. Empty: automatic."),
			func(o *config.ModelOptions) **float64 { return &o.PriceIn }),
		price("settings.price.out", lang.L("Price of output"), lang.L("In US dollars per million tokens."),
			func(o *config.ModelOptions) **float64 { return &o.PriceOut }),
		price("settings.price.cached", lang.L("Price of cached input"), lang.L("In US dollars per million tokens. Empty: automatic, or else the price of input."),
			func(o *config.ModelOptions) **float64 { return &o.PriceCached }),
	}
}

// pricesOf returns the prices that apply without options of this model.
func pricesOf(inherited config.ModelOptions, known models.Facts) [3]*float64 {
	out := [3]*float64{inherited.PriceIn, inherited.PriceOut, inherited.PriceCached}
	if p := known.Price; p != nil {
		cached := &p.CachedInput
		if p.CachedInput == 0 && !p.CachedFree {
			cached = nil
		}
		for i, of := range [3]*float64{&p.Input, &p.Output, cached} {
			out[i] = cmp.Or(out[i], of)
		}
	}
	return out
}

// figure is a field for a value of the options.
func (a *advanced) figure(id, name, about string, now func(config.ModelOptions) string, read func(text string, o *config.ModelOptions) (problem string)) *value {
	return newValue(a.s, widgets.NewEntry(lang.L("Default")), id, name, about,
		func() string { return now(a.options()) },
		func(text string) string {
			var o config.ModelOptions
			if problem := read(text, &o); problem != "" {
				return problem
			}
			a.set(func(own *config.ModelOptions) { _ = read(text, own) })
			return ""
		})
}

// options returns the options of this model alone.
func (a *advanced) options() config.ModelOptions { return a.s.host.Settings().Models[a.id] }

// set changes the options, and calls changed once they are saved.
func (a *advanced) set(change func(*config.ModelOptions)) {
	id := a.id
	a.s.host.Change(func(set *config.Settings) {
		o := set.Models[id]
		change(&o)
		set.SetOptions(id, o)
	})
	a.s.host.AfterSave(a.changed)
}

func (a *advanced) choices(values []string, say func(string) string) []choice {
	var out []choice
	for _, v := range values {
		out = append(out, choice{v, say(v)})
	}
	return out
}

// formats are the ways to call tools, including one that is only in the settings file.
func (a *advanced) formats() []string {
	all := append([]string{"", config.FormatNative}, models.TextFormats()...)
	return withValue(append(all, config.FormatNone), a.options().Format)
}

func (a *advanced) efforts() []string { return withValue(present.Efforts(), a.options().Effort) }

func withValue(values []string, now string) []string {
	if slices.Contains(values, now) {
		return values
	}
	return append(values, now)
}

// values are the fields to type in.
func (a *advanced) values() []*value {
	return append([]*value{a.window, a.answer, a.temperature, a.prompt}, a.paid[:]...)
}

// show puts the options of a model into the fields. If it is the same model, what is
// being typed stays.
func (a *advanced) show(id string, known models.Facts) {
	same := id == a.id
	a.id, a.known = id, known
	inherited := a.s.host.Settings().OptionsOf(id)
	words := a.s.env.Words
	a.window.entry.SetPlaceHolder(cmp.Or(words.Tokens(cmp.Or(inherited.Context, known.Context)), lang.L("Default")))
	a.answer.entry.SetPlaceHolder(cmp.Or(words.Tokens(inherited.MaxTokens), lang.L("Default")))
	a.temperature.entry.SetPlaceHolder(cmp.Or(words.Amount(inherited.Temperature, temperatureDigits), lang.L("Default")))
	for i, price := range pricesOf(inherited, known) {
		a.paid[i].entry.SetPlaceHolder(cmp.Or(words.Amount(price, priceDigits), lang.L("Default")))
	}
	for _, v := range a.values() {
		if same {
			v.load()
		} else {
			v.reset()
		}
	}
	a.format.SetText(words.FormatChoice(a.options().Format))
	a.effort.SetText(words.Effort(a.options().Effort))
}

// leave takes over what was typed.
func (a *advanced) leave() {
	for _, v := range a.values() {
		v.leave()
	}
}

// newPrompt is a field of several lines for the user's own instructions.
func newPrompt(s *Screen, id, name, about string, now func() string, set func(text string)) *value {
	entry := widgets.NewTextEntry(lang.L("For example: Answer in three sentences at most."), 8)
	entry.OnChanged = func(string) { s.frame.place() }
	v := newValue(s, entry, id, name, about, now, func(text string) string {
		prompt, problem := s.env.Words.ReadPrompt(text)
		if problem == "" {
			set(prompt)
		}
		return problem
	})
	entry.OnFull = func() {
		v.say(lang.L("The field is full."), theme.Warn)
		s.frame.place()
	}
	return v
}
