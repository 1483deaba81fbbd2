package note

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// say translates a text; pairs are the names of placeholders and their values.
func say(text string, pairs ...string) string {
	if len(pairs) == 0 {
		return lang.L(text)
	}
	data := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		data[pairs[i]] = pairs[i+1]
	}
	return lang.L(text, data)
}

func isolate(s string) string { return present.Isolate(s) }

// placeholder takes the place of a name while a translated sentence is split around it.
const placeholder = "\x00"

// around puts a span in the place of {{.Name}} in a translated sentence. The words around
// it look the same but are no link.
func around(sentence string, s prose.Span) []prose.Span {
	before, after, _ := strings.Cut(sentence, placeholder)
	word := s
	word.Tap, word.Bold, word.Tip = nil, false, ""
	var spans []prose.Span
	if word.Text = before; before != "" {
		spans = append(spans, word)
	}
	spans = append(spans, s)
	if word.Text = after; after != "" {
		spans = append(spans, word)
	}
	return spans
}

// spans converts a text into what ui/prose draws.
func (c *sheet) spans(ps []present.Paragraph) []prose.Span {
	var out []prose.Span
	for i, p := range ps {
		if i > 0 {
			out = append(out, prose.Span{Text: "\n\n", Size: c.look.body})
		}
		for _, s := range p {
			out = append(out, c.span(s))
		}
	}
	return out
}

// titleSpans returns the title of a note with the search terms marked.
func titleSpans(n *present.Note, size fyne.ThemeSizeName) []prose.Span {
	var out []prose.Span
	at := 0
	add := func(to int, mark bool) {
		if to > at {
			out = append(out, prose.Span{Text: n.Title[at:to], Size: size, Bold: true, Mark: mark})
			at = to
		}
	}
	for _, r := range n.TitleMarks {
		add(r[0], false)
		add(r[1], true)
	}
	add(len(n.Title), false)
	return out
}

func (c *sheet) span(s present.Span) prose.Span {
	o := prose.Span{Text: s.Text, Size: c.look.body, Mark: s.Mark}
	if c.look.small {
		o.Color = theme.Muted
		return o
	}
	o.Tap, o.Tip = LeadTo(c.opt.Go, s), s.URL
	return o
}

// LeadTo returns what a click on a span of a text does; nil for nothing.
func LeadTo(nav screen.Navigator, s present.Span) func() {
	switch s.Kind {
	case present.SpanLink:
		return func() { nav.OpenURL(s.URL) }
	case present.SpanPerson:
		return func() { nav.OpenProfile(s.PubKey) }
	case present.SpanNote:
		return func() { nav.OpenThread(s.Event) }
	case present.SpanTag:
		return func() { nav.Search("#" + s.Tag) }
	}
	return nil
}
