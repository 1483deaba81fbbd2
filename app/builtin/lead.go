package builtin

import (
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/builtin/words"
	"bowerbird/app/sentence"
)

// A cite is a quotation that stands for a topic, with its note.
type cite struct {
	note *note
	text string // in quotation marks
	raw  string // as it is in the note
	now  bool   // the latest development of the story that the next cite began
}

// candidate is a sentence that could be quoted, with its scores.
type candidate struct {
	cite
	terms map[*word]bool
	worth float64 // of the sentence by itself
	score float64 // compared with the others of the topic
	carried
	corrects bool // it contradicts what is quoted
	supposes bool // it only says what would follow from something
}

// carried is how much of a note's content is in a sentence: words that others take up and
// its rarest words, both in nats, and names and figures.
type carried struct{ taken, rarest, facts float64 }

// telltale is how many of a sentence's rarest words count. All of them would favour long
// sentences.
const telltale = 3

// carries computes what a sentence carries; of a pair, what its first sentence does, since
// the second one elaborates on it.
func (d *drafter) carries(n *note, pc piece, users users) carried {
	var out carried
	var rarities []float64
	said, _ := d.grammar.words(cmp.Or(pc.begin, pc.text), d.lexis.words)
	for _, w := range said {
		if w.figure || w.name && w.content && n.lang != "de" {
			out.facts++
		}
	}
	out.facts = min(out.facts, manyNames)
	for _, w := range d.terms(n, cmp.Or(pc.begin, pc.text)) {
		rarity := d.lexis.information(w, n.lang)
		if users.others(w, n.author) {
			out.taken += rarity
		}
		rarities = append(rarities, d.lexis.rarity(w, n.lang))
	}
	slices.Sort(rarities)
	for _, r := range rarities[max(0, len(rarities)-telltale):] {
		out.rarest += r
	}
	return out
}

// How much a sentence loses that carries nothing of its note's content. What others take up
// matters most: that is what the note was about to its readers.
const (
	asideTaken  = 0.8
	asideRarest = 0.3
	asideFacts  = 0.4
)

// asideLoses lowers the scores of the sentences that carry less than the best one of their
// note: greetings, excuses and anecdotes around the news.
func asideLoses(list []candidate) {
	var most carried
	for _, c := range list {
		most = carried{max(most.taken, c.taken), max(most.rarest, c.rarest), max(most.facts, c.facts)}
	}
	for i := range list {
		if most.taken > 0 {
			list[i].score -= asideTaken * (1 - list[i].taken/most.taken)
		}
		if most.rarest > 0 {
			list[i].score -= asideRarest * (1 - list[i].rarest/most.rarest)
		}
		if most.facts > 0 {
			list[i].score -= asideFacts * (1 - list[i].facts/most.facts)
		}
	}
}

// minWorth is the worth below which a sentence is not quoted at all.
const minWorth = 0.65

// How many notes of a topic, and sentences of a note, are considered for quotation.
const (
	maxCandidateNotes  = 60
	maxCandidatePieces = 12
)

// drafter picks what a digest says. It remembers whom it has quoted, so that no author is
// quoted twice before others had their turn.
type drafter struct {
	*Model
	marks [2]words.Marks
	lexis *lexis
	used  map[*person]int
	led   map[*person]int // items by who began them
	langs map[string]int
	one   bool   // the digest is about one person, who may be quoted repeatedly
	me    string // the user, whose own notes are no news in a general digest; else ""
}

func (p *plan) newDrafter(l *lexis) *drafter {
	return &drafter{Model: p.Model, marks: p.words.Marks, lexis: l, used: map[*person]int{}, led: map[*person]int{}, langs: map[string]int{}}
}

// candidates lists the sentences of a topic that can be quoted, the best first.
func (d *drafter) candidates(t *topic) []candidate {
	notes := slices.DeleteFunc(slices.Clone(t.notes), func(n *note) bool { return n.repeated || n.author.key == d.me })
	slices.SortStableFunc(notes, func(a, b *note) int { return cmp.Compare(b.score(t), a.score(t)) })
	var out []candidate
	var users users
	if len(t.notes) > 1 {
		users = t.users()
	}
	begin := 0 // of the candidates from one text, which may span several notes
	for i, n := range notes[:min(len(notes), maxCandidateNotes)] {
		if i > 0 && !t.continues(n) {
			asideLoses(out[begin:])
			begin = len(out)
		}
		ps := opening(n.text)
		if len(ps) > 1 && ps[0].all && d.digresses(n, ps[1:], users) {
			ps = ps[1:]
		}
		for _, pc := range ps {
			quoted := d.quoter.quotation(pc.text, d.marks)
			if quoted == "" {
				continue
			}
			terms := d.terms(n, pc.text)
			worth := d.quality(t, pc, terms)
			if worth < minWorth {
				continue
			}
			out = append(out, candidate{cite{note: n, text: quoted, raw: pc.text}, set(terms...), worth, worth + standing(t, n), d.carries(n, pc, users), false, false})
			if pc.all {
				break
			}
		}
	}
	asideLoses(out[begin:])
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return out
}

// terms returns the content words of a sentence. If its note was weighed, words in stock
// phrases are left out.
func (d *drafter) terms(n *note, text string) []*word {
	words, _ := d.grammar.words(text, d.lexis.words)
	var out []*word
	for _, w := range words {
		if w.content && len(out) < maxTerms && !slices.Contains(out, w.word) && (!n.weighed || n.has(w.term)) {
			out = append(out, w.word)
		}
	}
	return out
}

// has reports whether a term is among the note's own words. It compares the text, as the
// note may belong to another vocabulary.
func (n *note) has(term string) bool {
	return slices.ContainsFunc(n.terms, func(w *word) bool { return w.term == term })
}

// score orders the notes of a topic by how likely they are to be quoted, so that the limit
// on candidates cuts the least likely ones.
func (n *note) score(t *topic) float64 {
	switch {
	case n == t.begin:
		return 4
	case t.continues(n):
		return 3
	case slices.Contains(t.developments, n):
		return 2.5
	case n.fresh && n.author.followed && n.parent == "":
		return 2
	case n.fresh && n.author.followed:
		return 1
	}
	return 0
}

// quality rates a sentence: it should say what the topic is about, be whole and of good
// length. The terms are weighed so that content decides (up to 1), then length (0.7); the
// rest breaks ties, except that shouting and mere figures are as good as excluded.
func (d *drafter) quality(t *topic, pc piece, terms []*word) float64 {
	about := 0.0
	for _, w := range terms {
		if weight := t.knownBy(w.term); weight > 0 {
			about += weight
		} else if w.past == 0 { // a later development has new words
			about += d.lexis.information(w, t.lang()) / 2
		}
	}
	q := about/(about+12) + 0.7*length(columns(pc.text)) + 0.15*math.Min(float64(len(terms)), 6)/6
	if pc.whole && (sentence.Whole(pc.text) || columns(pc.text) > 30) {
		q += 0.25
	}
	if pc.first {
		q += 0.1
	}
	switch {
	case sentence.Asks(pc.text):
		q -= 0.15
	case sentence.Announces(pc.text):
		q -= 0.5
	}
	if len(terms) == 0 || shouting(pc.text) || figures(pc.text) {
		q -= 0.6
	}
	return q
}

// standing is what a note adds to the score of its sentences: most for the leading note,
// less for notes of strangers, whom the user did not choose.
func standing(t *topic, n *note) float64 {
	q := 0.0
	switch {
	case n == t.begin, t.continues(n):
		q += 0.2 + 0.6*math.Min(float64(t.begin.done), 2)/2
	case slices.Contains(t.developments, n):
		q += 0.5
	}
	if !n.fresh || !n.author.followed {
		q -= 0.25
	}
	return q - n.loss()
}

// loss is what an answer loses if the note that it answers is missing.
func (n *note) loss() float64 {
	if n.orphan {
		return 0.4
	}
	return 0
}

// length rates the length of a quotation: 1 for 45 to 120 columns, which read in one
// breath, falling off on both sides.
func length(columns int) float64 {
	switch {
	case columns < 16:
		return 0
	case columns < 45:
		return float64(columns-16) / 29
	case columns <= 120:
		return 1
	default:
		return max(0.3, 1-float64(columns-120)/250)
	}
}

// extent is the length of a text in Latin letters: a character of a script without spaces
// says as much as three.
func extent(s string) int { return utf8.RuneCountInString(s) + 2*count(s, wide) }

// columns is how wide a text is in a terminal.
func columns(s string) int { return utf8.RuneCountInString(s) + count(s, wide) }

// count counts the characters of a text that are of a sort.
func count(s string, of func(rune) bool) (n int) {
	for _, r := range s {
		if of(r) {
			n++
		}
	}
	return n
}

func shouting(s string) bool {
	upper := count(s, unicode.IsUpper)
	return upper > 8 && upper > 2*count(s, unicode.IsLower)
}

// figures reports whether a text is more figures and symbols than words.
func figures(s string) bool {
	others := count(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsSpace(r) })
	return others*2 > count(s, unicode.IsLetter)
}

// usedPenalty is what a sentence loses if its author was quoted before.
const usedPenalty = 0.3

// quotes picks up to most sentences by different people: first the latest development of the
// story, if it has one, or the best sentence.
func (d *drafter) quotes(t *topic, most int) []cite {
	list := d.ranked(t)
	out := distinct(list, most)
	if len(out) == 0 {
		return nil
	}
	for i := range list {
		list[i].supposes = d.grammar.supposes(list[i].raw, list[i].note.lang)
	}
	now := t.latest(list, out[0].note)
	if now == nil || !now.note.denies {
		now = cmp.Or(d.correction(list, &out[0]), now)
	}
	if now == nil || !now.corrects && !now.note.denies && alike(now.terms, out[0].terms) {
		slices.SortStableFunc(out[1:], byTime)
		return d.cited(out)
	}
	cites := d.cited([]candidate{*now, out[0]})
	cites[0].now = true
	return cites
}

// inOrder picks the best sentences and returns them in the order in which they were
// written.
func (d *drafter) inOrder(t *topic, most int) []cite {
	out := distinct(d.ranked(t), most)
	slices.SortStableFunc(out, byTime)
	return d.cited(out)
}

func byTime(a, b candidate) int { return cmp.Compare(a.note.at, b.note.at) }

// ranked returns the candidates with authors who were quoted before further down.
func (d *drafter) ranked(t *topic) []candidate {
	list := d.candidates(t)
	for i := range list {
		if d.used[list[i].note.author] > 0 {
			list[i].score -= usedPenalty
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list
}

// distinct returns the first candidates by different people that do not say the same.
func distinct(list []candidate, most int) []candidate {
	var out []candidate
	for _, c := range list {
		if len(out) == most {
			break
		}
		if !slices.ContainsFunc(out, func(o candidate) bool { return o.note.author == c.note.author || alike(o.terms, c.terms) }) {
			out = append(out, c)
		}
	}
	return out
}

func (d *drafter) cited(list []candidate) []cite {
	cites := make([]cite, len(list))
	for i, c := range list {
		cites[i] = c.cite
		d.used[c.note.author]++
	}
	return cites
}

// alike reports whether two sentences share at least one word more than half of those of
// the shorter one.
func alike(a, b map[*word]bool) bool {
	shared := 0
	for t := range a {
		if b[t] {
			shared++
		}
	}
	smaller := min(len(a), len(b))
	return smaller > 0 && shared*2 > smaller+2
}

// lang is the language of the leading note.
func (t *topic) lang() string { return t.begin.lang }

// firstRune capitalizes a heading.
func firstRune(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
