package present

import (
	"bowerbird/app"
)

// ProviderLine is a line of the menu of whose models can answer.
type ProviderLine struct {
	Provider app.Provider
	Text     string
	Off      bool // cannot be chosen: the settings let no text off this computer
}

// ProviderLines says whose models can answer, those of this computer first; here is
// that text stays on this computer. why stands above those that are then off; "" when
// none is. Another server can be chosen also then: its address may be here.
func (w Words) ProviderLines(providers []app.Provider, here bool) (lines []ProviderLine, why string) {
	for _, p := range providers {
		off := here && !p.Local && !p.NeedsAddress
		if off {
			why = w.say("Off while only this computer answers:")
		}
		lines = append(lines, ProviderLine{Provider: p, Text: w.Provider(p), Off: off})
	}
	return lines, why
}

// OnlyHere says what the switch does that lets no text off this computer, and where
// on, that the chosen model cannot answer with it; problem is "" when it can.
func (w Words) OnlyHere(on bool, m app.ModelState) (about, problem string) {
	about = w.say("Your questions and notes are sent to no model elsewhere: only the built-in assistant and models that run on this computer answer.")
	if on && m.Obstacle == app.LocalOnlyOn {
		problem = w.say("The chosen model, {{.Model}}, runs elsewhere ({{.Host}}), so it is not asked. Choose one that answers here:",
			"Model", w.Model(m).Title, "Host", m.Host)
	}
	return about, problem
}

// stays says why nothing was sent to a host.
func (w Words) stays(host string) string {
	return w.say("The settings keep your text on this computer, and this server is elsewhere: {{.Host}}.", "Host", host)
}

// Elsewhere says why a server cannot be chosen while text stays on this computer.
func (w Words) Elsewhere(m app.ModelState) string {
	return w.stays(m.Host) + " " + w.say("Switch “Answer on this computer only” off, above, to choose it.")
}

// LocalChoice says a model of this computer on a button that chooses it.
func (w Words) LocalChoice(s app.LocalServer, model string) string {
	return w.say("Use {{.Model}} of {{.Name}}", "Model", Isolate(shortModel(model)), "Name", w.providerName(s.Provider))
}
