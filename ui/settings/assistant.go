package settings

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ui/layout"
	"bowerbird/ui/widgets"
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

// answers are the settings for answers of any model, and for what is kept of them.
type answers struct {
	s                   *Screen
	rows                []fyne.CanvasObject
	steps, idle, prompt *value
	tables, kept, cheap *widgets.Switch
}

func newAnswers(s *Screen) *answers {
	a := &answers{s: s}
	words, set := s.env.Words, func() config.Assistant { return s.host.Settings().Assistant }
	change := func(do func(*config.Assistant)) {
		s.host.Change(func(set *config.Settings) { do(&set.Assistant) })
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	a.steps = newValue(s, widgets.NewEntry(strconv.Itoa(agent.DefaultSteps)), "settings.steps", lang.L("Steps per answer"),
		lang.L("How often a model may look something up before it must answer, 1 to 50. Empty: 8. More steps take longer and may cost more."),
		func() string { return number(set().Steps) },
		func(text string) string {
			steps, problem := words.ReadCount(text, 1, config.MostSteps, agent.DefaultSteps)
			if problem == "" {
				change(func(set *config.Assistant) { set.Steps = steps })
			}
			return problem
		})
	a.idle = newValue(s, widgets.NewEntry(lang.L("Never")), "settings.idle", lang.L("Repeat who is asking"),
		lang.L("At the start of a chat, the model is told who is asking and when. After a pause of this many minutes it is told again. Empty: never."),
		func() string { return number(set().IdleMinutes) },
		func(text string) string {
			minutes, problem := words.ReadCount(text, 1, config.MostIdleMinutes, 60)
			if problem == "" {
				change(func(set *config.Assistant) { set.IdleMinutes = minutes })
			}
			return problem
		})
	a.prompt = newPrompt(s, "settings.prompt", lang.L("Instructions for every model"),
		lang.L("They are sent with each question. The rules about your notes always apply."),
		func() string { return set().Prompt },
		func(text string) { change(func(set *config.Assistant) { set.Prompt = text }) })
	a.tables = onOff("settings.tables", !set().PlainText, func(on bool) { change(func(set *config.Assistant) { set.PlainText = !on }) })
	a.kept = onOff("settings.keep-chats", !set().ForgetChats, func(on bool) { change(func(set *config.Assistant) { set.ForgetChats = !on }) })
	a.cheap = onOff("settings.caching", !set().NoPromptCaching, func(on bool) { change(func(set *config.Assistant) { set.NoPromptCaching = !on }) })
	a.rows = []fyne.CanvasObject{
		layout.Column(16,
			newField(lang.L("Tables and charts"), lang.L("Off: answers are text only."), a.tables), a.steps),
		layout.Column(16,
			newField(lang.L("Keep chats"), lang.L("Off: new chats are gone when you close Bowerbird, and leave no file. Chats that are already saved stay until you delete them."), a.kept), a.idle),
		newField(lang.L("Prompt caching"), lang.L("Some providers cache the beginning of a chat for a few minutes and charge less for it. Off: they are asked not to."), a.cheap),
		a.prompt,
	}
	return a
}

// load shows the settings; what is being typed stays.
func (a *answers) load() {
	set := a.s.host.Settings().Assistant
	for control, on := range map[*widgets.Switch]bool{a.tables: !set.PlainText, a.kept: !set.ForgetChats, a.cheap: !set.NoPromptCaching} {
		control.SetOn(on)
	}
	for _, v := range a.values() {
		v.load()
	}
}

func (a *answers) values() []*value { return []*value{a.steps, a.idle, a.prompt} }

// leave takes over what was typed.
func (a *answers) leave() {
	for _, v := range a.values() {
		v.leave()
	}
}
