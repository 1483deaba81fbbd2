package builtin

import (
	"cmp"
	"slices"
	"strings"

	"bowerbird/tools"
)

// conversed tells what two people said to each other: notes of the one that are
// addressed to the other.
func (p *plan) conversed() string {
	a, stop := p.findPerson(p.q.person)
	if a == nil {
		return stop
	}
	one := p.who
	other := *p
	other.q.person, other.q.self = p.q.other, false
	b, stop := other.findPerson(p.q.other)
	if b == nil {
		return stop
	}
	p.who = one
	w := p.windowOrDefault()
	if !p.q.window.asked {
		w = window{since: p.calendar.dayStart(-30), until: p.calendar.now}
	}
	if p.settleTopic(filters{context: "any"}, w); p.waiting() {
		return ""
	}
	var notes []tools.Note
	for _, pair := range [][2]string{{a.PubKey, b.PubKey}, {b.PubKey, a.PubKey}} {
		args := filters{context: "any", author: pair[0], search: p.topicWords()}.args(postKinds, w)
		args.Mentions = pair[1]
		said, _ := p.pages(args, []page{{since: w.since.Unix(), until: w.until.Unix()}})
		notes = append(notes, said...)
	}
	if p.waiting() {
		return ""
	}
	slices.SortStableFunc(notes, func(a, b tools.Note) int { return cmp.Compare(b.CreatedAtUnix, a.CreatedAtUnix) })
	when := p.words.window(w, p.calendar.now)
	if p.q.topic != "" {
		when += " (" + p.words.marks[0].open + label(p.q.topic, 60) + p.words.marks[0].close + ")"
	}
	fillIn := []string{"name", profileName(a), "other", profileName(b), "window", when, "notes", p.words.of(p.words.note, len(notes))}
	if len(notes) == 0 {
		return fill(p.texts.conversedNone, fillIn...) + "\n"
	}
	newest := notes[:min(len(notes), maxListed)]
	slices.Reverse(newest) // told in the order in which it was said
	listed, n := p.quoteList(newCorpus(p.me), newest, maxListed)
	if p.waiting() {
		return ""
	}
	out := fill(p.texts.conversed, fillIn...) + "\n\n" + listed + "\n"
	if len(notes) > len(newest) {
		out += fill(p.words.showing, "n", p.words.number(len(newest))) + " "
	}
	if n.passed > 0 {
		out += fill(p.words.unquoted, "notes", p.words.of(p.words.note, n.passed)) + " "
	}
	return out + p.words.noModel + "\n"
}

// findThread tells the thread of the note that is described by its author and topic:
// the one with most answers.
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
	if p.q.window.asked {
		args.Since, args.Until = unix(w.since), unix(w.until)
	}
	got := ask[tools.QueryResult](p.turn, "query", args)
	if p.waiting() {
		return ""
	}
	if got.value == nil || len(got.value.Notes) == 0 {
		return p.nothing(f, w, &reading{window: w, narrow: true}, who)
	}
	p.q.note = slices.MaxFunc(got.value.Notes, func(a, b tools.Note) int { return cmp.Compare(a.Replies, b.Replies) }).NoteID
	return p.thread()
}

// story tells the thread behind a story of the answer before.
func (p *plan) story() string {
	if i := len(p.said) - 1 - p.q.back; i >= 0 {
		p.q.note = p.said[i].note(p.q.nth)
	}
	if p.q.note == "" {
		return fill(p.texts.noStory, "n", p.words.number(p.q.nth)) + "\n"
	}
	got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: p.q.note})
	if p.waiting() {
		return ""
	}
	if got.value == nil {
		return p.words.noSuchNote
	}
	p.q.note = got.value.Note.NoteID
	return p.thread()
}

// An earlier answer is the text of the turn before, and the notes that it shows.
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
