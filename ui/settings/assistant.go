package settings

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/models"
)

// assistant is which model answers, how, and when the digest is made automatically.
type assistant struct {
	still
	s       *Screen
	here    *onlyHere
	current *currentModel
	chooser *chooser
	found   *found
	answers *answers
}

func newAssistant(s *Screen) page {
	a := &assistant{s: s}
	a.here = newOnlyHere(s, a.use, a.switched)
	a.current = newCurrentModel(s, func() { a.chooser.keysOpened() })
	a.chooser = newChooser(s, a.changed)
	a.found = newFound(s, a.use, a.here.found)
	a.answers = newAnswers(s)
	a.body = sheet(lang.L("Assistant"),
		section(lang.L("Where your text goes"), a.here.rows),
		section(lang.L("Who answers"), a.current.rows, part(lang.L("Choose who answers"), a.chooser.rows),
			part(lang.L("Running on this computer"), a.found.rows)),
		section(lang.L("Answers"), a.answers.rows...),
		newDigest(s),
	)
	return a
}

func (a *assistant) first() fyne.Focusable { return a.here.control }

func (a *assistant) load() {
	a.here.load()
	a.current.load()
	a.chooser.load()
	a.found.load()
	a.answers.load()
}

// leave takes over what is being typed.
func (a *assistant) leave() {
	a.current.advanced.leave()
	a.answers.leave()
}

// use makes a model answer from now on.
func (a *assistant) use(choice models.Choice) {
	a.s.host.Change(choice.ChosenIn)
	a.chooser.reload()
	a.changed()
}

// changed follows the choice of a model, or a new key.
func (a *assistant) changed() {
	a.s.host.AfterSave(func() {
		a.here.load()
		a.current.load()
	})
}

// switched follows the switch that keeps text on this computer.
func (a *assistant) switched() {
	a.here.load()
	a.current.load()
	a.chooser.again()
	a.found.reshow()
}

// allowed reports whether a model may be chosen: not one elsewhere while text stays on
// this computer.
func (s *Screen) allowed(choice models.Choice) bool {
	return !s.host.Settings().Assistant.LocalOnly || s.env.App.Models().StaysHere(choice)
}

// chosenModel returns the model of the settings. The host has a new choice at once, the
// App only when it is saved.
func (s *Screen) chosenModel() models.Choice {
	choice := models.Choice{}.SettledBy(s.host.Settings())
	if choice.BaseURL == "" {
		provider, _, _ := strings.Cut(choice.ID, ":")
		for _, p := range models.Providers() {
			if p.ID == provider {
				choice.BaseURL = p.BaseURL
			}
		}
	}
	return choice
}
