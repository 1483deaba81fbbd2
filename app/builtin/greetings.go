package builtin

// greetings holds the small talk of the notes read: what several people wrote as a whole
// note, before the window or on several days. "Good morning" is that in every language, and
// no list of phrases would be complete.
type greetings map[uint64]*habit

// A habit is a phrase that people write again and again.
type habit struct {
	last   *person
	day    int64
	people int // one who comes back after another is counted twice
	days   int // one that comes back after another is counted twice
	before bool
}

// The most words of a phrase, and of a note that begins with it; how many people must write
// it, and on how many days if nobody did before the window: remarks on an event are written
// on one or two.
const (
	phraseWords, talkWords = 4, 7
	habitPeople, habitDays = 3, 4
	habitMany              = 8  // people, on whatever day
	greetedWords           = 14 // of a note that most answers greet back
)

// openingKey hashes the first words of a note.
func openingKey(words []occurrence) uint64 { return (*usage)(nil).key(words) }

// size counts words; in scripts without spaces, two pairs of characters as one.
func size(words []occurrence) int {
	n := 0
	for _, w := range words {
		if n += 2; w.wide {
			n--
		}
	}
	return n / 2
}

// learn adds what somebody wrote.
func (g greetings) learn(n *note, words []occurrence, past bool) {
	if len(words) == 0 || size(words) > phraseWords {
		return
	}
	h := g[openingKey(words)]
	if h == nil {
		h = &habit{}
		g[openingKey(words)] = h
	}
	h.before = h.before || past
	if h.last != n.author {
		h.last, h.people = n.author, h.people+1
	}
	if day := n.at / 86400; h.days == 0 || day != h.day {
		h.day, h.days = day, h.days+1
	}
}

// is reports whether a note is small talk: short, and beginning with such a phrase.
func (g greetings) is(n *note, words []occurrence) bool {
	if n.kind == kindArticle || n.denies || len(words) == 0 || size(words) > talkWords {
		return false
	}
	for i := range words {
		if size(words[:i+1]) > phraseWords {
			break
		}
		if h := g[openingKey(words[:i+1])]; h != nil && (h.people >= habitMany || h.people >= habitPeople && (h.before || h.days >= habitDays)) {
			return true
		}
	}
	return false
}

// greeted finds greetings in languages that few people write, by their answers: most of
// them greet back.
func greeted(sorted []*note, said [][]occurrence) {
	answers, greet := map[string]int{}, map[string]int{}
	for _, n := range sorted {
		answers[n.parent]++
		if n.greets {
			greet[n.parent]++
		}
	}
	for i, n := range sorted {
		if size(said[i]) <= greetedWords && greet[n.id] >= habitPeople && 2*greet[n.id] > answers[n.id] {
			n.greets = true
		}
	}
}

// greetings counts the notes by people followed that greet, or return a greeting.
func (c *corpus) greetings() int {
	count := 0
	for _, n := range c.notes {
		answered := c.notes[n.parent]
		if n.fresh && n.author.followed && n.greets && (n.parent == "" || answered != nil && answered.greets) {
			count++
		}
	}
	return count
}
