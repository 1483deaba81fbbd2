package present

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
)

// The options of a model are typed as people write numbers. Each Read method returns the
// value to save, or what is wrong with the text, for the user; an empty text leaves the
// option to the model.

// formatName returns what a text format is called.
func (w Words) formatName(format string) string {
	switch format {
	case "hermes":
		return "Hermes"
	case "mistral":
		return "Mistral"
	case "pythonic":
		return "Python"
	case "json":
		return "JSON"
	}
	return format
}

// FormatChoice says a way to look things up in a menu; "" is the one that is chosen by
// what is known.
func (w Words) FormatChoice(format string) string {
	switch format {
	case "":
		return w.say("Automatic")
	case config.FormatNative:
		return w.say("Directly")
	case config.FormatNone:
		return w.say("Not at all")
	}
	return w.say("In the text, in the format of {{.Manner}}", "Manner", w.formatName(format))
}

// Efforts are the values that are offered for how long a model thinks.
func Efforts() []string { return []string{"", "none", "low", "medium", "high"} }

// Effort says a value of Efforts, or one that was written into the settings file.
func (w Words) Effort(value string) string {
	switch value {
	case "":
		return w.say("Default")
	case "none":
		return w.say("Not at all")
	case "low":
		return w.say("A little")
	case "medium":
		return w.say("A while")
	case "high":
		return w.say("Long")
	}
	return value
}

// ReadCount reads a number as people type it, within bounds; nothing typed is 0, which
// leaves the choice to the program.
func (w Words) ReadCount(text string, least, most, example int) (n int, problem string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, ""
	}
	n, ok := wholeNumber(text)
	if !ok || n < least || n > most {
		return 0, w.say("Type a number from {{.Least}} to {{.Most}}, such as {{.Example}}, or leave it empty.",
			"Least", w.Number(least), "Most", w.Number(most), "Example", w.Number(example))
	}
	return n, ""
}

// wholeNumber reads a whole number as people write it: with points, commas, spaces or
// apostrophes between groups of three digits, or with k or M behind it.
func wholeNumber(text string) (n int, ok bool) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' || r == '’' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	unit := 1.0
	if cut, found := strings.CutSuffix(text, "k"); found {
		text, unit = cut, 1e3
	} else if cut, found := strings.CutSuffix(text, "m"); found {
		text, unit = cut, 1e6
	}
	if unit == 1 {
		groups := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ',' })
		for i, g := range groups {
			if i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && len(g) > 3 {
				return 0, false
			}
		}
		text = strings.Join(groups, "")
	}
	x, ok := plainNumber(text)
	if !ok || x*unit > math.MaxInt32 || x < 0 {
		return 0, false
	}
	return int(math.Round(x * unit)), true
}

// plainNumber reads a plain number, with a point or a comma before its fraction.
func plainNumber(text string) (x float64, ok bool) {
	if text == "" || strings.Trim(text, "0123456789.,") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return x, err == nil
}

// ReadTemperature reads how freely a model answers: "0,7". nil leaves it to the model.
func (w Words) ReadTemperature(text string) (t *float64, problem string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, ""
	}
	x, ok := plainNumber(text)
	if !ok || x > config.MostTemperature {
		return nil, w.say("Type a number from 0 to {{.Most}}, such as {{.Example}}, or leave it empty.",
			"Most", w.decimal(config.MostTemperature, 1), "Example", w.decimal(0.7, 1))
	}
	return &x, ""
}

// ReadPrice reads what a million tokens cost in US dollars: "0.25", "$3". nil leaves it
// to what is known.
func (w Words) ReadPrice(text string) (dollars *float64, problem string) {
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "$"))
	if text == "" {
		return nil, ""
	}
	x, ok := plainNumber(text)
	if !ok || x > config.MostPrice {
		return nil, w.say("Type an amount in US dollars from 0 to {{.Most}}, such as {{.Example}}, or leave it empty.",
			"Most", w.Number(int(config.MostPrice)), "Example", w.decimal(0.25, 2))
	}
	return &x, ""
}

// Amount writes what ReadTemperature and ReadPrice read, with at most so many digits behind
// the point; "" for nil.
func (w Words) Amount(x *float64, digits int) string {
	if x == nil {
		return ""
	}
	return w.decimal(*x, digits)
}

// Tokens writes what ReadCount reads; "" for 0.
func (w Words) Tokens(n int) string {
	if n == 0 {
		return ""
	}
	return w.Number(n)
}

// ReadPrompt reads the user's own words to the assistant.
func (w Words) ReadPrompt(text string) (prompt, problem string) {
	text = strings.TrimSpace(text)
	if over := len(text) - config.MostPrompt; over > 0 {
		return "", w.say("Too long by {{.N}} characters.", "N", w.Number(over))
	}
	return text, ""
}

// ModelPick is a model in the picker beside the field.
type ModelPick struct {
	Label  string // on the picker: which model it is, and where text goes
	Name   string // in its menu
	Place  string // beside it: where text goes, and how little it reads at once
	Barred bool   // the settings let no text go there
}

// Pick says what the picker shows of a model. What is not known is not promised. window
// is how many tokens it reads at once, 0 where that is not known; onlyHere that the
// settings let no text off this computer.
func (w Words) Pick(m models.State, window int, onlyHere bool) ModelPick {
	name := Isolate(clean.Line(m.Name, modelLength))
	switch {
	case m.ID == "":
		return ModelPick{w.say("Model"), "", "", false}
	case m.Obstacle == models.ModelUnknown || m.Obstacle == models.AddressMissing:
		id := Isolate(clean.Line(m.ID, modelLength))
		return ModelPick{id, id, "", false}
	case m.Name == "":
		return ModelPick{w.say("Built-in · stays on this computer"), w.say("Built-in"), w.say("stays on this computer"), false}
	case m.Obstacle == models.LocalOnlyOn:
		return ModelPick{w.say("{{.Model}} · not asked", "Model", name), name, w.say("not asked: it is at {{.Host}}", "Host", w.recipient(m)), true}
	case m.Host == "" && onlyHere:
		return ModelPick{w.say("{{.Model}} · on this computer only", "Model", name), name, w.reads(w.say("on this computer"), window), false}
	case m.Host == "":
		return ModelPick{w.say("{{.Model}} · on this computer", "Model", name), name, w.reads(w.say("on this computer"), window), false}
	}
	host := w.recipient(m)
	return ModelPick{w.say("{{.Model}} · sent to {{.Host}}", "Model", name, "Host", host), name, w.reads(w.say("sent to {{.Host}}", "Host", host), window), false}
}

// reads adds how much a model reads at once, where that is little.
func (w Words) reads(place string, window int) string {
	if window <= 0 || window >= smallWindow {
		return place
	}
	return place + " · " + w.say("reads only {{.Tokens}} tokens at once", "Tokens", w.Number(window))
}

// Usage says in one line what a chat came to; "" for nothing.
func (w Words) Usage(u chats.Usage) string {
	if u.Input+u.Output == 0 {
		return ""
	}
	total := w.Short(int64(u.Input + u.Output))
	if u.Cost > 0 {
		return w.say("{{.Count}} tokens, about {{.Cost}}", "Count", total, "Cost", w.Dollars(u.Cost))
	}
	return w.say("{{.Count}} tokens", "Count", total)
}
