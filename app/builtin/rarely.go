package builtin

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

const (
	maxRare      = 6
	maxRareNames = 20
	leastPast    = 14 * 24 * time.Hour // how far back notes must be stored to judge who writes rarely
	rarePer      = 7 * 24 * time.Hour  // writing less than once in it is rare is
)

// rarely are people followed who write less than weekly and wrote now.
type rarely struct {
	quoted []rare
	others []*person // mentioned by name alone
}

// rare is one of them, with a note of theirs.
type rare struct {
	note *note
	text string // quoted
	days int    // of silence before it; 0 if unknown
}

// past counts what each of the people followed wrote before the window; a result is nil if
// the tool failed.
type past struct {
	all, late *tools.AggregateResult // late: in the last week of it
	known     time.Duration          // how far back notes are stored

	people []*person           // rarely heard and wrote in the window, by their newest note
	now    map[*person][]*note // what they wrote, newest first
	wrote  map[*person][]int64 // when everybody wrote in the window, newest first
	last   map[*person]int64   // when they last wrote before it; 0 if unknown
}

// silence returns for how many days somebody had written nothing when they wrote a note, or
// others within a day before it.
func (x past) silence(n *note) int {
	const day = 24 * 60 * 60
	from := n.at
	for _, at := range append(slices.Clone(x.wrote[n.author]), x.last[n.author]) {
		if at > 0 && from-at >= day {
			return int((from - at) / day)
		}
		if at > 0 && at < from {
			from = at
		}
	}
	return 0
}

// readPast counts what was written in before, and in its last week.
func (p *plan) readPast(before question.Window) past {
	by := func(w question.Window) *tools.AggregateResult {
		args := filters{context: "home"}.args(postKinds, w)
		return ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: args, By: "author", Limit: 500}).value
	}
	return past{all: by(before), late: by(question.Window{Since: before.Until.Add(-rarePer), Until: before.Until})}
}

// rare reports whether somebody wrote less than weekly, and whether nothing in the last
// week.
func (x past) rare(who *person) (rare, silent bool) {
	count, listed := countOf(x.all, who)
	if !listed && x.all.Truncated {
		count = x.all.Buckets[len(x.all.Buckets)-1].Count // no more than that
	}
	_, late := countOf(x.late, who)
	return time.Duration(count)*rarePer < x.known, !late
}

func countOf(a *tools.AggregateResult, who *person) (count int, listed bool) {
	i := slices.IndexFunc(a.Buckets, func(b tools.AggregateBucket) bool { return b.Key == who.key })
	if i < 0 {
		return 0, false
	}
	return a.Buckets[i].Count, true
}

// maxRareKnown limits the people whose previous note is looked up.
const maxRareKnown = 40

// lastHeard finds who wrote now and is rarely heard and, for some of them, when they last
// wrote before.
func (p *plan) lastHeard(r *reading) {
	x := &r.past
	if x.all == nil || x.late == nil || x.known < leastPast {
		return
	}
	x.now, x.wrote = map[*person][]*note{}, map[*person][]int64{}
	rare := map[*person]bool{}
	sorted := r.corpus.sorted()
	program := map[*note]bool{} // posted again and again with other figures: a program, not a person
	for _, notes := range series(sorted) {
		for _, n := range notes {
			program[n] = len(notes) >= serial
		}
	}
	for _, n := range slices.Backward(sorted) {
		if n.fresh {
			x.wrote[n.author] = append(x.wrote[n.author], n.at)
		}
		if !n.fresh || !n.author.followed || n.repeated || program[n] {
			continue
		}
		is, known := rare[n.author]
		if !known {
			is, _ = x.rare(n.author)
			rare[n.author] = is
		}
		if is {
			x.now[n.author] = append(x.now[n.author], n)
		}
	}
	x.people = slices.SortedFunc(maps.Keys(x.now), func(a, b *person) int {
		return cmp.Or(cmp.Compare(x.now[b][0].at, x.now[a][0].at), strings.Compare(a.key, b.key))
	})
	x.last = map[*person]int64{}
	for _, who := range x.people {
		if _, silent := x.rare(who); !silent || len(x.last) == maxRareKnown {
			continue
		}
		got := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
			Context: "any", Author: who.key, Kind: postKinds, IncludeReplies: true, Limit: 1, Until: unix(r.window.Since.Add(-time.Second)),
		})
		if x.last[who] = 0; got.value != nil && len(got.value.Notes) > 0 {
			x.last[who] = got.value.Notes[0].CreatedAtUnix
		}
	}
}

// rarelyHeard chooses what to quote of those the draft does not quote yet, first of those
// who were silent for a week.
func (p *plan) rarelyHeard(r *reading, d *draft) rarely {
	var out rarely
	elsewhere := d.quotedAuthors(p.grammar)
	wasSilent := func(who *person) bool { _, silent := r.past.rare(who); return silent }
	for _, notes := range r.past.now {
		slices.SortStableFunc(notes, func(a, b *note) int { return cmp.Compare(p.grammar.ofOwn(b), p.grammar.ofOwn(a)) })
	}
	people := slices.Clone(r.past.people)
	slices.SortStableFunc(people, func(a, b *person) int {
		return cmp.Or(trueFirst(wasSilent(a), wasSilent(b)), cmp.Compare(p.grammar.ofOwn(r.past.now[b][0]), p.grammar.ofOwn(r.past.now[a][0])))
	})
	for _, who := range until(p.ctx, people) {
		if least, is := elsewhere[who.key]; is && p.grammar.ofOwn(r.past.now[who][0]) <= muchMore*least {
			continue
		}
		if one, ok := p.bestOf(r.past.now[who]); ok && len(out.quoted) < maxRare {
			if r.unread == 0 { // else they may have written in between
				one.days = r.past.silence(one.note)
			}
			out.quoted = append(out.quoted, one)
			d.also = slices.DeleteFunc(slices.Clone(d.also), func(it item) bool { return it.alone() && it.cites[0].note.author.key == who.key })
			continue
		} else if _, is := elsewhere[who.key]; is || d.quotes(who) {
			continue
		} else if ok && one.note.news > 0 && len(d.main)+len(d.also) < fewItems {
			d.also = append(d.also, one.item())
			continue
		}
		out.others = append(out.others, who)
	}
	return out
}

// fewItems is the number of topics below which more of these notes are added to the brief
// ones.
const fewItems = 24

// item makes a brief topic of the note.
func (x rare) item() item {
	t := &topic{notes: []*note{x.note}, begin: x.note, people: map[*person]float64{x.note.author: weightWrite}}
	return item{topic: t, cites: []cite{{note: x.note, text: x.text}}}
}

// muchMore is how many times as personal as what is quoted elsewhere a note must be to be
// quoted too.
const muchMore = 1.5

// ofOwn rates how much of its author's own life a note contains: news, to the point, about
// themselves, and not in answer to others.
func (g *grammar) ofOwn(n *note) float64 {
	own := n.news * n.point
	if n.parent != "" {
		own *= inAnswer
	}
	if g.ofSelf(n) {
		own *= ofSelf
	}
	return own
}

// How an answer, and a note in the first person, change that.
const (
	inAnswer = 0.4
	ofSelf   = 2
)

// ofSelf reports whether a note begins in the first person.
func (g *grammar) ofSelf(n *note) bool {
	for i, w := range strings.FieldsFunc(strings.ToLower(n.text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
		if i == selfWithin {
			break
		}
		if slices.Contains(g.selves, strings.ReplaceAll(w, "’", "'")) {
			return true
		}
	}
	return slices.ContainsFunc(g.selfInside, func(w string) bool { return strings.Contains(clip(n.text, 100), w) })
}

// selfWithin is the number of words within which people who write of their own life mention
// themselves.
const selfWithin = 20

// bestOf returns the first of somebody's notes that can be quoted.
func (p *plan) bestOf(notes []*note) (rare, bool) {
	for _, n := range notes {
		if text := p.bestQuote(n); text != "" {
			return rare{note: n, text: text}, true
		}
	}
	return rare{}, false
}

// alone reports whether an item is a note that nobody took up.
func (it *item) alone() bool { return len(it.topic.people) < 2 && len(it.cites) == 1 }

// quotes reports whether a brief topic quotes a person.
func (d *draft) quotes(who *person) bool {
	return slices.ContainsFunc(d.also, func(it item) bool {
		return slices.ContainsFunc(it.cites, func(c cite) bool { return c.note.author.key == who.key })
	})
}

// quotedAuthors returns, by key, whom the draft quotes in its main sections, in what others
// took up, or in letters; and how personal that is.
func (d *draft) quotedAuthors(g *grammar) map[string]float64 {
	out := map[string]float64{}
	add := func(n *note) { out[n.author.key] = max(out[n.author.key], g.ofOwn(n)) }
	for i, it := range slices.Concat(d.main, d.articles, d.also) {
		if i < len(d.main)+len(d.articles) || !it.alone() {
			for _, c := range it.cites {
				add(c.note)
			}
		}
	}
	for _, l := range d.mine.letters {
		add(l.note)
	}
	return out
}

// rareItems writes the section of people rarely heard.
func (p *plan) rareItems(x rarely, index map[string]int) []Item {
	var items []Item
	for _, one := range x.quoted {
		n := index[one.note.id]
		if n == 0 {
			x.others = append(x.others, one.note.author)
			continue
		}
		it := Item{Lines: []Line{{Label: one.note.author.name, Text: p.quoted(one.note, one.text, n)}}}
		if one.days > 1 {
			it.Note = words.Fill(p.words.FirstIn, "days", p.words.Of(p.words.Day, one.days))
		}
		items = append(items, it)
	}
	if len(x.others) > 0 {
		names := make([]string, min(len(x.others), maxRareNames))
		for i := range names {
			names[i] = x.others[i].name
		}
		text := p.words.List(names)
		if more := len(x.others) - len(names); more > 0 {
			text = words.Fill(p.words.AndMore, "names", strings.Join(names, p.words.ListJoin), "n", p.words.Number(more))
		}
		items = append(items, Item{Lines: []Line{{Text: words.Fill(p.words.AlsoWrote, "names", text)}}})
	}
	return items
}
