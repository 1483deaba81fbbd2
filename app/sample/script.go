package sample

import (
	"bufio"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
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
			return fmt.Errorf("person %s stands twice in people.txt", p.handle)
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
		if _, ok := Picture(pictureHost + e.picture + ".png"); !ok && e.picture != "" {
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
