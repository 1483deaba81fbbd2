package feed

import (
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb"
	"bowerbird/ui/present"
)

// tallyWords says how much was found; named is how many people stand above the notes.
func tallyWords(w present.Words, t tally, named int) string {
	notes := lang.N("{{.Number}} notes", t.notes, map[string]any{"Number": w.Number(t.notes)})
	people := lang.N("{{.Number}} people", t.people, map[string]any{"Number": w.Number(t.people)})
	switch {
	case t.notes == 0 && named > 0:
		return lang.N("{{.Number}} people of this name, and no note that fits.", named, map[string]any{"Number": w.Number(named)})
	case t.notes == 0:
		return lang.L("No note fits; from what is stored here.")
	}
	data := map[string]any{"Notes": notes, "People": people}
	if t.atLeast {
		return lang.L("At least {{.Notes}} · {{.People}} · from what is stored here.", data)
	}
	return lang.L("{{.Notes}} · {{.People}} · from what is stored here.", data)
}

// leftWords says which operators of other searches were left out; "" for none.
func leftWords(left []string) string {
	if len(left) == 0 {
		return ""
	}
	what := map[string]any{"What": present.Isolate(left[0])}
	return lang.L("“{{.What}}” is not known here and was left out.", what) + " "
}

// troubleWords says what is wrong with a search text, and where.
func troubleWords(t trouble) string {
	what := map[string]any{"What": present.Isolate(ndb.CleanLine(t.what, 60)), "At": t.at}
	switch t.kind {
	case unfinished:
		switch t.what {
		case "from:":
			return lang.L("Write a name behind “from:”.")
		case "has:":
			return lang.L("Write behind “has:” what the note has: image, video or link.")
		case "since:", "until:":
			return lang.L("Write a time behind “{{.What}}”: today, 7d or 2026-03-01.", what)
		}
	case noWords:
		return lang.L("Only words can be found, not signs or links.")
	case unknownPerson:
		return lang.L("Nobody stored here is called “{{.What}}”.", what)
	case severalPeople:
		return lang.L("Several people are called “{{.What}}”. Choose one of them above, or write more of the name.", what)
	case noTime:
		return lang.L("“{{.What}}” names no time. Write today, yesterday, 24h, 7d or 2026-03-01.", what)
	case timesCross:
		return lang.L("“since:” lies behind “until:”, so nothing can be between them.")
	case twice:
		return lang.L("“{{.What}}” stands there twice, the second time at character {{.At}}.", what)
	case unknownHas:
		return lang.L("“has:{{.What}}” is not known; has:image, has:video and has:link are.", what)
	case cannotExclude:
		return lang.L("The “-” at character {{.At}} leaves out words; “{{.What}}” cannot be left out.", what)
	}
	return lang.L("This cannot be looked for.")
}
