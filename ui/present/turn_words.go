package present

import (
	"encoding/json"
	"slices"
	"time"

	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// line says what a look-up asked and found.
func (l *lookup) line(askedAt time.Time) WorkLine {
	line := WorkLine{State: l.state, Problem: l.problem, Details: l.details}
	switch l.state {
	case WorkRunning:
		line.Words, line.Facts = l.doing(), l.wanted()
	case WorkWaiting:
		line.Words = phrase("Wants to use {{.Tool}}", "Tool", clean.Line(l.tool, 64))
	case WorkFailed:
		line.Words, line.Facts = l.failed(), l.wanted()
	case WorkUnknown:
		line.Words = phrase("It is not known whether this happened: {{.Tool}}", "Tool", clean.Line(l.tool, 64))
	default:
		line.Words = l.did()
		line.Facts = append(l.counted(), l.filters(askedAt)...)
	}
	return line
}

func (l *lookup) weight() int {
	switch l.tool {
	case "query":
		if l.asked.Mentions != "" {
			return 1 // beside what everybody wrote
		}
		if l.notes+l.articles > 0 {
			return 5
		}
		return 4
	case "get_thread":
		return 3
	case "aggregate", "count":
		return 2
	case "get_profile", "find_profile", "coverage", "present_notes":
		return 0
	}
	return 1
}

func (l *lookup) icon() string {
	if l.state == WorkUnknown || l.state == WorkWaiting {
		return "warning"
	}
	switch l.tool {
	case "get_profile", "find_profile":
		return "users"
	case "render_table", "render_chart", "aggregate", "count":
		return "table"
	case "get_note", "get_thread", "present_notes":
		return "article"
	case "query", "coverage":
		return "search"
	}
	return "settings"
}

// doing says what a call is about while it runs.
func (l *lookup) doing() Phrase {
	switch l.tool {
	case "query":
		return phrase("Looking through the notes")
	case "count", "aggregate":
		return phrase("Counting")
	case "coverage":
		return phrase("Checking what is complete")
	case "get_note":
		return phrase("Reading a note")
	case "get_thread":
		return phrase("Reading a thread")
	case "get_profile", "find_profile":
		return phrase("Looking for a person")
	case "present_notes":
		return phrase("Gathering the sources")
	case "render_table":
		return phrase("Making a table")
	case "render_chart":
		return phrase("Making a chart")
	case "current_time":
		return phrase("Looking at the clock")
	case "random_uuid":
		return phrase("Making an id")
	}
	return phrase("Calling {{.Tool}}", "Tool", clean.Line(l.tool, 64))
}

func (l *lookup) failed() Phrase {
	switch l.tool {
	case "query":
		return phrase("Could not look through the notes")
	case "count", "aggregate":
		return phrase("Could not count")
	case "coverage":
		return phrase("Could not check what is complete")
	case "get_note":
		return phrase("Could not read a note")
	case "get_thread":
		return phrase("Could not read a thread")
	case "get_profile", "find_profile":
		return phrase("Could not find a person")
	case "present_notes":
		return phrase("Could not gather the sources")
	case "render_table":
		return phrase("Could not make a table")
	case "render_chart":
		return phrase("Could not make a chart")
	case "current_time":
		return phrase("Could not tell the time")
	case "random_uuid":
		return phrase("Could not make an id")
	}
	return phrase("Could not use {{.Tool}}", "Tool", clean.Line(l.tool, 64))
}

// did says what a call has found.
func (l *lookup) did() Phrase {
	switch l.tool {
	case "query":
		return l.didRead()
	case "count":
		return l.didCount(l.found.Count)
	case "aggregate":
		return l.didCount(l.found.Total)
	case "coverage":
		return phrase("Checked what is complete")
	case "get_note":
		if l.single > 1 {
			return plural("Read {{.Count}} single notes", l.single)
		}
		if name := clean.Line(l.found.Note.Name, 40); name != "" {
			return phrase("Read a note by {{.Name}}", "Name", name)
		}
		return phrase("Read a note")
	case "get_thread":
		return plural("Read a thread of {{.Count}} notes", l.found.Total)
	case "get_profile":
		if name := l.person(); name != "" {
			return phrase("Looked at the profile of {{.Name}}", "Name", name)
		}
		return phrase("Looked at a profile")
	case "find_profile":
		return plural("Found {{.Count}} people", max(l.found.Found, len(l.found.People)))
	case "present_notes":
		return plural("Gathered {{.Count}} sources", len(l.found.Presented))
	case "render_table":
		return phrase("Made a table")
	case "render_chart":
		return phrase("Made a chart")
	case "current_time":
		return phrase("Looked at the clock")
	case "random_uuid":
		return phrase("Made an id")
	}
	return phrase("Used {{.Tool}}", "Tool", clean.Line(l.tool, 64))
}

func (l *lookup) person() string {
	for _, name := range []string{l.found.DisplayName, l.found.Name} {
		if name = clean.Line(name, 40); name != "" {
			return name
		}
	}
	return ""
}

func (l *lookup) didRead() Phrase {
	switch all := l.found.Total; {
	case all > l.found.Returned && l.found.TotalAtLeast:
		return plural("Read {{.Read}} of more than {{.Count}} notes", all, "Read", l.found.Returned)
	case all > l.found.Returned:
		return plural("Read {{.Read}} of {{.Count}} notes", all, "Read", l.found.Returned)
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
	case l.found.Returned > 0: // kept without its kinds
		return plural("Read {{.Count}} notes", l.found.Returned)
	}
	return phrase("Found no notes")
}

// didCount says what was counted, by the kinds that were asked for.
func (l *lookup) didCount(n int) Phrase {
	words, wordless := len(l.asked.kindList) == 0, false
	for _, kind := range l.asked.kindList {
		words = words || !tools.WithoutWords(kind)
		wordless = wordless || tools.WithoutWords(kind)
	}
	switch {
	case words && wordless:
		return plural("Counted {{.Count}} notes, reposts and reactions", n)
	case wordless:
		return plural("Counted {{.Count}} reposts and reactions", n)
	}
	return plural("Counted {{.Count}} notes", n)
}

// by are the facts of what was counted apart.
var by = map[string]string{
	"hour": "by the hour", "day": "by the day", "week": "by the week",
	"author": "by person", "hashtag": "by hashtag", "term": "by word",
}

// counted are the figures beside the first one.
func (l *lookup) counted() []Phrase {
	var facts []Phrase
	switch l.tool {
	case "query":
		if n := len(l.authors); n > 0 {
			facts = append(facts, l.people(n))
		}
		if l.notes+l.articles > 0 && l.reposts > 0 && l.found.Total <= l.found.Returned {
			facts = append(facts, plural("{{.Count}} reposts", l.reposts))
		}
	case "count":
		var n int
		if json.Unmarshal(l.found.Authors, &n) == nil && n > 0 {
			facts = append(facts, l.people(n))
		}
	case "aggregate":
		if text := by[l.asked.By]; text != "" {
			facts = append(facts, phrase(text))
		}
	case "get_note":
		if l.missed > 0 {
			facts = append(facts, plural("{{.Count}} not here", l.missed))
		}
	case "find_profile":
		if l.asked.Name != "" {
			facts = append(facts, phrase("“{{.Text}}”", "Text", l.asked.Name))
		}
	}
	return facts
}

func (l *lookup) people(n int) Phrase {
	switch {
	case n == 1 && l.found.Name != "":
		return phrase("by {{.Name}}", "Name", l.found.Name)
	case l.found.Scope.Context == "home":
		return plural("{{.Count}} people you follow", n)
	}
	return plural("{{.Count}} people", n)
}

// soon is how near to the question a window ends that ends with it.
const soon = time.Hour

// filters say what was asked for.
func (l *lookup) filters(askedAt time.Time) []Phrase {
	var facts []Phrase
	if !slices.Contains([]string{"query", "count", "aggregate", "coverage"}, l.tool) {
		return nil
	}
	if !l.since.IsZero() {
		facts = append(facts, phrase("since {{.Time}}", "Time", l.since.UTC()))
	}
	if !l.until.IsZero() && askedAt.Sub(l.until) > soon {
		facts = append(facts, phrase("until {{.Time}}", "Time", l.until.UTC()))
	}
	if l.tool == "coverage" {
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
