package builtin

import (
	"cmp"
	"slices"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

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
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
	if p.settleTopic(f, w); p.waiting() {
		return ""
	}
	f.search = p.topicWords()
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
