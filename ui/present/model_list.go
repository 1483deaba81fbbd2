package present

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
)

// ModelRow is a model in the list to choose from.
type ModelRow struct {
	ID    string // as its server names it: a stranger's text, not for the screen
	Name  string // that, fit for a line
	About string // what its list reports: "Reads 131,072 tokens · $3 and $15 a million"
	Off   bool   // cannot be chosen: text would leave this computer
}

// ModelRows returns the first models whose names contain the words of a text, at most so
// many, and how many more there are; none if the text is the id of a model. here reports
// whether text for a model stays on this computer, onlyHere whether it has to.
func (w Words) ModelRows(models []llm.ModelInfo, text string, here func(id string) bool, onlyHere bool, most int) (rows []ModelRow, more int) {
	words := strings.Fields(strings.ToLower(text))
	for _, m := range models {
		if m.ID == strings.TrimSpace(text) {
			return nil, 0
		}
		id := strings.ToLower(m.ID)
		switch {
		case slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(id, word) }):
		case len(rows) < most:
			stays := here(m.ID)
			rows = append(rows, ModelRow{
				ID: m.ID, Name: Isolate(shortModel(m.ID)), About: w.modelAbout(m, stays, onlyHere), Off: onlyHere && !stays,
			})
		default:
			more++
		}
	}
	return rows, more
}

// MoreModels says how many models are not shown.
func (w Words) MoreModels(n int) string {
	return w.count(n, "1 more. Type part of its name.", "{{.N}} more. Type part of a name.")
}

// modelAbout words what a list reports of a model, in one line; "" for nothing.
func (w Words) modelAbout(m llm.ModelInfo, here, onlyHere bool) string {
	var parts []string
	if onlyHere && !here {
		parts = append(parts, w.say("Off: it runs elsewhere"))
	}
	if m.Context > 0 {
		parts = append(parts, w.say("Reads {{.Tokens}} tokens", "Tokens", w.Number(m.Context)))
	}
	if m.Params > 0 {
		parts = append(parts, w.parameters(m.Params))
	}
	switch {
	case here:
		parts = append(parts, w.say("On this computer"))
	case m.Price != nil && m.Price.Free():
		parts = append(parts, w.say("Free"))
	case m.Price != nil:
		parts = append(parts, w.say("{{.Input}} and {{.Output}} per million", "Input", w.Dollars(m.Price.Input), "Output", w.Dollars(m.Price.Output)))
	}
	switch m.Tools {
	case llm.SaysYes:
		parts = append(parts, w.say("Looks things up"))
	case llm.SaysNo:
		parts = append(parts, w.say("Looks things up through the text"))
	}
	return strings.Join(parts, " · ")
}

// modelLength is how long a model's name may be on a line, in characters.
const modelLength = 60

func shortModel(name string) string { return clean.Line(name, modelLength) }

// KeptModels says that a list is the one of the last time, for want of a newer one.
func (w Words) KeptModels(n int) string {
	return w.count(n, "Here is 1 model of its last list.", "Here are the {{.N}} models of its last list.")
}

// providerLine is a line of the menu of whose models can answer.
type providerLine struct {
	Provider models.Provider
	Text     string
	Off      bool // cannot be chosen: the settings let no text off this computer
}

// ProviderLines lists the providers, those on this computer first. With here, text has to
// stay on this computer: why is then shown above the providers that are off, "" if none
// is. A server with an address of its own stays available, since it may be on this
// computer.
func (w Words) ProviderLines(providers []models.Provider, here bool) (lines []providerLine, why string) {
	for _, p := range providers {
		off := here && !p.Local && !p.NeedsAddress
		if off {
			why = w.say("Not available while answering only on this computer:")
		}
		lines = append(lines, providerLine{Provider: p, Text: w.Provider(p), Off: off})
	}
	return lines, why
}

// OnlyHere words what the switch does that keeps text on this computer and, with on, why
// the chosen model cannot answer; problem is "" if it can.
func (w Words) OnlyHere(on bool, m models.State) (about, problem string) {
	about = w.say("Your questions and notes are never sent elsewhere: only the built-in assistant and models on this computer answer.")
	if on && m.Obstacle == models.LocalOnlyOn {
		problem = w.say("The chosen model, {{.Model}}, runs elsewhere ({{.Host}}), so it is not asked. Choose one that answers here:",
			"Model", w.Model(m).Title, "Host", m.Host)
	}
	return about, problem
}

// stays says why nothing was sent to a host.
func (w Words) stays(host string) string {
	return w.say("Your settings keep your text on this computer, and this server is elsewhere: {{.Host}}.", "Host", host)
}

// Elsewhere says why a server cannot be chosen while text stays on this computer.
func (w Words) Elsewhere(m models.State) string {
	return w.stays(m.Host) + " " + w.say("Switch off “Answer on this computer only”, above, to choose it.")
}

// LocalChoice says a model of this computer on a button that chooses it.
func (w Words) LocalChoice(s models.LocalServer, model string) string {
	return w.say("Use {{.Model}} of {{.Name}}", "Model", Isolate(shortModel(model)), "Name", w.providerName(s.Provider))
}

// KeyOffer is what can be done about where keys are kept.
type KeyOffer string

// The offers.
const (
	NoKeyOffer     KeyOffer = ""
	CreateKeyFile  KeyOffer = "create" // a file under a password, which there is not yet
	UnlockKeyFile  KeyOffer = "unlock"
	ChangePassword KeyOffer = "change"
	RenewKeyFile   KeyOffer = "renew" // the file cannot be read; a new one takes its place
)

// keyLine says where the key of a provider is, and what can be done about that.
type keyLine struct {
	Text  string
	Tone  Tone
	Offer KeyOffer
}

// KeyAt says where the key of a provider is. file is the state of the file of keys, err
// what Registry.KeyPlace said.
func (w Words) KeyAt(p models.Provider, place models.KeyPlace, file config.KeyFileState, err error) keyLine {
	switch {
	case file == config.KeyFileDamaged && (place == models.KeyInFile || err != nil):
		return keyLine{w.say("The key file is damaged and cannot be read. It stays as it is; you can create a new one."), ToneBad, RenewKeyFile}
	case errors.Is(err, config.ErrKeysLocked), errors.Is(err, config.ErrWrongPassword):
		return keyLine{w.say("A key is saved in the key file, which is locked. Your password unlocks it."), ToneWarn, UnlockKeyFile}
	case place == models.KeyInFile:
		return keyLine{w.say("A key is saved in the key file, under your password."), ToneNone, ChangePassword}
	case place == models.KeyInMemory:
		return w.keyInMemory(file)
	case errors.Is(err, config.ErrNoKeyring):
		return w.keyWithoutKeyring(p, file)
	case err != nil:
		return keyLine{w.say("This did not work: {{.Reason}}", "Reason", clean.Line(err.Error(), 300)), ToneWarn, NoKeyOffer}
	}
	return keyLine{Text: w.keyWords(p, place)}
}

// keyInMemory offers to keep for longer what is gone when the program ends.
func (w Words) keyInMemory(file config.KeyFileState) keyLine {
	l := keyLine{w.say("A key is kept until you close Bowerbird: this computer has no keyring to save it in."), ToneWarn, CreateKeyFile}
	if file == config.KeyFileLocked {
		l.Offer = UnlockKeyFile
	}
	return l
}

// keyWithoutKeyring says where a key that is entered will be kept.
func (w Words) keyWithoutKeyring(p models.Provider, file config.KeyFileState) keyLine {
	switch {
	case file == config.KeyFileOpen:
		return keyLine{w.say("No key yet. A key that you enter is saved in the key file, under your password."), ToneNone, ChangePassword}
	case !p.NeedsKey:
		return keyLine{Text: w.keyWords(p, models.KeyNowhere)}
	case file == config.KeyFileLocked:
		return keyLine{w.say("No key yet. This computer has no keyring; unlock the key file to save the key there."), ToneWarn, UnlockKeyFile}
	}
	return keyLine{w.say("No key yet. This computer has no working keyring: a key can be saved in a file with a password, or kept only until you close Bowerbird."), ToneWarn, CreateKeyFile}
}

// KeyFileDo says what a button does that takes an offer up.
func (w Words) KeyFileDo(o KeyOffer) string {
	switch o {
	case CreateKeyFile:
		return w.say("Save keys in a file with a password…")
	case UnlockKeyFile:
		return w.say("Unlock the keys…")
	case ChangePassword:
		return w.say("Change the password…")
	case RenewKeyFile:
		return w.say("Create a new key file…")
	}
	return ""
}

// PasswordTwice says what is wrong with a new password that was typed twice; "" for
// nothing.
func (w Words) PasswordTwice(one, two string) string {
	switch {
	case len([]rune(one)) < config.LeastPassword:
		return w.say("A password has at least {{.N}} characters.", "N", strconv.Itoa(config.LeastPassword))
	case one != two:
		return w.say("The passwords are not the same.")
	}
	return ""
}

// KeyFileRefused says why the file of keys could not be made, opened or changed. No
// password is in it.
func (w Words) KeyFileRefused(err error) string {
	switch {
	case errors.Is(err, config.ErrWrongPassword):
		return w.say("Wrong password.")
	case errors.Is(err, config.ErrPassword):
		return w.say("This password is too short or too long.")
	case errors.Is(err, config.ErrKeyFileThere):
		return w.say("There is already a key file. Unlock it.")
	}
	return w.say("This did not work: {{.Reason}}", "Reason", clean.Line(err.Error(), 300))
}
