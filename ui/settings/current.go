package settings

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// currentModel shows which model answers now and what is known of it. It can be tested,
// forgotten and, below "Advanced", configured.
type currentModel struct {
	s        *Screen
	rows     *fyne.Container
	title    *prose.Text
	place    *prose.Text
	dot      *widgets.Dot
	test     *widgets.Button
	stop     func()          // ends the test that runs; nil for none
	unlock   *widgets.Button // the file of keys
	prompted bool            // the password was asked for without a click
	result   *prose.Text
	about    *fyne.Container // what is known
	facts    *fyne.Container
	learned  fyne.CanvasObject
	forget   *widgets.Button
	advanced *advanced
	state    models.State
	asked    present.Asked
	tried    string       // what the last test of this model found; "" for none
	tone     present.Tone // of that
	asking   int          // numbers the reads of the state: only the newest counts
}

func newCurrentModel(s *Screen, unlocked func()) *currentModel {
	m := &currentModel{s: s, title: prose.Plain(" ", theme.Body, theme.Text), place: note(" "), dot: widgets.NewDot(theme.Faint), result: note("")}
	m.test = widgets.Named("settings.test", widgets.NewButton(lang.L("Test"), widgets.Outline, m.try))
	m.result.Hide()
	m.dot.Hide() // as is the test, until the model is known
	m.test.Hide()
	m.unlock = widgets.Named("settings.unlock", widgets.NewButton(s.env.Words.KeyFileDo(present.UnlockKeyFile), widgets.Outline, func() { s.keyFile(present.UnlockKeyFile, unlocked) }))
	m.unlock.Hide()
	m.facts = layout.Column(9)
	m.forget = widgets.Named("settings.forget", widgets.NewButton(lang.L("Forget"), widgets.Outline, m.forgetFacts))
	m.advanced = newAdvanced(s, m.reload)
	m.learned = newField(lang.L("What was learned"), lang.L("What its server refused is not sent again. If the server has changed, let Bowerbird find out again."), m.forget)
	m.about = layout.Column(14, m.facts, m.learned, widgets.NewRule(), m.advanced.rows)
	m.about.Hide()
	m.rows = layout.Column(14,
		layout.Row(12, 1, m.dot, layout.Column(2, m.title, m.place), m.unlock, m.test), m.result, m.about)
	return m
}

func (m *currentModel) load() {
	m.say(m.tried, m.tone)
	m.reload()
}

// reload updates what is known, and asks the model's server for what is not.
func (m *currentModel) reload() {
	m.asking++
	mine, choice := m.asking, m.s.chosenModel()
	m.s.work(func(ctx context.Context) func() {
		state, facts := m.s.env.App.Models().State(ctx, choice), m.s.env.App.Models().Facts(choice)
		return func() {
			if mine != m.asking {
				return
			}
			m.show(state, facts)
			if asksFacts(state) {
				m.askFacts(mine, choice)
			}
		}
	})
}

// asksFacts reports whether a model's server may be asked about it.
func asksFacts(state models.State) bool {
	return state.Provider.ID != models.Builtin && state.Obstacle == models.NoObstacle
}

func (m *currentModel) askFacts(mine int, choice models.Choice) {
	m.s.work(func(ctx context.Context) func() {
		facts, err := m.s.env.App.Models().AskFacts(ctx, choice)
		return func() {
			if mine != m.asking {
				return
			}
			if m.asked = present.Answered; err != nil {
				m.asked = present.Unanswered // a test says why
			}
			m.mark()
			m.showFacts(facts)
		}
	})
}

func (m *currentModel) show(state models.State, facts models.Facts) {
	if m.state.ID != state.ID || m.state.Host != state.Host {
		m.asked, m.tried = present.NotAsked, ""
		m.say("", present.ToneNone)
	}
	m.state = state
	l, builtin := m.s.env.Words.Model(state), state.Provider.ID == models.Builtin
	m.mark()
	m.dot.Show()
	m.title.SetSpans(prose.Span{Text: l.Title, Bold: true})
	text, color := l.Place, theme.Muted
	if l.Missing != "" {
		text, color = l.Missing, theme.Warn
	} else if builtin {
		text += ". " + lang.L("It quotes your notes and needs no model.")
	}
	m.place.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: color})
	widgets.SetVisible(m.test, asksFacts(state))
	locked := state.Obstacle == models.KeysLocked
	widgets.SetVisible(m.unlock, locked)
	if locked && !m.prompted && m.s.shown && m.s.open == Assistant {
		m.prompted = true
		m.unlock.Tapped(nil)
	}
	m.showFacts(facts)
}

func (m *currentModel) showFacts(facts models.Facts) {
	m.facts.Objects = nil
	for _, f := range m.s.env.Words.Facts(facts, m.state, m.asked) {
		m.facts.Add(newFactRow(f))
	}
	widgets.SetVisible(m.learned, len(facts.Refuses) > 0 || facts.FormatFrom == llm.FromRefusal)
	widgets.SetVisible(m.about, len(m.facts.Objects) > 0)
	m.advanced.show(m.state.ID, facts)
	m.s.frame.place()
}

// try sends the model a short test, or cancels one.
func (m *currentModel) try() {
	if m.stop != nil {
		m.stop()
		return
	}
	testing, stop := context.WithCancel(m.s.ctx)
	m.stop = stop
	m.test.SetText(lang.L("Stop"))
	m.say(lang.L("Testing…"), present.ToneNone)
	mine, choice, state := m.asking, m.s.chosenModel(), m.state
	m.s.work(func(context.Context) func() {
		result, err := m.s.env.App.Models().Test(testing, choice)
		facts := m.s.env.App.Models().Facts(choice) // the test may have found out something
		return func() {
			stop()
			m.stop = nil
			m.test.SetText(lang.L("Test"))
			if mine != m.asking {
				return // another model was chosen meanwhile
			}
			m.tried, m.tone = m.s.env.Words.Tested(result, err, state, facts.Format)
			m.mark()
			m.showFacts(facts)
			m.say(m.tried, m.tone)
		}
	})
}

// mark colours the dot: green only while nothing is known that speaks against the model.
func (m *currentModel) mark() {
	tone := m.s.env.Words.Model(m.state).Tone
	switch {
	case m.tried != "":
		tone = m.tone
	case m.asked == present.Unanswered:
		tone = present.ToneWarn
	}
	m.dot.SetColor(screen.ToneColor(tone, theme.Muted))
}

// forgetFacts drops all that was learned of the model.
func (m *currentModel) forgetFacts() {
	m.s.env.App.Models().ForgetFacts(m.s.chosenModel())
	m.tried = ""
	m.load()
	m.say(lang.L("Forgotten. Bowerbird finds it out again with the next question."), present.ToneNone)
}

func (m *currentModel) say(text string, tone present.Tone) {
	m.result.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: screen.ToneColor(tone, theme.Muted)})
	widgets.SetVisible(m.result, text != "")
	m.s.frame.place()
}

// newFactRow shows one fact: its name at the left, and beside or below it the value and
// its source.
func newFactRow(f present.Fact) *layout.Arranged {
	spans := []prose.Span{{Text: f.Text, Size: theme.Small, Color: screen.ToneColor(f.Tone, theme.Text)}}
	if f.Why != "" {
		spans = append(spans, prose.Span{Text: "\n" + f.Why, Size: theme.Small, Color: theme.Muted})
	}
	what, text := prose.Plain(f.What, theme.Small, theme.Muted), prose.New(spans...)
	text.ID = "settings.fact:" + f.ID
	return layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		left, x, y := scaled(factWhat), float32(0), float32(0)
		if width < scaled(factBelow) {
			left = width
			y = what.HeightFor(left) + 1
		} else {
			x = left + 12
		}
		if put != nil {
			put(what, 0, 0, left, what.HeightFor(left))
			put(text, x, y, width-x, text.HeightFor(width-x))
		}
		return max(what.HeightFor(left), y+text.HeightFor(width-x))
	}, what, text)
}

const (
	factWhat  float32 = 120 // how wide the left side is
	factBelow float32 = 400 // narrower, the value is below
)

// onlyHere is the switch that keeps text on this computer, with ways to a model that can
// answer then.
type onlyHere struct {
	s        *Screen
	use      func(models.Choice)
	switched func() // called after the switch was turned
	rows     *fyne.Container
	control  *widgets.Switch
	problem  *prose.Text
	ways     *fyne.Container // buttons that choose a model on this computer
	servers  []models.LocalServer
	asking   int // numbers the reads of the state: only the newest counts
}

func newOnlyHere(s *Screen, use func(models.Choice), switched func()) *onlyHere {
	h := &onlyHere{s: s, use: use, switched: switched, problem: note(""), ways: layout.Wrap(8)}
	h.control = onOff("settings.local-only", s.host.Settings().Assistant.LocalOnly, h.turn)
	about, _ := s.env.Words.OnlyHere(false, models.State{})
	h.rows = layout.Column(10, newField(lang.L("Answer on this computer only"), about, h.control), h.problem, h.ways)
	h.problem.Hide()
	h.ways.Hide()
	return h
}

// turn sets the switch. It takes effect before it is saved.
func (h *onlyHere) turn(on bool) {
	h.s.env.App.Models().KeepHere(on)
	h.s.host.Change(func(set *config.Settings) { set.Assistant.LocalOnly = on })
	h.s.host.AfterSave(h.switched)
}

// found receives the servers on this computer, whose models are offered.
func (h *onlyHere) found(servers []models.LocalServer) {
	h.servers = servers
	h.load()
}

// load shows whether the chosen model can answer.
func (h *onlyHere) load() {
	h.asking++
	mine, choice, on := h.asking, h.s.chosenModel(), h.s.host.Settings().Assistant.LocalOnly
	h.control.SetOn(on)
	h.s.work(func(ctx context.Context) func() {
		state := h.s.env.App.Models().State(ctx, choice)
		return func() {
			if mine == h.asking {
				h.show(on, state)
			}
		}
	})
}

func (h *onlyHere) show(on bool, state models.State) {
	_, problem := h.s.env.Words.OnlyHere(on, state)
	h.problem.SetSpans(prose.Span{Text: problem, Size: theme.Small, Color: theme.Warn})
	h.ways.Objects = nil
	builtin := widgets.Named("settings.use-builtin", widgets.NewButton(lang.L("Use the built-in assistant"), widgets.Outline, func() { h.use(models.Choice{}) }))
	h.ways.Add(builtin)
	for _, server := range h.servers {
		i := slices.IndexFunc(server.Models, func(m llm.ModelInfo) bool { return h.s.allowed(choiceOf(server.Provider, server.BaseURL, m.ID)) })
		if i < 0 {
			continue
		}
		name := server.Models[i].ID
		local := widgets.Named("settings.use-local:"+server.Provider.ID, widgets.NewButton(h.s.env.Words.LocalChoice(server, name), widgets.Outline, func() {
			h.use(choiceOf(server.Provider, server.BaseURL, name))
		}))
		h.ways.Add(local)
	}
	widgets.SetVisible(h.problem, problem != "")
	widgets.SetVisible(h.ways, problem != "")
	h.s.frame.place()
}

// found are the model servers that run on this computer.
type found struct {
	s      *Screen
	use    func(models.Choice)
	notify func([]models.LocalServer) // those that were found
	rows   *fyne.Container
	// servers are those that were found.
	servers []models.LocalServer
	again   *widgets.Button
	busy    bool
}

func newFound(s *Screen, use func(models.Choice), notify func([]models.LocalServer)) *found {
	f := &found{s: s, use: use, notify: notify, rows: layout.Column(10)}
	f.again = widgets.Named("settings.look", widgets.NewButton(lang.L("Look again"), widgets.Quiet, f.load))
	f.say(lang.L("Looking…"))
	return f
}

func (f *found) say(text string) {
	f.rows.Objects = []fyne.CanvasObject{layout.Row(12, 0, note(text), f.again)}
}

func (f *found) load() {
	if f.busy {
		return
	}
	f.busy = true
	f.s.work(func(ctx context.Context) func() {
		servers := f.s.env.App.Models().LocalServers(ctx)
		return func() {
			f.busy = false
			f.show(servers)
			f.notify(servers)
			f.s.frame.place()
		}
	})
}

// reshow draws the models again: some may no longer be chosen, or may again.
func (f *found) reshow() {
	if len(f.servers) > 0 {
		f.show(f.servers)
	}
}

// mostOffered is how many models of a server get a button; the list above has the others.
const mostOffered = 6

func (f *found) show(servers []models.LocalServer) {
	f.servers = servers
	if len(servers) == 0 {
		f.say(lang.L("No model server is running on this computer. Ollama and LM Studio are two that you can install; what you ask them stays here."))
		return
	}
	f.rows.Objects = nil
	for i, server := range servers {
		name := prose.New(prose.Span{Text: f.s.env.Words.LocalServer(server), Bold: true})
		if i == 0 {
			f.rows.Add(layout.Row(12, 0, name, f.again))
		} else {
			f.rows.Add(name)
		}
		var chips []fyne.CanvasObject
		for _, m := range server.Models[:min(len(server.Models), mostOffered)] {
			chip := widgets.Named("settings.local:"+clean.Line(m.ID, 60), widgets.NewChip(present.Isolate(clean.Line(m.ID, 60)), func() { f.use(choiceOf(server.Provider, server.BaseURL, m.ID)) }))
			if !f.s.allowed(choiceOf(server.Provider, server.BaseURL, m.ID)) {
				chip.Disable()
			}
			chips = append(chips, chip)
		}
		if len(chips) > 0 {
			f.rows.Add(layout.Wrap(8, chips...))
		}
	}
}
