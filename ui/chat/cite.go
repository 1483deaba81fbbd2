package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/search"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// sourceOf returns the note behind a number of a turn, and how many notes the turn has.
func (s *Screen) sourceOf(turn, index int) (of answers.Source, all int) {
	if turn >= len(s.open.turns) {
		return of, 0
	}
	t := s.open.turns[turn]
	for _, b := range t.Blocks {
		list, ok := b.(*answers.Sources)
		if !ok {
			continue
		}
		for _, one := range list.List {
			if one.Index == index {
				return one, len(list.List)
			}
		}
	}
	if id, ok := t.Cited[index]; ok { // the answer is being written and has no such block
		return answers.Source{Index: index, ID: id}, len(t.Cited)
	}
	return of, 0
}

// cite opens the note behind a number. The answer stays where it is.
func (s *Screen) cite(turn, index int) {
	s.pop.Hide()
	switch of, all := s.sourceOf(turn, index); {
	case all == 0:
	case of.Gone:
		s.env.Go.Toast(lang.L("This note is no longer here."), "", nil)
	default:
		s.env.Go.OpenThread(of.ID)
	}
}

// overCite shows the note behind a number beside it, as long as the mouse or the keyboard is
// there.
func (s *Screen) overCite(turn, index int, number fyne.CanvasObject, on bool) {
	of, all := s.sourceOf(turn, index)
	if !on || all == 0 || of.Gone {
		s.pop.Leave()
		return
	}
	s.pop.Enter(number, func(show func(fyne.CanvasObject)) {
		s.away(func() func() {
			n, err := s.reader.Note(s.ctx, of.ID)
			if err != nil {
				return nil // the list of sources says so
			}
			if q, err := search.Parse(`"` + unquoted(of.Quote) + `"`); err == nil && of.Quoted {
				n = n.Marked(q)
			}
			return func() {
				opt := note.OptionsFor(s.env, s.memory)
				opt.Brief = true
				shown := note.NewCard(opt)
				shown.SetNote(n)
				open := widgets.Named("cite.open", widgets.NewLink(lang.L("Open thread"), func() { s.pop.Hide(); s.env.Go.OpenThread(of.ID) }))
				where := widgets.NewLabel(lang.L("Source {{.Number}} of {{.All}}", in("Number", index, "All", all)), theme.Small, theme.Muted)
				show(layout.Column(0, layout.Pad(layout.All(1), shown), widgets.NewRule(),
					layout.Pad(layout.Sides(12, 18), layout.Row(12, 0, layout.Row(0, -1, open), where))))
			}
		})
	})
}

// unquoted returns a text without the marks that would end a phrase in a search.
func unquoted(text string) string {
	out := []rune(text)
	for i, r := range out {
		switch r {
		case '"', '“', '”', '„', '«', '»':
			out[i] = ' '
		}
	}
	return string(out)
}
