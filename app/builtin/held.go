package builtin

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// held answers a question that was not understood as a whole: with the notes that hold its
// words, or with what passed between the people whom it names, or with their newest notes.
// Where there is none of these, it offers other questions.
func (p *plan) held() string {
	h, ok := p.parser.Held(p.question, p.calendar, p.talk(p.opt.Language()))
	if p.waiting() {
		return ""
	}
	if !ok || p.opt.Scope.Thread != "" {
		return p.near(p.texts.Near)
	}
	p.q = question.Question{Lang: p.q.Lang, Window: h.Window, Passed: h.Passed, Except: h.Except}
	switch {
	case len(h.Names) > 2:
		return p.near(p.texts.Near)
	case len(h.Names) == 2:
		p.q.Intent, p.q.Person, p.q.Other = question.Conversed, h.Names[0], h.Names[1]
		p.q.Passed = slices.Concat(p.q.Passed, h.Words)
		return p.conversed()
	case len(h.Names) == 1:
		p.q.Person = h.Names[0]
	}
	f := filters{context: "any"}
	if p.q.Person != "" {
		var stop string
		if f, _, stop = p.whose(); stop != "" || p.waiting() {
			return stop
		}
	}
	listed := p.heldNotes(f, &h)
	switch {
	case listed != "" || p.waiting():
		return listed
	case p.q.Person != "":
		p.q.Intent, p.q.Topic = question.Latest, ""
		newest := p.listNewest()
		if len(h.Words) == 0 || newest == "" {
			return newest
		}
		p.q.Passed = h.Passed
		return words.Fill(p.words.SearchNothingBy, "topic", label(strings.Join(h.Words, " "), 60), "name", profileName(p.who)) + "\n\n" + newest
	case h.Window.Asked:
		p.q.Intent, p.q.Topic = question.Digest, ""
		return p.digest()
	case len(h.Words) > 0:
		none := words.Fill(p.words.SearchNothing, "topic", label(strings.Join(h.Words, " "), 60))
		p.q.Intent, p.q.Passed = question.Unknown, nil
		return p.near(strings.TrimSpace(none) + " " + p.texts.Near)
	}
	p.q.Intent = question.Unknown
	return p.near(p.texts.Near)
}

// heldNotes lists the notes with words of a question, which becomes a search for them; "" for
// none. Words that no note has are passed over.
func (p *plan) heldNotes(f filters, h *question.Held) string {
	var kept []string
	for _, word := range h.Words {
		if found := p.having(f, p.searchWindow(), stems(word)).value; found != nil && found.Count > 0 && p.grammar.usual[question.Fold(word)] == 0 {
			kept = append(kept, word)
		} else {
			p.q.Passed = append(p.q.Passed, word)
		}
	}
	if p.waiting() {
		return ""
	}
	begun := make([]string, len(kept))
	for i, word := range kept {
		begun[i] = stems(word)
	}
	f.search = p.withoutExcept()
	notes := p.matches(f, begun, h.Outcomes, nil)
	if p.waiting() || len(notes) == 0 {
		return ""
	}
	p.q.Intent, p.q.Topic = question.Search, strings.Join(kept, " ")
	listed, _ := p.quoteList(newCorpus(p.me), notes, mostHeld)
	if p.waiting() {
		return ""
	}
	return p.listedFor(slices.Concat(kept, h.Reports), listed)
}

// listedFor is a list of notes under the words that were looked for.
func (p *plan) listedFor(looked []string, listed string) string {
	return words.Fill(p.texts.Held, "words", p.inMarks(looked)) + "\n\n" + listed + "\n" + p.words.NoModel + "\n"
}

// wordByWord looks for the words of a question of which no note has all, at any time; none
// is the answer that says so.
func (p *plan) wordByWord(none string) string {
	h, ok := p.parser.Held(p.question, p.calendar, p.talk(p.opt.Language()))
	if !ok || len(h.Names) > 0 || p.q.Person != "" || p.q.Filter != "" || len(strings.Fields(p.q.Topic)) < 2 || strings.ContainsAny(p.q.Topic, `"#`) {
		return none
	}
	p.q.Window, p.q.Passed = question.Window{}, h.Passed
	listed := p.heldNotes(filters{context: "any"}, &h)
	if listed == "" {
		p.q.Passed = nil
		return none
	}
	return none + "\n\n" + listed
}

// mostHeld is how many notes with words of a question are listed.
const mostHeld = 8

// talk is where the question is asked, with the language of the window.
func (t *turn) talk(window string) *question.Talk {
	return &question.Talk{Before: t.before, Lang: window, Known: t.knows}
}

// matches returns the notes that hold words, those with the rarest and the most first, of
// equal ones the newest. To them come notes that report an outcome, if they are of an author, a
// thread or a hashtag of the others or of notes already shown, or begin with it.
func (p *plan) matches(f filters, held, outcomes []string, shown []*note) []tools.Note {
	type match struct {
		tools.Note
		score float64
	}
	found, ids := map[string]*match{}, []string(nil)
	look := func(search string) []tools.Note {
		args := f.args(postKinds, p.searchWindow())
		got := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
			Context: args.Context, Author: args.Author, Search: strings.TrimSpace(search + " " + f.search), Kind: args.Kind, IncludeReplies: true,
			Since: args.Since, Until: args.Until, Limit: maxTable,
		}).value
		if got == nil {
			return nil
		}
		return got.Notes
	}
	add := func(n tools.Note, score float64) {
		if found[n.NoteID] == nil {
			found[n.NoteID] = &match{Note: n}
			ids = append(ids, n.NoteID)
		}
		found[n.NoteID].score += score
	}
	for _, word := range held {
		notes := look(word)
		weight := 1 / math.Log2(2+float64(len(notes)))
		for _, n := range notes {
			add(n, weight)
		}
	}
	c := newCorpus(p.me)
	noteOf := func(n *tools.Note) *note { return newNote(n, c.person(n)) }
	topical := slices.Clone(shown)
	for _, id := range ids {
		topical = append(topical, noteOf(&found[id].Note))
	}
	if len(outcomes) > 0 {
		for _, n := range look("(" + strings.Join(outcomes, " OR ") + ")") {
			score := 0.0
			if slices.ContainsFunc(topical, func(o *note) bool { return akin(noteOf(&n), o) }) {
				score = akinWeight
			}
			if p.beginsWith(&n, outcomes) {
				score += firstWeight
			}
			if score >= akinWeight || len(topical) == 0 || score > 0 && p.q.Person == "" {
				add(n, score)
			}
		}
	}
	list := make([]*match, len(ids))
	for i, id := range ids {
		list[i] = found[id]
	}
	slices.SortStableFunc(list, func(a, b *match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.CreatedAtUnix, a.CreatedAtUnix))
	})
	out := make([]tools.Note, len(list))
	for i, m := range list {
		out[i] = m.Note
	}
	return out
}

// akinWeight is what a note that reports an outcome counts if it is akin to one that has the
// words, and firstWeight if it begins with the outcome; two words of a dozen notes weigh as much.
const akinWeight, firstWeight = 0.5, 0.4

// firstWords is how many characters at the beginning of a note announce what it reports.
const firstWords = 24

// beginsWith reports whether a note begins with a word that reports an outcome: “Found!”
func (p *plan) beginsWith(n *tools.Note, outcomes []string) bool {
	begin := question.Fold(n.Content)
	for i := range begin {
		if utf8.RuneCountInString(begin[:i]) >= firstWords {
			begin = begin[:i]
			break
		}
	}
	return slices.ContainsFunc(outcomes, func(word string) bool {
		return strings.Contains(begin, question.Fold(strings.TrimSuffix(word, "*")))
	})
}

// akin reports whether two notes are of one author, thread or hashtag.
func akin(a, b *note) bool {
	return a.author.key == b.author.key || cmp.Or(a.root, a.id) == cmp.Or(b.root, b.id) ||
		slices.ContainsFunc(a.hashtags, func(tag string) bool { return slices.Contains(b.hashtags, tag) })
}

// inMarks lists words in quotation marks.
func (p *plan) inMarks(said []string) string {
	out := make([]string, len(said))
	for i, word := range said {
		out[i] = p.words.Marks[0].Open + label(asTyped(word, p.question), 40) + p.words.Marks[0].Close
	}
	return strings.Join(out, p.words.ListJoin)
}

// withoutExcept is what keeps out of a search whom or what a question leaves out.
func (p *plan) withoutExcept() string {
	if p.q.Except == "" {
		return ""
	}
	if one := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: p.q.Except}); one.value != nil {
		return "-from:" + one.value.Npub
	}
	return "-" + strings.ReplaceAll(stems(p.q.Except), " ", " -")
}

// leavesOut reports whether a question is one of which something can be left out.
func (p *plan) leavesOut() bool {
	switch p.q.Intent {
	case question.Digest:
		return p.q.Topic != ""
	case question.Search, question.Popular, question.Articles, question.Pictures, question.Links, question.Latest, question.Count, question.TopPosters, question.TopHashtags:
		return true
	}
	return false
}

// further lists notes of a topic that the answer does not cite: first those that report the
// outcome that is asked after, then the newest, at whatever time if none was asked about.
func (p *plan) further(f filters, r *reading, cited []string) []*note {
	if p.q.Topic == "" || p.q.Unseen {
		return nil
	}
	topic := "(" + f.search + ")"
	f.search = ""
	notes := p.matches(f, []string{topic}, p.parser.Outcomes(p.question), r.corpus.sorted())
	c := newCorpus(p.me)
	listed := slices.DeleteFunc(c.listed(notes), func(n *note) bool {
		read := r.corpus.notes[n.id]
		return slices.Contains(cited, n.id) || n.repeated || read != nil && read.repeated || cmp.Or(p.bestQuote(n), p.anyQuote(n)) == ""
	})
	return listed[:min(len(listed), mostHeld)]
}

// furtherItems quotes them.
func (p *plan) furtherItems(notes []*note, index map[string]int) (items []Item) {
	for _, n := range notes {
		if index[n.id] > 0 {
			quote := cmp.Or(p.bestQuote(n), p.anyQuote(n))
			items = append(items, Item{Lines: []Line{{Text: n.author.name + ", " + p.when(n.at) + ": " + p.quoted(n, quote, index[n.id])}}})
		}
	}
	return items
}
