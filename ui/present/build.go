package present

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// The kinds that a card treats in a way of their own.
const (
	kindText          = 1
	kindRepost        = 6  // NIP-18
	kindGenericRepost = 16 // NIP-18
	kindPicture       = 20 // NIP-68
	kindComment       = 1111
	kindVoiceComment  = 1244
	kindArticle       = 30023
)

// The most of each field that a card holds, in characters.
const (
	maxTitle   = 160
	maxSummary = 300
	maxReason  = 120
	maxAlt     = 300
	maxName    = 64
)

const wordsPerMinute = 220 // a usual reader

// builder makes one Note. It keeps its first error, so that its steps need not check each
// other.
type builder struct {
	r   *Reader
	ctx context.Context
	now time.Time
	err error
}

// note presents an event; depth is 0 for what was asked for, 1 for what it quotes.
func (b *builder) note(e *nostr.Event, depth int) Note {
	if e.Kind == kindRepost || e.Kind == kindGenericRepost {
		return b.repost(e, depth)
	}
	n := Note{ID: e.ID, Row: e.ID, Kind: e.Kind, Link: eventLink(e.ID, e.PubKey)}
	b.author(&n, e.PubKey)
	n.At = time.Unix(e.CreatedAt, 0).In(b.now.Location())
	n.When, n.Exact = b.r.Words.Ago(n.At, b.now), b.r.Words.exact(n.At)
	n.What = b.r.Words.kind(e.Kind)
	b.warning(&n, e)
	b.replyTo(&n, e)
	b.content(&n, e, depth)
	if depth == 0 {
		b.counts(&n)
	}
	return n
}

func (b *builder) person(pk nostr.PubKey) nostr.Profile {
	if b.err != nil {
		return nostr.Profile{PubKey: pk}
	}
	p, err := b.r.person(b.ctx, pk)
	b.err = err
	return p
}

// event returns a stored event, nil if it is not stored.
func (b *builder) event(id nostr.ID) *nostr.Event {
	if b.err != nil || id == (nostr.ID{}) {
		return nil
	}
	e, err := b.r.Store.Event(b.ctx, id)
	return b.found(e, err)
}

func (b *builder) found(e *nostr.Event, err error) *nostr.Event {
	switch {
	case errors.Is(err, ndb.ErrNotFound):
		return nil
	case err != nil:
		b.err = err
		return nil
	}
	return e
}

// address returns the event at an address (NIP-01), nil if it is not stored.
func (b *builder) address(kind uint16, author nostr.PubKey, d string) *nostr.Event {
	if b.err != nil {
		return nil
	}
	return b.found(b.r.Store.Latest(b.ctx, kind, author, d))
}

func (b *builder) author(n *Note, pk nostr.PubKey) {
	p := b.person(pk)
	n.PubKey = pk
	n.Author = displayName(p)
	n.Handle = handle(p)
	n.NIP05 = clean.Line(p.NIP05, maxName)
	n.Bot = p.Bot
	if len(p.Picture) <= maxURL {
		n.Face = p.Picture
	}
	if b.err == nil {
		n.Followed, n.Mark, b.err = b.r.relation(b.ctx, p)
	}
}

// handle is the second name of a person; "" if it would repeat the one that is shown.
func handle(p nostr.Profile) string {
	name := strings.TrimPrefix(clean.Line(p.Name, 32), "@")
	if name == "" || p.DisplayName == "" || strings.EqualFold(name, strings.TrimPrefix(p.DisplayName, "@")) {
		return ""
	}
	return "@" + name
}

// displayName is Name, bounded once more in what it may hold.
func displayName(p nostr.Profile) string { return clean.Line(Name(p), maxName) }

func (b *builder) warning(n *Note, e *nostr.Event) {
	for _, t := range e.Tags {
		if len(t) > 0 && t[0] == "content-warning" {
			n.Warned = true
			if len(t) > 1 {
				n.Warning = clean.Line(t[1], maxReason)
			}
			return
		}
	}
}

func (b *builder) replyTo(n *Note, e *nostr.Event) {
	reply, ok := nostr.ReplyTo(e)
	if !ok {
		return
	}
	n.IsReply = true
	pk, ok := b.answered(e, reply)
	if !ok {
		return
	}
	n.ReplyToKey = pk
	n.ReplyTo = displayName(b.person(pk))
}

// answered finds whom a reply answers: the author of its parent, else the last person in
// its tags.
func (b *builder) answered(e *nostr.Event, reply nostr.Reply) (nostr.PubKey, bool) {
	if parent := b.event(reply.Parent); parent != nil {
		return parent.PubKey, true
	}
	if pk, ok := taggedAuthor(e, reply.Parent); ok {
		return pk, true
	}
	for i := len(e.Tags) - 1; i >= 0; i-- {
		if pk, ok := taggedKey(e.Tags[i], "p"); ok {
			return pk, true
		}
	}
	return nostr.PubKey{}, false
}

// taggedAuthor reads the author that an e tag names beside the id (NIP-10).
func taggedAuthor(e *nostr.Event, id nostr.ID) (nostr.PubKey, bool) {
	for _, t := range e.Tags {
		if len(t) > 3 && (t[0] == "e" || t[0] == "E") && t[1] == id.String() {
			for _, item := range t[3:] {
				if pk, err := nostr.ParsePubKey(item); err == nil {
					return pk, true
				}
			}
		}
	}
	return nostr.PubKey{}, false
}

func taggedKey(t nostr.Tag, name string) (nostr.PubKey, bool) {
	if len(t) < 2 || t[0] != name {
		return nostr.PubKey{}, false
	}
	pk, err := nostr.ParsePubKey(t[1])
	return pk, err == nil
}

func (b *builder) counts(n *Note) {
	if b.err != nil {
		return
	}
	c, err := b.r.Store.Counters(b.ctx, n.ID)
	if err != nil {
		b.err = err
		return
	}
	n.Replies = b.count(int64(c.Replies))
	n.Reposts = b.count(int64(c.Reposts) + int64(c.Quotes))
	n.Likes = b.count(int64(c.Reactions))
	n.Zaps = b.count(c.ZapSats)
}

func (b *builder) count(n int64) Count {
	if n <= 0 {
		return Count{}
	}
	return Count{N: n, Text: b.r.Words.Short(n)}
}

// repost presents the note that a repost names, or carries in its content.
func (b *builder) repost(e *nostr.Event, depth int) Note {
	target := b.reposted(e)
	n := Note{Missing: true}
	switch {
	case target != nil && target.Kind != kindRepost && target.Kind != kindGenericRepost:
		n = b.note(target, depth)
	default:
		n.ID, _ = firstTagID(e, "e")
		n.Link = eventLink(n.ID, nostr.PubKey{})
		for _, t := range e.Tags {
			if pk, ok := taggedKey(t, "p"); ok {
				b.author(&n, pk)
				break
			}
		}
	}
	n.Row = e.ID
	n.RepostedByKey = e.PubKey
	n.RepostedBy = displayName(b.person(e.PubKey))
	n.RepostedWhen = b.r.Words.Ago(time.Unix(e.CreatedAt, 0).In(b.now.Location()), b.now)
	return n
}

// reposted finds what e reposts: in the store, else in its own content, where a
// note counts only with the id that e names and a valid signature.
func (b *builder) reposted(e *nostr.Event) *nostr.Event {
	id, named := firstTagID(e, "e")
	if named {
		if target := b.event(id); target != nil {
			return target
		}
	}
	for _, t := range e.Tags {
		if len(t) > 1 && t[0] == "a" {
			if kind, author, d, ok := parseAddress(t[1]); ok {
				if target := b.address(kind, author, d); target != nil {
					return target
				}
			}
		}
	}
	inner, err := nostr.ParseEvent([]byte(e.Content))
	if err != nil || named && inner.ID != id || inner.Verify() != nil {
		return nil
	}
	return inner
}

func firstTagID(e *nostr.Event, name string) (nostr.ID, bool) {
	for _, t := range e.Tags {
		if len(t) > 1 && t[0] == name {
			if id, err := nostr.ParseID(t[1]); err == nil {
				return id, true
			}
		}
	}
	return nostr.ID{}, false
}

// parseAddress reads kind:pubkey:d (NIP-01).
func parseAddress(s string) (kind uint16, author nostr.PubKey, d string, ok bool) {
	parts := strings.SplitN(s, ":", 3)
	if len(parts) != 3 {
		return 0, nostr.PubKey{}, "", false
	}
	k, err := strconv.ParseUint(parts[0], 10, 16)
	if err != nil {
		return 0, nostr.PubKey{}, "", false
	}
	author, err = nostr.ParsePubKey(parts[1])
	return uint16(k), author, parts[2], err == nil
}

// content fills what the note itself says.
func (b *builder) content(n *Note, e *nostr.Event, depth int) {
	switch e.Kind {
	case kindArticle, 30024:
		b.article(n, e)
		return
	case kindText, kindComment, kindPicture, 21, 22, 9802, 1063:
	default:
		if n.What != "" {
			b.other(n, e)
			return
		}
	}
	if subject, ok := e.Tags.Value("subject"); ok {
		n.Title = clean.Line(subject, maxTitle)
	} else if title, ok := e.Tags.Value("title"); ok && e.Kind != kindText {
		n.Title = clean.Line(title, maxTitle)
	}
	t := &reading{b: b, n: n, e: e, depth: depth, metas: imeta(e)}
	t.read(bounded(e.Content, maxRead))
}

func (b *builder) article(n *Note, e *nostr.Event) {
	title, _ := e.Tags.Value("title")
	if n.Title = clean.Line(title, maxTitle); n.Title == "" {
		n.Title = b.r.Words.say("Untitled")
	}
	summary, _ := e.Tags.Value("summary")
	n.Summary = clean.Line(bounded(summary, 4*maxSummary), maxSummary)
	n.Minutes = max(1, (len(strings.Fields(e.Content))+wideRunes(e.Content)/2+wordsPerMinute/2)/wordsPerMinute)
	if image, ok := e.Tags.Value("image"); ok {
		if p, ok := picture(image); ok {
			n.Pictures = []Picture{p}
		}
	}
}

// other presents a kind that has no text to show: by a title and a summary, where
// its tags have them.
func (b *builder) other(n *Note, e *nostr.Event) {
	for _, name := range []string{"title", "name", "subject"} {
		if v, ok := e.Tags.Value(name); ok && n.Title == "" {
			n.Title = clean.Line(bounded(v, 4*maxTitle), maxTitle)
		}
	}
	for _, name := range []string{"summary", "description", "alt"} {
		if v, ok := e.Tags.Value(name); ok && n.Summary == "" && !forPrograms(v) { // a zap describes itself so
			n.Summary = clean.Line(bounded(v, 4*maxSummary), maxSummary)
		}
	}
	if n.Title == "" && n.Summary == "" && !forPrograms(e.Content) {
		n.Summary = clean.Line(bounded(e.Content, 4*maxSummary), maxSummary)
	}
}

// forPrograms reports whether a text is a JSON object.
func forPrograms(s string) bool {
	return strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s))
}

// wideRunes counts the characters of scripts that are written without spaces; two
// of them are about a word.
func wideRunes(s string) int {
	n := 0
	for _, r := range s {
		if r >= 0x0e00 && runeWidth(r) == 2 {
			n++
		}
	}
	return n
}

// bounded cuts to at most n bytes, at the start of a character.
func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
