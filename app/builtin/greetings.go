package builtin

// greetings knows the small talk of the people read: what several of them have written
// as a whole note, before or on several days. "Good morning" is that in every language, and no
// list of phrases would have all.
type greetings map[uint64]*habit

// A habit is what people write again and again.
type habit struct {
	last   *person
	day    int64
	people int // at most one too many for each time that another one came between
	days   int // likewise
	before bool
}

// How short small talk is, in words, and what of it may follow a phrase that is known;
// how many people write a phrase, and on how many days where nobody did before the
// window: a few words on something that happened are written on one or two.
const (
	phraseWords, talkWords = 4, 7
	habitPeople, habitDays = 3, 4
	habitMany              = 8  // people, on whatever day
	greetedWords           = 14 // of what most who answer greet back
)

// openingKey is the key of the first words of a note.
func openingKey(words []spoken) uint64 { return (*usage)(nil).key(words) }

// size is how many words there are; of scripts that are written without spaces, half as
// many as pairs of characters.
func size(words []spoken) int {
	n := 0
	for _, w := range words {
		if n += 2; w.wide {
			n--
		}
	}
	return n / 2
}

// learn takes in what somebody wrote.
func (g greetings) learn(n *note, words []spoken, past bool) {
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

// is reports whether a note is small talk: short, and it begins with a phrase that is.
func (g greetings) is(n *note, words []spoken) bool {
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

// greeted finds the greetings in a language that few write: few words, and most of those who
// answer greet in theirs.
func greeted(sorted []*note, said [][]spoken) {
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

// greetings counts the notes by people followed that greet, or answer a greeting with one.
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
