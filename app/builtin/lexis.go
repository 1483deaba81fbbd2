package builtin

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/sentence"
)

// A lexis knows how usual words are among the notes read.
type lexis struct {
	now, past tally
	words     *vocabulary
	beside    []pairUse // two words side by side in notes from before the window
}

// pairUse is that a note, by number, has two words side by side; see pairKey.
type pairUse struct {
	pair uint64
	note int32
}

// A tally counts the notes of a time, and those of each language.
type tally struct {
	notes float64
	langs map[string]int
}

// newLexis makes a lexis with room for so many notes.
func newLexis(notes int) *lexis {
	return &lexis{now: tally{langs: map[string]int{}}, past: tally{langs: map[string]int{}}, words: newVocabulary(notes)}
}

func (t *tally) add(n *note) {
	t.notes++
	t.langs[n.lang]++
}

// addNow counts a note of the window, and of which thread it is, by number.
func (l *lexis) addNow(n *note, thread int32) {
	l.now.add(n)
	for _, w := range n.terms {
		l.countNow(w, thread)
	}
	for _, name := range n.names {
		if name.isPair() {
			l.countNow(name.word, thread)
		}
	}
}

func (l *lexis) countNow(w *word, thread int32) {
	at := int32(l.now.notes)
	if w.now++; w.now == 1 {
		w.from = at
	}
	if w.to = at; w.threads == 0 || w.thread != thread {
		w.thread = thread
		w.threads++
	}
}

// addPast counts a note from before the window, of which nothing but its words matters.
func (l *lexis) addPast(n *note, words []spoken) {
	l.past.add(n)
	terms, number := 0, int32(l.past.notes)
	for i, w := range words {
		if w.telling && terms < maxTerms && w.countPast(number) {
			terms++
		}
		if besideTelling(words, i) {
			l.beside = append(l.beside, pairUse{pairKey(words[i-1].word, w.word), number})
		}
	}
}

// settlePast counts the words side by side in notes from before the window, as far as notes
// of the window have them.
func (l *lexis) settlePast() {
	for _, use := range l.beside {
		if pair := l.words.pairs[use.pair]; pair != nil {
			pair.countPast(use.note)
		}
	}
	l.beside = nil
}

// countPast counts a note from before the window that has a word, once. It reports whether
// this was the first time.
func (w *word) countPast(note int32) bool {
	if w.counted == note {
		return false
	}
	w.counted = note
	w.past++
	return true
}

// How many of the notes of a language may hold a word that still tells one from
// another, and how many of them one that says something new: of those before the
// window, or where these are few of those in it, which hold the story too.
const (
	usualShare = 0.12
	usualLeast = 8 // notes
	newShare   = 0.005
	newNow     = 10 // notes at least, of those in the window
)

// fewNotes is how many notes are taken to be there where fewer are: of a handful,
// nothing tells which words are rare.
const fewNotes = 400

// rarity is the information in a word, in nats; 0 for one that is usual in the
// language of the note.
func (l *lexis) rarity(w *word, lang string) float64 {
	df := w.now + w.past
	if float64(df) > max(usualLeast, usualShare*float64(l.now.langs[lang]+l.past.langs[lang])) {
		return 0
	}
	return math.Log(max(l.now.notes+l.past.notes, fewNotes) / (float64(df) + 0.5))
}

// surprise is how sure it is that a word or a name is new: how often it would have been
// used before the window, had it been used as it is now; 0 for one that was.
func (l *lexis) surprise(w *word) float64 {
	if w.past > 0 {
		return 0
	}
	if l.knowsLittle() {
		return l.burst(w)
	}
	return float64(w.now) * l.past.notes / l.now.notes
}

// knowsLittle reports whether too little is known from before the window to tell what is new.
func (l *lexis) knowsLittle() bool { return l.past.notes < l.now.notes/4 }

// burst is how little chance would have all threads with a word come so close together
// among all notes read, in nats.
func (l *lexis) burst(w *word) float64 {
	if w.past > 0 || w.threads < 2 || !l.gathered(w) {
		return 0
	}
	threads := float64(w.threads)
	return max(0, (threads-1)*math.Log((l.now.notes+l.past.notes)/float64(w.to-w.from+1))-math.Log(threads))
}

// gathered reports whether a word is used by so many in so short a time that it could be
// that of something that happened, and not one that comes up now and then.
func (l *lexis) gathered(w *word) bool {
	return w.threads <= rareAtMost && w.to-w.from < perThread*w.threads
}

// perThread is how many notes there are at most for each thread with a name of which a
// story tells.
const perThread = 1000

// rare reports whether a name was used in few notes of the window and in none before, and
// has no word that many use: a sentence may begin in front of a name.
func (l *lexis) rare(name *word, lang string) bool {
	parts := name.parts[:]
	if !name.isPair() {
		parts = []*word{name}
	}
	for _, w := range parts {
		if l.common(w, lang) {
			return false
		}
	}
	return name.past == 0 && float64(name.now) <= min(max(4, 0.003*l.now.notes), rareAtMost)
}

// seldom reports whether a word is in so few notes that two that share it may be about
// one thing.
func (l *lexis) seldom(w *word) bool {
	return float64(w.now+w.past) <= min(max(seldomNotes, seldomShare*(l.now.notes+l.past.notes)), rareAtMost)
}

const (
	seldomNotes = 6.0
	seldomShare = 0.002
)

// common reports whether a word is used by more than a few notes of a language.
func (l *lexis) common(w *word, lang string) bool {
	return float64(w.now+w.past) > max(commonLeast, newShare*float64(l.now.langs[lang]+l.past.langs[lang]))
}

const commonLeast = 24 // notes

// rareAtMost is how many notes use a name that is rare, however many there are.
const rareAtMost = 20

// sure is the surprise from which on a word counts as new.
const sure = 3.0

// How much the new words of a note add up to, in nats, for half of what it could say;
// the most that one of them counts; and what they must be more than, as every greeting
// has a word of its own.
const (
	halfNews  = 12.0
	mostNews  = 6.0
	smallTalk = 4.0
)

// serial is from how many times on a note that is said again with other figures is no
// news: a price, the height of a chain.
const serial = 4

// news is how much new a note says, from 0 to 1: nothing where all its words are usual
// ones and stock phrases.
func (l *lexis) news(n *note) float64 {
	most, few := max(2, newShare*float64(l.past.langs[n.lang])), l.knowsLittle()
	if few {
		most = max(newNow, newShare*float64(l.now.langs[n.lang]))
	}
	sum := -smallTalk
	for _, w := range n.terms {
		if few && float64(w.now) <= most && l.gathered(w) || !few && float64(w.past) <= most {
			sum += l.tells(w, n.lang)
		}
	}
	return max(0, sum/(sum+halfNews))
}

// tells is how much a word says, in nats.
func (l *lexis) tells(w *word, lang string) float64 {
	tells := min(l.rarity(w, lang), mostNews)
	if w.wide { // a pair of characters: a word has several
		tells /= 2
	}
	return tells
}

// How many words are read in one breath; how many new names in as many are many, and how
// many there are taken to be where a script does not show them; how many breaths around
// them halve what they count; and how much a name, a question and a saying count.
const (
	breath    = 17
	aroundIt  = 5
	manyNames = 3.0
	someNames = 1.5
	perName   = 0.5
	ofAsking  = 0.6
	ofQuoting = 0.6
)

// caseless are the scripts that do not tell names by capitals.
var caseless = []string{"ja", "zh", "ko", "Arabic", "Hebrew", "Devanagari", "Thai"}

// pointed finds how much a note comes to the point: news names who and where and how much,
// in few words and its own ones; a question tells nothing, and no more does a saying of
// somebody else.
func (n *note) pointed(said []spoken) {
	words, named := size(said), len(n.newly) > 0
	facts, most := 0.0, 0.0 // in the last words, as many as a breath has; and where there are most
	weigh := func(w spoken) float64 {
		switch {
		case w.figure:
			return 1
		case !n.newly.has(w.word):
			return 0
		case n.lang == "de": // that writes all nouns as names
			return 0.5
		}
		return 1
	}
	for i, w := range said {
		if facts += weigh(w); i >= breath {
			facts -= weigh(said[i-breath])
		}
		most = max(most, facts)
		named = named || w.figure || w.name && w.telling && n.lang != "de"
	}
	if slices.Contains(caseless, n.lang) {
		most, named = most+someNames, true
	}
	n.states = named
	n.point = 1 + perName*min(most, manyNames)
	if words > breath {
		n.point /= 1 + float64(words-breath)/(aroundIt*breath)
	}
	if n.asks {
		n.point *= ofAsking
	}
	n.point *= n.share
	if hasDash(n.text) && attribution.MatchString(n.text) {
		n.point *= ofQuoting
	}
}

// attribution is the name of whom a saying is by: behind a closed sentence a dash and a full
// name, and nothing more in its sentence. A dash within a sentence is no such thing.
var attribution = regexp.MustCompile(`(?m)[^\pL\pN\s]\s*(?:--+|[—–―])\s?\p{Lu}[\pL.'’-]*(?: (?:\p{Ll}{1,3} )?\p{Lu}[\pL.'’-]*){1,3}(?:[;,)]?\s*$|\.(?:\s|$))`)

// says is what a note says, without whom a saying in it is by: that is no name of the news.
func (n *note) says() string {
	text := n.title + "\n" + n.text
	if hasDash(text) {
		return attribution.ReplaceAllString(text, "\n")
	}
	return text
}

// hasDash spares most notes the search for a name behind one.
func hasDash(text string) bool {
	return strings.Contains(text, "--") || strings.Contains(text, "—") || strings.Contains(text, "–") || strings.Contains(text, "―")
}

// isQuestion reports whether half of a text at least is what it asks.
func isQuestion(text string) bool {
	if !hasQuestion(text) {
		return false
	}
	asks, all := 0, 0
	for _, pc := range pieces(clip(text, maxOpening)) {
		all += columns(pc.text)
		if sentence.Asks(pc.text) {
			asks += columns(pc.text)
		}
	}
	return 2*asks >= all
}

// hasQuestion reports whether a sentence of a text is a question.
func hasQuestion(text string) bool {
	for i, r := range text {
		if sentence.QuestionMark(r) {
			rest := text[i+utf8.RuneLen(r):]
			if next, _ := utf8.DecodeRuneInString(rest); rest == "" || wide(r) || !unicode.IsLetter(next) && !unicode.IsDigit(next) {
				return true
			}
		}
	}
	return false
}

// numbered are threads by the note that begins them.
type numbered map[string]int32

func (t numbered) of(n *note) int32 {
	root := cmp.Or(n.root, n.id)
	number, ok := t[root]
	if !ok {
		number = int32(len(t))
		t[root] = number
	}
	return number
}

// weigh fills in what the notes speak of, and counts their words with those of older
// notes, as far as it comes before a context ends.
func (c *corpus) weigh(ctx context.Context, sorted []*note, g *grammar) *lexis {
	notes := len(sorted) + len(c.past)
	l := newLexis(notes)
	used := newUsage(notes, l.words)
	meet := greetings{}
	var words []spoken
	for _, n := range until(ctx, c.past) {
		words, n.lang = g.wordsInto(words, n.says(), l.words)
		used.learn(n.author, words, before)
		meet.learn(n, words, true)
		l.addPast(n, words)
	}
	said := make([][]spoken, len(sorted))
	for i, n := range until(ctx, sorted) {
		words, n.lang = g.wordsInto(words, n.says(), l.words)
		said[i] = slices.Clone(words)
		used.learn(n.author, said[i], pasted)
		meet.learn(n, said[i], false)
	}
	used.settle()
	threads := numbered{}
	for i, n := range until(ctx, sorted) {
		n.own = used.own(said[i])
		if !n.repeated {
			l.addNow(n, threads.of(n))
		}
	}
	l.settlePast()
	for i, n := range until(ctx, sorted) {
		n.denies = g.denies(n, said[i], l)
		n.newly = slices.DeleteFunc(n.newly, func(name name) bool { return !l.gathered(name.word) })
		n.greets = meet.is(n, said[i])
		n.short, n.asks = size(said[i]) <= talkWords, isQuestion(n.text)
		n.pointed(said[i])
	}
	greeted(sorted, said)
	for _, n := range until(ctx, sorted) {
		if n.times < serial && !n.greets {
			n.news = l.news(n)
		}
	}
	return l
}
