package answers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

// NoteFinder finds the notes that sources are made of.
type NoteFinder interface {
	// FindNote returns ndb.ErrNotFound for a note that is not stored.
	FindNote(ctx context.Context, id nostr.ID) (FoundNote, error)
}

// FoundNote is a note as a line of sources needs it; all texts are cleaned.
type FoundNote struct {
	PubKey nostr.PubKey
	Author string
	At     time.Time
	Title  string // of an article
	Text   string
	Spoken string // Text with names in the place of codes; "" where it is the same
	Link   string // nostr:nevent1…
}

// StoreNotes finds notes in a store.
type StoreNotes struct{ Store *ndb.Store }

// maxSourceText is how many bytes of a note are searched for quotations.
const maxSourceText = 20_000

// FindNote implements NoteFinder.
func (s StoreNotes) FindNote(ctx context.Context, id nostr.ID) (FoundNote, error) {
	e, err := s.Store.Event(ctx, id)
	if err != nil {
		return FoundNote{}, fmt.Errorf("note %s: %w", id, err)
	}
	p, err := s.Store.Profile(ctx, e.PubKey)
	if err != nil {
		return FoundNote{}, fmt.Errorf("author of note %s: %w", id, err)
	}
	code, err := nostr.Code{Prefix: nostr.CodeEvent, Event: e.ID, PubKey: e.PubKey}.Encode()
	if err != nil {
		return FoundNote{}, fmt.Errorf("link to note %s: %w", id, err)
	}
	n := FoundNote{PubKey: e.PubKey, Author: present.Name(p), At: time.Unix(e.CreatedAt, 0), Link: "nostr:" + code}
	if title, ok := e.Tags.Value("title"); ok && e.Kind == 30023 {
		n.Title = clean.Line(withoutSecrets(title), 200)
	}
	text := withoutSecrets(e.Content)
	if len(text) > maxSourceText {
		text = strings.ToValidUTF8(text[:maxSourceText], "")
	}
	n.Text = clean.Line(text, 0)
	if strings.Contains(text, "nostr:") {
		spoken, err := spokenText(ctx, s.Store, e)
		if err != nil {
			return FoundNote{}, err
		}
		n.Spoken = clean.Line(withoutSecrets(spoken), 0)
	}
	return n, nil
}

// withoutSecrets removes secret keys that somebody posted: sources are copied and shared.
func withoutSecrets(s string) string { return agent.NewRedactor().Text(s) }

// spokenText returns the text of a note with names in place of the codes of people and
// notes.
func spokenText(ctx context.Context, s *ndb.Store, e *nostr.Event) (string, error) {
	if !strings.Contains(e.Content, "nostr:") {
		return clean.Text(e.Content), nil
	}
	r := &present.Reader{Store: s, Now: func() time.Time { return time.Unix(e.CreatedAt, 0) }} // no age is shown
	n, err := r.FromEvent(ctx, e)
	if err != nil {
		return "", err
	}
	if n.Whole != nil {
		return present.Text(n.Whole), nil
	}
	return present.Text(n.Body), nil
}

// foundSource is a source with the texts that its quote is taken from.
type foundSource struct {
	Source
	title, text, spoken string
}

// present adds notes to the sources. A note that is presented again keeps its place.
func (a *Assembler) present(ctx context.Context, e agent.Event) {
	a.missing += len(e.Notes.Missing)
	for _, p := range e.Notes.Presented {
		if slices.ContainsFunc(a.sources, func(s foundSource) bool { return s.Index == p.Index }) {
			continue
		}
		s := foundSource{Source: Source{Index: p.Index}}
		id, err := nostr.ParseID(p.NoteID)
		if err == nil {
			s.ID = id
			var n FoundNote
			n, err = a.find.FindNote(ctx, id)
			s.PubKey, s.Author, s.At, s.Link = n.PubKey, n.Author, n.At, n.Link
			s.title, s.text, s.spoken = n.Title, n.Text, n.Spoken
		}
		s.Gone = err != nil && (errors.Is(err, ndb.ErrNotFound) || s.ID == nostr.ID{} || s.Author == "")
		a.sources = append(a.sources, s)
	}
}

// sourceList returns the sources with what the answer quotes of each.
func (a *Assembler) sourceList() []Source {
	quoted := a.quoted()
	list := make([]Source, 0, len(a.sources))
	names, keys := make([]string, len(a.sources)), make([]nostr.PubKey, len(a.sources))
	for i, s := range a.sources {
		names[i], keys[i] = s.Author, s.PubKey
	}
	names = present.Distinct(names, keys)
	for i, s := range a.sources {
		one := s.Source
		one.Author = names[i]
		switch {
		case quoted[s.Index] != "":
			one.Quote, one.Quoted = quoted[s.Index], true
		case s.title != "":
			one.Quote = s.title
		default:
			one.Quote = firstSentence(cmp.Or(s.spoken, s.text))
		}
		list = append(list, one)
	}
	return list
}

// quoted returns what the answer quotes of each source: the longest passage in quotation
// marks before its citation that is in the note.
func (a *Assembler) quoted() map[int]string {
	out := map[int]string{}
	for _, s := range a.steps {
		text := s.markdown()
		from := 0
		for _, ref := range check.References(text) {
			before := text[from:ref.Start]
			if i := strings.LastIndexByte(before, '\n'); i >= 0 {
				before = before[i+1:]
			}
			from = ref.End
			i := slices.IndexFunc(a.sources, func(s foundSource) bool { return s.Index == ref.Index })
			if i < 0 {
				continue
			}
			for _, q := range quotations(before) {
				if len(q) > len(out[ref.Index]) && holdsWords(a.sources[i].title+" "+a.sources[i].text, q) {
					out[ref.Index] = clean.Line(q, maxQuote)
				}
			}
		}
	}
	return out
}

// maxQuote is how much of a note a line of sources shows, in runes.
const maxQuote = 240

// marks are the pairs of quotation marks that models use. “ closes in German.
var marks = map[rune]string{'“': "”", '"': `"`, '«': "»", '»': "«", '„': "“”", '「': "」", '『': "』"}

// quotations returns the passages in quotation marks of a line.
func quotations(line string) []string {
	var out []string
	for rest := line; rest != ""; {
		i := strings.IndexFunc(rest, func(r rune) bool { return marks[r] != "" })
		if i < 0 {
			break
		}
		open, size := utf8.DecodeRuneInString(rest[i:])
		rest = rest[i+size:]
		end := strings.IndexAny(rest, marks[open])
		if end < 0 {
			continue
		}
		if end > 0 {
			out = append(out, rest[:end])
		}
		_, size = utf8.DecodeRuneInString(rest[end:])
		rest = rest[end+size:]
	}
	return out
}

// holdsWords reports whether a note contains a passage, ignoring spaces, punctuation and
// case. A passage with omissions is no quotation.
func holdsWords(note, passage string) bool {
	words := bareWords(passage)
	return words != "" && strings.Contains(" "+bareWords(note)+" ", " "+words+" ")
}

func bareWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}), " "))
}

// firstSentence returns the first sentence of a note that is more than links, tags or a
// short greeting.
func firstSentence(text string) string {
	best := ""
	for rest := text; rest != ""; {
		end := sentenceEnd(rest)
		s := strings.TrimSpace(rest[:end])
		rest = rest[end:]
		if says(s) {
			return clean.Line(s, maxQuote)
		}
		if best == "" {
			best = s
		}
	}
	return clean.Line(best, maxQuote)
}

// says reports whether a sentence has three words, or eight letters of a script without
// spaces, besides links, tags and mentions.
func says(s string) bool {
	words, wide := 0, 0
	for w := range strings.FieldsSeq(s) {
		if strings.Contains(w, "://") || strings.HasPrefix(w, "#") || strings.HasPrefix(w, "nostr:") || strings.HasPrefix(w, "@") {
			continue
		}
		if strings.ContainsFunc(w, unicode.IsLetter) {
			words++
		}
		for _, r := range w {
			if r >= 0x2e80 && unicode.IsLetter(r) {
				wide++
			}
		}
	}
	return words >= 3 || wide >= 8
}

func sentenceEnd(s string) int {
	for i, r := range s {
		after := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return after
		case '.', '!', '?', '…':
			if after == len(s) || s[after] == ' ' {
				return after
			}
		}
	}
	return len(s)
}
