package sample

import (
	"bufio"
	"cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// script is the content of the text files.
type script struct {
	people  []role
	entries []entry // in order of time
	spam    []string
}

// role is one person of people.txt.
type role struct {
	handle, name, home, about, lang string
	me, followed, muted             bool // muted: by me
	old                             bool // writes e-tags without markers
	spams                           bool // sends what is in spam.txt
}

// verb is what an entry does.
type verb string

const (
	verbNote    verb = "note"
	verbArticle verb = "article" // kind 30023; the word's value is its d tag
	verbProfile verb = "profile" // a new about text
	verbDelete  verb = "delete"  // kind 5; the word's value is a label
)

// firstDay is the earliest day of a record. Nearly all are from the last ten days; a few
// older ones are by people who seldom write.
const firstDay = -30

// entry is one record of a story file.
type entry struct {
	verb    verb
	target  string // of verbArticle and verbDelete
	file    string // the story it belongs to
	line    int
	author  string
	lang    string
	at      time.Duration // from midnight UTC of the day the sample is made for
	label   string        // "" when nothing refers to it
	reply   string        // a label
	quote   string        // a label
	boosts  []string      // handles
	likes   []like
	zaps    []zap
	fact    []string      // terms of a planted fact
	picture string        // a file of sample/pictures; "" for none
	alt     string        // what it shows
	expires time.Duration // after at; 0 for never
	text    string
}

type like struct{ handle, content string }

type zap struct {
	handle string
	sats   int64
}

// readScript reads all text files. An error names the file and the line.
func readScript(files fs.FS) (*script, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list sample texts: %w", err)
	}
	s := new(script)
	for _, name := range names {
		if err := s.readFile(files, name); err != nil {
			return nil, fmt.Errorf("sample text %s: %w", name, err)
		}
	}
	slices.SortStableFunc(s.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.file, b.file))
	})
	return s, s.check()
}

func (s *script) readFile(files fs.FS, name string) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lang, records, err := splitRecords(f)
	if err != nil {
		return err
	}
	story := strings.TrimSuffix(path.Base(name), ".txt")
	for _, r := range records {
		switch story {
		case "people":
			p, err := readRole(r)
			if err != nil {
				return fmt.Errorf("line %d: %w", r.line, err)
			}
			s.people = append(s.people, p)
		case "spam":
			s.spam = append(s.spam, r.text)
		default:
			e := entry{verb: verbNote, file: story, line: r.line, lang: lang, text: r.text}
			if err := e.readHead(r.words); err != nil {
				return fmt.Errorf("line %d: %w", r.line, err)
			}
			s.entries = append(s.entries, e)
		}
	}
	return nil
}

// record is a head line that starts with "-- ", and the text below it.
type record struct {
	line  int
	words []string
	text  string
}

// splitRecords reads the form that all the files share; see the README of assets/sample.
func splitRecords(r fs.File) (lang string, records []record, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "-- "):
			records = append(records, record{line: n, words: strings.Fields(line[3:])})
		case len(records) > 0:
			records[len(records)-1].text += line + "\n"
		case strings.HasPrefix(line, "lang: "):
			lang = strings.TrimSpace(line[len("lang: "):])
		case line != "" && !strings.HasPrefix(line, "#"):
			return "", nil, fmt.Errorf("line %d: text before the first record", n)
		}
	}
	for i := range records {
		records[i].text = strings.TrimSpace(records[i].text)
	}
	return lang, records, lines.Err()
}

func readRole(r record) (role, error) {
	lines := strings.SplitN(r.text, "\n", 2)
	if len(r.words) < 3 || len(lines) < 2 {
		return role{}, fmt.Errorf("person %q: want handle, lang, home, flags; a name; an about text", r.words)
	}
	p := role{handle: r.words[0], lang: r.words[1], home: r.words[2], name: lines[0], about: strings.TrimSpace(lines[1])}
	for _, flag := range r.words[3:] {
		switch flag {
		case "me":
			p.me = true
		case "followed":
			p.followed = true
		case "muted":
			p.muted = true
		case "old":
			p.old = true
		case "spams":
			p.spams = true
		default:
			return role{}, fmt.Errorf("person %s: unknown flag %q", p.handle, flag)
		}
	}
	return p, nil
}

func (e *entry) readHead(words []string) error {
	if len(words) < 3 {
		return fmt.Errorf("head %q: want author, day and time", words)
	}
	e.author = words[0]
	day, err := strconv.Atoi(words[1])
	if err != nil || day < firstDay || day > 0 {
		return fmt.Errorf("day %q: want %d to 0", words[1], firstDay)
	}
	clock, err := time.Parse("15:04", words[2])
	if err != nil {
		return fmt.Errorf("time of day: %w", err)
	}
	e.at = time.Duration(day)*24*time.Hour +
		time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute
	for _, w := range words[3:] {
		if label, ok := strings.CutPrefix(w, "@"); ok {
			e.label = label
			continue
		}
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("word %q: want @label or key=value", w)
		}
		if err := e.set(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (e *entry) set(key, value string) (err error) {
	switch key {
	case "re":
		e.reply = value
	case "q":
		e.quote = value
	case "lang":
		e.lang = value
	case "boost":
		e.boosts = strings.Split(value, ",")
	case "like":
		for _, w := range strings.Split(value, ",") {
			handle, content, ok := strings.Cut(w, ":")
			if !ok {
				content = "+"
			}
			e.likes = append(e.likes, like{handle, content})
		}
	case "zap":
		for _, w := range strings.Split(value, ",") {
			handle, amount, _ := strings.Cut(w, ":")
			sats, err := strconv.ParseInt(amount, 10, 64)
			if err != nil || sats <= 0 {
				return fmt.Errorf("zap %q: want handle:sats", w)
			}
			e.zaps = append(e.zaps, zap{handle, sats})
		}
	case "fact":
		e.fact = strings.Split(strings.ReplaceAll(value, "_", " "), ",")
	case "picture":
		e.picture = value
	case "alt":
		e.alt = strings.ReplaceAll(value, "_", " ")
	case "expires":
		e.expires, err = time.ParseDuration(value)
	case string(verbArticle), string(verbProfile), string(verbDelete):
		e.verb, e.target = verb(key), value
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

// check finds references to unknown people or to later texts, so that a mistake is an error
// and not an odd world.
func (s *script) check() error {
	people := make(map[string]bool)
	for _, p := range s.people {
		if people[p.handle] {
			return fmt.Errorf("person %s appears twice in people.txt", p.handle)
		}
		people[p.handle] = true
	}
	labels := make(map[string]bool)
	for _, e := range s.entries {
		handles := append([]string{e.author}, e.boosts...)
		for _, l := range e.likes {
			handles = append(handles, l.handle)
		}
		for _, z := range e.zaps {
			handles = append(handles, z.handle)
		}
		for _, h := range handles {
			if !people[h] {
				return fmt.Errorf("%s.txt line %d: nobody is called %q", e.file, e.line, h)
			}
		}
		if e.picture != "" && !drawn(e.picture) {
			return fmt.Errorf("%s.txt line %d: there is no picture %q", e.file, e.line, e.picture)
		}
		refs := []string{e.reply, e.quote}
		if e.verb == verbDelete {
			refs = append(refs, e.target)
		}
		for _, ref := range refs {
			if ref != "" && !labels[ref] {
				return fmt.Errorf("%s.txt line %d: no earlier text has the label %q", e.file, e.line, ref)
			}
		}
		if e.label == "" {
			continue
		}
		if labels[e.label] {
			return fmt.Errorf("%s.txt line %d: the label %q is taken", e.file, e.line, e.label)
		}
		labels[e.label] = true
	}
	return nil
}

// chooseFollows decides who follows whom: the user follows those flagged in people.txt; the
// others follow most of those who write their language, and some more.
func (st *stage) chooseFollows() {
	st.follows = make(map[*actor.Actor][]*actor.Actor)
	for _, a := range st.actors {
		rng := actor.Random(st.seed, "follows of "+a.Handle)
		for _, b := range st.actors {
			likely := 0.25
			switch {
			case a.Lang == b.Lang && b.Followed:
				likely = 0.85
			case !b.Followed && b != st.me:
				likely = 0.08
			}
			roll := rng.Float64()
			if a != b && (a == st.me && b.Followed || a != st.me && roll < likely) {
				st.follows[a] = append(st.follows[a], b)
			}
		}
	}
}

// setUp publishes what people had published before their first note: profiles, relay lists,
// follows, and the user's own lists.
func (st *stage) setUp() error {
	start := st.day.AddDate(0, 0, firstDay-1)
	for i, a := range st.actors {
		at := start.Add(time.Duration(i*7) * time.Minute)
		profile, err := a.Profile(at, a.About)
		if err != nil {
			return err
		}
		lists := []*nostr.Event{profile, a.RelayList(at.Add(time.Minute)), a.Contacts(at.Add(2*time.Minute), st.follows[a])}
		for _, e := range lists {
			if err := st.add(a, e); err != nil {
				return err
			}
		}
	}
	return st.setUpMe(start)
}

// setUpMe publishes an older contact list of the user's, which the newer one replaces, and
// a mute list (NIP-51) of people, a word and a hashtag.
func (st *stage) setUpMe(start time.Time) error {
	mine := st.follows[st.me]
	older := st.me.Contacts(start.Add(-time.Hour), mine[:len(mine)/2])
	if err := st.add(st.me, older); err != nil {
		return err
	}
	return st.add(st.me, st.me.Mutes(start.Add(9*time.Hour), st.muted, "giveaway", "spoilers"))
}

// crowd adds reactions, reposts and zaps: those that the script names, and some at random.
func (st *stage) crowd() error {
	for _, p := range st.played {
		rng := actor.Random(st.seed, "crowd at "+p.entry.author+p.entry.text)
		if err := st.named(p, rng); err != nil {
			return err
		}
		if err := st.random(p, rng); err != nil {
			return err
		}
	}
	return nil
}

// later returns a time after a post: mostly within the hour, sometimes on the next day.
func later(rng *rand.Rand, p *actor.Post) time.Time {
	delay := time.Duration(30+rng.ExpFloat64()*4500) * time.Second
	return time.Unix(p.Event.CreatedAt, 0).UTC().Add(min(delay, 30*time.Hour))
}

func (st *stage) named(p playedPost, rng *rand.Rand) error {
	for _, l := range p.entry.likes {
		a := st.byName[l.handle]
		if err := st.add(a, a.React(later(rng, p.post), p.post, l.content)); err != nil {
			return err
		}
	}
	for _, h := range p.entry.boosts {
		a := st.byName[h]
		e, err := a.Repost(later(rng, p.post), p.post)
		if err != nil {
			return err
		}
		if err := st.add(a, e); err != nil {
			return err
		}
	}
	for _, z := range p.entry.zaps {
		if err := st.zap(p, rng, st.byName[z.handle], z.sats); err != nil {
			return err
		}
	}
	return nil
}

func (st *stage) zap(p playedPost, rng *rand.Rand, sender *actor.Actor, sats int64) error {
	comment := actor.Pick(rng, []string{"", "", "", "⚡", "🫶", "thank you"})
	e, err := st.wallet.ZapReceipt(later(rng, p.post), sender, p.post, sats, comment)
	if err != nil {
		return err
	}
	return st.add(st.wallet, e)
}

// random lets some of the author's followers react, or zap. Few notes get many likes.
func (st *stage) random(p playedPost, rng *rand.Rand) error {
	var readers []*actor.Actor
	for _, a := range st.actors {
		liked := slices.ContainsFunc(p.entry.likes, func(l like) bool { return l.handle == a.Handle })
		if !liked && slices.Contains(st.follows[a], p.post.By) && a != st.spammer {
			readers = append(readers, a)
		}
	}
	rng.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	n := min(int(rng.ExpFloat64()*2.2), len(readers)/2)
	for _, a := range readers[:n] {
		if err := st.add(a, a.React(later(rng, p.post), p.post, actor.Taste(rng))); err != nil {
			return err
		}
	}
	if len(readers) > n && rng.IntN(12) == 0 {
		return st.zap(p, rng, readers[n], actor.Pick(rng, []int64{21, 21, 21, 42, 100, 210}))
	}
	return nil
}

// sendSpam publishes the texts of spam.txt in turn, 40 in all, by one stranger, each with
// another number at its end, so that no two have the same id or words.
func (st *stage) sendSpam() error {
	const times = 40
	a := st.spammer
	if a == nil || len(st.script.spam) == 0 {
		return nil
	}
	rng := actor.Random(st.seed, "spam")
	for i := range times {
		at := st.day.Add(-6 * 24 * time.Hour).Add(time.Duration(i*209) * time.Minute)
		text := strings.ReplaceAll(st.script.spam[i%len(st.script.spam)], "NUMBER", strconv.Itoa(1000+rng.IntN(9000)))
		if err := st.add(a, a.Note(at, text, nil).Event); err != nil {
			return err
		}
	}
	return nil
}

// world returns what is not after now, oldest first.
func (st *stage) world() *World {
	w := &World{Me: st.me.PubKey}
	for _, a := range st.actors {
		w.People = append(w.People, a.Person)
	}
	for _, e := range st.events {
		if e.CreatedAt <= st.now.Unix() {
			w.Events = append(w.Events, e)
		}
	}
	for _, p := range st.played {
		if p.post.Event.CreatedAt <= st.now.Unix() {
			w.Texts = append(w.Texts, Text{p.post.Event, p.entry.file, p.entry.fact})
		}
	}
	slices.SortFunc(w.Events, func(a, b *nostr.Event) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), slices.Compare(a.ID[:], b.ID[:]))
	})
	return w
}
