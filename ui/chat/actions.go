package chat

import (
	"io"
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
	"bowerbird/ui/answers"
	"bowerbird/ui/keyfile"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// act runs an action that a block of a turn offers.
func (s *Screen) act(turn int, a answers.Action) {
	if turn >= len(s.open.turns) {
		return
	}
	switch a {
	case answers.AddKey, answers.EnterKey, answers.ChooseModel, answers.CheckAddress:
		s.env.Go.OpenSettings("assistant")
	case answers.GoOn, answers.Reply:
		s.goOn()
	case answers.UnlockKeys:
		c := s.open
		number := c.turns[turn].Number
		keyfile.Open(s.env, present.UnlockKeyFile, func() {
			s.loadModels()
			s.askAgain(c, number)
		})
	case answers.NewChat:
		s.askElsewhere(s.open.turns[turn])
	case answers.AskBuiltin:
		s.again(turn, models.Choice{ID: config.DefaultModel})
	case answers.AskHere:
		s.again(turn, s.models.here())
	case answers.StartServer:
		s.showStart(turn)
	case answers.GetModel:
		s.showGet(turn)
	case answers.EditQuestion:
		s.editQuestion(turn)
	default:
		s.again(turn, models.Choice{})
	}
}

// goOn resumes the last turn of the chat where it was interrupted.
func (s *Screen) goOn() {
	s.opened++
	s.atEnd, s.fromTop = true, false
	s.open.goOn(func(err error) { s.sayFailed(lang.L("This could not be continued."), err) })
}

// askElsewhere asks the question of a turn in a new chat, with the same scope.
func (s *Screen) askElsewhere(t answers.Turn) {
	about := scope{Scope: t.Scope}
	if about.single() {
		about.name = s.open.about.name
	}
	s.begin(about)
	s.ask(app.Question{Text: t.Question, Foreign: s.open.foreign})
}

// again asks the question of a turn again and replaces the turn. Without a model, the
// settings' model answers.
func (s *Screen) again(turn int, model models.Choice) {
	if turn >= len(s.open.turns) {
		return
	}
	t := s.open.turns[turn]
	q := app.Question{Text: t.Question, Model: model} // no model: the one of the settings
	if (scope{Scope: t.Scope}).single() {
		q.Scope = t.Scope // its words may not say whom it is about
	}
	s.fill(&q)
	s.follow(q)
	s.open.replaceTurn(t.Number, q)
}

// askAgain asks a turn of a number again, after a dialog over it was closed: another chat
// may be shown by then.
func (s *Screen) askAgain(c *conversation, number int) {
	if i := c.index(number); s.open == c && i >= 0 {
		s.act(i, answers.AskAgain)
	}
}

// copyAnswer puts an answer on the clipboard, with links in place of its citations.
func (s *Screen) copyAnswer(turn int) {
	if turn < len(s.open.turns) {
		s.env.Go.Copy(s.open.turns[turn].Plain())
	}
}

// editQuestion puts a question back into the field. What is sent then replaces its turn,
// which stays as an earlier version.
func (s *Screen) editQuestion(turn int) {
	if s.open.running != nil || turn >= len(s.open.turns) {
		return
	}
	t := s.open.turns[turn]
	s.fillField(t.Question, t.Number)
}

// editLast puts the last question into the field.
func (s *Screen) editLast() {
	if n := len(s.open.turns); n > 0 {
		s.editQuestion(n - 1)
	}
}

// fillField puts a text into the field, to be changed before it is sent: the question of the
// turn with a number, or a new one for 0. The draft that it displaces comes back
// afterwards.
func (s *Screen) fillField(text string, number int) {
	if before := s.composer.entry.Text; !s.displaced && (number > 0 || before != "") {
		s.displaced, s.draft = true, before
	}
	s.editing = number
	s.composer.setText(text)
	s.composer.say()
	if w := s.env.Go.Window(); w != nil {
		w.Canvas().Focus(s.composer.entry)
	}
}

// restoreDraft restores the draft that fillField displaced.
func (s *Screen) restoreDraft() {
	if !s.displaced {
		return
	}
	text := s.draft
	s.displaced, s.draft, s.editing = false, "", 0
	s.composer.setText(text)
	s.composer.say()
}

// footMenu offers the rarer actions. It keeps the turn as it is now: another chat may be
// open by the time one is chosen.
func (s *Screen) footMenu(at fyne.CanvasObject, turn int) {
	if turn >= len(s.open.turns) {
		return
	}
	t := s.open.turns[turn]
	items := []widgets.MenuItem{
		{Text: lang.L("Copy as Markdown"), Do: func() { s.env.Go.Copy(t.Markdown(s.forFile)) }},
		{Text: lang.L("Save as Markdown"), Do: func() { s.saveTurn(t) }},
	}
	items = append(items, widgets.MenuItem{Rule: true},
		widgets.MenuItem{Text: lang.L("About this answer"), Do: func() { s.showAbout(t) }},
		widgets.MenuItem{Text: lang.L("What was sent"), Off: t.Model == config.DefaultModel, Do: func() { s.showSent(t) }})
	widgets.ShowMenu(at, items...)
}

// forFile words a phrase for a file: without the marks that keep directions apart.
func (s *Screen) forFile(p answers.Phrase) string { return clean.Line(say(p, s.now()), 0) }

// saveTurn exports an answer as Markdown.
func (s *Screen) saveTurn(t answers.Turn) {
	text := t.Markdown(s.forFile)
	s.saver.Ask(t.Question+".md", func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// exportChat exports a whole chat as Markdown.
func (s *Screen) exportChat(id string) {
	s.saver.Ask(s.history.items[id].Title+".md", func(w io.Writer) error {
		store, err := s.env.App.Chats()
		if err != nil {
			return err
		}
		return answers.Export(s.ctx, store, id, s.find, s.forFile, w)
	})
}

// showStart explains how to start the server of a turn's model.
func (s *Screen) showStart(turn int) {
	s.showSteps(turn, lang.L("How to start it"), answers.StartSteps(s.open.turns[turn].Model, runtime.GOOS))
}

// showGet explains how to download a turn's model.
func (s *Screen) showGet(turn int) {
	s.showSteps(turn, lang.L("How to get it"), answers.GetSteps(s.open.turns[turn].Model))
}

// showSteps lists what the user has to do outside of the program, with commands to copy,
// and offers to ask the question again.
func (s *Screen) showSteps(turn int, title string, steps []answers.Step) {
	column := layout.Column(10, prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true}))
	for _, step := range steps {
		column.Add(prose.Plain(say(step.Words, s.now()), theme.Small, theme.Muted))
		if step.Command != "" {
			column.Add(s.command(step.Command))
		}
	}
	number := s.open.turns[turn].Number
	open := s.open
	var closeDialog func()
	done := widgets.Named("chat.steps.close", widgets.NewButton(lang.L("Close"), widgets.Outline, func() { closeDialog() }))
	again := widgets.Named("chat.steps.again", widgets.NewButton(lang.L("Try again"), widgets.Primary, func() {
		closeDialog()
		s.askAgain(open, number)
	}))
	column.Add(layout.Pad(layout.Insets{Top: 4}, layout.WrapEnd(8, done, again)))
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), column)
}

// command draws a terminal command with a button that copies it.
func (s *Screen) command(text string) fyne.CanvasObject {
	line := prose.New(prose.Span{Text: text, Mono: true, Size: theme.Small})
	line.Selectable = true
	copyIt := widgets.NewIconButton("copy", lang.L("Copy"), func() { s.env.Go.Copy(text) })
	copyIt.ID, copyIt.Side = "chat.steps.copy", 26
	back := newPanel(theme.Chip, "", theme.RadiusButton, allCorners)
	return layout.Stack(back, layout.Pad(layout.Sides(4, 12), layout.Row(8, 0, line, copyIt)))
}

// showAbout shows which model answered a turn, and what the turn and the chat cost.
func (s *Screen) showAbout(t answers.Turn) {
	chat := s.open
	id := chat.id
	s.away(func() func() {
		missed := t.Uncached(s.env.App, id)
		return func() {
			if s.open == chat {
				s.aboutDialog(t, t.Facts(chat.usage, missed))
			}
		}
	})
}

func (s *Screen) aboutDialog(t answers.Turn, facts []answers.TurnFact) {
	var closeDialog func()
	buttons := layout.WrapEnd(8)
	if t.Model != config.DefaultModel {
		sent := widgets.Named("chat.about.sent", widgets.NewButton(lang.L("What was sent"), widgets.Quiet, func() {
			closeDialog()
			s.showSent(t)
		}))
		buttons.Add(sent)
	}
	done := widgets.Named("chat.about.close", widgets.NewButton(lang.L("Close"), widgets.Outline, func() { closeDialog() }))
	buttons.Add(done)
	column := layout.Column(10, prose.New(prose.Span{Text: lang.L("About this answer"), Size: theme.Title, Bold: true}))
	for _, f := range facts {
		column.Add(s.factLine(f))
	}
	column.Add(layout.Pad(layout.Insets{Top: 4}, buttons))
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), column)
}

// factLine draws the name of a fact beside its value.
func (s *Screen) factLine(f answers.TurnFact) fyne.CanvasObject {
	words := ""
	for i, w := range f.Words {
		if i > 0 {
			words += " · "
		}
		words += say(w, s.now())
	}
	value := prose.Plain(words, theme.Small, theme.Text)
	value.Selectable = true
	return layout.TopRow(10, 1, layout.Fixed(theme.Eased(110), prose.Plain(say(f.Name, s.now()), theme.Small, theme.Muted)), value)
}
