package builtin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/tools"
)

// ref is a citation: ^3.
func ref(index int) string { return "^" + strconv.Itoa(index) }

// items writes topics as a list.
func (p *plan) items(list []item, index map[string]int, r *reading) string {
	var b strings.Builder
	for _, it := range list {
		p.writeItem(&b, it, index, r.window.since, r.unread > 0)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeItem writes a topic as one line: its heading, who said what, and how many
// took part, where that was more than one and all of it was read. What was written before the window says of
// when it is. A note that could not be shown is not quoted, a topic without a
// quotation not told.
func (p *plan) writeItem(b *strings.Builder, it item, index map[string]int, since time.Time, sampled bool) {
	var said []string
	for i, c := range it.cites {
		n, shown := index[c.note.id]
		if !shown {
			continue
		}
		who := c.note.author.name + ":"
		if it.cites[0].now && i < 2 {
			who = []string{p.words.now, p.words.earlier}[i] + " " + who
		}
		if c.note.at < since.Unix() {
			who = c.note.author.name + " " + fill(p.words.dated, "when", p.words.when(p.timeOf(c.note), p.calendar.now)) + ":"
		}
		if i > 0 && c.note.parent != "" && c.note.parent == it.cites[0].note.id {
			who = fill(p.words.answers, "name", c.note.author.name)
		}
		said = append(said, who+" "+p.told(c.note, c.text, n))
	}
	if len(said) == 0 {
		return
	}
	b.WriteString("- ")
	if it.heading != "" {
		b.WriteString("**" + it.heading + "** — ")
	}
	b.WriteString(strings.Join(said, " "))
	if people, notes := it.tookPart(); people > 1 && !sampled {
		b.WriteString(" (" + p.tookPart(people, notes) + ")")
	}
	b.WriteString("\n")
}

// told writes a quotation with its source, and how often the same was said.
func (p *plan) told(n *note, quote string, index int) string {
	out := quote + " " + ref(index)
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

// beside says what one has to know of a digest: which hashtags were used, how complete
// it is, and that no language model was used.
func (p *plan) beside(r *reading, d draft) string {
	var lines []string
	if len(d.hashtags) > 0 {
		lines = append(lines, p.words.tags+" "+p.tagLine(d.hashtags)+".")
	}
	lines = append(lines, p.covered(r)...)
	return strings.Join(append(lines, p.words.noModel), " ")
}

// closing says what was read.
func (p *plan) closing(r *reading, d draft) string {
	w := p.words
	notes, people := 0, 0
	if r.count != nil {
		notes, people = r.count.Count, r.count.Authors
	}
	text := w.read
	if r.narrow {
		text = w.readNarrow
	}
	text = fill(text, "notes", w.of(w.note, notes), "reposts", w.of(w.repost, r.reposts),
		"reactions", w.of(w.reaction, r.reacts), "people", w.of(w.person, people), "window", w.window(r.window, p.calendar.now))
	if len(d.main) > 0 {
		text += " " + w.counted
	}
	return text
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
			lines = append(lines, p.byWhomAndWhen(s)...)
		default:
			if s.Complete > 0 {
				lines = append(lines, fill(w.upToDate, "complete", w.number(s.Complete), "all", w.number(all), "relays", w.of(w.relaysTell, s.RelaysAsked)))
			}
			lines = append(lines, p.byWhomAndWhen(s)...)
			if s.Partly > 0 {
				lines = append(lines, fill(w.partly, "n", w.of(w.person, s.Partly)))
			}
			if s.Unreachable > 0 {
				lines = append(lines, fill(w.unreached, "n", w.of(w.person, s.Unreachable)))
			}
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

// byWhomAndWhen says for how many it is one relay's word alone that nothing is missing,
// and as of when.
func (p *plan) byWhomAndWhen(s tools.CoverageSummary) (lines []string) {
	w := p.words
	if s.OneRelay > 0 {
		lines = append(lines, fill(w.oneRelay, "n", w.of(w.person, s.OneRelay)))
	}
	if asOf, err := time.Parse(time.RFC3339, s.AsOf); err == nil {
		lines = append(lines, fill(w.asOf, "when", w.when(asOf, p.calendar.now)))
	}
	return lines
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
