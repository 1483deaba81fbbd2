package present

import (
	"errors"
	"strings"

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
