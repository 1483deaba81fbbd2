package present

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
)

// modelLine says which model answers, where text goes, and what is still missing.
type modelLine struct {
	Title   string // "Built-in", "qwen3:8b · Ollama"
	Place   string // "Text stays on this computer"
	Missing string // what keeps it from answering; "" for nothing
	Tone    Tone
}

// Model says the state of the chosen model.
func (w Words) Model(m models.State) modelLine {
	l := modelLine{Title: m.ID, Place: w.textGoes(m.Host), Tone: ToneGood}
	if m.Provider.ID != "" {
		l.Title = w.providerName(m.Provider)
	}
	if m.Name != "" {
		l.Title = Isolate(clean.Line(m.Name, 80)) + " · " + w.providerName(m.Provider)
	}
	switch m.Obstacle {
	case models.NoObstacle:
		return l
	case models.KeyMissing:
		l.Missing = w.say("It needs a key before it can answer.")
	case models.AddressMissing:
		l.Missing = w.say("The address of the server is missing: without it, this model cannot answer.")
	case models.KeysLocked:
		l.Missing = w.say("Its key is in the key file, which is locked.")
	case models.LocalOnlyOn:
		l.Missing = w.say("It is not asked: it runs elsewhere, and your settings keep your text on this computer.")
	case models.KeyringLocked:
		l.Missing = w.say("This computer's keyring does not respond. Unlock it, or enter a key in the settings.")
	default:
		l.Missing, l.Place = w.say("This model is not known. Choose another one."), ""
	}
	l.Tone = ToneWarn
	return l
}

// textGoes says where the questions and the notes that are read for them go; host is
// "" when it is nowhere.
func (w Words) textGoes(host string) string {
	if host == "" {
		return w.say("Text stays on this computer")
	}
	return w.say("Text is sent to {{.Host}}", "Host", host)
}

// providerName is what a provider is called; those that are no names of a company or a
// program are said in the user's language.
func (w Words) providerName(p models.Provider) string {
	if p.ID == models.Builtin || p.NeedsAddress {
		return w.say(p.Name)
	}
	return p.Name
}

// Provider says whose models they are and where text goes, in one line.
func (w Words) Provider(p models.Provider) string {
	name := w.providerName(p)
	switch {
	case p.Local:
		return w.say("{{.Name}} · on this computer", "Name", name)
	case p.NeedsAddress:
		return w.say("{{.Name}} · at your own address", "Name", name)
	}
	if len(p.Host) > longHost {
		return w.say("{{.Name}} · sent over the internet", "Name", name)
	}
	return w.say("{{.Name}} · sent to {{.Host}}", "Name", name, "Host", p.Host)
}

// longHost is the length from which on a host would be cut, and say nothing.
const longHost = 24

// recipient returns in few words where a model's text goes: to a host, or to a provider if
// the host is long.
func (w Words) recipient(m models.State) string {
	if len(m.Host) > longHost && m.Host == m.Provider.Host {
		return w.providerName(m.Provider)
	}
	return m.Host
}

// SentTo says where text goes with a provider in full; elsewhere is that the user gave
// its server another address than its own.
func (w Words) SentTo(p models.Provider, elsewhere bool) string {
	switch {
	case elsewhere || p.NeedsAddress:
		return w.say("Your questions, and the notes read for them, are sent to the address below.")
	case p.Host != "":
		return w.say("Your questions, and the notes read for them, are sent to {{.Host}}.", "Host", p.Host)
	case p.ID != "":
		return w.say("Your questions, and the notes read for them, stay on this computer.")
	}
	return w.say("Your questions, and the notes read for them, go to whichever you choose.")
}

// keyWords words where the key of a provider is.
func (w Words) keyWords(p models.Provider, place models.KeyPlace) string {
	switch place {
	case models.KeyInKeyring:
		return w.say("A key is saved in this computer's keyring.")
	case models.KeyInEnvironment:
		return w.say("A key is set outside Bowerbird, in the environment.")
	case models.KeyInFile:
		return w.say("A key is saved in the key file, under your password.")
	case models.KeyInMemory:
		return w.say("A key is kept until you close Bowerbird: this computer has no keyring to save it in.")
	}
	if p.NeedsKey {
		return w.say("No key yet. You get one from {{.Name}}.", "Name", w.providerName(p))
	}
	return w.say("No key. Most servers of your own need none.")
}

// Tested words the result of testing a model; format is the one in which it was given its
// tool, as in models.Facts.
func (w Words) Tested(r *llm.TestResult, err error, at models.State, format string) (text string, tone Tone) {
	if err != nil {
		return w.Failure(err, at).String(), ToneBad
	}
	seconds := w.decimal(max(r.Length.Seconds(), 0.1), 1)
	switch {
	case r.Length == 0:
		return w.say("It is ready."), ToneGood
	case format == config.FormatNone:
		return w.say("It answers in {{.Seconds}} s, without your notes, as you chose.", "Seconds", seconds), ToneGood
	case !r.Tools:
		return w.say("It answers in {{.Seconds}} s, but did not look up what it should: it may not be able to read your notes.", "Seconds", seconds), ToneWarn
	}
	text = w.say("It answers in {{.Seconds}} s and can read your notes.", "Seconds", seconds)
	if format == "" || format == config.FormatNative {
		return sentences(text, w.say("It looks things up by itself.")), ToneGood
	}
	return sentences(text, w.say("It looks things up through the text, in the format of {{.Manner}}.", "Manner", w.formatName(format))), ToneGood
}

// KeyRefused says why a key could not be kept or removed. The key is not in it.
func (w Words) KeyRefused(err error) string {
	var wrong *config.ArgumentError
	if errors.As(err, &wrong) {
		return w.say("This is not a key. Copy all of it again.")
	}
	return w.say("This computer's keyring does not respond. Unlock it, then try again.")
}

// Offered says how many models there are to choose from.
func (w Words) Offered(n int) string {
	return w.count(n, "1 model to choose from.", "{{.N}} models to choose from.")
}

// LocalServer says what a model server on this computer offers.
func (w Words) LocalServer(s models.LocalServer) string {
	if len(s.Models) == 0 {
		return w.say("{{.Name}} is running, but has no model yet", "Name", w.providerName(s.Provider))
	}
	if len(s.Models) == 1 {
		return w.say("{{.Name}} is running, with 1 model", "Name", w.providerName(s.Provider))
	}
	return w.say("{{.Name}} is running, with {{.N}} models", "Name", w.providerName(s.Provider), "N", w.Number(len(s.Models)))
}

// StorageRow is one line of what is kept: what, how much of it, and its size.
type StorageRow struct{ What, Count, Size string }

// Stored says what is kept on this computer, the notes by what they are.
func (w Words) Stored(s app.Storage) []StorageRow {
	kinds := []struct {
		what  string
		kinds []uint16
	}{
		{"Notes and replies", []uint16{1, 1111}},
		{"Articles", []uint16{30023}},
		{"Reposts", []uint16{6, 16}},
		{"Reactions", []uint16{7}},
		{"Zaps", []uint16{9735}},
		{"Profiles", []uint16{0}},
		{"Contact and relay lists", []uint16{3, 10002}},
	}
	rows := []StorageRow{{w.say("Everything fetched"), w.Number(s.Notes.Events), w.Bytes(s.Notes.DiskBytes)}}
	rest := s.Notes.Events
	for _, k := range kinds {
		n := 0
		for _, kind := range k.kinds {
			n += s.Notes.Kinds[kind]
		}
		rest -= n
		if n > 0 {
			rows = append(rows, StorageRow{What: w.say(k.what), Count: w.Number(n)})
		}
	}
	if rest > 0 {
		rows = append(rows, StorageRow{What: w.say("Other kinds"), Count: w.Number(rest)})
	}
	rows = append(rows, StorageRow{What: w.say("Your chats and your own notes"), Size: w.Bytes(s.Own)})
	if s.Pictures > 0 {
		rows = append(rows, StorageRow{What: w.say("Pictures, made small"), Size: w.Bytes(s.Pictures)})
	}
	return rows
}

// Reader words how much of the account is stored; follows is -1 if that is not known.
func (w Words) Reader(notes, follows int) string {
	var parts []string
	if follows >= 0 {
		parts = append(parts, w.count(follows, "Follows 1 person", "Follows {{.N}} people"))
	}
	if notes > 0 {
		parts = append(parts, w.count(notes, "1 note stored", "{{.N}} notes stored"))
	}
	return strings.Join(parts, " · ")
}

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
