package settings

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/ui/layout"
	"bowerbird/ui/widgets"
)

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
