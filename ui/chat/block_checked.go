package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/markdown"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// inWindow writes the marks of the check into the Markdown that the window draws.
var inWindow = check.Style{
	Open: markdown.DoubtBegins, Close: markdown.DoubtEnds,
	Struck: func(ref string) string { return markdown.StruckBegins + ref[1:] + markdown.DoubtEnds },
	Words: func(m check.Mark) string {
		return markdown.WordsBegin + " " + escaped(doubtWords(m)) + markdown.DoubtEnds
	},
}

// escaped escapes a text so that Markdown shows it verbatim.
func escaped(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == ' ') {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// doubtWords explains a mark.
func doubtWords(m check.Mark) string {
	switch m.Kind {
	case check.Uncited:
		return lang.L("cites no note")
	case check.QuoteNotFound:
		if m.Says != "" {
			return lang.L("note {{.Number}} has “{{.Text}}”", in("Number", m.Note, "Text", present.Isolate(clean.Line(m.Says, 120))))
		}
		return lang.L("not in a note that it cites")
	case check.NumberUnknown:
		return lang.L("this number is in none of its sources")
	case check.AppOnly:
		return lang.L("a model cannot know this")
	}
	return ""
}

// checked draws what the app found in an answer. It has the app's logo and a colour of
// its own, so that no model can imitate it.
func (s *Screen) checked(r row) []fyne.CanvasObject {
	b := r.block.(*answers.Checked)
	title := prose.New(
		prose.Span{Text: lang.L("Checked by Bowerbird"), Bold: true},
		prose.Span{Text: "  " + lang.L("The model never writes this box."), Size: theme.Small, Color: theme.Muted},
	)
	lines := layout.Column(6, layout.TopRow(9, 1, widgets.NewLogo(20), title))
	for _, l := range checkedLines(b) {
		icon, color := "check", theme.OK
		if l.doubt {
			icon, color = "question", theme.Warn
		}
		mark := layout.Pad(layout.Insets{Top: 1, Right: 2, Left: 2}, widgets.NewIcon(icon, 16, color))
		lines.Add(layout.TopRow(9, 1, mark, prose.New(prose.Span{Text: l.words, Size: theme.Small})))
	}
	if len(b.Marks) > 0 {
		again := widgets.Named("chat.only", widgets.NewLink(lang.L("Ask again, from the notes only"), func() {
			s.ask(app.Question{Text: lang.L("Answer once more, only with what the notes say: a citation in each sentence, and quotations word for word.")})
		}))
		label := lang.L("Leave out what cites no note")
		if r.open {
			label = lang.L("Show the whole answer")
		}
		leave := widgets.Named("chat.leave", widgets.NewLink(label, func() { s.toggle(r.id) }))
		lines.Add(layout.Wrap(14, again, leave))
	}
	round := topCorners
	if r.last {
		round = allCorners
	}
	return []fyne.CanvasObject{newPanel(theme.Quiet, theme.Line, theme.RadiusCard, round), layout.Pad(cardInsets, lines)}
}

// checkedLine is one result of the check.
type checkedLine struct {
	words string
	doubt bool
}

// checkedLines words the results of the check, without those that found nothing to check.
func checkedLines(b *answers.Checked) []checkedLine {
	var out []checkedLine
	of := func(held, all int) map[string]any {
		return in("Held", inWords().Number(held), "All", inWords().Number(all))
	}
	if b.Sentences > 0 {
		out = append(out, checkedLine{lang.L("{{.Held}} of {{.All}} statements cite a note.", of(b.Cited, b.Sentences)), b.Cited < b.Sentences})
	}
	if b.Quotes > 0 {
		out = append(out, checkedLine{lang.L("{{.Held}} of {{.All}} quotations are in a cited note.", of(b.Found, b.Quotes)), b.Found < b.Quotes})
	}
	if b.Numbers > 0 {
		out = append(out, checkedLine{lang.L("{{.Held}} of {{.All}} counts of people or notes come from a tool or a cited note.", of(b.Given, b.Numbers)), b.Given < b.Numbers})
	}
	kinds := map[check.Kind]int{}
	for _, m := range b.Marks {
		kinds[m.Kind]++
	}
	count := func(n int) map[string]any { return in("Count", inWords().Number(n)) }
	if n := kinds[check.Dangling]; n > 0 {
		out = append(out, checkedLine{lang.N("{{.Count}} numbers lead to no note and are struck out.", n, count(n)), true})
	}
	if n := kinds[check.AppOnly]; n > 0 {
		out = append(out, checkedLine{lang.N("{{.Count}} sentences say what a model cannot know.", n, count(n)), true})
	}
	if n := kinds[check.OwnSources]; n > 0 {
		out = append(out, checkedLine{lang.N("{{.Count}} lists of sources by the model are left out.", n, count(n)), true})
	}
	return out
}
