package builtin

import (
	"slices"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// maxListed is how many notes an answer lists.
const maxListed = 12

// search lists the newest notes with the words asked for, those by people followed before
// all others.
func (p *plan) search() string {
	if strings.Trim(p.q.Topic, ` "#`) == "" && p.q.Filter == "" {
		return p.words.SearchWhat
	}
	if p.settleTopic(filters{context: "any"}, p.searchWindow()); p.waiting() {
		return ""
	}
	args := tools.QueryArgs{Context: "home", Search: strings.TrimSpace(p.q.Topic + " " + p.q.Filter + " " + p.withoutExcept()), Kind: postKinds, IncludeReplies: true, Limit: 60}
	if w := p.q.Window; w.Asked {
		args.Since, args.Until = unix(w.Since), unix(w.Until)
	}
	title, name, got, stop := p.find(args)
	switch {
	case stop != "" || p.waiting():
		return stop
	case got == nil:
		return p.words.Failed
	case len(got.Notes) == 0 && p.q.Window.Asked: // at other times there may be some
		f := filters{context: "home", search: args.Search}
		if p.who != nil {
			f.context, f.author = "profile", p.who.PubKey
		}
		return p.nothing(f, p.q.Window, &reading{window: p.q.Window, narrow: true}, p.who)
	case len(got.Notes) == 0:
		return p.wordByWord(words.Fill(title, "topic", label(strings.TrimSpace(p.q.Topic+" "+p.q.Filter), 60), "name", name))
	}
	listed, n := p.quoteList(newCorpus(p.me), got.Notes, maxListed)
	if p.waiting() {
		return ""
	}
	out := words.Fill(title, "notes", p.words.Of(p.words.Note, got.Total), "topic", label(strings.TrimSpace(p.q.Topic+" "+p.q.Filter), 60), "name", name)
	if n.quoted > 0 {
		out += "\n\n" + listed + "\n"
	} else {
		out = strings.TrimRight(out, ":： ") + ". "
	}
	if n.quoted > 0 && got.Total > n.quoted+n.passed+n.again {
		out += words.Fill(p.words.Showing, "n", p.words.Number(n.quoted)) + " "
	}
	if n.passed > 0 {
		out += words.Fill(p.words.Unquoted, "notes", p.words.Of(p.words.Note, n.passed)) + " "
	}
	return out + p.words.NoModel + "\n"
}

// find searches the notes of a person if one is meant; else those of people followed; else
// all. It returns the words for the result.
func (p *plan) find(args tools.QueryArgs) (title, name string, got *tools.QueryResult, stop string) {
	if p.q.Person != "" {
		f, who, stop := p.whose()
		if stop != "" || p.waiting() {
			return "", "", nil, stop
		}
		args.Context, args.Author = f.context, f.author
		got = ask[tools.QueryResult](p.turn, "query", args).value
		if title = p.words.SearchBy; got != nil && len(got.Notes) == 0 {
			title = p.words.SearchNothingBy
		}
		return title, profileName(who), got, ""
	}
	near := ask[tools.QueryResult](p.turn, "query", args)
	args.Context = "any"
	far := ask[tools.QueryResult](p.turn, "query", args)
	if near.value != nil && len(near.value.Notes) > 0 {
		return p.words.SearchTitle, "", near.value, ""
	}
	if title = p.words.SearchStrange; far.value != nil && len(far.value.Notes) == 0 {
		title = p.words.SearchNothing
	}
	return title, "", far.value, ""
}

// searchWindow is the time that a search covers: all, unless one is asked.
func (p *plan) searchWindow() question.Window {
	if p.q.Window.Asked {
		return p.q.Window
	}
	return question.Window{Since: time.Unix(0, 0), Until: p.calendar.Now}
}

// listing counts the notes that a list quotes, those it passes over because none of their
// sentences can be quoted, and those that repeat another one.
type listing struct{ quoted, passed, again int }

// quoteList quotes one sentence of each of the first notes, at most so many, and shows the
// notes.
func (p *plan) quoteList(c *corpus, notes []tools.Note, most int) (string, listing) {
	type line struct {
		note  *note
		quote string
	}
	var lines []line
	var ids []string
	var count listing
	for _, n := range c.listed(notes) {
		if len(lines) == most {
			break
		}
		if n.repeated {
			count.again++
			continue
		}
		quote := p.bestQuote(n)
		if quote == "" {
			quote = p.anyQuote(n)
		}
		if quote == "" {
			count.passed++
			continue
		}
		lines = append(lines, line{n, quote})
		ids = append(ids, n.id)
	}
	index := p.present(ids)
	var b strings.Builder
	for _, l := range lines {
		if index[l.note.id] > 0 {
			count.quoted++
			b.WriteString("- " + l.note.author.name + ", " + p.when(l.note.at) + ": " + p.quoted(l.note, l.quote, index[l.note.id]) + "\n")
		}
	}
	return b.String(), count
}

// listed converts what a tool found, in its order.
func (c *corpus) listed(found []tools.Note) []*note {
	notes := make([]*note, len(found))
	for i := range found {
		notes[i] = newNote(&found[i], c.person(&found[i]))
	}
	sorted := slices.Clone(notes)
	sortNotes(sorted)
	c.markRepeated(sorted)
	return notes
}

// bestQuote quotes the sentence of a note with most of the words asked about, or the best
// by itself; "" if none can be quoted.
func (p *plan) bestQuote(n *note) string {
	lexis := newLexis(1)
	p.grammar.words(p.q.Topic, lexis.words)
	t := &topic{notes: []*note{n}, begin: n}
	for _, w := range lexis.words.sorted() {
		if w.content {
			t.core = append(t.core, weighed{w, 10})
		}
	}
	list := p.newDrafter(lexis).candidates(t)
	words := tokens(p.q.Topic)
	best, most := "", 0
	for _, c := range list {
		if n := holds(c.text, words); best == "" || n > most {
			best, most = c.text, n
		}
	}
	if most == 0 && len(words) > 0 {
		for _, pc := range pieces(clip(n.text, maxOpening)) {
			if quote := p.quoter.quotation(pc.text, p.words.Marks); holds(quote, words) > 0 {
				return quote
			}
		}
	}
	return best
}

// when formats a Unix time in the user's zone.
func (p *plan) when(at int64) string { return p.words.When(time.Unix(at, 0), p.calendar.Now) }

// thread answers with a conversation: how it begins, and answers by as many different
// people as possible.
func (p *plan) thread() string {
	if p.q.Note == "" {
		return p.words.WhichNote
	}
	if _, err := nostr.ParseID(strings.ToLower(p.q.Note)); err != nil {
		if _, err := nostr.ParseCode(p.q.Note); err != nil {
			return words.Fill(p.words.BadCode, "code", label(p.q.Note, 20))
		}
	}
	got := ask[tools.ThreadResult](p.turn, "get_thread", tools.GetNoteArgs{NoteID: p.q.Note})
	if p.waiting() {
		return ""
	}
	if got.value == nil || got.value.Total == 0 {
		return p.words.NoSuchNote
	}
	c := newCorpus(p.me)
	missing := 0
	var notes []*tools.Note
	for i := range got.value.Notes {
		if n := &got.value.Notes[i]; n.Missing {
			missing++
		} else {
			notes = append(notes, &n.Note)
		}
	}
	c.addHome(notes)
	for _, by := range c.people { // everyone in the thread counts
		by.followed = true
	}
	t, d := p.wholeThread(c, notes[0].NoteID)
	begin := d.quotes(&topic{notes: t.notes[:1], begin: t.begin, core: t.core}, 1)
	rest := *t
	rest.notes = slices.DeleteFunc(slices.Clone(t.notes), func(n *note) bool { return n == t.begin })
	answers := d.inOrder(&rest, min(2+len(t.people)/2, 8))
	var ids []string
	for _, c := range slices.Concat(begin, answers) {
		ids = append(ids, c.note.id)
	}
	index := p.present(ids)
	if p.waiting() {
		return ""
	}
	var b strings.Builder
	b.WriteString(words.Fill(p.words.ThreadTitle, "notes", p.words.Of(p.words.Note, got.value.Total), "people", p.words.Of(p.words.Person, len(c.people))) + "\n\n")
	for _, part := range []struct {
		title string
		cites []cite
	}{{p.words.ThreadAsked, begin}, {p.words.ThreadReplies, answers}} {
		if len(part.cites) == 0 {
			continue
		}
		b.WriteString(part.title + "\n\n")
		for _, ct := range part.cites {
			if index[ct.note.id] > 0 {
				b.WriteString("- " + ct.note.author.name + ": " + ct.text + " " + ref(index[ct.note.id]) + "\n")
			}
		}
		b.WriteString("\n")
	}
	if left := len(notes) - len(begin); len(answers) == 0 && left > 0 {
		b.WriteString(words.Fill(p.words.Unquoted, "notes", p.words.Of(p.words.Note, left)) + " ")
	} else if left = len(notes) - 1 - len(answers); left > 0 {
		b.WriteString(words.Fill(p.words.ThreadUnquoted, "notes", p.words.Of(p.words.Note, left)) + " ")
	}
	if missing > 0 {
		b.WriteString(words.Fill(p.words.ThreadMissing, "notes", p.words.Of(p.words.Note, missing)) + " ")
	}
	b.WriteString(p.words.NoModel + "\n")
	return b.String()
}

// longestThread answers with the conversation that has most notes.
func (p *plan) longestThread() string {
	f, stop := p.crowd()
	if stop != "" || p.waiting() {
		return stop
	}
	w := p.rankingWindow()
	notes, _ := p.posts(f.args(postKinds, w), w)
	if p.waiting() {
		return ""
	}
	c, sizes := newCorpus(p.me), map[string]int{}
	for i := range notes {
		if n := newNote(&notes[i], c.person(&notes[i])); n.root != "" {
			sizes[n.root]++
		}
	}
	for _, root := range sortedKeys(sizes) { // the first of those that are equally long
		if p.q.Note == "" || sizes[root] > sizes[p.q.Note] {
			p.q.Note = root
		}
	}
	if p.q.Note == "" {
		return words.Fill(p.words.NoThread, "window", p.words.Window(w, p.calendar.Now)) + "\n"
	}
	return p.thread()
}

// wholeThread makes one topic of all notes of a thread.
func (p *plan) wholeThread(c *corpus, root string) (*topic, *drafter) {
	sorted := c.sorted()
	c.markRepeated(sorted)
	lexis := c.weigh(p.ctx, sorted, p.grammar)
	t := &topic{notes: sorted, begin: sorted[0], people: map[*person]float64{}}
	for _, n := range sorted {
		t.join(n.author, weightWrite)
		if n.id == root {
			t.begin, n.repeated = n, false // it is quoted even if its author repeated it
		}
	}
	i := slices.Index(t.notes, t.begin)
	t.notes = slices.Concat(t.notes[i:i+1], t.notes[:i], t.notes[i+1:])
	t.core = core(t, lexis)
	return t, p.newDrafter(lexis)
}
