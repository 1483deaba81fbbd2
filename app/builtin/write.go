package builtin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/ndb"
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
		line := Line{Text: p.speaker(it, i, r.window.since.Unix(), asked, index) + " " + p.told(c.note, c.text, n)}
		turn := it.cites[0].now && i < 2
		if turn {
			line.Label = []string{p.words.now, p.words.earlier}[i]
		}
		if last := len(out.Lines) - 1; last >= 0 && !turn {
			out.Lines[last].Text += " " + line.Text
			continue
		}
		out.Lines = append(out.Lines, line)
	}
	if people, notes := it.tookPart(); people > 1 && r.unread == 0 {
		out.Note = p.tookPart(people, notes)
	}
	return out
}

// speaker says who wrote a quotation of an item, and of when, or in answer to what.
func (p *plan) speaker(it *item, i int, since int64, asked map[*note]*parent, index map[string]int) string {
	n := it.cites[i].note
	name := n.author.name
	to, answers := asked[n]
	switch {
	case n.at < since:
		return name + " " + fill(p.words.dated, "when", p.words.when(p.timeOf(n), p.calendar.now)) + ":"
	case i > 0 && n.parent != "" && n.parent == it.cites[0].note.id:
		return fill(p.words.answers, "name", name)
	case answers && i == 0:
		return fill(p.words.answering, "name", name, "other", p.askedBy(to, index))
	}
	return name + ":"
}

// parent is the note that another answers, with a sentence of it; "" where none can be
// quoted.
type parent struct {
	note  *note
	quote string
}

// askedBy says what a note answers: whose, and a sentence of it.
func (p *plan) askedBy(to *parent, index map[string]int) string {
	if to == nil {
		return p.words.notHere
	}
	name := to.note.author.name
	if to.note.author.key == p.me {
		name = p.words.you
	}
	n := index[to.note.id]
	if n == 0 || to.quote == "" {
		return name
	}
	return name + " (" + p.told(to.note, to.quote, n) + ")"
}

// answered finds what the answers say that stand alone in a draft: nobody understands
// “I watched it twice already” without. A note that is not stored is nil.
func (p *plan) answered(d draft, c *corpus) map[*note]*parent {
	out := map[*note]*parent{}
	if p.steps >= lastLookUp {
		delete(p.offered, "get_note") // what is here already stays
	}
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

// lastLookUp is how many steps may have been taken where notes are still looked up: of
// the eight of a turn one more shows notes, and the last one answers.
const lastLookUp = 6

// toRead lists articles, each with the minutes that it takes.
func (p *plan) toRead(list []item, index map[string]int) []Item {
	var items []Item
	for _, it := range list {
		if n := it.cites[0].note; index[n.id] > 0 {
			items = append(items, Item{
				Heading: n.title, Lines: []Line{{Text: n.author.name + " " + ref(index[n.id])}},
				Note: fill(p.words.minutes, "n", p.words.number(readingTime(n.text))),
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
	if n.event != nil && ndb.HasPicture(n.event) {
		out += " " + p.words.pictured
	}
	if n.times > 1 {
		out += " " + fill(p.words.times, "n", p.words.number(n.times))
	}
	return out
}

// tookPart says how many people followed took part in something, and with how many
// notes.
func (p *plan) tookPart(n, notes int) string {
	people := p.words.of(p.words.person, n)
	if notes == 0 {
		return people
	}
	return fill(p.words.tookPart, "people", people, "notes", p.words.of(p.words.note, notes))
}

func (p *plan) tagLine(tags []tagUse) string {
	parts := make([]string, len(tags))
	for i, t := range tags {
		parts[i] = "#" + t.tag + " (" + p.words.of(p.words.note, t.notes) + ")"
	}
	return strings.Join(parts, p.words.listJoin)
}

// status says of what time a digest is, and how complete.
func (p *plan) status(r *reading) string {
	var lines []string
	if r.unread > 0 {
		lines = append(lines, fill(p.words.readPart, "unread", p.words.number(r.unread)))
	}
	if r.seen > 0 && !r.allSeen {
		lines = append(lines, p.leftOut(r))
	}
	if p.anyOf != "" {
		lines = append(lines, p.texts.anyOf)
	}
	if lines = append(lines, p.covered(r)...); !r.narrow || len(lines) == 0 { // else the headline says it
		lines = slices.Insert(lines, 0, fill(p.words.ofTime, "window", firstRune(p.words.window(r.window, p.calendar.now))))
	}
	return strings.Join(lines, " ")
}

// leftOut says how much is left out, since the reader was shown it before.
func (p *plan) leftOut(r *reading) string {
	return fill(p.words.leftOut, "notes", p.words.of(p.words.note, r.seen))
}

// closing tells in figures what stands in no section, and says what was read and who
// says all this.
func (p *plan) closing(r *reading, d draft) string {
	w := p.words
	var lines []string
	if len(d.hashtags) > 0 {
		lines = append(lines, w.tags+" "+p.tagLine(d.hashtags)+".")
	}
	if d.greetings > 0 {
		lines = append(lines, fill(w.besides, "greetings", w.of(w.greeting, d.greetings)))
	}
	if p.q.details {
		lines = append(lines, p.details(r, d)...)
	} else {
		if r.narrow && r.count != nil {
			lines = append(lines, p.counted(r.count.Count, p.who)+".")
		}
		lines = append(append(lines, p.asOf(r)...), w.askDetails)
	}
	return strings.Join(append(lines, w.noModel), " ")
}

// details say what was read, who counts, and how far that is confirmed.
func (p *plan) details(r *reading, d draft) (lines []string) {
	w, notes, people, text := p.words, 0, 0, p.words.read
	if r.count != nil {
		notes, people = r.count.Count, r.count.Authors
	}
	if r.narrow {
		text = w.readNarrow
	}
	lines = append(lines, fill(text, "notes", w.of(w.note, notes), "reposts", w.of(w.repost, r.reposts),
		"reactions", w.of(w.reaction, r.reacts), "people", w.of(w.person, people), "window", w.window(r.window, p.calendar.now)))
	if len(d.main) > 0 {
		lines = append(lines, w.counted)
	}
	if p.ofFollowed(r) && r.coverage.Summary.OneRelay > 0 {
		lines = append(lines, fill(w.oneRelay, "n", w.of(w.person, r.coverage.Summary.OneRelay)))
	}
	if asOf := p.asOf(r); len(asOf) > 0 {
		lines = append(append(lines, asOf...), w.asOfLate)
	}
	return lines
}

// covered says how complete the notes of the window are.
func (p *plan) covered(r *reading) []string {
	w := p.words
	var lines []string
	switch {
	case p.stored != "" && p.q.person == "":
		lines = append(lines, p.stored)
	case r.coverage != nil && p.who != nil:
		lines = append(lines, p.coveredOne(r.coverage)...)
	case r.coverage != nil:
		s := r.coverage.Summary
		all := s.Complete + s.Partly + s.Unreachable
		switch {
		case all == 0:
			lines = append(lines, w.notSynced)
		case s.Complete == all:
			lines = append(lines, fill(w.allUpToDate, "all", w.number(all), "relays", w.of(w.relaysTell, s.RelaysAsked)))
		default:
			if s.Complete > 0 {
				lines = append(lines, fill(w.upToDate, "complete", w.number(s.Complete), "all", w.number(all), "relays", w.of(w.relaysTell, s.RelaysAsked)))
			}
			if s.Partly > 0 {
				lines = append(lines, fill(w.partly, "n", w.of(w.person, s.Partly)))
			}
			if s.Unreachable > 0 {
				lines = append(lines, fill(w.unreached, "n", w.of(w.person, s.Unreachable)))
			}
		}
	}
	if r.coverage != nil && len(lines) > 0 {
		if until, err := time.Parse(time.RFC3339, r.coverage.Summary.KnownUntil); err == nil {
			lines = append(lines, fill(w.knownUntil, "when", w.when(until, p.calendar.now)))
		}
	}
	if p.q.window.byVisit && !r.window.byVisit {
		lines = append(lines, fill(w.noVisit, "window", w.window(r.window, p.calendar.now)))
	}
	if p.opt.Syncing() {
		lines = append(lines, w.syncing)
	}
	return lines
}

// ofFollowed reports whether it is known how complete the notes of the people followed
// are, and they are what is told about.
func (p *plan) ofFollowed(r *reading) bool {
	return (p.stored == "" || p.q.person != "") && r.coverage != nil && p.who == nil
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
	return []string{fill(p.words.asOf, "when", p.words.when(at, p.calendar.now))}
}

// coveredOne says how complete the notes are of the one person that is told about, as
// far as that is known: it is of the people followed.
func (p *plan) coveredOne(c *tools.CoverageResult) []string {
	w, s := p.words, c.Summary
	i := slices.IndexFunc(c.People, func(o tools.PersonCoverage) bool { return o.PubKey == p.who.PubKey })
	switch {
	case s.Complete+s.Partly+s.Unreachable == 0:
		return []string{w.notSynced}
	case !p.who.Followed:
		return nil
	case i >= 0 && c.People[i].State == "partly":
		return []string{fill(w.partly, "n", w.of(w.person, 1))}
	case i >= 0:
		return []string{fill(w.unreached, "n", w.of(w.person, 1))}
	}
	return []string{fill(w.onesUpToDate, "name", profileName(p.who))}
}
