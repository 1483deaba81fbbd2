package answers

import (
	"slices"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// line says what a look-up asked and found.
func (l *lookup) line(askedAt time.Time) WorkLine {
	line := WorkLine{State: l.state, Problem: l.problem, Details: l.details}
	switch l.state {
	case WorkRunning:
		line.Words, line.Facts = l.row.doing, append(l.wanted(), l.soFar()...)
	case WorkWaiting:
		line.Words = phrase("Wants to use {{.Tool}}", "Tool", clean.Line(l.tool, 64))
	case WorkFailed:
		line.Words, line.Facts = l.row.failed, l.wanted()
	case WorkUnknown:
		line.Words = phrase("It is not known whether this happened: {{.Tool}}", "Tool", clean.Line(l.tool, 64))
	default:
		line.Words = l.row.did(l)
		if l.row.facts != nil {
			line.Facts = l.row.facts(l)
		}
		line.Facts = append(line.Facts, l.filters(askedAt)...)
	}
	return line
}

// soFar says how far the server reports the call to be.
func (l *lookup) soFar() (facts []Phrase) {
	if l.progress == nil {
		return nil
	}
	if part := 100 * l.progress.Done / l.progress.Total; part >= 0 && part <= 100 {
		facts = append(facts, phrase("{{.Percent}} %", "Percent", int(part)))
	}
	if l.progress.Words != "" {
		facts = append(facts, phrase("“{{.Words}}”", "Words", l.progress.Words))
	}
	return facts
}

// weight is that of the tool; reading weighs most where it found what people wrote.
func (l *lookup) weight() int {
	switch {
	case l.row.window != listsIt:
		return l.row.weight
	case l.asked.Mentions != "":
		return 1 // beside what everybody wrote
	case l.notes+l.articles > 0:
		return l.row.weight + 1
	}
	return l.row.weight
}

func (l *lookup) icon() string {
	if l.state == WorkUnknown || l.state == WorkWaiting {
		return "warning"
	}
	return l.row.icon
}

func (l *lookup) didNote() Phrase {
	if l.single > 1 {
		return plural("Read {{.Count}} single notes", l.single)
	}
	if name := clean.Line(l.name, 40); name != "" {
		return phrase("Read a note by {{.Name}}", "Name", name)
	}
	return phrase("Read a note")
}

func (l *lookup) didProfile() Phrase {
	if l.name != "" {
		return phrase("Looked at the profile of {{.Name}}", "Name", l.name)
	}
	return phrase("Looked at a profile")
}

func (l *lookup) didRead() Phrase {
	switch all := l.count; {
	case all > l.returned && l.more:
		return plural("Read {{.Read}} of more than {{.Count}} notes", all, "Read", l.returned)
	case all > l.returned:
		return plural("Read {{.Read}} of {{.Count}} notes", all, "Read", l.returned)
	case l.notes > 0:
		return plural("Read {{.Count}} notes", l.notes+l.articles)
	case l.articles > 0:
		return plural("Read {{.Count}} articles", l.articles)
	case l.reposts > 0 && l.reactions > 0:
		return plural("Read {{.Count}} reposts and reactions", l.reposts+l.reactions)
	case l.reposts > 0:
		return plural("Read {{.Count}} reposts", l.reposts)
	case l.reactions > 0:
		return plural("Read {{.Count}} reactions", l.reactions)
	}
	return phrase("Found no notes")
}

// didCount says what was counted, by the kinds that were asked for.
func (l *lookup) didCount() Phrase {
	words, wordless := len(l.asked.kindList) == 0, false
	for _, kind := range l.asked.kindList {
		words = words || !tools.WithoutWords(kind)
		wordless = wordless || tools.WithoutWords(kind)
	}
	switch {
	case words && wordless:
		return plural("Counted {{.Count}} notes, reposts and reactions", l.count)
	case wordless:
		return plural("Counted {{.Count}} reposts and reactions", l.count)
	}
	return plural("Counted {{.Count}} notes", l.count)
}

// by are the facts of what was counted apart.
var by = map[string]string{
	"hour": "by the hour", "day": "by the day", "week": "by the week",
	"author": "by person", "hashtag": "by hashtag", "term": "by word",
}

func (l *lookup) readFacts() (facts []Phrase) {
	if n := len(l.authors); n > 0 {
		facts = append(facts, l.peopleFact(n))
	}
	if l.notes+l.articles > 0 && l.reposts > 0 && l.count <= l.returned {
		facts = append(facts, plural("{{.Count}} reposts", l.reposts))
	}
	return facts
}

func (l *lookup) countFacts() []Phrase {
	if l.people == 0 {
		return nil
	}
	return []Phrase{l.peopleFact(l.people)}
}

// peopleFact counts who wrote. The timeline of the people followed has the user's own notes
// too, but nobody follows themselves.
func (l *lookup) peopleFact(n int) Phrase {
	switch {
	case n == 1 && l.name != "":
		return phrase("by {{.Name}}", "Name", l.name)
	case l.context == "home" && l.own && n > 1:
		return plural("{{.Count}} people you follow, and you", n-1)
	case l.context == "home" && !l.own:
		return plural("{{.Count}} people you follow", n)
	}
	return plural("{{.Count}} people", n)
}

func (l *lookup) groupFacts() []Phrase {
	if text := by[l.asked.By]; text != "" {
		return []Phrase{phrase(text)}
	}
	return nil
}

func (l *lookup) noteFacts() []Phrase {
	if l.missed == 0 {
		return nil
	}
	return []Phrase{plural("{{.Count}} not here", l.missed)}
}

func (l *lookup) nameFacts() []Phrase {
	if l.asked.Name == "" {
		return nil
	}
	return []Phrase{phrase("“{{.Text}}”", "Text", l.asked.Name)}
}

// soon is how near to the question a window ends that ends with it.
const soon = time.Hour

// filters say what was asked for.
func (l *lookup) filters(askedAt time.Time) []Phrase {
	var facts []Phrase
	if l.row.window == noWindow {
		return nil
	}
	if !l.since.IsZero() {
		facts = append(facts, phrase("since {{.Time}}", "Time", l.since.UTC()))
	}
	if !l.until.IsZero() && askedAt.Sub(l.until) > soon {
		facts = append(facts, phrase("until {{.Time}}", "Time", l.until.UTC()))
	}
	if l.row.window == judgesIt {
		return facts
	}
	facts = append(facts, l.wanted()...)
	switch {
	case l.reposts+l.reactions > 0 && l.notes+l.articles == 0: // replies are notes
	case l.asked.Replies:
		facts = append(facts, phrase("with replies"))
	default:
		facts = append(facts, phrase("without replies"))
	}
	return facts
}

// wanted are the words and tags that were searched for.
func (l *lookup) wanted() []Phrase {
	var facts []Phrase
	if l.asked.Search != "" {
		facts = append(facts, phrase("“{{.Text}}”", "Text", l.asked.Search))
	}
	if tag := l.asked.Hashtag; tag != "" {
		if tag[0] != '#' {
			tag = "#" + tag
		}
		facts = append(facts, phrase("{{.Tag}}", "Tag", tag))
	}
	return facts
}

// SourceOf returns the first note that an item of a digest cites; ok is false if it cites
// none.
func (b *Digest) SourceOf(it builtin.Item) (s Source, ok bool) {
	for _, l := range it.Lines {
		for _, ref := range check.References(l.Text) {
			i := slices.IndexFunc(b.Sources, func(s Source) bool { return s.Index == ref.Index })
			if i >= 0 {
				return b.Sources[i], true
			}
		}
	}
	return Source{}, false
}

// gathered moves into a digest what is drawn within it: the chart of when the notes were
// written, how complete they are, and the authors of what it cites. What was looked up
// follows the digest.
func (a *Assembler) gathered(blocks []Block) []Block {
	at := slices.IndexFunc(blocks, func(b Block) bool { _, ok := b.(*Digest); return ok })
	if at < 0 {
		return blocks
	}
	whole := *blocks[at].(*Digest)
	_, summary := a.reported()
	whole.Complete = summary != nil && summary.Complete > 0 && !incomplete(summary)
	out := []Block{&whole}
	for _, b := range blocks {
		switch b := b.(type) {
		case *Digest:
		case *Coverage:
			whole.Coverage = b
		case *Chart:
			if b.Chart == nil || b.Refused != "" || whole.Chart != nil {
				out = append(out, b)
				continue
			}
			whole.Chart = b
		case *Sources:
			whole.Sources = b.List
			out = append(out, b)
		default:
			out = append(out, b)
		}
	}
	if a.digest == nil {
		a.digest = &whole
	}
	out[0] = a.digest
	return out
}
