package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Scope is what a result covers.
type Scope struct {
	Context string `json:"context"`
	Authors int    `json:"authors"`         // 0 for any
	Since   string `json:"since,omitempty"` // RFC 3339 with zone
	Until   string `json:"until,omitempty"`
}

// The contexts of a query, whose notes it is about, and the values of [Env].Scope.
const (
	ScopeHome    = "home"
	ScopeProfile = "profile"
	ScopeAny     = "any"
)

// selection is a query about notes, ready for the store.
type selection struct {
	env     *Env
	view    *viewer
	scope   Scope
	authors []nostr.PubKey // nil: any
	watched []nostr.PubKey // whose coverage decides how complete the result is
	filter  nostr.Filter
	replies bool
	to      nostr.PubKey // to whom the notes are addressed; zero: to anybody
}

// selection resolves people, times and search words.
func (env *Env) selection(ctx context.Context, a CountArgs) (*selection, error) {
	view, err := env.viewer(ctx)
	if err != nil {
		return nil, err
	}
	query, frame, err := env.readSearch(ctx, a.Search)
	if err != nil {
		return nil, err
	}
	kinds := slices.Clone(a.Kind)
	if named := query.Kinds(); len(kinds) == 0 && len(named) == 0 {
		kinds = defaultKinds(a)
	} else if err := refusePrivate(append(named, kinds...)); err != nil {
		return nil, err
	}
	s := &selection{
		env: env, view: view, replies: a.IncludeReplies || a.Mentions != "" || query.Asks("is:reply") || query.Asks("to:"),
		filter: nostr.Filter{Kinds: kinds, Search: query.String()},
	}
	if err := s.window(a, frame); err != nil {
		return nil, err
	}
	if tag := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(a.Hashtag), "#")); tag != "" {
		if strings.Contains(tag, ",") {
			return nil, wrongValue("hashtag", "one hashtag; for several, search takes #a OR #b", a.Hashtag)
		}
		s.filter.Tags = map[byte][]string{'t': hashtagForms(tag)}
	}
	if err := s.address(ctx, a.Mentions); err != nil {
		return nil, err
	}
	if err := s.chooseAuthors(ctx, a, frame.Authors); err != nil {
		return nil, err
	}
	s.filter.Authors = s.authors
	return s, nil
}

// defaultKinds are the kinds searched if none is named.
func defaultKinds(a CountArgs) Kinds {
	if a.Mentions != "" {
		return Kinds{1, 6, 7, 16, 1111, 9735}
	}
	return Kinds{1}
}

// address restricts the notes to those that name a person in a p tag.
func (s *selection) address(ctx context.Context, person string) error {
	if person == "" {
		return nil
	}
	pk, err := s.env.person(ctx, "mentions", person)
	if err != nil {
		return err
	}
	if s.to = pk; s.filter.Tags == nil {
		s.filter.Tags = map[byte][]string{}
	}
	s.filter.Tags['p'] = []string{pk.String()}
	return nil
}

// hashtagForms are the ways a hashtag is written: authors are asked to write
// lower case without the # (NIP-24), and not all do.
func hashtagForms(tag string) []string {
	low := strings.ToLower(tag)
	first, size := utf8.DecodeRuneInString(low)
	forms := []string{low, tag, strings.ToUpper(low), string(unicode.ToTitle(first)) + low[size:]}
	for _, form := range forms {
		forms = append(forms, "#"+form)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// window narrows the times given by those in the search text.
func (s *selection) window(a CountArgs, frame search.Frame) error {
	from, to, err := s.env.times(a.Since, a.Until)
	if err != nil {
		return err
	}
	if at := frame.Since; at != nil && (from == nil || *at > *from) {
		from = at
	}
	if at := frame.Until; at != nil && (to == nil || *at < *to) {
		to = at
	}
	if from != nil && to != nil && *from > *to {
		return wrongValue("since", fmt.Sprintf("a time before until (%s)", s.env.stamp(*to)), s.env.stamp(*from))
	}
	s.filter.Since, s.filter.Until = from, to
	s.scope.Since, s.scope.Until = s.env.stampOr(from), s.env.stampOr(to)
	return nil
}

// chooseAuthors turns context, author and from: into a set of people.
func (s *selection) chooseAuthors(ctx context.Context, a CountArgs, from []nostr.PubKey) error {
	named, err := s.namedPeople(ctx, a.Author, from)
	if err != nil {
		return err
	}
	home, listed, err := s.env.home(ctx)
	if err != nil {
		return err
	}
	s.watched = home
	s.scope.Context = s.defaultContext(a, listed && len(home) > 1)
	if s.scope.Context == ScopeHome && a.Context == "" && onlyFollowed(named, home) != nil {
		s.scope.Context = ScopeProfile // from: names somebody else, as author does
	}
	switch s.scope.Context {
	case ScopeHome:
		if !listed {
			return noContactList(s.env)
		}
		s.authors = home
		if named != nil {
			if err := onlyFollowed(named, home); err != nil {
				return err
			}
			s.authors = named
		}
	case ScopeProfile:
		if s.authors, err = s.profileOf(named); err != nil {
			return err
		}
	default:
		s.authors = named
	}
	if s.authors != nil {
		s.watched = s.authors
	}
	s.scope.Authors = len(s.authors)
	return nil
}

// defaultContext is the context given; else profile, if an author is given; else
// everything, including strangers, for what is addressed to a person; else the scope of
// the turn; else home if the account follows somebody, and everything if not.
func (s *selection) defaultContext(a CountArgs, followsSomebody bool) string {
	switch {
	case a.Context != "":
		return a.Context
	case a.Author != "":
		return ScopeProfile
	case a.Mentions != "":
		return ScopeAny
	case s.env.Scope != "":
		return s.env.Scope
	case followsSomebody:
		return ScopeHome
	}
	return ScopeAny
}

// namedPeople are those of author and of from:, or nil if none is named.
func (s *selection) namedPeople(ctx context.Context, author string, from []nostr.PubKey) ([]nostr.PubKey, error) {
	if strings.TrimSpace(author) == "" {
		return from, nil
	}
	pk, err := s.env.person(ctx, "author", author)
	if err != nil {
		return nil, err
	}
	if from != nil && !slices.Contains(from, pk) {
		return nil, wrongValue("search", "from: to name the same person as author, or to be left out", from[0].Npub())
	}
	return []nostr.PubKey{pk}, nil
}

// profileOf is whom the context profile means.
func (s *selection) profileOf(named []nostr.PubKey) ([]nostr.PubKey, error) {
	switch {
	case named != nil:
		return named, nil
	case s.env.Open != (nostr.PubKey{}):
		return []nostr.PubKey{s.env.Open}, nil
	case s.env.Me != (nostr.PubKey{}):
		return []nostr.PubKey{s.env.Me}, nil
	}
	return nil, wrongValue("author", "a person, since no profile is open and nobody is signed in", missing{})
}

// matches is the test beyond the filter: what may be shown, and no replies unless
// requested. What a person writes is not addressed to that person, whatever its p tags. A
// comment is always a reply, so requesting its kind requests it.
func (s *selection) matches(e *nostr.Event) bool {
	if !s.view.shows(e) || e.PubKey == s.to && s.to != (nostr.PubKey{}) {
		return false
	}
	if s.replies || slices.Contains(commentKinds(), e.Kind) {
		return true
	}
	_, reply := nostr.ReplyTo(e)
	return !reply
}

// home is the account's newest contact list and the account; listed is false if there is
// no such list.
func (env *Env) home(ctx context.Context) (keys []nostr.PubKey, listed bool, err error) {
	if env.Me == (nostr.PubKey{}) {
		return nil, false, nil
	}
	if env.Kept != nil {
		if kept, ok := env.Kept.homes.Load(env.Me); ok {
			return kept.([]nostr.PubKey), true, nil
		}
	}
	keys, err = env.Store.Contacts(ctx, env.Me)
	if errors.Is(err, ndb.ErrNotFound) {
		return []nostr.PubKey{env.Me}, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the contact list: %w", err)
	}
	if !slices.Contains(keys, env.Me) {
		keys = append(keys, env.Me)
	}
	if env.Kept != nil {
		env.Kept.homes.Store(env.Me, keys)
	}
	return keys, true, nil
}

// ErrNoContacts is returned if context home was requested and no contact list is stored.
var ErrNoContacts = errors.New("no contact list is stored")

func noContactList(env *Env) error {
	if env.Me == (nostr.PubKey{}) {
		return fmt.Errorf("%w, since nobody is signed in: use context any, or profile with an author", ErrNoContacts)
	}
	return fmt.Errorf("%w for the reader: sync it first, or use context any, or profile with an author", ErrNoContacts)
}

func onlyFollowed(named, home []nostr.PubKey) error {
	for _, pk := range named {
		if !slices.Contains(home, pk) {
			return wrongValue("author", "someone the reader follows (context home); for others use context profile or any", pk.Npub())
		}
	}
	return nil
}

// Selection is what a query is about, for a reader that goes through the notes page by
// page: the window. What matches Filter and is shown is what count counts and query
// returns.
type Selection struct {
	Filter nostr.Filter
	// Shown is the test beyond the filter: muted and private notes, and replies that were
	// not requested, are not shown.
	Shown func(*nostr.Event) bool
}

// Select reads a query as query and count do. Errors that the caller can correct are an
// *ArgumentError.
func (env *Env) Select(ctx context.Context, a CountArgs) (Selection, error) {
	s, err := env.selection(ctx, a)
	if err != nil {
		return Selection{}, err
	}
	return Selection{Filter: s.filter, Shown: s.matches}, nil
}

// futureGrace is how far ahead of now a note may be dated and still be shown.
const futureGrace = 15 * time.Minute

// privateKind reports whether events of a kind are in no result for a model: direct
// messages and their wraps (NIP-04, NIP-17, NIP-59), mute lists (NIP-51), drafts and
// their checkpoints (NIP-23, NIP-37).
func privateKind(kind uint16) bool {
	switch kind {
	case 4, 13, 14, 15, 1059, 10000, 1234, 30024, 31234:
		return true
	}
	return false
}

// refusePrivate is the error for asking for a private kind.
func refusePrivate(kinds []uint16) error {
	for _, k := range kinds {
		if privateKind(k) {
			return wrongValue("kind", "public kinds (messages, drafts and mute lists are never shown to a model)", json.Number(strconv.Itoa(int(k))))
		}
	}
	return nil
}

// viewer decides what may be shown: it is made once per call and holds the account's mute
// list. Every event in a result passes shows.
type viewer struct {
	me      nostr.PubKey
	now     int64
	people  map[string]bool // hex
	topics  map[string]bool // lower case
	words   []string        // lower case
	threads map[string]bool // hex
}

// viewer reads the account's mute list: only its public items, since the others are
// encrypted for a signer.
func (env *Env) viewer(ctx context.Context) (*viewer, error) {
	v := &viewer{me: env.Me, now: env.Now().Unix(), people: map[string]bool{}, topics: map[string]bool{}, threads: map[string]bool{}}
	if env.Me == (nostr.PubKey{}) {
		return v, nil
	}
	list, err := env.Store.Latest(ctx, 10000, env.Me, "")
	if errors.Is(err, ndb.ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the mute list: %w", err)
	}
	for _, tag := range list.Tags {
		if len(tag) < 2 || tag[1] == "" {
			continue
		}
		switch tag[0] {
		case "p":
			v.people[tag[1]] = true
		case "t":
			v.topics[strings.ToLower(tag[1])] = true
		case "word":
			v.words = append(v.words, strings.ToLower(tag[1]))
		case "e":
			v.threads[tag[1]] = true
		}
	}
	return v, nil
}

// shows reports whether an event may be in a result.
func (v *viewer) shows(e *nostr.Event) bool {
	if privateKind(e.Kind) || e.CreatedAt > v.now+int64(futureGrace/time.Second) || v.expired(e) {
		return false
	}
	return e.PubKey == v.me || !v.muted(e)
}

// expired reads NIP-40's tag; the store sweeps, but not at this very second.
func (v *viewer) expired(e *nostr.Event) bool {
	at, ok := e.Tags.Value("expiration")
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(at, 10, 64)
	return err == nil && n <= v.now
}

func (v *viewer) muted(e *nostr.Event) bool {
	if len(v.people) > 0 && v.people[e.PubKey.String()] {
		return true
	}
	if e.Kind == 9735 {
		zap, err := nostr.ParseZap(e)
		return err == nil && v.people[zap.Sender.String()]
	}
	if len(v.topics) > 0 && slices.ContainsFunc(e.Tags, func(t nostr.Tag) bool {
		return len(t) > 1 && t[0] == "t" && v.topics[strings.ToLower(t[1])]
	}) {
		return true
	}
	if len(v.threads) > 0 {
		r, ok := nostr.ReplyTo(e)
		if v.threads[e.ID.String()] || ok && (v.threads[r.Root.String()] || v.threads[r.Parent.String()]) {
			return true
		}
	}
	if len(v.words) == 0 {
		return false
	}
	text := strings.ToLower(e.Content)
	return slices.ContainsFunc(v.words, func(w string) bool { return holdsWord(text, w) })
}

// holdsWord finds word in text, both in lower case, but not inside a longer word: muting
// "art" does not hide parties. Scripts without spaces have no such borders, so there any
// position counts.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, size := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !(joins(before) && joins(first)) && !(joins(after) && joins(last)) {
			return true
		}
		from = start + size
	}
}

// joins reports whether a rune makes one word with a neighbour of its sort.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}
