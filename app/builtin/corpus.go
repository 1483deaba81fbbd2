package builtin

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// The kinds that a digest reads.
const (
	kindNote      = 1
	kindRepost    = 6
	kindReaction  = 7
	kindGenericRp = 16
	kindComment   = 1111
	kindArticle   = 30023
)

// A person took part, or is mentioned.
type person struct {
	key, name string
	followed  bool // by the user; the user is not
}

// A note is what a digest may quote, with what was found out about it.
type note struct {
	id       string
	author   *person
	at       int64
	kind     uint16
	text     string
	title    string   // of an article, made harmless
	begun    int64    // when an article that was edited since was first published; else 0
	parent   string   // the id of the note that it answers; "" for none
	root     string   // the id of the first note of its thread; "" if it is that itself
	quotes   []string // ids of notes that it quotes
	hashtags []string
	fresh    bool   // in the window, by a person followed or the user
	repeated bool   // another note of its author that says nearly the same represents it
	times    int    // how often its author posted it in nearly the same words; 0 for once
	pattern  uint64 // see patternOf; 0 if not computed yet
	own             // filled in by weigh, like the fields below
	lang     string
	news     float64 // how much new it says, 0 to 1; see lexis.news
	denies   bool    // it takes something back
	greets   bool    // it is a greeting or other small talk
	asks     bool    // half of it is a question
	states   bool    // it has a name or a figure
	short    bool    // it has few words
	point    float64 // how much it comes to the point; see pointed
	orphan   bool    // the note that it answers is missing
	stray    bool    // the note that its thread begins with is missing
	done     int     // answers, quotes and reposts count 2 each, reactions 1
	in       *conversation
	event    *nostr.Event // as it is stored
}

// A conversation is a thread with its quotes.
type conversation struct {
	people map[*person]float64 // followed, with how much their part counts
	fresh  int                 // notes
}

// A takingUp is a repost or reaction.
type takingUp struct {
	by     *person
	target string
	repost bool // else a reaction
}

// A corpus is what was read for an answer.
type corpus struct {
	people map[string]*person
	called map[string]*person // the first of each name
	notes  map[string]*note
	acts   []takingUp
	past   []*note // older notes, which only show what is usual
	order  []*note // cached by sorted
	me     string
}

func newCorpus(me string) *corpus {
	return &corpus{people: map[string]*person{}, called: map[string]*person{}, notes: map[string]*note{}, me: me}
}

// addHome adds posts, reposts and reactions of the window by people followed and the user.
func (c *corpus) addHome(notes []*tools.Note) {
	for _, n := range notes {
		by := c.person(n)
		by.followed = n.PubKey != c.me
		switch n.NoteKind {
		case kindRepost, kindGenericRp:
			if n.RepostOf != "" {
				c.acts = append(c.acts, takingUp{by, n.RepostOf, true})
			}
		case kindReaction:
			if target, ok := reactedTo(n); ok {
				c.acts = append(c.acts, takingUp{by, target, false})
			}
		default:
			if c.notes[n.NoteID] == nil {
				c.notes[n.NoteID] = newNote(n, by)
			}
			c.notes[n.NoteID].fresh = true
		}
	}
}

// isDoneToANote reports whether a repost or reaction is of a note in the corpus.
func (c *corpus) isDoneToANote(n *tools.Note) bool {
	target := n.RepostOf
	if n.NoteKind == kindReaction {
		target, _ = reactedTo(n)
	}
	return c.notes[target] != nil
}

// addTarget adds a note that people followed have answered or reposted.
func (c *corpus) addTarget(n *tools.Note) {
	if c.notes[n.NoteID] == nil && n.NoteKind != kindReaction {
		c.notes[n.NoteID] = newNote(n, c.person(n))
	}
}

// addPast adds older notes by people followed.
func (c *corpus) addPast(notes []*tools.Note) {
	for _, n := range notes {
		c.past = append(c.past, textOf(n, c.person(n)))
	}
}

func (c *corpus) person(n *tools.Note) *person {
	p := c.people[n.PubKey]
	if p == nil {
		p = &person{key: n.PubKey, name: personName(n.Name, n.PubKey)}
		c.people[n.PubKey] = p
		if first := c.called[p.name]; first != nil {
			first.name, p.name = p.name+code(first.key), p.name+code(p.key)
		} else {
			c.called[p.name] = p
		}
	}
	return p
}

// code distinguishes a person from others of the same name.
func code(key string) string {
	pk, err := nostr.ParsePubKey(key)
	if err != nil {
		return ""
	}
	return " · " + clip(pk.Npub(), 12)
}

// maxTitle limits an article's title, in characters.
const maxTitle = 90

// maxName limits a name, in characters.
const maxName = 40

func personName(name, key string) string {
	if l := label(name, maxName); l != "" {
		return l
	}
	return clip(key, 8)
}

// textOf makes a note of which only the words matter.
func textOf(n *tools.Note, by *person) *note {
	out := &note{id: n.NoteID, author: by, at: n.CreatedAtUnix, kind: n.NoteKind, text: n.Content}
	if n.NoteKind == kindArticle && n.Event != nil {
		title, _ := n.Event.Tags.Value("title")
		out.title = titleOf(title)
	}
	return out
}

func newNote(n *tools.Note, by *person) *note {
	out := textOf(n, by)
	out.parent, out.event = n.ReplyTo, n.Event
	e := n.Event
	if e == nil {
		return out
	}
	if r, ok := nostr.ReplyTo(e); ok && r.Root != (nostr.ID{}) {
		out.root = r.Root.String()
	}
	for _, id := range nostr.Quotes(e) {
		out.quotes = append(out.quotes, id.String())
	}
	for _, t := range e.Tags {
		if len(t) > 1 && t[0] == "t" {
			if tag := hashtag(t[1]); tag != "" && !slices.Contains(out.hashtags, tag) {
				out.hashtags = append(out.hashtags, tag)
			}
		}
	}
	if n.NoteKind == kindArticle {
		published, _ := e.Tags.Value("published_at")
		if at, err := strconv.ParseInt(published, 10, 64); err == nil && at > 0 && at < out.at {
			out.begun = at
		}
	}
	return out
}

// hashtag normalizes a hashtag; "" if it is not a plain word.
func hashtag(s string) string {
	s = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(s), "#"))
	if l := label(s, 40); l != s || strings.ContainsAny(s, " .,'’&+") {
		return ""
	}
	return s
}

// reactedTo returns the note that a reaction likes: its last e tag (NIP-25). A "-" is no
// like.
func reactedTo(n *tools.Note) (string, bool) {
	if n.Event == nil || strings.TrimSpace(n.Content) == "-" {
		return "", false
	}
	for _, t := range slices.Backward(n.Event.Tags) {
		if len(t) > 1 && t[0] == "e" {
			_, err := nostr.ParseID(t[1])
			return t[1], err == nil
		}
	}
	return "", false
}

// sorted returns the notes oldest first, equal times by id.
func (c *corpus) sorted() []*note {
	if len(c.order) != len(c.notes) {
		c.order = slices.AppendSeq(make([]*note, 0, len(c.notes)), maps.Values(c.notes))
		sortNotes(c.order)
	}
	return slices.Clone(c.order)
}

func sortNotes(ns []*note) {
	slices.SortFunc(ns, func(a, b *note) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
	})
}

// markRepeated finds what an author posted again and again in nearly the same words, with
// at most other figures (prices, block heights). One note represents the series.
func (c *corpus) markRepeated(sorted []*note) {
	for _, notes := range series(sorted) {
		unseen := slices.DeleteFunc(slices.Clone(notes), func(n *note) bool { return n.repeated })
		if len(unseen) == 0 {
			continue
		}
		kept := representative(unseen)
		for _, n := range notes {
			n.repeated = n != kept
			if n.fresh == kept.fresh {
				kept.times++
			}
		}
	}
}

// series groups the notes of an author that differ at most in their figures, two or more.
func series(sorted []*note) map[uint64][]*note {
	first, series := make(map[uint64]*note, len(sorted)), map[uint64][]*note{}
	for _, n := range sorted {
		if n.kind == kindArticle {
			continue
		}
		if n.pattern == 0 {
			n.pattern = patternOf(n)
		}
		switch one, again := first[n.pattern]; {
		case !again:
			first[n.pattern] = n
		case series[n.pattern] == nil:
			series[n.pattern] = []*note{one, n}
		default:
			series[n.pattern] = append(series[n.pattern], n)
		}
	}
	return series
}

// representative chooses the note that represents a series, a fresh one if there is any:
// the first if the words are the same, since that is the one others answered; else the
// newest, whose figures are current.
func representative(series []*note) *note {
	if fresh := slices.DeleteFunc(slices.Clone(series), func(n *note) bool { return !n.fresh }); len(fresh) > 0 {
		series = fresh
	}
	first, newest := series[0], series[len(series)-1]
	if slices.ContainsFunc(series, func(n *note) bool { return folded(n.text) != folded(first.text) }) {
		return newest
	}
	return first
}

// folded returns a text in lower case with single spaces.
func folded(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// patternOf hashes a note's author and its text in lower case, without spaces at the ends
// and without digits.
func patternOf(n *note) uint64 {
	text := append(make([]byte, 0, 512), n.author.key...)
	begun, space := false, false // the space is before what comes next
	for _, r := range n.text {
		if unicode.IsSpace(r) {
			space = begun
			continue
		}
		if space {
			text = append(text, ' ')
		}
		if begun, space = true, false; !unicode.IsDigit(r) {
			text = utf8.AppendRune(text, unicode.ToLower(r))
		}
	}
	return maphash.Bytes(sums, text)
}

// wanted lists the missing notes that people followed have answered, quoted, reposted or
// liked, those of most people first, at most limit. A single person makes a note wanted
// only by reposting it.
func (c *corpus) wanted(limit int) []string {
	type want struct {
		id string
		by *person
	}
	wants := map[want]bool{}
	people, passed := map[string]int{}, map[string]bool{}
	add := func(id string, p *person) {
		if id != "" && p.followed && c.notes[id] == nil && !wants[want{id, p}] {
			wants[want{id, p}] = true
			people[id]++
		}
	}
	for _, n := range c.notes {
		if n.fresh {
			add(n.root, n.author)
			if n.root != n.parent {
				add(n.parent, n.author)
			}
			for _, id := range n.quotes {
				add(id, n.author)
			}
		}
	}
	for _, a := range c.acts {
		add(a.target, a.by)
		if a.repost {
			passed[a.target] = true
		}
	}
	ids := sortedKeys(people)
	ids = slices.DeleteFunc(ids, func(id string) bool { return people[id] < 2 && !passed[id] })
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(people[b], people[a]) })
	return ids[:min(len(ids), limit)]
}

func set[T comparable](words ...T) map[T]bool {
	m := make(map[T]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
