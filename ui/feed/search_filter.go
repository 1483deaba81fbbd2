package feed

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// splitFilters takes out of a query the parts that chips show in words: those that stand
// for themselves, in no brackets and beside no OR.
func splitFilters(text string) (filters []string, rest string) {
	words := wordsOf(text)
	var others []string
	for i, w := range words {
		beside := i > 0 && words[i-1] == "OR" || i+1 < len(words) && words[i+1] == "OR"
		if _, ok := filterWords(w); ok && !beside && !strings.ContainsAny(text, "()") {
			if !slices.Contains(filters, w) {
				filters = append(filters, w)
			}
			continue
		}
		others = append(others, w)
	}
	if len(filters) == 0 {
		return nil, text
	}
	return filters, strings.Join(others, " ")
}

// wordsOf splits a query at its spaces; a quoted value belongs to its word.
func wordsOf(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; {
		at := lastWord(text)
		words = append(words, text[at:])
		text = strings.TrimSpace(text[:at])
	}
	slices.Reverse(words)
	return words
}

// filterWords says in words what a part of a query asks for; ok is false for what only the
// search language can say.
func filterWords(part string) (words string, ok bool) {
	op, value, _ := strings.Cut(part, ":")
	what := map[string]any{"What": present.Isolate(filterValue(value))}
	switch op = strings.ToLower(op); {
	case value == "":
		return "", false
	case op == "from":
		return lang.L("From {{.What}}", what), true
	case op == "to":
		return lang.L("To {{.What}}", what), true
	case op == "since":
		return sinceWords(value, what), true
	case op == "until":
		return lang.L("Until {{.What}}", map[string]any{"What": dayWords(value)}), true
	case op == "lang":
		return lang.L("Language: {{.What}}", what), true
	case op == "site":
		return lang.L("Links to {{.What}}", what), true
	}
	words = map[string]string{
		"has:image":   lang.L("With picture"),
		"has:video":   lang.L("With video"),
		"has:audio":   lang.L("With sound"),
		"has:link":    lang.L("With link"),
		"has:article": lang.L("With article"),
		"has:quote":   lang.L("With quote"),
		"is:reply":    lang.L("Only replies"),
		"-is:reply":   lang.L("No replies"),
	}[strings.ToLower(part)]
	return words, words != ""
}

// filterValue is the value of an operator as a chip shows it.
func filterValue(value string) string {
	if isKey(value) {
		return nostr.ShortCode(value)
	}
	return clean.Line(strings.Trim(value, `"“”„«»@`), 30)
}

// sinceWords says since when notes are looked for.
func sinceWords(value string, what map[string]any) string {
	unit := strings.TrimLeftFunc(value, unicode.IsDigit)
	n, err := strconv.Atoi(strings.TrimSuffix(value, unit))
	switch {
	case value == "today":
		return lang.L("Today")
	case err == nil && unit == "d":
		return lang.N("Last {{.N}} days", n, map[string]any{"N": n})
	case err == nil && unit == "h":
		return lang.N("Last {{.N}} hours", n, map[string]any{"N": n})
	case value == "yesterday":
		return lang.L("Since yesterday")
	}
	return lang.L("Since {{.What}}", what)
}

// dayWords names a moment within a sentence.
func dayWords(value string) string {
	switch value {
	case "today":
		return lang.L("today")
	case "yesterday":
		return lang.L("yesterday")
	}
	return present.Isolate(filterValue(value))
}

// operator is a part of the search language under a name in words.
type operator struct {
	label, insert string
	back          int // characters between the cursor and the end
}

// offered are the filters beside the field, most used first; more are those in its menu.
func offered() []operator {
	return []operator{
		{label: lang.L("From a person"), insert: "from:"},
		{label: lang.L("With picture"), insert: "has:image"},
		{label: lang.N("Last {{.N}} days", 7, map[string]any{"N": 7}), insert: "since:7d"},
	}
}

func more() []operator {
	return []operator{
		{label: lang.L("To a person"), insert: "to:"},
		{label: lang.L("With a hashtag"), insert: "#"},
		{label: lang.L("Exact words"), insert: `""`, back: 1},
		{label: lang.L("Either of two words"), insert: "OR "},
		{label: lang.L("Without a word"), insert: "-"},
		{label: lang.L("Before a day"), insert: "until:"},
		{label: lang.L("In a language"), insert: "lang:"},
		{label: lang.L("With a link to a site"), insert: "site:"},
		{label: lang.L("With video"), insert: "has:video"},
		{label: lang.L("With link"), insert: "has:link"},
		{label: lang.L("Only replies"), insert: "is:reply"},
		{label: lang.L("No replies"), insert: "-is:reply"},
	}
}

// offer shows the filters that are set, then suggestions, or filters if there are none.
func (s *Search) offer(suggestions []suggestion) {
	s.chips.Objects = nil
	for _, f := range s.filters {
		words, _ := filterWords(f)
		s.chips.Add(widgets.Named("search.filter:"+f, widgets.NewFilter(words, lang.L("Remove this filter"), func() { s.unfilter(f) })))
	}
	for _, sg := range suggestions {
		chip := widgets.Named("search.suggest", widgets.NewChip(sg.label, func() { s.take(sg.text, 0) }))
		chip.SetLow()
		s.chips.Add(chip)
	}
	if len(suggestions) == 0 {
		for _, op := range offered() {
			if slices.Contains(s.filters, op.insert) {
				continue
			}
			chip := widgets.Named("search.op:"+op.insert, widgets.NewChip(op.label, func() { s.insert(op) }))
			chip.SetLow()
			s.chips.Add(chip)
		}
		s.chips.Add(s.more)
	}
	s.chips.Refresh()
	if s.content != nil {
		s.content.Refresh()
	}
}

// openMore opens the menu of the filters that have no chip, with what each is in the
// search language.
func (s *Search) openMore() {
	var items []widgets.MenuItem
	for _, op := range more() {
		items = append(items, widgets.MenuItem{Text: op.label, Detail: op.insert, Do: func() { s.insert(op) }})
	}
	widgets.ShowMenu(s.more, items...)
}

// insert appends an operator to the query.
func (s *Search) insert(op operator) {
	text := s.entry.Text
	if text != "" && text[len(text)-1] != ' ' {
		text += " "
	}
	s.take(text+op.insert, op.back)
}

// unfilter removes a filter.
func (s *Search) unfilter(filter string) {
	s.filters = slices.DeleteFunc(s.filters, func(f string) bool { return f == filter })
	s.take(s.entry.Text, 0)
}

// take puts a text into the field, what it filters by into chips, and the keyboard behind
// it; back is how many characters before the end.
func (s *Search) take(text string, back int) {
	s.setText(text, back)
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.entry); c != nil {
		c.Focus(s.entry)
	}
	s.look(false)
}

// setText puts a text into the field, and what it filters by into chips.
func (s *Search) setText(text string, back int) {
	filters, rest := splitFilters(text)
	for _, f := range filters {
		if !slices.Contains(s.filters, f) {
			s.filters = append(s.filters, f)
		}
	}
	s.entry.SetText(rest)
	s.entry.CursorColumn = len([]rune(rest)) - back
	s.entry.Refresh()
	s.offer(nil)
}

// suggest shows ways to continue the query, which it reads off the window's thread.
func (s *Search) suggest() {
	text := s.entry.Text
	s.work(func() func() {
		found, err := suggest(s.ctx, s.env.App, text)
		return func() {
			if err == nil && text == s.entry.Text {
				s.offer(found)
			}
		}
	})
}
