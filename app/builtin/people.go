package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// maxSeveral is how many people of one name are listed.
const maxSeveral = 8

// findPerson finds the person who is meant; if that is nobody, or not one alone, it returns
// the answer that says so. Both are empty while tools are at work.
func (p *plan) findPerson(name string) (*tools.ProfileResult, string) {
	if p.q.Self {
		if name = p.me; name == "" {
			return nil, p.words.NobodyChosen
		}
	}
	if scope := p.opt.Scope.Person; scope != "" && name != scope {
		open := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: scope})
		if open.value != nil && goesBy(open.value, name) {
			return open.value, "" // there may be others of the same name
		}
	}
	one := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: name})
	many := ask[tools.FindProfileResult](p.turn, "find_profile", tools.FindProfileArgs{Name: name, Limit: maxSeveral})
	switch {
	case p.waiting():
		return nil, ""
	case one.value != nil:
		return one.value, ""
	case many.value == nil || len(many.value.People) == 0:
		names := p.names()
		if p.waiting() {
			return nil, ""
		}
		if near := question.Nearest(name, names); near != "" {
			return p.findPerson(near) // it is misspelt
		}
		if p.holdsAName(name) {
			return nil, p.near(p.texts.Near)
		}
		if p.q.Intent == question.WhoIs {
			if of := p.notesNaming(name); of != "" || p.waiting() {
				return nil, of
			}
		}
		return nil, p.nobodyCalled(name, names)
	}
	people := exactlyNamed(many.value.People, name)
	if len(people) == 1 {
		return &people[0], ""
	}
	var b strings.Builder
	b.WriteString(words.Fill(p.words.SeveralPeople, "name", label(name, 60)) + "\n\n")
	for i := range people {
		who := &people[i]
		b.WriteString("- " + profileName(who) + ", " + who.Npub + "\n")
	}
	return nil, b.String()
}

// exactlyNamed returns those who have exactly that name, or all if nobody does: names that
// contain it, and mentions in texts, come second.
func exactlyNamed(people []tools.ProfileResult, name string) []tools.ProfileResult {
	var out []tools.ProfileResult
	for _, who := range people {
		if goesBy(&who, name) {
			out = append(out, who)
		}
	}
	if len(out) == 0 {
		return people
	}
	return out
}

// knows reports whether somebody has a name.
func (t *turn) knows(name string) bool {
	got := ask[tools.FindProfileResult](t, "find_profile", tools.FindProfileArgs{Name: name, Limit: maxSeveral})
	return got.value != nil && slices.ContainsFunc(got.value.People, func(who tools.ProfileResult) bool { return goesBy(&who, name) })
}

// holdsAName reports whether one of several words is somebody's name: then the others were
// not understood.
func (t *turn) holdsAName(said string) bool {
	all := strings.Fields(said)
	return len(all) > 1 && slices.ContainsFunc(all, t.knows)
}

// goesBy reports whether a person has a name.
func goesBy(who *tools.ProfileResult, name string) bool {
	name = question.Fold(name)
	return question.Fold(who.Name) == name || question.Fold(who.DisplayName) == name || question.Fold(profileName(who)) == name
}

func profileName(r *tools.ProfileResult) string {
	name := r.DisplayName
	if label(name, maxName) == "" {
		name = r.Name
	}
	return personName(name, r.PubKey)
}

// notesNaming lists the notes that hold the name of somebody who writes none here; "" for none.
func (p *plan) notesNaming(name string) string {
	notes := p.matches(filters{context: "any"}, []string{strconv.Quote(name)}, nil, nil)
	if len(notes) == 0 {
		return ""
	}
	listed, _ := p.quoteList(newCorpus(p.me), notes, mostHeld)
	return p.listedFor([]string{name}, listed)
}

// whoIs answers what is stored of a person, with their newest notes.
func (p *plan) whoIs() string {
	who, stop := p.findPerson(p.q.Person)
	if who == nil {
		return stop
	}
	full := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: who.PubKey})
	newest := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: "profile", Author: who.PubKey, Kind: postKinds, Limit: 10,
	})
	if p.waiting() {
		return ""
	}
	if full.value != nil {
		who = full.value
	}
	name := profileName(who)
	lines := []string{"**" + name + "**, " + who.Npub}
	if about := p.firstPlain(who.About); about != "" {
		lines = append(lines, about)
	}
	followed := p.words.ProfileNotFollowed
	switch {
	case who.PubKey == p.me:
		followed = p.words.ProfileSelf
	case who.Followed:
		followed = p.words.ProfileFollowed
	}
	facts := []string{words.Fill(followed, "name", name), words.Fill(p.words.ProfileNotes, "notes", p.words.Of(p.words.Note, who.Notes))}
	if who.Follows > 0 {
		facts = append(facts, words.Fill(p.words.ProfileFollows, "people", p.words.Of(p.words.Person, who.Follows)))
	}
	lines = append(lines, strings.Join(facts, " "))
	if newest.value != nil {
		c := newCorpus(p.me)
		said, _ := p.quoteList(c, newest.value.Notes, 3)
		if p.waiting() {
			return ""
		}
		lines = append(lines, said)
	}
	return strings.Join(lines, "\n\n") + "\n"
}

// following answers how many people the user follows.
func (p *plan) following() string {
	if p.me == "" {
		return p.words.NobodyChosen
	}
	me := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: p.me})
	switch {
	case p.waiting():
		return ""
	case me.value == nil:
		return p.words.Failed
	case me.value.Follows == 0:
		return p.words.Nobody
	}
	return words.Fill(p.texts.YouFollow, "people", p.words.Of(p.words.Person, me.value.Follows)) + "\n"
}

// firstPlain quotes the first two sentences of a text that can be quoted.
func (p *plan) firstPlain(text string) string {
	var out []string
	for _, pc := range pieces(clip(text, 2000)) {
		if quote := p.quoter.quotation(pc.text, p.words.Marks); quote != "" && len(out) < 2 {
			out = append(out, quote)
		}
	}
	return strings.Join(out, " ")
}

// settleName takes a topic that is the whole question for a person, if no note has the word
// and somebody's name is one letter off.
func (p *plan) settleName() {
	if !p.q.Either {
		return
	}
	found := ask[tools.CountResult](p.turn, "count", filters{context: "any", search: p.q.Topic}.args(postKinds, p.searchWindow()))
	names := p.names()
	if near := question.Nearest(p.q.Topic, names); near != "" && found.value != nil && found.value.Count == 0 {
		p.q.Person, p.q.Topic = near, ""
	}
}

// conversed lists what two people wrote to each other: notes of one that mention the other.
func (p *plan) conversed() string {
	a, stop := p.findPerson(p.q.Person)
	if a == nil {
		return stop
	}
	one := p.who
	other := *p
	other.q.Person, other.q.Self = p.q.Other, false
	b, stop := other.findPerson(p.q.Other)
	if b == nil {
		return stop
	}
	p.who = one
	w := p.windowOrDefault()
	if !p.q.Window.Asked {
		w = question.Window{Since: p.calendar.DayStart(-30), Until: p.calendar.Now}
	}
	if p.settleTopic(filters{context: "any"}, w); p.waiting() {
		return ""
	}
	var notes []tools.Note
	for _, pair := range [][2]string{{a.PubKey, b.PubKey}, {b.PubKey, a.PubKey}} {
		args := filters{context: "any", author: pair[0], search: p.topicWords()}.args(postKinds, w)
		args.Mentions = pair[1]
		said, _ := p.pages(args, []page{{since: w.Since.Unix(), until: w.Until.Unix()}})
		notes = append(notes, said...)
	}
	if p.waiting() {
		return ""
	}
	slices.SortStableFunc(notes, func(a, b tools.Note) int { return cmp.Compare(b.CreatedAtUnix, a.CreatedAtUnix) })
	when := p.words.Window(w, p.calendar.Now)
	if p.q.Topic != "" {
		when += " (" + p.words.Marks[0].Open + label(p.q.Topic, 60) + p.words.Marks[0].Close + ")"
	}
	fillIn := []string{"name", profileName(a), "other", profileName(b), "window", when, "notes", p.words.Of(p.words.Note, len(notes))}
	if len(notes) == 0 {
		return words.Fill(p.texts.ConversedNone, fillIn...) + "\n"
	}
	newest := notes[:min(len(notes), maxListed)]
	slices.Reverse(newest) // in the order in which they were written
	listed, n := p.quoteList(newCorpus(p.me), newest, maxListed)
	if p.waiting() {
		return ""
	}
	out := words.Fill(p.texts.Conversed, fillIn...) + "\n\n" + listed + "\n"
	if len(notes) > len(newest) {
		out += words.Fill(p.words.Showing, "n", p.words.Number(len(newest))) + " "
	}
	if n.passed > 0 {
		out += words.Fill(p.words.Unquoted, "notes", p.words.Of(p.words.Note, n.passed)) + " "
	}
	return out + p.words.NoModel + "\n"
}

// findThread answers with the thread of the note described by its author and topic: the one
// with most answers.
func (p *plan) findThread() string {
	w := p.searchWindow()
	f, who, stop, ok := p.begin(w, p.settleTopic)
	if !ok {
		return stop
	}
	args := tools.QueryArgs{Context: f.context, Author: f.author, Search: f.search, Kind: postKinds, IncludeReplies: true, Limit: maxTable}
	if p.q.Window.Asked {
		args.Since, args.Until = unix(w.Since), unix(w.Until)
	}
	got := ask[tools.QueryResult](p.turn, "query", args)
	if p.waiting() {
		return ""
	}
	if got.value == nil || len(got.value.Notes) == 0 {
		return p.nothing(f, w, &reading{window: w, narrow: true}, who)
	}
	p.q.Note = slices.MaxFunc(got.value.Notes, func(a, b tools.Note) int { return cmp.Compare(a.Replies, b.Replies) }).NoteID
	return p.thread()
}

// story answers with the thread behind a story of the previous answer.
func (p *plan) story() string {
	if i := len(p.said) - 1 - p.q.Back; i >= 0 {
		p.q.Note = p.said[i].note(p.q.Nth)
	}
	if p.q.Note == "" {
		return words.Fill(p.texts.NoStory, "n", p.words.Number(p.q.Nth)) + "\n"
	}
	got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: p.q.Note})
	if p.waiting() {
		return ""
	}
	if got.value == nil {
		return p.words.NoSuchNote
	}
	p.q.Note = got.value.Note.NoteID
	return p.thread()
}

// An earlierAnswer is the text of a previous turn, and the notes that it shows.
type earlierAnswer struct {
	text  string
	notes map[int]string // ids by their number
}

// note returns the first note that the nth item of an answer cites.
func (e earlierAnswer) note(nth int) string {
	items := e.items()
	if nth > len(items) {
		return ""
	}
	for _, behind := range strings.Split(items[nth-1], "^")[1:] {
		if n, ok := leadingNumber(behind); ok && e.notes[n] != "" {
			return e.notes[n]
		}
	}
	return ""
}

// items are the entries of an answer's lists. Of a digest, only its stories count.
func (e earlierAnswer) items() (items []string) {
	if d, ok := ReadDigest(e.text); ok {
		for _, s := range d.Sections {
			if s.Kind != Stories && s.Kind != Brief {
				continue
			}
			for _, it := range s.Items {
				text := ""
				for _, l := range it.Lines {
					text += l.Text + " "
				}
				items = append(items, text)
			}
		}
		return items
	}
	for line := range strings.Lines(e.text) {
		if strings.HasPrefix(line, "- ") {
			items = append(items, line)
		}
	}
	return items
}

func leadingNumber(s string) (n int, ok bool) {
	for i := 0; i < len(s) && i < 4 && s[i] >= '0' && s[i] <= '9'; i++ {
		n, ok = n*10+int(s[i]-'0'), true
	}
	return n, ok
}
