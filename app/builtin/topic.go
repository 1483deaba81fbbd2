package builtin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/ndb/search"
	"bowerbird/tools"
)

// leastTelling is how many letters a word of a topic has, at least, that notes may have
// alone: of the horse fair, "horse".
const leastTelling = 5

// maxTagWords is how many words a hashtag is looked for that is made of them.
const maxTagWords = 3

// Scope is what a question is about if it does not say so itself. The zero value is the
// people followed.
type Scope struct {
	Everyone bool   // all stored notes
	Thread   string // the id of a note of the thread that is open, as hex
	Person   string // whose profile is open: a key as hex
}

// whose returns the filters of a question and the person it names; without one, those of
// crowd. If there is nobody to answer about, stop is the answer that says so.
func (p *plan) whose() (f filters, who *tools.ProfileResult, stop string) {
	if p.q.Person == "" {
		f, stop = p.crowd()
		return f, nil, stop
	}
	if who, stop = p.findPerson(p.q.Person); who == nil {
		return filters{}, nil, stop
	}
	p.who = who
	return filters{context: "profile", author: who.PubKey}, who, ""
}

// begin returns the filters of a question about notes, with the words of its topic as settle
// settles them for a window, and the person it names. If it is not ok, the answer is stop,
// or tools are at work.
func (p *plan) begin(w question.Window, settle func(filters, question.Window)) (f filters, who *tools.ProfileResult, stop string, ok bool) {
	if f, who, stop = p.whose(); stop != "" || p.waiting() {
		return f, who, stop, false
	}
	settle(f, w)
	f.search = p.topicWords()
	return f, who, "", !p.waiting()
}

// crowd returns the filters of a question that names nobody. If the user follows nobody,
// stop is the answer that says so.
func (p *plan) crowd() (f filters, stop string) {
	if p.opt.Scope.Everyone {
		return filters{context: "any"}, ""
	}
	return filters{context: "home"}, p.followsNobody()
}

// forEveryone returns the words for an answer about all stored notes, and the statement of
// how complete they are.
func forEveryone(w *words.Texts) (of *words.Texts, stored string) {
	e, all := &w.Everyone, *w
	all.TopicTitle = e.TopicTitle
	all.ReadNarrow = e.ReadNarrow
	all.Nothing, all.NothingAtAll, all.Newest = e.Nothing, e.NothingAtAll, e.Newest
	all.NotesHome = "{notes}" // nobody is meant in particular
	all.CountTitle, all.HashtagsTitle, all.NoHashtags, all.PostersTitle = e.CountTitle, e.HashtagsTitle, e.NoHashtags, e.PostersTitle
	return &all, e.Stored
}

// Fetching is the state of the user's follows where the program fetches notes by itself: in
// the window. There the reasons for an empty answer, and what the user can do, differ from
// those in a terminal.
type Fetching int

// The states.
const (
	FetchByHand   Fetching = iota // the user fetches with a command, in a terminal
	FetchUnderWay                 // the list of follows is being fetched
	FetchOffline                  // no relay can be reached
	FetchNoList                   // no relay that was asked has the list
	FetchNobody                   // the list is empty
)

// inWindow returns the words with the answers of the window in place of those that advise a
// command.
func inWindow(w *words.Texts, stage Fetching) *words.Texts {
	if stage == FetchByHand {
		return w
	}
	l, all := &w.Fetching, *w
	all.NobodyChosen, all.NothingAtAll = l.NobodyChosen, l.NoNotes
	all.Nobody = map[Fetching]string{FetchUnderWay: l.LookingUp, FetchOffline: l.Offline, FetchNoList: l.NoList, FetchNobody: l.Nobody}[stage]
	if stage == FetchOffline {
		all.NothingAtAll = l.OfflineNotes
	}
	return &all
}

// topicWords returns the words that notes about the topic must have: "the strike" is about
// strikes. A topic in quotation marks is not changed.
func (p *plan) topicWords() string {
	words, except := p.ofKind(orTag(p.aboutWords())), ""
	if p.leavesOut() {
		except = p.withoutExcept()
	}
	if words != "" && except != "" {
		words = "(" + words + ")"
	}
	return strings.TrimSpace(words + " " + except)
}

// orTag adds to the words of a topic the hashtag that they make when written as one:
// "harbour fair" is also #harbourfair.
func orTag(topic string) string {
	words := strings.Fields(topic)
	if len(words) < 2 || len(words) > maxTagWords || strings.ContainsAny(topic, `"#:*()-`) || slices.Contains(words, "OR") {
		return topic
	}
	return "(" + topic + ") OR #" + strings.Join(words, "")
}

// ofKind adds to words what restricts a search to the notes asked for.
func (p *plan) ofKind(words string) string {
	switch p.q.Intent {
	case question.Pictures:
		return strings.TrimSpace(words + " has:image")
	case question.Links:
		return strings.TrimSpace(words + " has:link")
	}
	return words
}

func (p *plan) aboutWords() string {
	if p.anyOf != "" {
		return p.anyOf
	}
	if p.q.Choice != "" {
		return p.q.Choice
	}
	return p.wordsOf(p.q.Topic)
}

func (p *plan) wordsOf(topic string) string {
	if strings.Contains(topic, `"`) {
		return topic
	}
	words := slices.DeleteFunc(strings.Fields(topic), func(w string) bool { return p.grammar.usual[w] != 0 })
	if len(words) == 0 {
		return topic
	}
	return strings.Join(words, " ")
}

// settleTopic drops the endings of a topic's words if no note has the words as they were
// asked but some have them without: "cupboards" finds a cupboard, "Kometen" a comet. The
// answer then names the topic that was found.
func (p *plan) settleTopic(f filters, w question.Window) {
	if p.q.Topic == "" || p.q.Choice != "" || strings.ContainsAny(p.q.Topic, `"#:*`) {
		return
	}
	asked := p.having(f, w, p.topicWords())
	for _, other := range []string{singular(p.q.Topic), stems(p.wordsOf(p.q.Topic))} {
		if other == p.q.Topic || other == singular(p.q.Topic) && p.q.Lang != "en" {
			continue
		}
		found := p.having(f, w, p.ofKind(p.wordsOf(other)+" "+p.withoutExcept()))
		if asked.value != nil && asked.value.Count == 0 && found.value != nil && found.value.Count > 0 {
			p.q.Topic = other
			return
		}
	}
}

// stems are words without what may be their endings, as a search takes them. Short words,
// and those of other scripts, stay.
func stems(topic string) string {
	words := strings.Fields(topic)
	for i, w := range words {
		letters := []rune(w)
		if n := len(letters); n > 3 && latin(w) {
			words[i] = string(letters[:max(4, n-1-min(1, n/7))]) + "*"
		}
	}
	return strings.Join(words, " ")
}

func latin(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.Is(unicode.Latin, r) })
}

// settleLoose keeps of words that may be no topic those that notes have; the others are
// passed over. Where notes have none of them, or few, the question was not understood, unless
// it is one without them.
func (p *plan) settleLoose() {
	asked := p.q.Loose && p.q.Intent == question.Digest || p.q.Intent == question.Search && len(p.q.Passed) > 0
	if asked && len(p.parser.Outcomes(p.question)) > 0 { // which no digest of a topic states
		p.q = question.Question{Lang: p.q.Lang, Window: p.q.Window}
	}
	if !p.q.Loose {
		return
	}
	f := filters{context: "any"}
	if p.q.Person != "" {
		var stop string
		if f, _, stop = p.whose(); stop != "" || p.waiting() {
			return
		}
	}
	var kept, odd []string
	for _, word := range strings.Fields(p.wordsOf(p.q.Topic)) {
		if found := p.having(f, p.searchWindow(), stems(word)).value; found != nil && found.Count > 0 && p.grammar.usual[question.Fold(word)] == 0 {
			kept = append(kept, word)
		} else {
			odd = append(odd, word)
		}
	}
	p.q.Topic = strings.Join(kept, " ")
	if p.q.Passed = append(p.q.Passed, odd...); p.q.Sure {
		return
	}
	fold := func(word string) bool { return strings.EqualFold(word, p.q.Must) }
	if len(kept) == 0 || p.q.Person == "" && len(kept) < len(odd) || p.q.Must != "" && !slices.ContainsFunc(kept, fold) {
		p.q = question.Question{Lang: p.q.Lang, Window: p.q.Window, Person: p.q.Person}
	}
}

// settleWords does the same, and searches for any word of the topic if no note has all.
func (p *plan) settleWords(f filters, w question.Window) {
	p.settleTopic(f, w)
	words := slices.DeleteFunc(strings.Fields(p.aboutWords()), func(w string) bool { return utf8.RuneCountInString(w) < leastTelling && latin(w) })
	if p.q.Choice != "" || len(strings.Fields(p.aboutWords())) < 2 || len(words) == 0 || strings.Contains(p.q.Topic, `"`) {
		return
	}
	if p.q.Lang == "en" {
		for _, word := range words {
			if single := singularWord(word); single != word {
				words = append(words, single)
			}
		}
	}
	any := strings.Join(words, " OR ")
	all, some := p.having(f, p.searchWindow(), p.topicWords()), p.having(f, w, p.ofKind(any)) // at once: a turn has few steps
	if all.value != nil && all.value.Count == 0 && some.value != nil && some.value.Count > 0 {
		p.anyOf = any
	} else if all.value != nil && all.value.Count == 0 && some.value != nil {
		begun := strings.Join(strings.Fields(stems(strings.Join(words, " "))), " OR ")
		if few := p.having(f, w, p.ofKind(begun)).value; few != nil && few.Count > 0 {
			p.anyOf = begun
		}
	}
}

// having counts the posts with these words.
func (p *plan) having(f filters, w question.Window, words string) found[tools.CountResult] {
	f.search = words
	return ask[tools.CountResult](p.turn, "count", f.args(postKinds, w))
}

// searchedFor is the topic as it was searched for.
func (p *plan) searchedFor() string {
	if p.q.Choice != "" || p.anyOf == "" && strings.EqualFold(p.aboutWords(), p.q.Topic) {
		return label(p.q.Topic, 60)
	}
	return label(strings.ReplaceAll(p.aboutWords(), " OR ", ", "), 60)
}

// singular drops the plural s of plain English words; quoted text is not changed.
func singular(topic string) string {
	if strings.Contains(topic, `"`) {
		return topic
	}
	words := strings.Fields(topic)
	for i, w := range words {
		words[i] = singularWord(w)
	}
	return strings.Join(words, " ")
}

func singularWord(w string) string {
	if len(w) < 4 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
		return w
	}
	if stem, ok := strings.CutSuffix(w, "ies"); ok && len(stem) > 2 {
		return stem + "y"
	}
	for _, end := range []string{"sses", "xes", "ches", "shes"} {
		if strings.HasSuffix(w, end) {
			return strings.TrimSuffix(w, "es")
		}
	}
	for _, end := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(w, end) {
			return w
		}
	}
	return strings.TrimSuffix(w, "s")
}

// holds counts the words that a text has, as a search finds them.
func holds(text string, words map[string]bool) int {
	n := 0
	seen := map[string]bool{}
	for tok := range search.Tokens(text) {
		if words[tok.Term] && !seen[tok.Term] {
			seen[tok.Term] = true
			n++
		}
	}
	return n
}

func tokens(text string) map[string]bool {
	out := map[string]bool{}
	for tok := range search.Tokens(text) {
		if tok.Kind == search.TokenWord {
			out[tok.Term] = true
		}
	}
	return out
}
