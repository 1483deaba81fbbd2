package chat

import (
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
	"bowerbird/ui/answers"
	"bowerbird/ui/widgets"
)

// act does what a turn offers.
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
		s.unlock(turn)
	case answers.NewChat:
		s.askElsewhere(s.open.turns[turn])
	case answers.AskBuiltin:
		s.again(turn, models.Choice{ID: builtinModel})
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

// goOn takes up the last turn of the chat where it was cut off.
func (s *Screen) goOn() {
	s.opened++
	s.stuck, s.fromTop = true, false
	s.open.goOn(func(err error) { s.sayFailed(lang.L("This could not be continued."), err) })
}

// askElsewhere asks a turn's question in a new chat, about the same.
func (s *Screen) askElsewhere(t answers.Turn) {
	about := scope{Scope: t.Scope}
	if about.single() {
		about.name = s.open.about.name
	}
	s.begin(about)
	s.ask(app.Question{Text: t.Question, Foreign: s.open.foreign})
}

// again asks a turn's question again, in its place.
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
	s.open.instead(t.Number, q)
}

// copyAnswer puts an answer on the clipboard, with links in the place of ^n.
func (s *Screen) copyAnswer(turn int) {
	if turn < len(s.open.turns) {
		s.env.Go.Copy(s.open.turns[turn].Plain())
	}
}

// editQuestion puts a question back into the field; what is sent then takes its
// place. What stood there stays as an earlier version.
func (s *Screen) editQuestion(turn int) {
	if s.open.running != nil || turn >= len(s.open.turns) {
		return
	}
	t := s.open.turns[turn]
	s.lend(t.Question, t.Number)
}

// editLast fetches the last question into the field.
func (s *Screen) editLast() {
	if n := len(s.open.turns); n > 0 {
		s.editQuestion(n - 1)
	}
}

// lend puts a question into the field, to be changed before it is sent: that of a turn
// of a number, or a new one with 0. What stood there comes back after that.
func (s *Screen) lend(text string, number int) {
	if before := s.composer.entry.Text; !s.lent && (number > 0 || before != "") {
		s.lent, s.aside = true, before
	}
	s.editing = number
	s.composer.setText(text)
	s.composer.say()
	if w := s.env.Go.Window(); w != nil {
		w.Canvas().Focus(s.composer.entry)
	}
}

// giveBack puts what stood in the field before back into it. A question that was
// edited stays as it was.
func (s *Screen) giveBack() {
	if !s.lent {
		return
	}
	text := s.aside
	s.lent, s.aside, s.editing = false, "", 0
	s.composer.setText(text)
	s.composer.say()
}

// footMenu offers what is done more seldom, with the turn as it is now: another chat
// may be shown when something is chosen.
func (s *Screen) footMenu(at fyne.CanvasObject, turn int) {
	if turn >= len(s.open.turns) {
		return
	}
	t := s.open.turns[turn]
	items := []widgets.MenuItem{
		{Text: lang.L("Copy as Markdown"), Do: func() { s.env.Go.Copy(t.Markdown()) }},
		{Text: lang.L("Save as Markdown"), Do: func() { s.saveTurn(t) }},
	}
	items = append(items, widgets.MenuItem{Rule: true},
		widgets.MenuItem{Text: lang.L("About this answer"), Do: func() { s.showAbout(t) }},
		widgets.MenuItem{Text: lang.L("What was sent"), Off: t.Model == builtinModel, Do: func() { s.showSent(t) }})
	widgets.ShowMenu(at, items...)
}

// saveTurn writes an answer to a file, with its links.
func (s *Screen) saveTurn(t answers.Turn) {
	text := t.Markdown()
	s.saver.Ask(t.Question+".md", func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// exportChat writes a whole chat to a file.
func (s *Screen) exportChat(id string) {
	s.saver.Ask(s.history.items[id].Title+".md", func(w io.Writer) error {
		store, err := s.env.App.Chats()
		if err != nil {
			return err
		}
		return store.Export(s.ctx, id, w)
	})
}

// plainError says an error in one line.
func plainError(err error) string { return clean.Line(err.Error(), 200) }
