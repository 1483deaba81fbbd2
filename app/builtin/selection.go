package builtin

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"bowerbird/tools"
)

// An item is one topic of a digest, as it will be written.
type item struct {
	topic   *topic
	heading string
	cites   []cite
}

// tookPart counts the people followed who took part in the conversations that an item
// cites, and their notes. A story may have more conversations, but readers would not find
// them behind the citations.
func (it *item) tookPart() (people, notes int) {
	seen, by := map[*conversation]bool{}, map[*person]bool{}
	for _, c := range it.cites {
		in := c.note.in
		if in == nil || seen[in] {
			continue
		}
		seen[in] = true
		notes += in.fresh
		for p := range in.people {
			by[p] = true
		}
	}
	return len(by), notes
}

// A draft is the content of a digest before its notes are numbered.
type draft struct {
	main, also []item
	articles   []item
	mine       addressed
	rare       rarely
	hashtags   []tagUse
	greetings  int  // notes that only greet
	bare       bare // if nothing can be quoted
}

// tagUse is how often a hashtag was used, and by how many people.
type tagUse struct {
	tag           string
	notes, people int
}

// The size of a digest. A day of 500 notes makes six main topics and about twenty brief
// ones, which can be read in a few minutes; a week of 40,000 must not become longer than
// twice that.
const (
	minMain     = 4
	maxMain     = 6
	longRead    = 150 // notes for each further main topic
	maxShared   = 10  // topics that lengthen the whole
	minAlso     = 8
	maxAlso     = 36
	alsoPer     = 50  // notes for each further brief topic
	lookAhead   = 40  // topics from which the next one is chosen; variety must not bring up trifles
	minWeight   = 0.5 // of a topic, unless there are few
	minTaken    = 1.5 // taking part: besides the author, one who answers or four who like
	quotesMain  = 2
	maxCites    = 3   // of one item
	mostColumns = 150 // of the quotations of a main item by several people
	maxTags     = 6

	maxSingles = 600 // single notes that are looked at, the heaviest first
	saidAgain  = 2.0 // subtracted from a note that its author posted again and again
)

// made is what was read and, once drafted, the draft of it. A turn is replayed from its
// start in each step, and reading and drafting take long, so that the next step takes them
// up.
type made struct {
	question string
	now      time.Time
	first    *tools.Note // the first note read, by pointer: another turn reads its own
	read     *reading
	mine     addressed
	draft    *draft // nil before the notes that others refer to are read
}

// madeBefore returns what the previous step of this turn made, nil for nothing.
func (p *plan) madeBefore() *made {
	m := p.made.Swap(nil)
	if m == nil || p.first == nil || m.first != p.first || m.question != p.question || !m.now.Equal(p.calendar.Now) {
		return nil
	}
	return m
}

// drafted drafts a digest of what was read.
func (p *plan) drafted(r *reading, mine addressed) *made {
	d := p.draft(r)
	d.greetings = r.corpus.greetings()
	d.leaveOut(mine.letters)
	m := p.madeOf(r)
	m.mine, m.draft = mine, &d
	return m
}

// madeOf returns what was read in this step, without a draft.
func (p *plan) madeOf(r *reading) *made {
	return &made{question: p.question, now: p.calendar.Now, first: p.first, read: r}
}

// leaveOut drops the topics that cite only notes which the section for the user has
// already.
func (d *draft) leaveOut(letters []letter) {
	known := func(it item) bool {
		return len(letters) > 0 && !slices.ContainsFunc(it.cites, func(c cite) bool {
			return !slices.ContainsFunc(letters, func(l letter) bool { return l.note.id == c.note.id })
		})
	}
	d.main, d.also = slices.DeleteFunc(d.main, known), slices.DeleteFunc(d.also, known)
}

// draft chooses the topics of a digest and their quotations: first what several people took
// part in; if that is little, single notes too.
func (d *drafter) draft(ctx context.Context, ts []*topic, fresh int) draft {
	var out draft
	size := max(minMain, 3+int(math.Sqrt(float64(fresh)/12)))
	main, all := min(minMain+fresh/longRead, maxMain), min(size, maxShared)+min(minAlso+fresh/alsoPer, maxAlso)
	rest, alone := shared(ts)
	for ctx.Err() == nil && len(rest) > 0 && len(out.main)+len(out.also) < all {
		i := d.next(rest)
		t := rest[i]
		rest = slices.Delete(rest, i, i+1)
		most := 1
		if len(out.main) < main && len(t.people) > 2 {
			most = quotesMain
		}
		it, ok := d.item(t, most)
		switch {
		case !ok || out.joins(&it):
		case len(out.main) < main && !it.cites[0].note.orphan:
			out.main = append(out.main, it)
		default:
			out.also = append(out.also, it)
		}
	}
	enough := min(8+fresh/40, all)
	if left := enough - len(out.main) - len(out.also); left > 0 {
		for _, it := range d.single(ctx, alone, left) {
			if !out.joins(&it) {
				out.also = append(out.also, it)
			}
		}
	}
	return out
}

// shared separates the topics with news that several people took part in from the rest. If
// too few are heavy enough, any weight will do.
func shared(ts []*topic) (shared, alone []*topic) {
	for _, least := range []float64{minWeight, 0} {
		shared, alone = nil, nil
		for _, t := range ts {
			if len(t.people) > 1 && t.taken() >= minTaken && t.news() > 0 && t.weight() >= least {
				shared = append(shared, t)
			} else {
				alone = append(alone, t)
			}
		}
		if len(shared) >= minMain {
			break
		}
	}
	return shared, alone
}

// joins adds an item to an earlier one with the same heading: two headings alike are one
// story.
func (out *draft) joins(it *item) bool {
	for _, list := range [][]item{out.main, out.also} {
		for i := range list {
			if it.heading == "" || list[i].heading != it.heading {
				continue
			}
			if len(list[i].cites)+len(it.cites) > maxCites {
				it.heading = ""
				return false
			}
			list[i].cites = append(list[i].cites, it.cites...)
			absorb(list[i].topic, it.topic)
			return true
		}
	}
	return false
}

// item quotes a topic and names it; ok is false if it cannot be quoted.
func (d *drafter) item(t *topic, most int) (item, bool) {
	it := item{topic: t, cites: d.quotes(t, most)}
	if len(it.cites) == 0 {
		return it, false
	}
	it.cites = d.brief(it.cites)
	it.heading = d.heading(t)
	d.langs[t.lang()]++
	d.led[t.begin.author]++
	return it, true
}

// brief drops the quotations that make an item too long to be read at a glance. Their
// authors may be quoted elsewhere.
func (d *drafter) brief(cites []cite) []cite {
	sum := columns(cites[0].text)
	for i, c := range cites[1:] {
		if sum += columns(c.text); sum > mostColumns && !cites[0].now {
			for _, out := range cites[i+1:] {
				d.used[out.note.author]--
			}
			return cites[:i+1]
		}
	}
	return cites
}

// single picks notes that nobody else took up: the best sentence of each person who was not
// quoted yet; in a digest of one person, the best of each note.
func (d *drafter) single(ctx context.Context, ts []*topic, most int) []item {
	type choice struct {
		topic *topic
		worth float64
	}
	best := map[any]choice{} // by person, or by topic where all is by one
	for _, t := range until(ctx, ts[:min(len(ts), maxSingles)]) {
		if d.used[t.begin.author] > 0 && !d.one || !t.begin.fresh {
			continue
		}
		if list := d.candidates(t); len(list) > 0 {
			worth := list[0].worth + t.weight() - list[0].note.loss()
			if list[0].note.times > 1 {
				worth -= saidAgain
			}
			var of any = t.begin.author
			if d.one {
				of = t
			}
			if had, ok := best[of]; !ok || worth > had.worth {
				best[of] = choice{t, worth}
			}
		}
	}
	choices := make([]choice, 0, len(best))
	for _, c := range best {
		choices = append(choices, c)
	}
	slices.SortFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.topic.begin.at, a.topic.begin.at), cmp.Compare(a.topic.begin.id, b.topic.begin.id))
	})
	var out []item
	for _, c := range choices[:min(len(choices), most)] {
		if it, ok := d.item(c.topic, 1); ok {
			out = append(out, it)
		}
	}
	return out
}

// next chooses the heaviest topic, reduced by a tenth for each item of the same author and
// by up to a fifth for a language that had its turn: otherwise one busy circle would fill
// the digest.
func (d *drafter) next(ts []*topic) int {
	top, best := 0, -1.0
	chosen := 0
	for _, n := range d.langs {
		chosen += n
	}
	for i, t := range ts[:min(len(ts), lookAhead)] {
		w := t.weight() * math.Pow(0.9, float64(d.led[t.begin.author]))
		if chosen > 3 {
			w *= 1 - 0.2*float64(d.langs[t.lang()])/float64(chosen)
		}
		if w > best {
			top, best = i, w
		}
	}
	return top
}

// moreArticles adds the newest articles of the window that no item cites.
func (d *drafter) moreArticles(out *draft, sorted []*note) {
	cited := map[string]bool{}
	for _, it := range slices.Concat(out.main, out.also) {
		for _, c := range it.cites {
			cited[c.note.id] = true
		}
	}
	for _, n := range slices.Backward(sorted) {
		if n.kind != kindArticle || !n.fresh || !n.author.followed || n.title == "" || cited[n.id] || len(out.articles) == maxArticles {
			continue
		}
		t := &topic{notes: []*note{n}, begin: n, people: map[*person]float64{n.author: 1}}
		if cites := d.quotes(t, 1); len(cites) > 0 {
			out.articles = append(out.articles, item{topic: t, heading: n.title, cites: cites})
		}
	}
}

const maxArticles = 4

// hashtagUse counts the hashtags that at least two people the user follows used.
func hashtagUse(sorted []*note) []tagUse {
	users := map[string]map[*person]bool{}
	notes := map[string]int{}
	for _, n := range sorted {
		if !n.fresh || !n.author.followed {
			continue
		}
		for _, tag := range n.hashtags {
			if users[tag] == nil {
				users[tag] = map[*person]bool{}
			}
			users[tag][n.author] = true
			notes[tag]++
		}
	}
	var out []tagUse
	for _, tag := range sortedKeys(users) {
		if len(users[tag]) > 1 {
			out = append(out, tagUse{tag, notes[tag], len(users[tag])})
		}
	}
	slices.SortStableFunc(out, func(a, b tagUse) int {
		return cmp.Or(cmp.Compare(b.people, a.people), cmp.Compare(b.notes, a.notes))
	})
	return out[:min(len(out), maxTags)]
}
