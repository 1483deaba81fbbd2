package answers

import (
	"encoding/json"
	"strings"
	"time"

	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// toolRow is all that is shown of one tool: what it does, what it found, and how important
// that is beside other calls. Window and terminal read it; no other code switches on the
// name of a tool.
type toolRow struct {
	doing  Phrase // while it runs
	failed Phrase
	did    func(l *lookup) Phrase   // what it has found
	facts  func(l *lookup) []Phrase // figures beside that; nil for none
	icon   string
	weight int // the heaviest of several calls is shown for all of them
	window window
	read   func(l *lookup, answer json.RawMessage) // takes in an answer or its brief; nil for none

	// goesOn reports whether another call belongs to the same line, and take adds what
	// that one found; nil where each call is a line of its own.
	goesOn func(l, o *lookup) bool
	take   func(l, o *lookup)
}

// window is what a tool does with the notes of a window of time.
type window uint8

const (
	noWindow window = iota
	listsIt         // page by page
	groupsIt
	countsIt
	judgesIt // says how much of it is there
)

// rowOfTool returns a tool's row. A tool without one, such as one from elsewhere, gets a
// row with its name.
func rowOfTool(tool string) toolRow {
	if row, ok := toolRows[tool]; ok {
		return row
	}
	title := clean.Line(tool, 64)
	if server, name, ok := strings.Cut(strings.TrimPrefix(title, "mcp__"), "__"); ok && strings.HasPrefix(title, "mcp__") {
		title = name + " (" + server + ")"
	}
	return toolRow{
		doing: phrase("Calling {{.Tool}}", "Tool", title), failed: phrase("Could not use {{.Tool}}", "Tool", title),
		did: always(phrase("Used {{.Tool}}", "Tool", title)), icon: "settings", weight: 1,
	}
}

// Doing words what a tool does while it runs.
func Doing(tool string) Phrase { return rowOfTool(tool).doing }

// toolRows are those of the built-in tools.
var toolRows = map[string]toolRow{
	"query": {
		doing: phrase("Searching the notes"), failed: phrase("Could not search the notes"),
		did: (*lookup).didRead, facts: (*lookup).readFacts, icon: "search", weight: 4, window: listsIt,
		read: reads((*lookup).readQuery), goesOn: (*lookup).nextPage, take: (*lookup).takePage,
	},
	"count": {
		doing: phrase("Counting"), failed: phrase("Could not count"),
		did: (*lookup).didCount, facts: (*lookup).countFacts, icon: "table", weight: 2, window: countsIt,
		read: reads(func(l *lookup, r tools.CountResult) {
			l.scope(r.Scope)
			l.count, l.people, l.own = r.Count, r.Authors, r.Own
		}),
	},
	"aggregate": {
		doing: phrase("Counting"), failed: phrase("Could not count"),
		did: (*lookup).didCount, facts: (*lookup).groupFacts, icon: "table", weight: 2, window: groupsIt,
		read: reads(func(l *lookup, b tools.AggregateBrief) {
			l.scope(b.Scope)
			l.count = b.Total
		}),
	},
	"coverage": {
		doing: phrase("Checking how complete the notes are"), failed: phrase("Could not check how complete the notes are"),
		did: always(phrase("Checked how complete the notes are")), icon: "search", window: judgesIt,
		read: reads(func(l *lookup, b tools.CoverageBrief) {
			l.scope(b.Scope)
			l.coverage = &b.Summary
		}),
	},
	"get_note": {
		doing: phrase("Reading a note"), failed: phrase("Could not read a note"),
		did: (*lookup).didNote, facts: (*lookup).noteFacts, icon: "article", weight: 1,
		read:   reads(func(l *lookup, r tools.NoteResult) { l.name = r.Note.Name }),
		goesOn: (*lookup).nextNote, take: (*lookup).takeNote,
	},
	"get_thread": {
		doing: phrase("Reading a thread"), failed: phrase("Could not read a thread"),
		did:  func(l *lookup) Phrase { return plural("Read a thread of {{.Count}} notes", l.count) },
		icon: "article", weight: 3,
		read: reads(func(l *lookup, b tools.ThreadBrief) { l.count = b.Total }),
	},
	"get_profile": {
		doing: phrase("Looking at a profile"), failed: phrase("Could not find a person"),
		did: (*lookup).didProfile, icon: "users",
		read: reads((*lookup).readProfile),
	},
	"find_profile": {
		doing: phrase("Looking for a person"), failed: phrase("Could not find a person"),
		did:   func(l *lookup) Phrase { return plural("Found {{.Count}} people", l.count) },
		facts: (*lookup).nameFacts, icon: "users",
		read: reads(func(l *lookup, b tools.FindProfileBrief) { l.count = b.Found }),
	},
	"present_notes": {
		doing: phrase("Gathering the sources"), failed: phrase("Could not gather the sources"),
		did: func(l *lookup) Phrase { return plural("Gathered {{.Count}} sources", l.count) }, icon: "article",
		read: reads(func(l *lookup, r tools.PresentResult) { l.count = len(r.Presented) }),
	},
	"render_table": {
		doing: phrase("Making a table"), failed: phrase("Could not make a table"),
		did: always(phrase("Made a table")), icon: "table", weight: 1,
	},
	"render_chart": {
		doing: phrase("Making a chart"), failed: phrase("Could not make a chart"),
		did: always(phrase("Made a chart")), icon: "table", weight: 1,
	},
	"current_time": {
		doing: phrase("Checking the time"), failed: phrase("Could not get the time"),
		did: always(phrase("Checked the time")), icon: "settings", weight: 1,
	},
	"random_uuid": {
		doing: phrase("Creating an ID"), failed: phrase("Could not create an ID"),
		did: always(phrase("Created an ID")), icon: "settings", weight: 1,
	},
}

// always returns the same phrase for all results.
func always(p Phrase) func(*lookup) Phrase { return func(*lookup) Phrase { return p } }

// reads decodes a result, or the brief of one. A result that cannot be decoded is left
// out.
func reads[B any](take func(l *lookup, brief B)) func(*lookup, json.RawMessage) {
	return func(l *lookup, answer json.RawMessage) {
		var brief B
		if json.Unmarshal(answer, &brief) == nil {
			take(l, brief)
		}
	}
}

func (l *lookup) scope(s tools.Scope) {
	l.context = s.Context
	l.since, _ = time.Parse(time.RFC3339, s.Since)
	l.until, _ = time.Parse(time.RFC3339, s.Until)
}

func (l *lookup) readQuery(b tools.QueryBrief) {
	l.scope(b.Scope)
	l.count, l.more, l.returned = b.Total, b.TotalAtLeast, b.Returned
	l.name, l.coverage, l.own = clean.Line(b.Name, 40), &b.Coverage, b.Own
	for _, key := range b.Authors {
		l.authors[key] = true
	}
	for kind, n := range b.Kinds {
		switch kind {
		case 6, 16:
			l.reposts += n
		case 7:
			l.reactions += n
		case 30023:
			l.articles += n
		default:
			l.notes += n
		}
	}
}

func (l *lookup) readProfile(r tools.ProfileResult) {
	if l.name = clean.Line(r.DisplayName, 40); l.name == "" {
		l.name = clean.Line(r.Name, 40)
	}
}
