package builtin

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"bowerbird/ndb"
	"bowerbird/tools"
)

// How much of what is addressed to the reader is read and listed.
const (
	maxAddressed = 3  // pages
	maxParents   = 40 // that are looked up, to know whether they are the reader's
	maxLetters   = 8
	maxStrangers = 3 // of these
	maxHelpers   = 4 // names behind reactions
)

const kindZap = 9735

// addressed is what others wrote to the reader, and did to the reader's notes.
type addressed struct {
	letters              []letter // those of people followed first, each the newest first
	unlisted             int
	ofCounted            int // notes among those that the digest counts
	likes, reposts, zaps int
	unchecked            int // receipts of zaps that do not prove that they were paid
	sats                 int64
	by                   []string // who did what takes no words
}

// letter is a note to the reader.
type letter struct {
	note *note
	how  string // of words: how it is addressed
	text string // quoted; "" where nothing can be
}

// readAddressed reads what is addressed to the reader in a window.
func (p *plan) readAddressed(w window) []tools.Note {
	args := tools.QueryArgs{Context: "any", Mentions: p.me, Since: unix(w.since), Until: unix(w.until), Limit: pageSize}
	var out []tools.Note
	for range maxAddressed {
		got := ask[tools.QueryResult](p.turn, "query", args)
		if got.value == nil {
			break
		}
		out = append(out, got.value.Notes...)
		if args.Cursor = got.value.Cursor; args.Cursor == "" {
			break
		}
	}
	return out
}

// addressed sorts what was read of it.
func (p *plan) addressed(found []tools.Note, c *corpus) addressed {
	authors := p.parents(found, c)
	var out addressed
	var by []*person
	for i := range found {
		n := &found[i]
		who := c.person(n)
		switch n.NoteKind {
		case kindReaction:
			if !likesMine(n, p.me) {
				continue
			}
			out.likes++
		case kindRepost, kindGenericRp:
			out.reposts++
		case kindZap:
			if n.ZapSats == 0 {
				out.unchecked++
				continue // and nothing says by whom
			}
			out.zaps++
			out.sats += n.ZapSats
		default:
			out.take(p, newNote(n, who), authors)
			continue
		}
		if !slices.Contains(by, who) {
			by = append(by, who)
		}
	}
	slices.SortStableFunc(by, func(a, b *person) int {
		return cmp.Or(followedFirst(a, b), strings.Compare(a.name, b.name))
	})
	for _, who := range by {
		out.by = append(out.by, who.name)
	}
	out.cut()
	return out
}

func followedFirst(a, b *person) int {
	switch {
	case a.followed == b.followed:
		return 0
	case a.followed:
		return -1
	}
	return 1
}

// take lists a note, unless it is one to somebody else in a thread that the reader is
// only a part of.
func (a *addressed) take(p *plan, n *note, authors map[string]string) {
	l := letter{note: n}
	switch w := p.words; {
	case slices.ContainsFunc(n.quotes, func(id string) bool { return authors[id] == p.me }):
		l.how = w.quotedYou
	case n.parent != "" && authors[n.parent] == p.me:
		l.how = w.answeredYou
	case n.parent == "" || namesPerson(n.text, p.me):
		l.how = w.mentionedYou
	case authors[n.parent] == "":
		l.how = w.wroteToYou
	default:
		return
	}
	if n.author.followed && slices.Contains(postKinds, n.kind) {
		a.ofCounted++
	}
	if l.text = p.bestQuote(n); l.text == "" {
		l.text = p.anyQuote(n)
	}
	a.letters = append(a.letters, l)
}

// anyQuote quotes the longest piece of a note that can be quoted, however little it says:
// what is addressed to the reader is told all the same; "" for a picture alone.
func (p *plan) anyQuote(n *note) string {
	longest := ""
	for _, pc := range pieces(clip(n.text, maxOpening)) {
		if quote := p.quoter.quotation(pc.text, p.words.marks); columns(quote) > columns(longest) {
			longest = quote
		}
	}
	return longest
}

// cut leaves the most that are listed.
func (a *addressed) cut() {
	slices.SortStableFunc(a.letters, func(x, y letter) int {
		return cmp.Or(followedFirst(x.note.author, y.note.author), cmp.Compare(y.note.at, x.note.at))
	})
	strangers := 0
	all := len(a.letters)
	a.letters = slices.DeleteFunc(a.letters, func(l letter) bool {
		if !l.note.author.followed {
			strangers++
		}
		return strangers > maxStrangers
	})
	a.letters = a.letters[:min(len(a.letters), maxLetters)]
	a.unlisted += all - len(a.letters)
}

// parents returns who wrote what notes to the reader answer and quote.
func (p *plan) parents(found []tools.Note, c *corpus) map[string]string {
	authors, asked := map[string]string{}, 0
	look := func(id string) {
		if _, known := authors[id]; known || id == "" {
			return
		}
		if n := c.notes[id]; n != nil {
			authors[id] = n.author.key
			return
		}
		if asked++; asked > maxParents {
			return
		}
		if got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: id}); got.value != nil {
			authors[id] = got.value.Note.PubKey
		}
	}
	for i := range found {
		if n := newNote(&found[i], &person{}); slices.Contains(postKinds, n.kind) {
			look(n.parent)
			for _, id := range n.quotes {
				look(id)
			}
		}
	}
	return authors
}

// likesMine reports whether a reaction is of a note of the reader's: its last p tag
// names the author (NIP-25). Others it names only took part.
func likesMine(n *tools.Note, me string) bool {
	if _, ok := reactedTo(n); !ok {
		return false
	}
	for _, t := range slices.Backward(n.Event.Tags) {
		if len(t) > 1 && t[0] == "p" {
			return t[1] == me
		}
	}
	return false
}

// personCode finds codes of people in a text (NIP-27).
var personCode = regexp.MustCompile(`\b(?:npub|nprofile)1[02-9ac-hj-np-z]+`)

// namesPerson reports whether a text names a person by a code.
func namesPerson(text, key string) bool {
	for _, code := range personCode.FindAllString(text, -1) {
		if c, err := ndb.ParseCode(code); err == nil && c.PubKey.String() == key {
			return true
		}
	}
	return false
}

// forYou writes the section of what is addressed to the reader.
func (p *plan) forYou(a addressed, index map[string]int) []Item {
	var items []Item
	for _, l := range a.letters {
		if n := index[l.note.id]; n > 0 {
			how := fill(l.how, "name", "**"+l.note.author.name+"**")
			items = append(items, readItem(how+" "+p.told(l.note, l.text, n)))
		}
	}
	if a.unlisted > 0 {
		items = append(items, Item{Lines: []Line{{Text: fill(p.words.moreToYou, "n", p.words.number(a.unlisted))}}})
	}
	if what := p.takenUp(a); what != "" {
		items = append(items, Item{Lines: []Line{{Text: fill(p.words.onYourNotes, "what", what, "names", p.nameList(a.by, maxHelpers))}}})
	}
	if a.unchecked > 0 {
		items = append(items, Item{Lines: []Line{{Text: fill(p.words.notChecked, "zaps", p.words.of(p.words.zap, a.unchecked))}}})
	}
	return items
}

// takenUp counts what was done to the reader's notes without words.
func (p *plan) takenUp(a addressed) string {
	w := p.words
	var parts []string
	for _, x := range []struct {
		noun noun
		n    int
	}{{w.reaction, a.likes}, {w.repost, a.reposts}, {w.zap, a.zaps}} {
		if x.n > 0 {
			parts = append(parts, w.of(x.noun, x.n))
		}
	}
	if a.sats > 0 {
		parts[len(parts)-1] += " (" + w.number(int(a.sats)) + " sats)"
	}
	return w.list(parts)
}

// nameList lists names, at most some of them, and how many more there are.
func (p *plan) nameList(names []string, most int) string {
	if len(names) <= most+1 {
		return p.words.list(names)
	}
	return fill(p.words.andMore, "names", strings.Join(names[:most], p.words.listJoin), "n", p.words.number(len(names)-most))
}

// list joins parts as a sentence does.
func (w *words) list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], w.listJoin) + w.listEnd + parts[last]
}
