package builtin

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
	"bowerbird/tools"
)

// How much of what is addressed to the user is read and listed.
const (
	maxAddressed = 3  // pages of each sort
	maxParents   = 40 // answered notes that are looked up, to see whose they are
	maxLetters   = 8
	maxStrangers = 3  // of the letters
	maxHelpers   = 3  // names of people who reacted
	maxNamed     = 12 // of them, where it is asked who they are
	maxEmoji     = 8
)

// kindZap is a zap receipt (NIP-57).
const kindZap = 9735

// inbox is what is addressed to the user, as far as it was read, and of which sorts there
// is more.
type inbox struct {
	notes                                             []tools.Note
	own                                               []tools.Note // the user's newest
	moreByFriends, moreNotes, moreReactions, moreActs bool
}

// addressed is what others wrote to the user, and did to the user's notes.
type addressed struct {
	inbox
	letters              []letter // those of people followed first, each the newest first
	unlisted             int
	ofCounted            int // notes among those that the digest counts
	likes, reposts, zaps int
	unchecked            int // receipts of zaps that do not add up
	sats                 int64
	by                   []string // who did what takes no words
	latest               int64    // when that was done last
	on                   int      // to how many notes
	onMe                 bool     // some of it to no note: a zap of the profile
	doers                []*person
	times                map[string]int // how often to each note
	best                 *note          // the note with most of it; nil for none
}

// letter is a note to the user.
type letter struct {
	note *note
	how  string // of words: how it is addressed
	text string // its quotation, or a description
}

// readAddressed reads what is addressed to the user in a window. Notes by people followed
// are read by themselves, so that no flood of strangers and likes hides them.
func (p *plan) readAddressed(w question.Window) (in inbox) {
	seen := map[string]bool{}
	read := func(context string, kinds tools.Kinds) (more bool) {
		args := tools.QueryArgs{Context: context, Kind: kinds, Mentions: p.me, Since: unix(w.Since), Until: unix(w.Until), Limit: pageSize}
		for range maxAddressed {
			got := ask[tools.QueryResult](p.turn, "query", args)
			if got.value == nil {
				return true
			}
			for _, n := range got.value.Notes {
				if !seen[n.NoteID] {
					seen[n.NoteID] = true
					in.notes = append(in.notes, n)
				}
			}
			if args.Cursor = got.value.Cursor; args.Cursor == "" {
				return false
			}
		}
		return true
	}
	own := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{Context: "any", Author: p.me, Kind: postKinds, Until: unix(w.Until), IncludeReplies: true, Limit: pageSize})
	if own.value != nil {
		in.own = own.value.Notes
	}
	in.moreByFriends = read("home", postKinds)
	in.moreNotes = read("any", postKinds)
	in.moreReactions = read("any", tools.Kinds{kindReaction})
	in.moreActs = read("any", append(slices.Clone(repostKinds), kindZap))
	return in
}

// addressed sorts what was read by how it turns to the user.
func (p *plan) addressed(in inbox, c *corpus) addressed {
	found := in.notes
	authors := p.parents(in, c)
	out := addressed{inbox: in, times: map[string]int{}}
	for i := range found {
		n := &found[i]
		who := c.person(n)
		if slices.Contains(postKinds, n.NoteKind) {
			out.take(p, newNote(n, who), authors)
		} else if p.doneToMine(n) {
			out.done(n, who)
		}
	}
	p.settleDone(&out, c)
	for _, n := range c.sorted() {
		mine := p.me != "" && authors[n.parent] == p.me && n.fresh && n.author.followed && !n.repeated
		if mine && !slices.ContainsFunc(found, func(o tools.Note) bool { return o.NoteID == n.id }) {
			out.take(p, n, authors) // an answer needs no tag that names whom it answers
		}
	}
	out.cut()
	return out
}

// done counts a reaction, repost or zap.
func (a *addressed) done(n *tools.Note, who *person) {
	switch n.NoteKind {
	case kindReaction:
		a.likes++
	case kindRepost, kindGenericRp:
		a.reposts++
	case kindZap:
		if n.ZapSats == 0 {
			a.unchecked++
			return // its sender is unknown, too
		}
		a.zaps++
		a.sats += n.ZapSats
		_, article := n.Event.Tags.Value("a")
		a.onMe = a.onMe || n.About == "" && !article
	}
	a.latest = max(a.latest, n.CreatedAtUnix)
	a.times[cmp.Or(n.About, n.RepostOf)]++
	if !slices.Contains(a.doers, who) {
		a.doers = append(a.doers, who)
	}
}

// settleDone lists who did it, people followed first, and which note got most.
func (p *plan) settleDone(a *addressed, c *corpus) {
	slices.SortStableFunc(a.doers, func(a, b *person) int {
		return cmp.Or(trueFirst(a.followed, b.followed), strings.Compare(a.name, b.name))
	})
	for _, who := range a.doers {
		a.by = append(a.by, who.name)
	}
	a.on, a.best = len(a.times), p.mostTaken(a.times, a.inbox.own, c)
}

// mostTaken returns the user's note that got more reactions, reposts and zaps than any
// other, nil for none.
func (p *plan) mostTaken(on map[string]int, own []tools.Note, c *corpus) *note {
	best, most := "", 0
	for id, n := range on {
		switch {
		case n > most:
			best, most = id, n
		case n == most:
			best = ""
		}
	}
	if i := slices.IndexFunc(own, func(n tools.Note) bool { return n.NoteID == best }); i >= 0 {
		return newNote(&own[i], c.person(&own[i]))
	}
	if best == "" {
		return nil
	}
	got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: best})
	if got.value == nil || got.value.Note.PubKey != p.me {
		return nil
	}
	return newNote(&got.value.Note, c.person(&got.value.Note))
}

// take lists a note, unless it answers somebody else in a thread that the user merely takes
// part in.
func (a *addressed) take(p *plan, n *note, authors map[string]string) {
	l := letter{note: n}
	switch w := p.words; {
	case slices.ContainsFunc(n.quotes, func(id string) bool { return authors[id] == p.me }):
		l.how = w.QuotedYou
	case n.parent != "" && authors[n.parent] == p.me:
		l.how = w.AnsweredYou
	case n.parent == "" || namesPerson(n.text, p.me):
		l.how = w.MentionedYou
	case authors[n.parent] == "":
		l.how = w.WroteToYou
	default:
		return
	}
	if n.author.followed && slices.Contains(postKinds, n.kind) {
		a.ofCounted++
	}
	l.text = p.letterText(n)
	a.letters = append(a.letters, l)
}

// letterText quotes a note to the user, or describes it if it cannot be quoted.
func (p *plan) letterText(n *note) string {
	quote := p.bestQuote(n)
	if quote == "" {
		quote = p.anyQuote(n)
	}
	picture, _ := search.Parse("has:image")
	emoji := !strings.ContainsFunc(n.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	switch {
	case quote != "":
		return quote
	case picture.Match(&nostr.Event{Kind: kindNote, Content: n.text}):
		return p.words.APicture
	case strings.Contains(n.text, "://"):
		return p.words.ALink
	case emoji && hasSymbol(label(n.text, maxEmoji)):
		return label(n.text, maxEmoji)
	}
	return p.words.SeeNote
}

// anyQuote quotes the longest piece that can be quoted, however little it says: what is
// addressed to the user is always listed. It is "" for a mere picture.
func (p *plan) anyQuote(n *note) string {
	longest := ""
	for _, pc := range pieces(clip(n.text, maxOpening)) {
		if quote := p.quoter.quotation(pc.text, p.words.Marks); columns(quote) > columns(longest) {
			longest = quote
		}
	}
	return longest
}

// cut limits the letters: people followed first; of strangers, each has one before any has
// two.
func (a *addressed) cut() {
	slices.SortStableFunc(a.letters, func(x, y letter) int {
		return cmp.Or(trueFirst(x.note.author.followed, y.note.author.followed), cmp.Compare(y.note.at, x.note.at))
	})
	wrote := map[*person]bool{}
	var again []letter // by strangers, of whom each has one place first
	all := len(a.letters)
	a.letters = slices.DeleteFunc(a.letters, func(l letter) bool {
		who := l.note.author
		second := wrote[who] && !who.followed
		if wrote[who] = true; second {
			again = append(again, l)
		}
		return second
	})
	a.letters = append(a.letters, again...)
	strangers := 0
	a.letters = slices.DeleteFunc(a.letters, func(l letter) bool {
		if !l.note.author.followed {
			strangers++
		}
		return strangers > maxStrangers
	})
	a.letters = a.letters[:min(len(a.letters), maxLetters)]
	a.unlisted += all - len(a.letters)
}

// parents returns the authors of the notes that notes to the user answer and quote.
func (p *plan) parents(in inbox, c *corpus) map[string]string {
	authors, asked := map[string]string{}, 0
	for _, n := range in.own {
		authors[n.NoteID] = p.me
	}
	found := in.notes
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

// doneToMine reports whether a reaction, repost or zap that names the user is about a note
// of theirs.
func (p *plan) doneToMine(n *tools.Note) bool {
	switch n.NoteKind {
	case kindReaction:
		return likesMine(n, p.me)
	case kindRepost, kindGenericRp: // some name all whom the note names that they pass on
		return !namesOthers(n, p.me) || p.isMine(n.RepostOf)
	}
	return true
}

func namesOthers(n *tools.Note, me string) bool {
	return n.Event != nil && slices.ContainsFunc(n.Event.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "p" && t[1] != me })
}

// likesMine reports whether a reaction is to a note of the user's: its last p tag names the
// author (NIP-25), the others only took part in the thread.
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

// personCode matches codes of people (NIP-27).
var personCode = regexp.MustCompile(`\b(?:npub|nprofile)1[02-9ac-hj-np-z]+`)

// namesPerson reports whether a text mentions a person by a code.
func namesPerson(text, key string) bool {
	for _, code := range personCode.FindAllString(text, -1) {
		if c, err := nostr.ParseCode(code); err == nil && c.PubKey.String() == key {
			return true
		}
	}
	return false
}

// forYou writes the section for the user.
func (p *plan) forYou(a addressed, index map[string]int) []Item {
	var items []Item
	for _, l := range a.letters {
		if n := index[l.note.id]; n > 0 {
			how := words.Fill(l.how, "name", "**"+l.note.author.name+"**")
			items = append(items, readItem(how+" "+p.quoted(l.note, l.text, n)))
		}
	}
	if a.unlisted > 0 {
		items = append(items, Item{Lines: []Line{{Text: words.Fill(p.words.MoreToYou, "n", p.words.AtLeastIf(a.moreNotes, p.words.Number(a.unlisted)))}}})
	}
	return append(items, p.doneItems(a, index)...)
}

// doneItems writes what was done without words.
func (p *plan) doneItems(a addressed, index map[string]int) []Item {
	var items []Item
	if what := p.takenUp(a); what != "" {
		items = append(items, Item{Lines: []Line{{Text: p.doneToYours(a, firstRune(what), index)}}})
	}
	if a.unchecked > 0 {
		items = append(items, Item{Lines: []Line{{Text: firstRune(p.words.AtLeastIf(a.moreActs, p.words.Of(p.words.NotAddedUp, a.unchecked)))}}})
	}
	return items
}

// doneToYours states what was done without words to the user's notes, by whom, when, and
// which note got most.
func (p *plan) doneToYours(a addressed, what string, index map[string]int) string {
	w := p.words
	text, quote, when := w.OnYourNotes, "", p.when(a.latest)
	if a.likes+a.reposts+a.zaps > 1 {
		when = words.Fill(w.Latest, "when", when)
	}
	if a.onMe {
		text = w.OnYou
	} else if a.best != nil && index[a.best.id] > 0 {
		quote = p.quoted(a.best, p.letterText(a.best), index[a.best.id])
		if text = w.OnYourNote; a.on > 1 {
			text = w.MostOn
		}
	}
	named := maxHelpers
	if p.q.Intent == question.ForMe {
		named = maxNamed // who it was is asked
	}
	return words.Fill(text, "what", what, "names", p.nameList(a.by, named), "when", when, "quote", quote)
}

// takenUp counts the reactions, reposts and zaps.
func (p *plan) takenUp(a addressed) string {
	w := p.words
	var parts []string
	for _, x := range []struct {
		noun words.Noun
		n    int
		more bool
	}{{w.Reaction, a.likes, a.moreReactions}, {w.Repost, a.reposts, a.moreActs}, {w.Zap, a.zaps, a.moreActs}} {
		if x.n > 0 {
			parts = append(parts, w.AtLeastIf(x.more, w.Of(x.noun, x.n)))
		}
	}
	if a.sats > 0 {
		parts[len(parts)-1] += words.Fill(w.BySaying.For(a.zaps), "sats", w.AtLeastIf(a.moreActs, w.Number(int(a.sats))+" sats"))
	}
	return w.List(parts)
}

// nameList lists at most so many names, and how many more there are.
func (p *plan) nameList(names []string, most int) string {
	if len(names) <= most+1 {
		return p.words.List(names)
	}
	return words.Fill(p.words.AndMore, "names", strings.Join(names[:most], p.words.ListJoin), "n", p.words.Number(len(names)-most))
}
