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

// item writes a topic: its heading, who wrote what, and how many took part if that is more
// than one and everything was read. A note that could not be shown is not quoted; a topic
// without a quotation is left out.
func (p *plan) item(it *item, index map[string]int, r *reading, asked map[*note]*parent) Item {
	out := Item{Heading: it.heading}
	for i, c := range it.cites {
		n, shown := index[c.note.id]
		if !shown {
			continue
		}
		line := Line{Text: p.speaker(it, i, r.window.Since.Unix(), asked, index) + " " + p.quoted(c.note, c.text, n)}
		development := it.cites[0].now && i < 2
		if development {
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

// speaker introduces a quotation: its author, and its date or what it answers.
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

// dated returns the date of a note that was written, or first published, before the window;
// "" for others.
func (p *plan) dated(n *note, since int64) string {
	at := cmp.Or(n.begun, n.at)
	if at >= since {
		return ""
	}
	return " " + words.Fill(p.words.Dated, "when", p.when(at))
}

// parent is the note that another one answers, with a quotation, "" if none is possible.
// Its note is nil if it is not stored here.
type parent struct {
	note  *note
	quote string
}

// askedBy describes the answered note: its author, and a quotation.
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
	return name + " (" + p.quoted(to.note, to.quote, n) + ")"
}

// answered looks up the notes that single answers in a draft reply to: nobody understands
// “I watched it twice already” without. The result has nil for what could not be looked up.
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
		again.repeated = false // here it is needed, whatever else says the same
		out[n] = &parent{to, p.bestQuote(&again)}
	}
	return out
}

// toRead lists articles with the minutes they take to read.
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

// readingTime returns the minutes that a text takes, rounded, at 230 words a minute or 500
// characters in scripts without spaces.
func readingTime(text string) int {
	return max(1, (len(strings.Fields(text))*500+count(text, wide)*230+230*500/2)/(230*500))
}

// quoted writes a quotation with its citation, whether its note has a picture, and how
// often it was repeated.
func (p *plan) quoted(n *note, quote string, index int) string {
	out := quote + " " + ref(index)
	if n.event != nil && search.HasPicture(n.event) {
		out += " " + p.words.Pictured
	}
	if n.times > 1 {
		out += " " + words.Fill(p.words.Times, "n", p.words.Number(n.times))
	}
	return out
}

// tookPart states how many people followed took part, at least if more, and with how many
// notes.
func (p *plan) tookPart(n, notes int, more bool) string {
	text := p.words.TookPart
	if notes == 0 {
		text = p.words.Reacted
	}
	return words.Fill(text, "n", p.words.AtLeastIf(more, p.words.Number(n)), "notes", p.words.Of(p.words.Note, notes))
}

func (p *plan) tagLine(tags []tagUse) string {
	parts := make([]string, len(tags))
	for i, t := range tags {
		parts[i] = "#" + t.tag + " (" + p.words.Of(p.words.Note, t.notes) + ")"
	}
	return strings.Join(parts, p.words.ListJoin)
}

// status states the time that a digest covers, unless the headline says it, and how complete
// it is.
func (p *plan) status(r *reading) (covers, status string) {
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
	covers = words.Fill(p.words.OfTime, "window", firstRune(p.words.Window(r.window, p.calendar.Now)))
	switch lines = append(lines, p.covered(r)...); {
	case len(lines) == 0:
		return "", covers
	case r.narrow:
		covers = ""
	}
	return covers, strings.Join(lines, " ")
}

// leftOut states how many notes are left out because the user was shown them before.
func (p *plan) leftOut(r *reading) string {
	return words.Fill(p.words.LeftOut, "notes", p.words.Of(p.words.Note, r.seen))
}

// closing gives the figures that have no section, what was read, and that no model wrote
// this.
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

// details states what was read, who counts, and how far that is confirmed.
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

// covered states how complete the notes of the window are.
func (p *plan) covered(r *reading) []string {
	w := p.words
	var lines []string
	switch {
	case p.stored != "" && p.q.Person == "":
		lines = append(lines, p.stored)
	case p.opt.Sample:
		lines = append(lines, w.Sample)
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
	if r.coverage != nil && len(lines) > 0 && !p.opt.Sample {
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

// ofFollowed reports whether the answer is about the people followed and their coverage is
// known.
func (p *plan) ofFollowed(r *reading) bool {
	return (p.stored == "" || p.q.Person != "") && r.coverage != nil && p.who == nil && !p.opt.Sample
}

// asOf states as of when the notes of the people followed are complete, if known.
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

// coveredOne states how complete the notes of the one person in question are, if known:
// coverage is of the people followed.
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
