package feed

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/search"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// tallyWords words how much a tab shows.
func tallyWords(w present.Words, s *searched) string {
	of, words := s.found.notes, "{{.Number}} notes"
	switch s.tab {
	case peopleTab:
		return lang.N("{{.Number}} people of this name, from what is stored here", len(s.named), map[string]any{"Number": atLeast(w, len(s.named), len(s.named) == mostPeople)})
	case articlesTab:
		of, words = s.found.articles, "{{.Number}} articles"
	}
	data := map[string]any{
		"Notes":  lang.N(words, of.n, map[string]any{"Number": w.Number(of.n)}),
		"People": lang.N("{{.Number}} people", of.people, map[string]any{"Number": w.Number(of.people)}),
	}
	if s.found.atLeast {
		return lang.L("At least {{.Notes}} by {{.People}}, from what is stored here", data)
	}
	return lang.L("{{.Notes}} by {{.People}}, from what is stored here", data)
}

// tabWords name a tab, with how much it has.
func tabWords(w present.Words, s *searched) (words []string) {
	for i, name := range []string{lang.L("Notes"), lang.L("People"), lang.L("Articles")} {
		n := s.counts()[i]
		more := s.found.atLeast && tab(i) != peopleTab || tab(i) == peopleTab && n == mostPeople
		words = append(words, name+" "+atLeast(w, n, more))
	}
	return words
}

// atLeast writes a number, with a + where there may be more.
func atLeast(w present.Words, n int, more bool) string {
	if more {
		return w.Number(n) + "+"
	}
	return w.Number(n)
}

// troubleLine shows what is wrong with a query, or missing in it, and where.
func troubleLine(text string, t trouble) []prose.Span {
	color := theme.Warn
	if t.kind == unfinished {
		color = theme.Muted
	}
	line := []prose.Span{{Text: troubleWords(t), Size: theme.Small, Color: color}}
	before, part, after := around(text, t.part)
	if part == "" || before+after == "" {
		return line
	}
	muted := func(s string) prose.Span {
		text := clean.Line(s, 2*aroundLen)
		if strings.HasPrefix(s, " ") {
			text = " " + text
		}
		if strings.HasSuffix(s, " ") {
			text += " "
		}
		return prose.Span{Text: present.Isolate(text), Size: theme.Small, Color: theme.Muted}
	}
	wrong := prose.Span{Text: present.Isolate(clean.Line(part, 60)), Size: theme.Small, Color: color, Underline: true}
	return append(line, prose.Span{Text: "  "}, muted(before), wrong, muted(after))
}

// aroundLen is how many characters are shown before and behind what is wrong.
const aroundLen = 24

// around returns a part of a query with the beginning and end of what surrounds it.
func around(text string, part search.Part) (before, is, after string) {
	if part.Start+part.Len > len(text) {
		return "", "", ""
	}
	before, is, after = text[:part.Start], part.In(text), text[part.Start+part.Len:]
	if r := []rune(before); len(r) > aroundLen {
		before = "…" + string(r[len(r)-aroundLen:])
	}
	if r := []rune(after); len(r) > aroundLen {
		after = string(r[:aroundLen]) + "…"
	}
	return before, is, after
}

// troubleWords words what is wrong with a query, or missing in it.
func troubleWords(t trouble) string {
	what := map[string]any{"What": present.Isolate(clean.Line(t.what, 60))}
	switch search.Problem(t.kind) {
	case search.TooLong, search.TooDeep:
		return lang.L("This is too long to search for.")
	case search.UnknownOperator:
		return lang.L("“{{.What}}” is not known here. Put it in quotes to find it as words.", what)
	case search.BadValue:
		return valueWords(t.operator, what)
	case search.NoPerson:
		return lang.L("Nobody stored here is called “{{.What}}”.", nameIn(t.what))
	case search.Ambiguous:
		return lang.L("Several people are called “{{.What}}”. Choose one of them above, or write more of the name.", nameIn(t.what))
	case search.BadTime:
		return lang.L("“{{.What}}” is not a time. Type today, yesterday, 24h, 7d or 2026-03-01.", what)
	}
	switch t.kind {
	case unfinished:
		return gapWords(t.operator, what)
	case noWords:
		return lang.L("Only words can be found, not punctuation.")
	case timesCross:
		return lang.L("“since:” is later than “until:”, so there is nothing between them.")
	}
	return lang.L("This cannot be searched for.")
}

// nameIn returns the name in "from:name".
func nameIn(part string) map[string]any {
	_, name, _ := strings.Cut(part, ":")
	name = strings.TrimPrefix(strings.Trim(name, `"“”„«»`), "@")
	return map[string]any{"What": present.Isolate(clean.Line(name, 60))}
}

// gapWords words which value an operator needs.
func gapWords(operator string, what map[string]any) string {
	switch operator {
	case "from", "to":
		return lang.L("Type a name after “{{.What}}”.", what)
	case "since", "until":
		return lang.L("Type a time after “{{.What}}”: today, 7d or 2026-03-01.", what)
	case "has":
		return lang.L("After “has:”, type what the note has: image, video, audio, link, article or quote.")
	case "is", "kind":
		return lang.L("After “{{.What}}”, type what it is: note, article, picture, comment; after “is:” also reply.", what)
	case "lang":
		return lang.L("Type a language after “{{.What}}”: en, de, ja.", what)
	case "site":
		return lang.L("Type a site after “{{.What}}”: github.com.", what)
	case "#":
		return lang.L("Type a hashtag after “#”.")
	}
	return lang.L("Something is missing after “{{.What}}”.", what)
}

// valueWords words which values an operator takes.
func valueWords(operator string, what map[string]any) string {
	switch operator {
	case "has":
		return lang.L("“{{.What}}” is not known; has:image, has:video, has:audio, has:link, has:article and has:quote are.", what)
	case "is", "kind":
		return lang.L("“{{.What}}” is not known; kind:note, kind:article, kind:picture, kind:comment and is:reply are, among others.", what)
	case "lang":
		return lang.L("“{{.What}}” is not a language. Type its code: lang:en, lang:de, lang:ja.", what)
	case "site":
		return lang.L("“{{.What}}” is not a site. Type it like site:github.com.", what)
	}
	return lang.L("This cannot be searched for.")
}
