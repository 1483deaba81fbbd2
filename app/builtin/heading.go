package builtin

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/sentence"
	"bowerbird/ndb/search"
)

// A heading is a possible name of a topic: one to three adjacent words, or a run of
// characters in a script without spaces.
type heading struct {
	surface map[string]int // as written, how often
	name    bool           // written with a capital inside a sentence
	users   map[*person]bool
	weight  float64
	terms   []string
}

// maxHeadingNotes is how many notes of a topic are read for its heading.
const maxHeadingNotes = 40

// heading names a topic with its own words: what most of its people call it and others do
// not. It is "" if nothing fits: no heading is better than a wrong one.
func (d *drafter) heading(t *topic) string {
	if t.begin.title != "" {
		return clipWords(t.begin.title, 60)
	}
	found := map[string]*heading{}
	notes := append([]*note{t.begin}, t.notes...)
	for i, n := range notes[:min(len(notes), maxHeadingNotes)] {
		if i > 0 && n == t.begin || n.repeated {
			continue
		}
		d.collect(found, t, n)
	}
	for key, h := range found {
		if !h.usable() {
			delete(found, key)
		}
	}
	tag := t.sharedTag()
	first := best(found, []string{tag})
	switch {
	case tag != "" && (first == nil || !first.name):
		return "#" + tag
	case tag != "":
		return "#" + tag + " · " + first.text()
	case first == nil:
		return ""
	case len(first.terms) > 1:
		return firstRune(first.text())
	}
	// One name alone would be that of a place or a person, not of what happened there.
	if second := best(found, first.terms); second != nil && columns(first.text()) < 16 {
		return firstRune(first.text()) + " · " + second.text()
	}
	return ""
}

// named gives stories without a heading the hashtag under which their leading note was
// written, if it has one only, which no other story has and nobody asked about. Topics are
// joined before: one author's hashtag makes no story of two.
func named(list []item, topic string) {
	taken := map[string]bool{"#" + strings.ToLower(strings.TrimLeft(topic, "#")): true}
	for _, it := range list {
		taken[it.heading] = true
	}
	for i := range list {
		tags := list[i].cites[0].note.hashtags
		if list[i].heading == "" && len(tags) == 1 && !taken["#"+tags[0]] {
			list[i].heading = "#" + tags[0]
			taken[list[i].heading] = true
		}
	}
}

// sharedTag returns the hashtag that most people of a topic use, at least two; "" for none.
func (t *topic) sharedTag() string {
	users := map[string]map[*person]bool{}
	for _, n := range t.notes {
		for _, tag := range n.hashtags {
			if users[tag] == nil {
				users[tag] = map[*person]bool{}
			}
			users[tag][n.author] = true
		}
	}
	shared, most := "", 1
	for _, tag := range sortedKeys(users) {
		if len(users[tag]) > most {
			shared, most = tag, len(users[tag])
		}
	}
	return shared
}

// collect adds the phrases of a note.
func (d *drafter) collect(found map[string]*heading, t *topic, n *note) {
	text := clip(n.text, 2000)
	var run []search.Token
	flush := func() {
		for i := range run {
			for size := 1; size <= 3 && i+size <= len(run); size++ {
				d.addPhrase(found, t, n, text, run[i:i+size])
			}
		}
		run = run[:0]
	}
	for tok := range search.Tokens(text) {
		if tok.Kind != search.TokenWord {
			continue
		}
		if len(run) > 0 && !besides(text, run[len(run)-1].End, tok.Start) {
			flush()
		}
		if t.knownBy(tok.Term) == 0 {
			flush()
			continue
		}
		run = append(run, tok)
	}
	flush()
}

// besides reports whether what ends at one place of a text is adjacent to what starts at
// another: overlapping, touching, or with a space, hyphen or apostrophe between them.
func besides(text string, end, start int) bool {
	if start <= end {
		return true
	}
	between := text[end:start]
	return between == " " || between == "-" || between == "'"
}

func (d *drafter) addPhrase(found map[string]*heading, t *topic, n *note, text string, run []search.Token) {
	var key strings.Builder
	weight := 0.0
	terms := make([]string, len(run))
	for i, tok := range run {
		key.WriteString(tok.Term + " ")
		weight += math.Sqrt(t.knownBy(tok.Term))
		terms[i] = tok.Term
	}
	start, end := wholeWord(text, run[0].Start, run[len(run)-1].End)
	// Hiragana around other characters is grammar, and a pair may begin or end within it.
	surface := strings.TrimFunc(text[start:end], isHiragana)
	if hiragana(surface) || label(surface, 60) != surface || utf8.RuneCountInString(surface) < 2 || noisy(surface) {
		return
	}
	h := found[key.String()]
	if h == nil {
		// Long phrases must not win by their length alone.
		h = &heading{surface: map[string]int{}, users: map[*person]bool{}, weight: weight / math.Pow(float64(len(run)), 0.6), terms: terms}
		found[key.String()] = h
	}
	h.surface[surface]++
	h.name = h.name || inside(text[:run[0].Start]) && !slices.ContainsFunc(run, func(tok search.Token) bool { return !capital(text[tok.Start:]) })
	h.users[n.author] = true
}

// usable reports whether a phrase may head a topic: a name or several words that two people
// use, or one plain word that three use. A plain word shared by two people says little.
func (h *heading) usable() bool {
	return len(h.users) > 1 && (h.name || len(h.terms) > 1 || len(h.users) > 2)
}

// longestAcronym is how many capital letters may be an acronym; more are shouted.
const longestAcronym = 4

// noisy reports whether a phrase cannot be a name: a time or code that begins with a digit,
// initials of two letters, shouted words.
func noisy(phrase string) bool {
	letters, upper := count(phrase, unicode.IsLetter), count(phrase, unicode.IsUpper)
	first, _ := utf8.DecodeRuneInString(phrase)
	shouted := upper == letters && letters > 0
	return letters == 0 || unicode.IsDigit(first) ||
		shouted && (letters < 3 || letters > longestAcronym || strings.Contains(phrase, " "))
}

// wholeWord extends a part of a text without spaces to where its characters change from or
// to Hiragana, since a pair of characters may begin or end inside a word.
func wholeWord(text string, start, end int) (from, to int) {
	same := func(r rune) bool {
		return wide(r) && (unicode.In(r, unicode.Han, unicode.Katakana) || r == 'ー')
	}
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		first, _ := utf8.DecodeRuneInString(text[start:])
		if !same(r) || !same(first) {
			break
		}
		start -= size
	}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		last, _ := utf8.DecodeLastRuneInString(text[:end])
		if !same(r) || !same(last) {
			break
		}
		end += size
	}
	return start, end
}

// capital reports whether a text begins with a capital.
func capital(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

// inside reports whether what follows a text does not begin a sentence.
func inside(text string) bool {
	text = strings.TrimRight(text, " #\"'“„«(")
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && !sentence.Stop(r) && r != ':' && r != '\n'
}

// worth rates how well a phrase names its topic: rare words used by several people,
// preferably names.
func (h *heading) worth() float64 {
	w := h.weight * math.Log(float64(1+4*len(h.users)))
	if h.name {
		w *= 1.7
	}
	return w
}

// best returns the best phrase that has none of the words taken, nil when none
// is left.
func best(found map[string]*heading, taken []string) *heading {
	var top *heading
	for _, key := range sortedKeys(found) {
		h := found[key]
		if slices.ContainsFunc(h.terms, func(t string) bool { return slices.Contains(taken, t) }) {
			continue
		}
		if top == nil || h.worth() > top.worth() {
			top = h
		}
	}
	return top
}

// text returns the phrase as it is written most often.
func (h *heading) text() string {
	forms := sortedKeys(h.surface)
	slices.SortStableFunc(forms, func(a, b string) int { return cmp.Compare(h.surface[b], h.surface[a]) })
	return forms[0]
}

// clipWords shortens a text after a word.
func clipWords(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	n, end := 0, 0
	for i, r := range s {
		if n++; wide(r) {
			n++
			end = i
		}
		if unicode.IsSpace(r) {
			end = i
		}
		if n > most {
			break
		}
	}
	if end == 0 {
		return ""
	}
	return s[:end] + "…"
}
