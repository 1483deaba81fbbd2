package present

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

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
