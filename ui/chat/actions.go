package chat

import (
	"io"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// act does what a turn offers.
func (s *Screen) act(turn int, a present.Action) {
	switch a {
	case present.EnterKey, present.ChooseModel:
		s.env.Go.OpenSettings("assistant")
	case present.NewChat:
		s.NewChat()
	case present.AskBuiltin:
		s.again(turn, app.ModelChoice{ID: builtinModel})
	default:
		s.again(turn, app.ModelChoice{})
	}
}

// again asks a turn's question again, in its place.
func (s *Screen) again(turn int, model app.ModelChoice) {
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
func (s *Screen) copyAnswer(turn int) { s.env.Go.Copy(s.open.turns[turn].Plain()) }

// editQuestion puts a question back into the field; what is sent then takes its
// place. What stood there stays as an earlier version.
func (s *Screen) editQuestion(turn int) {
	if s.open.running != nil || turn >= len(s.open.turns) {
		return
	}
	t := s.open.turns[turn]
	s.editing = t.Number
	s.composer.setText(t.Question)
	s.composer.say()
	if w := s.env.Go.Window(); w != nil {
		w.Canvas().Focus(s.composer.entry)
	}
}

// editLast fetches the last question into the field.
func (s *Screen) editLast() {
	if n := len(s.open.turns); n > 0 {
		s.editQuestion(n - 1)
	}
}

// stopEditing leaves the question as it was.
func (s *Screen) stopEditing() {
	if s.editing == 0 {
		return
	}
	s.editing = 0
	s.composer.say()
	s.composer.setText("")
}

// footMenu offers what is done more seldom.
func (s *Screen) footMenu(at fyne.CanvasObject, turn int, b *present.Foot) {
	items := []widgets.MenuItem{
		{Text: lang.L("Copy as Markdown"), Do: func() { s.env.Go.Copy(s.open.turns[turn].Markdown()) }},
		{Text: lang.L("Save as Markdown"), Do: func() { s.saveTurn(turn) }},
	}
	details := []string{b.Model}
	if b.Model == builtinModel {
		details[0] = lang.L("Built-in, no language model")
	}
	for _, d := range b.Details {
		details = append(details, say(d, s.now()))
	}
	items = append(items, widgets.MenuItem{Rule: true}, widgets.MenuItem{Text: strings.Join(details, " · "), Do: func() {}})
	widgets.ShowMenu(at, items...)
}

// saveTurn writes an answer to a file, with its links.
func (s *Screen) saveTurn(turn int) {
	text := s.open.turns[turn].Markdown()
	s.saver.Ask(s.open.turns[turn].Question+".md", func(w io.Writer) error {
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
func plainError(err error) string { return ndb.CleanLine(err.Error(), 200) }
