package present

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// Profile is what a person's page shows. All of it is claimed by the person.
type Profile struct {
	PubKey     nostr.PubKey
	Name       string
	Handle     string // as in Note
	NIP05      string
	Mark       string // as in Note
	Npub       string
	About      []Paragraph
	Website    string // as shown; "" for none
	WebsiteURL string
	Picture    string // the address of their picture; "" for none

	Me         bool
	Followed   bool // by whom reads
	FollowsYou bool
	Bot        bool

	Notes     Count // stored here: notes, answers, articles
	Follows   Count // people in their list; none when the list is not stored
	Followers Count // of those whose lists are stored here
}

// Profile reads what is stored of a person.
func (r *Reader) Profile(ctx context.Context, pk nostr.PubKey) (Profile, error) {
	stored, err := r.person(ctx, pk)
	if err != nil {
		return Profile{}, err
	}
	b := builder{r: r, ctx: ctx, now: r.Now()}
	var n Note
	b.author(&n, pk)
	p := Profile{
		PubKey: pk, Name: n.Author, Handle: n.Handle, NIP05: n.NIP05, Mark: n.Mark, Npub: pk.Npub(),
		Me: pk == r.Me, Followed: n.Followed, Bot: n.Bot,
		Picture: n.Face,
		About:   b.plain(stored.About),
	}
	p.website(stored.Website)
	if b.err != nil {
		return Profile{}, fmt.Errorf("present profile: %w", b.err)
	}
	if err := r.countProfile(ctx, &p); err != nil {
		return Profile{}, fmt.Errorf("count for profile: %w", err)
	}
	return p, nil
}

func (p *Profile) website(raw string) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return
	}
	if !strings.Contains(raw, "://") {
		raw = "https://" + raw
	}
	if _, err := url.Parse(raw); err != nil || len(raw) > maxURL {
		return
	}
	if _, label, ok := showURL(raw); ok {
		p.Website, p.WebsiteURL = strings.TrimSuffix(label, "/"), raw
	}
}

func (r *Reader) countProfile(ctx context.Context, p *Profile) error {
	authors := []nostr.PubKey{p.PubKey}
	notes, err := r.Store.Count(ctx, ndb.QueryOptions{}, nostr.Filter{Authors: authors, Kinds: []uint16{kindText, kindPicture, kindComment, kindArticle}})
	if err != nil {
		return err
	}
	follows, err := r.Store.Contacts(ctx, p.PubKey)
	if err != nil && !errors.Is(err, ndb.ErrNotFound) {
		return err
	}
	follows = slices.DeleteFunc(follows, func(pk nostr.PubKey) bool { return pk == p.PubKey }) // some name themselves
	followers, err := r.Store.Count(ctx, ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{3}, Tags: map[byte][]string{'p': {p.PubKey.String()}}})
	if err != nil {
		return err
	}
	if r.Me != (nostr.PubKey{}) && !p.Me {
		n, err := r.Store.Count(ctx, ndb.QueryOptions{}, nostr.Filter{Authors: authors, Kinds: []uint16{3}, Tags: map[byte][]string{'p': {r.Me.String()}}})
		if err != nil {
			return err
		}
		p.FollowsYou = n > 0
	}
	w := r.Words
	for _, c := range []struct {
		to *Count
		n  int
	}{{&p.Notes, notes}, {&p.Follows, len(follows)}, {&p.Followers, followers}} {
		*c.to = Count{N: int64(c.n), Text: w.Number(c.n)}
	}
	return nil
}

// plain reads a text that belongs to no note: links and names, but no pictures and
// no cards.
func (b *builder) plain(text string) []Paragraph {
	n := Note{Pictures: make([]Picture, maxPictures)} // full: addresses of pictures stay links
	t := &reading{b: b, n: &n, e: &nostr.Event{}, depth: 1}
	t.read(text)
	if n.Whole != nil {
		return n.Whole
	}
	return n.Body
}

// Name returns the name to show for a person: their own, else the start and the
// end of their npub.
func Name(p nostr.Profile) string {
	if name := p.Best(); name != "" {
		return name
	}
	return p.PubKey.Short()
}

// NameIn returns the name to show for a person of whom a store may know nothing: then it is
// part of their npub.
func NameIn(ctx context.Context, store *ndb.Store, pk nostr.PubKey) string {
	p, err := store.Profile(ctx, pk)
	if err != nil {
		p = nostr.Profile{PubKey: pk}
	}
	return Name(p)
}

// Distinct returns names, with part of the key after those that several people share,
// ignoring case.
func Distinct(names []string, keys []nostr.PubKey) []string {
	owner, shared := map[string]nostr.PubKey{}, map[string]bool{}
	for i, name := range names {
		name = strings.ToLower(name)
		if first, known := owner[name]; known && first != keys[i] {
			shared[name] = true
		}
		owner[name] = keys[i]
	}
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = name; shared[strings.ToLower(name)] && name != "" {
			out[i] += " (" + keys[i].Short() + ")"
		}
	}
	return out
}

// nameBook has the names of followed people by their skeletons.
type nameBook struct {
	owners map[string]nostr.PubKey // by skeleton
}

// relation reports whether a person is followed. mark is the end of the npub of a person
// who is not, but whose name looks like that of a followed one.
func (r *Reader) relation(ctx context.Context, p nostr.Profile) (followed bool, mark string, err error) {
	follow, err := r.follows(ctx)
	if err != nil {
		return false, "", err
	}
	if follow[p.PubKey] || p.PubKey == r.Me {
		return follow[p.PubKey], "", nil
	}
	if p.Name == "" && p.DisplayName == "" {
		return false, "", nil
	}
	book, err := r.book(ctx, follow)
	if err != nil {
		return false, "", err
	}
	for _, name := range []string{p.DisplayName, p.Name} {
		if s := skeleton(name); s != "" && book.owners[s] != (nostr.PubKey{}) {
			npub := p.PubKey.Npub()
			return false, "…" + npub[len(npub)-6:], nil
		}
	}
	return false, "", nil
}

func (r *Reader) book(ctx context.Context, follow map[nostr.PubKey]bool) (*nameBook, error) {
	r.mu.Lock()
	book := r.names
	r.mu.Unlock()
	if book != nil {
		return book, nil
	}
	book = &nameBook{owners: map[string]nostr.PubKey{}}
	for pk := range follow {
		p, err := r.person(ctx, pk)
		if err != nil {
			return nil, err
		}
		for _, name := range []string{p.DisplayName, p.Name} {
			if s := skeleton(name); s != "" {
				book.owners[s] = pk
			}
		}
	}
	r.mu.Lock()
	r.names = book
	r.mu.Unlock()
	return book, nil
}

// skeleton reduces a name to what the eye takes in: compatibility forms, cases,
// accents, spaces and signs folded, letters and digits that look alike made one
// (after Unicode's TR 39, for the scripts that are used to deceive). "" for names
// with fewer than three letters, which are too short to be anybody's.
func skeleton(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		r = unicode.ToLower(r)
		if same, ok := lookalikes[r]; ok {
			b.WriteString(same)
		} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	s := strings.NewReplacer("rn", "m", "vv", "w", "cl", "d").Replace(b.String())
	if len([]rune(s)) < 3 {
		return ""
	}
	return s
}

var lookalikes = map[rune]string{
	'0': "o", '1': "l", 'i': "l", 'ı': "l", '|': "l", '!': "l", '3': "e", '5': "s", '8': "b", '$': "s", '@': "a",
	'ø': "o", 'ł': "l", 'đ': "d", 'ß': "b",
	// Cyrillic
	'а': "a", 'в': "b", 'с': "c", 'ԁ': "d", 'е': "e", 'һ': "h", 'н': "h", 'і': "l", 'ӏ': "l", 'ј': "j", 'к': "k", 'м': "m", 'о': "o", 'р': "p",
	'ԛ': "q", 'ѕ': "s", 'т': "t", 'у': "y", 'ү': "y", 'ѵ': "v", 'ԝ': "w", 'х': "x", 'г': "r", 'п': "n", 'ь': "b", 'з': "e",
	// Greek
	'α': "a", 'β': "b", 'ε': "e", 'η': "n", 'ι': "l", 'κ': "k", 'μ': "u", 'ν': "v", 'ο': "o", 'ρ': "p", 'τ': "t", 'υ': "u", 'χ': "x", 'γ': "y", 'ω': "w", 'σ': "o", 'ς': "s",
	// Armenian, Latin of other alphabets
	'օ': "o", 'ո': "n", 'ս': "u", 'հ': "h", 'ց': "g", 'ɑ': "a", 'ɡ': "g", 'ɩ': "l", 'ʟ': "l", 'ɴ': "n", 'ʀ': "r", 'ꜱ': "s", 'ᴀ': "a", 'ᴄ': "c", 'ᴅ': "d", 'ᴇ': "e", 'ᴏ': "o", 'ᴛ': "t",
}
