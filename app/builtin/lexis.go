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

// A lexis counts how often the words of all notes are used, in the window and before it.
// From that it derives how rare and how new a word is.
type lexis struct {
	now, past tally
	words     *vocabulary
	beside    []pairUse // adjacent words in notes from before the window
}

// pairUse records that a note, by number, has two adjacent words; see pairKey.
type pairUse struct {
	pair uint64
	note int32
}

// A tally counts the notes of a period, in all and by language.
type tally struct {
	notes float64
	langs map[string]int
}

// newLexis returns a lexis sized for so many notes.
func newLexis(notes int) *lexis {
	return &lexis{now: tally{langs: map[string]int{}}, past: tally{langs: map[string]int{}}, words: newVocabulary(notes)}
}

func (t *tally) add(n *note) {
	t.notes++
	t.langs[n.lang]++
}

// addNow counts a note of the window, with the number of its thread.
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

// addPast counts a note from before the window.
func (l *lexis) addPast(n *note, words []occurrence) {
	l.past.add(n)
	terms, number := 0, int32(l.past.notes)
	for i, w := range words {
		if w.content && terms < maxTerms && w.countPast(number) {
			terms++
		}
		if contentPair(words, i) {
			l.beside = append(l.beside, pairUse{pairKey(words[i-1].word, w.word), number})
		}
	}
}

// settlePast counts the adjacent words of older notes, but only those that notes of the
// window have too: adding all of them to the vocabulary would take far more memory.
func (l *lexis) settlePast() {
	for _, use := range l.beside {
		if pair := l.words.pairs[use.pair]; pair != nil {
			pair.countPast(use.note)
		}
	}
	l.beside = nil
}

// countPast counts an older note that has the word, once a note, and reports whether it was
// counted now.
func (w *word) countPast(note int32) bool {
	if w.counted == note {
		return false
	}
	w.counted = note
	w.past++
	return true
}

// The share of a language's notes up to which a word still distinguishes one note from
// another, and up to which it says something new. Newness is judged by older notes or, if
// there are few, by those of the window, then with a minimum, since the window holds the
// story too.
const (
	usualShare = 0.12
	usualLeast = 8 // notes
	newShare   = 0.005
	newNow     = 10 // notes at least, of those in the window
)

// fewNotes is a lower bound for the number of notes in logarithms: among a handful, every
// word would look rare.
const fewNotes = 400

// rarity is the information of a word in nats: the log of how few notes have it; 0 for one
// that is common in the language.
func (l *lexis) rarity(w *word, lang string) float64 {
	df := w.now + w.past
	if df > usualLeast && float64(df) > usualShare*float64(l.now.langs[lang]+l.past.langs[lang]) {
		return 0
	}
	return math.Log(max(l.now.notes+l.past.notes, fewNotes) / (float64(df) + 0.5))
}

// surprise is how certain it is that a word is new: how often it would have been used
// before the window at today's rate; 0 for one that was used. With little history it is
// judged by burst instead.
func (l *lexis) surprise(w *word) float64 {
	if w.past > 0 {
		return 0
	}
	if l.knowsLittle() {
		return l.burst(w)
	}
	return float64(w.now) * l.past.notes / l.now.notes
}

// knowsLittle reports whether too few older notes are stored to judge what is new.
func (l *lexis) knowsLittle() bool { return l.past.notes < l.now.notes/4 }

// burst returns, in nats, how improbable it is that all threads with a word are so close
// together among all notes by chance.
func (l *lexis) burst(w *word) float64 {
	if w.past > 0 || w.threads < 2 || !l.gathered(w) {
		return 0
	}
	threads := float64(w.threads)
	return max(0, (threads-1)*math.Log((l.now.notes+l.past.notes)/float64(w.to-w.from+1))-math.Log(threads))
}

// gathered reports whether the threads that use a word are so few and so close together
// that it may name an event, rather than a word that comes up now and then.
func (l *lexis) gathered(w *word) bool {
	return w.threads <= rareAtMost && w.to-w.from < perThread*w.threads
}

// perThread is how many notes of everybody may pass for each thread that uses a gathered
// word. It makes the limit one of traffic, not of hours: an hour of a large network is a
// day of a small one.
const perThread = 1000

// rare reports whether a name is in few notes of the window, in none before, and contains
// no common word: the first word of a sentence may be mistaken for part of a name.
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

// seldom reports whether a word is in so few notes that two notes which share it may be
// about one thing.
func (l *lexis) seldom(w *word) bool {
	return float64(w.now+w.past) <= min(max(seldomNotes, seldomShare*(l.now.notes+l.past.notes)), rareAtMost)
}

const (
	seldomNotes = 6.0
	seldomShare = 0.002
)

// common reports whether more than a few notes of a language use a word.
func (l *lexis) common(w *word, lang string) bool {
	df := w.now + w.past
	return df > commonLeast && float64(df) > newShare*float64(l.now.langs[lang]+l.past.langs[lang])
}

const commonLeast = 24 // notes

// rareAtMost bounds what counts as rare, however many notes there are.
const rareAtMost = 20

// sure is the surprise above which a word counts as new: at its present rate it would have
// been used three times before.
const sure = 3.0

// How new words add up to a note's news. halfNews is the sum, in nats, that makes a score
// of one half; mostNews caps a single word, so that a typo is no story; smallTalk is
// subtracted first, since every greeting has some word of its own.
const (
	halfNews  = 12.0
	mostNews  = 6.0
	smallTalk = 4.0
)

// serial is how often a note must be repeated with other figures to be no news: a price,
// the height of a chain.
const serial = 4

// news scores how much new a note says, from 0 to 1; 0 if it has only usual words and stock
// phrases.
func (l *lexis) news(n *note) float64 {
	most, few := max(2, newShare*float64(l.past.langs[n.lang])), l.knowsLittle()
	if few {
		most = max(newNow, newShare*float64(l.now.langs[n.lang]))
	}
	sum := -smallTalk
	for _, w := range n.terms {
		if few && float64(w.now) <= most && l.gathered(w) || !few && float64(w.past) <= most {
			sum += l.information(w, n.lang)
		}
	}
	return max(0, sum/(sum+halfNews))
}

// information is what a word contributes to news and overlaps, in nats.
func (l *lexis) information(w *word, lang string) float64 {
	nats := min(l.rarity(w, lang), mostNews)
	if w.wide { // a pair of characters, of which a word has several
		nats /= 2
	}
	return nats
}

// How much a note comes to the point. breath is the length of the window of words in which
// names and figures are counted, about one sentence; aroundIt is how many further breaths
// of text halve the score; manyNames caps the names, someNames is assumed where a script
// does not show them. perName, ofAsking and ofQuoting are the effects of a name, a question
// and a saying.
const (
	breath    = 17
	aroundIt  = 5
	manyNames = 3.0
	someNames = 1.5
	perName   = 0.5
	ofAsking  = 0.6
	ofQuoting = 0.6
)

// caseless are the languages and scripts without capitals, which do not show names.
var caseless = []string{"ja", "zh", "ko", "Arabic", "Hebrew", "Devanagari", "Thai"}

// pointed computes how much a note comes to the point. News names who, where and how much,
// in few words of its own; a question or somebody else's saying reports nothing.
func (n *note) pointed(said []occurrence) {
	words, named := size(said), len(n.newly) > 0
	facts, most := 0.0, 0.0 // within the current breath, and within the best one
	weigh := func(w occurrence) float64 {
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
		named = named || w.figure || w.name && w.content && n.lang != "de"
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

// attribution matches the author of a saying: after a closed sentence, a dash and a full
// name with nothing else in its sentence. A dash within a sentence is none.
var attribution = regexp.MustCompile(`(?m)[^\pL\pN\s]\s*(?:--+|[—–―])\s?\p{Lu}[\pL.'’-]*(?: (?:\p{Ll}{1,3} )?\p{Lu}[\pL.'’-]*){1,3}(?:[;,)]?\s*$|\.(?:\s|$))`)

// content returns the text of a note without the attribution of a saying, whose author is
// not part of the news.
func (n *note) content() string {
	text := n.title + "\n" + n.text
	if hasDash(text) {
		return attribution.ReplaceAllString(text, "\n")
	}
	return text
}

// hasDash spares most notes the regular expression.
func hasDash(text string) bool {
	return strings.Contains(text, "--") || strings.Contains(text, "—") || strings.Contains(text, "–") || strings.Contains(text, "―")
}

// isQuestion reports whether at least half of a text is questions.
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

// hasQuestion reports whether any sentence of a text is a question. It spares most notes
// being cut into sentences.
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

// numbered numbers threads by the note that begins them.
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

// weigh analyzes all notes: it counts their words with those of the older notes and fills
// in the fields of [note] that depend on these counts. The passes build on one another:
// stock phrases must be known before words are counted, and the counts before anything is
// judged. If ctx ends, the rest stays empty.
func (c *corpus) weigh(ctx context.Context, sorted []*note, g *grammar) *lexis {
	notes := len(sorted) + len(c.past)
	l := newLexis(notes)
	used := newUsage(notes, l.words)
	meet := greetings{}
	var words []occurrence
	for _, n := range until(ctx, c.past) {
		words, n.lang = g.wordsInto(words, n.content(), l.words)
		used.learn(n.author, words, before)
		meet.learn(n, words, true)
		l.addPast(n, words)
	}
	said := make([][]occurrence, len(sorted))
	for i, n := range until(ctx, sorted) {
		words, n.lang = g.wordsInto(words, n.content(), l.words)
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
