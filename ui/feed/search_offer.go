package feed

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// operator is a part of the search language that is offered as a chip.
type operator struct {
	label, insert, tip string
	back               int // how far before the end the cursor then stands
}

// operators are those that readSearch reads.
func operators() []operator {
	return []operator{
		{label: "from:", insert: "from:", tip: lang.L("Only by one person")},
		{label: lang.L("#tag"), insert: "#", tip: lang.L("Only with a hashtag")},
		{label: "since:", insert: "since:", tip: lang.L("Only from a certain time: today, 7d, 2026-03-01")},
		{label: "has:image", insert: "has:image ", tip: lang.L("Only with a picture; has:video, has:audio, has:link, has:article and has:quote work too")},
		{label: lang.L("\"exact words\""), insert: `""`, back: 1, tip: lang.L("Only with these words in this order")},
		{label: "OR", insert: "OR ", tip: lang.L("Either the part before it or the part after it")},
		{label: "is:reply", insert: "is:reply ", tip: lang.L("Only replies; a - before it leaves them out, as it does words")},
		{label: "lang:", insert: "lang:", tip: lang.L("Only in a language: lang:en, lang:de, lang:ja")},
	}
}

// offer shows chips: suggestions, or the operators where there are none.
func (s *Search) offer(suggestions []suggestion) {
	s.chips.Objects = nil
	for _, sg := range suggestions {
		chip := widgets.NewChip(sg.label, func() { s.take(sg.text, 0) })
		chip.ID = "search.suggest"
		chip.SetLow()
		s.chips.Add(chip)
	}
	if len(suggestions) == 0 {
		for _, op := range operators() {
			chip := widgets.NewChip(op.label, func() { s.insert(op) })
			chip.ID, chip.Tip = "search.op:"+op.insert, op.tip
			chip.SetLow()
			s.chips.Add(chip)
		}
	}
	s.chips.Refresh()
	if s.content != nil {
		s.content.Refresh()
	}
}

// insert puts an operator behind what is typed.
func (s *Search) insert(op operator) {
	text := s.entry.Text
	if text != "" && text[len(text)-1] != ' ' {
		text += " "
	}
	s.take(text+op.insert, op.back)
}

// take puts a text into the entry, with the cursor so far before its end, and the
// keyboard with it.
func (s *Search) take(text string, back int) {
	s.entry.SetText(text)
	s.entry.CursorColumn = len([]rune(text)) - back
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.entry); c != nil {
		c.Focus(s.entry)
	}
	s.entry.Refresh()
	s.look(false)
}

// suggest offers ways to go on with the text, read off the window's thread.
func (s *Search) suggest() {
	text := s.text
	s.env.Do.Go(func() func() {
		found, err := suggest(s.ctx, s.env.App, text)
		return func() {
			if s.ctx.Err() == nil && err == nil && text == s.text {
				s.offer(found)
			}
		}
	})
}

// joined puts a dot between two texts that are both there.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}

// firstLine returns the beginning of a text, for one line.
func firstLine(ps []present.Paragraph) string {
	if len(ps) == 0 {
		return ""
	}
	return present.Text(ps[:1])
}
