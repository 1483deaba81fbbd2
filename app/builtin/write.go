package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/words"
	"bowerbird/ndb/search"
	"bowerbird/tools"
)

// ref is a citation: ^3.
func ref(index int) string { return "^" + strconv.Itoa(index) }

// items writes topics as a list.
func (p *plan) items(list []item, index map[string]int, r *reading, asked map[*note]*parent) []Item {
	var items []Item
	for i := range list {
		if it := p.item(&list[i], index, r, asked); len(it.Lines) > 0 {
			items = append(items, it)
		}
	}
	return items
}

// item writes a topic: its heading, who said what, and how many took part, where that
// was more than one and all of it was read. What was written before the window says of
// when it is. A note that could not be shown is not quoted, a topic without a quotation
// not told.
func (p *plan) item(it *item, index map[string]int, r *reading, asked map[*note]*parent) Item {
	out := Item{Heading: it.heading}
	for i, c := range it.cites {
		n, shown := index[c.note.id]
		if !shown {
			continue
		}
		line := Line{Text: p.speaker(it, i, r.window.Since.Unix(), asked, index) + " " + p.told(c.note, c.text, n)}
		turn := it.cites[0].now && i < 2
		if turn {
			line.Label = []string{p.words.Now, p.words.Earlier}[i]
		}
		if last := len(out.Lines) - 1; last >= 0 && !it.cites[0].now {
			out.Lines[last].Text += " " + line.Text
			continue
		}
		out.Lines = append(out.Lines, line)
	}
	if people, notes := it.tookPart(); people > 1 && r.unread == 0 {
		out.Note = p.tookPart(people, notes, r.moreActs)
	}
	return out
}

// speaker says who wrote a quotation of an item, and of when, or in answer to what.
func (p *plan) speaker(it *item, i int, since int64, asked map[*note]*parent, index map[string]int) string {
	n := it.cites[i].note
	name := n.author.name
	to, answers := asked[n]
	switch dated := p.dated(n, since); {
	case dated != "":
		return name + dated + ":"
	case i > 0 && n.parent != "" && n.parent == it.cites[0].note.id:
		return words.Fill(p.words.Answers, "name", name)
	case answers && i == 0:
		return words.Fill(p.words.Answering, "name", name, "other", p.askedBy(to, index))
	}
	return name + ":"
}

// dated says of when a note is that was written before a window, or first published before
// it; "" of others.
func (p *plan) dated(n *note, since int64) string {
	at := cmp.Or(n.begun, n.at)
	if at >= since {
		return ""
	}
	return " " + words.Fill(p.words.Dated, "when", p.words.When(time.Unix(at, 0), p.calendar.Now))
}

// parent is the note that another answers, with a sentence of it, "" where none can be
// quoted. Its note is nil where it is not stored here.
type parent struct {
	note  *note
	quote string
}

// askedBy says what a note answers: whose, and a sentence of it.
func (p *plan) askedBy(to *parent, index map[string]int) string {
	switch {
	case to == nil:
		return p.words.AnotherNote
	case to.note == nil:
		return p.words.NotHere
	}
	name := to.note.author.name
	if to.note.author.key == p.me {
		name = p.words.You
	}
	n := index[to.note.id]
	if n == 0 || to.quote == "" {
		return name
	}
	return name + " (" + p.told(to.note, to.quote, n) + ")"
}

// answered finds what the answers say that stand alone in a draft: nobody understands
// “I watched it twice already” without. It is nil for what could not be looked up.
func (p *plan) answered(d draft, c *corpus) map[*note]*parent {
	out := map[*note]*parent{}
	p.chosen = true
	for _, it := range slices.Concat(d.main, d.also) {
		n := it.cites[0].note
		if n.parent == "" || it.heading != "" || len(it.cites) > 1 {
			continue
		}
		out[n] = nil
		to := c.notes[n.parent]
		if to == nil {
			got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: n.parent})
			if got.value == nil {
				if got.failed {
					out[n] = &parent{}
				}
				continue
			}
			to = newNote(&got.value.Note, c.person(&got.value.Note))
		}
		again := *to
		again.repeated = false // whatever else says the same, or was read before: here it is needed
		out[n] = &parent{to, p.bestQuote(&again)}
	}
	return out
}

// toRead lists articles, each with the minutes that it takes.
func (p *plan) toRead(list []item, index map[string]int, since int64) []Item {
	var items []Item
	for _, it := range list {
		if n := it.cites[0].note; index[n.id] > 0 {
			items = append(items, Item{
				Heading: n.title, Lines: []Line{{Text: n.author.name + p.dated(n, since) + " " + ref(index[n.id])}},
				Note: words.Fill(p.words.Minutes, "n", p.words.Number(readingTime(n.text))),
			})
		}
	}
	return items
}

// readingTime is how many minutes it takes to read a text, at 230 words a minute, or 500
// characters where there are no spaces.
func readingTime(text string) int {
	wides := 0
	for _, r := range text {
		if wide(r) {
			wides++
		}
	}
	return max(1, (len(strings.Fields(text))*500+wides*230+230*500/2)/(230*500))
}

// told writes a quotation with its source, whether its note has a picture, and how often
// the same was said.
func (p *plan) told(n *note, quote string, index int) string {
	out := quote + " " + ref(index)
	if n.event != nil && search.HasPicture(n.event) {
		out += " " + p.words.Pictured
	}
	if n.times > 1 {
		out += " " + words.Fill(p.words.Times, "n", p.words.Number(n.times))
	}
	return out
}

// tookPart says how many people followed took part in something, more where not all that
// they did was read, and with how many notes.
func (p *plan) tookPart(n, notes int, more bool) string {
	people := p.words.AtLeastIf(more, p.words.Of(p.words.Person, n))
	if notes == 0 {
		return people
	}
	return words.Fill(p.words.TookPart, "people", people, "notes", p.words.Of(p.words.Note, notes))
}

func (p *plan) tagLine(tags []tagUse) string {
	parts := make([]string, len(tags))
	for i, t := range tags {
		parts[i] = "#" + t.tag + " (" + p.words.Of(p.words.Note, t.notes) + ")"
	}
	return strings.Join(parts, p.words.ListJoin)
}

// status says of what time a digest is, and how complete.
func (p *plan) status(r *reading) string {
	var lines []string
	if r.unread > 0 {
		lines = append(lines, words.Fill(p.words.ReadPart, "unread", p.words.Number(r.unread)))
	}
	if r.seen > 0 && !r.allSeen {
		lines = append(lines, p.leftOut(r))
	}
	if p.anyOf != "" {
		lines = append(lines, p.texts.AnyOf)
	}
	if lines = append(lines, p.covered(r)...); !r.narrow || len(lines) == 0 { // else the headline says it
		lines = slices.Insert(lines, 0, words.Fill(p.words.OfTime, "window", firstRune(p.words.Window(r.window, p.calendar.Now))))
	}
	return strings.Join(lines, " ")
}

// leftOut says how much is left out, since the reader was shown it before.
func (p *plan) leftOut(r *reading) string {
	return words.Fill(p.words.LeftOut, "notes", p.words.Of(p.words.Note, r.seen))
}

// closing tells in figures what stands in no section, and says what was read and who
// says all this.
func (p *plan) closing(r *reading, d draft) string {
	w := p.words
	var lines []string
	if len(d.hashtags) > 0 {
		lines = append(lines, words.Fill(w.OfTime, "window", w.Tags+" "+p.tagLine(d.hashtags)))
	}
	if d.greetings > 0 {
		lines = append(lines, words.Fill(w.Besides, "greetings", w.Of(w.Greeting, d.greetings)))
	}
	if p.q.Details {
		lines = append(lines, p.details(r, d)...)
	} else {
		if r.narrow && r.count != nil {
			lines = append(lines, firstRune(words.Fill(w.OfTime, "window", p.words.AtLeastIf(r.count.CountAtLeast, p.counted(r.count.Count, p.who)))))
		}
		lines = append(append(lines, p.asOf(r)...), w.AskDetails)
	}
	return strings.Join(append(lines, w.NoModel), " ")
}

// details say what was read, who counts, and how far that is confirmed.
func (p *plan) details(r *reading, d draft) (lines []string) {
	w, notes, people, text := p.words, 0, map[*person]bool{}, p.words.Read
	for _, n := range r.corpus.notes {
		if n.fresh {
			notes++
			people[n.author] = true
		}
	}
	if r.narrow {
		text = w.ReadNarrow
	}
	lines = append(lines, words.Fill(text, "notes", w.Of(w.Note, notes), "reposts", w.Of(w.Repost, r.reposts),
		"reactions", w.Of(w.Reaction, r.reacts), "people", w.Of(w.Person, len(people)), "window", w.Window(r.window, p.calendar.Now)))
	if len(d.main) > 0 {
		lines = append(lines, w.Counted)
	}
	if p.ofFollowed(r) && r.coverage.Summary.OneRelay > 0 {
		lines = append(lines, words.Fill(w.OneRelay, "n", w.Of(w.Person, r.coverage.Summary.OneRelay)))
	}
	if asOf := p.asOf(r); len(asOf) > 0 {
		lines = append(append(lines, asOf...), w.AsOfLate)
	}
	return lines
}

// covered says how complete the notes of the window are.
func (p *plan) covered(r *reading) []string {
	w := p.words
	var lines []string
	switch {
	case p.stored != "" && p.q.Person == "":
		lines = append(lines, p.stored)
	case r.coverage != nil && p.who != nil:
		lines = append(lines, p.coveredOne(r.coverage)...)
	case r.coverage != nil:
		s := r.coverage.Summary
		all := s.Complete + s.Partly + s.Unreachable
		switch {
		case all == 0:
			lines = append(lines, w.NotSynced)
		case s.Complete == all:
			lines = append(lines, words.Fill(w.AllUpToDate, "all", w.Number(all), "relays", w.Of(w.RelaysTell, s.RelaysAsked)))
		default:
			if s.Complete > 0 {
				lines = append(lines, words.Fill(w.UpToDate, "complete", w.Number(s.Complete), "all", w.Number(all), "relays", w.Of(w.RelaysTell, s.RelaysAsked)))
			}
			if s.Partly > 0 {
				lines = append(lines, words.Fill(w.Partly, "n", w.Of(w.Person, s.Partly)))
			}
			if s.Unreachable > 0 {
				lines = append(lines, words.Fill(w.Unreached, "n", w.Of(w.Person, s.Unreachable)))
			}
		}
	}
	if r.coverage != nil && len(lines) > 0 {
		if until, err := time.Parse(time.RFC3339, r.coverage.Summary.KnownUntil); err == nil {
			lines = append(lines, words.Fill(w.KnownUntil, "when", w.When(until, p.calendar.Now)))
		}
	}
	if p.q.Window.ByVisit && !r.window.ByVisit {
		lines = append(lines, words.Fill(w.NoVisit, "window", w.Window(r.window, p.calendar.Now)))
	}
	if p.opt.Syncing() {
		lines = append(lines, w.Syncing)
	}
	return lines
}

// ofFollowed reports whether it is known how complete the notes of the people followed
// are, and they are what is told about.
func (p *plan) ofFollowed(r *reading) bool {
	return (p.stored == "" || p.q.Person != "") && r.coverage != nil && p.who == nil
}

// asOf says as of when the notes of the people followed are complete, where that is known.
func (p *plan) asOf(r *reading) []string {
	if !p.ofFollowed(r) {
		return nil
	}
	at, err := time.Parse(time.RFC3339, r.coverage.Summary.AsOf)
	if err != nil {
		return nil
	}
	return []string{words.Fill(p.words.AsOf, "when", p.words.When(at, p.calendar.Now))}
}

// coveredOne says how complete the notes are of the one person that is told about, as
// far as that is known: it is of the people followed.
func (p *plan) coveredOne(c *tools.CoverageResult) []string {
	w, s := p.words, c.Summary
	i := slices.IndexFunc(c.People, func(o tools.PersonCoverage) bool { return o.PubKey == p.who.PubKey })
	switch {
	case s.Complete+s.Partly+s.Unreachable == 0:
		return []string{w.NotSynced}
	case !p.who.Followed:
		return nil
	case i >= 0 && c.People[i].State == "partly":
		return []string{words.Fill(w.Partly, "n", w.Of(w.Person, 1))}
	case i >= 0:
		return []string{words.Fill(w.Unreached, "n", w.Of(w.Person, 1))}
	}
	return []string{words.Fill(w.OnesUpToDate, "name", profileName(p.who))}
}
