// Package actor makes people up who can write signed events of Nostr: notes, replies,
// reposts, zaps and the rest. Each names its thread and those it answers as the NIPs
// have it. The same seed and name give the same key, and the same calls the same events,
// byte for byte.
//
// All keys are throwaway: each is the SHA-256 of a public label, so anyone can
// compute it. None may ever be used for a real account.
package actor

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb/nostr"
)

// The kinds that are made here.
const (
	kindProfile   = 0
	kindNote      = 1
	kindContacts  = 3
	kindDelete    = 5
	kindRepost    = 6
	kindReaction  = 7
	kindGeneric   = 16 // a repost of anything but a note
	kindComment   = 1111
	kindZapAsk    = 9734
	kindZap       = 9735
	kindMutes     = 10000
	kindRelays    = 10002
	kindArticle   = 30023
	maxThreadTags = 20 // people named by one reply
)

// Person is somebody made up.
type Person struct {
	PubKey   nostr.PubKey
	Handle   string // short name
	Name     string // display name
	NIP05    string // at a .example host, which never resolves
	About    string
	Picture  string // the address of their picture; "" for none
	Lang     string // what the person mostly writes: a BCP 47 tag, or a made-up language's name
	Followed bool   // by the person whose world it is
}

// Actor is a person who can write events. Each has its id, but no signature before
// [Actor.Sign], unless its method says so. Actor is safe for concurrent use.
type Actor struct {
	Person
	Relays []string // where the person writes; the first is the hint in tags
	key    *btcec.PrivateKey
	old    bool // names threads by position, as NIP-10 once had it
}

// Post is an event together with what a reply to it must know.
type Post struct {
	Event *nostr.Event
	By    *Actor
	Root  *Post // nil for the first of a thread
}

// thread returns the first post of the thread.
func (p *Post) thread() *Post {
	if p.Root != nil {
		return p.Root
	}
	return p
}

// address is the value of an `a` tag (NIP-01), for addressable events.
func (p *Post) address() string {
	d, _ := p.Event.Tags.Value("d")
	return fmt.Sprintf("%d:%s:%s", p.Event.Kind, p.Event.PubKey, d)
}

func (a *Actor) event(kind uint16, at time.Time, content string, tags nostr.Tags) *nostr.Event {
	if tags == nil {
		tags = nostr.Tags{}
	}
	e := &nostr.Event{PubKey: a.PubKey, CreatedAt: at.Unix(), Kind: kind, Tags: tags, Content: content}
	e.ID = e.ComputeID()
	return e
}

// Note writes a kind 1 note; tags are those that its text does not show.
func (a *Actor) Note(at time.Time, text string, tags nostr.Tags) *Post {
	return &Post{Event: a.event(kindNote, at, text, append(tags, hashtags(text)...)), By: a}
}

// Article writes a NIP-23 article under the name d. Its first line is the title, the next
// paragraph the summary. tags are added.
func (a *Actor) Article(at, published time.Time, d, text string, tags nostr.Tags) *Post {
	title, body, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	body = strings.TrimSpace(body)
	summary, _, _ := strings.Cut(body, "\n")
	tags = append(nostr.Tags{
		{"d", d},
		{"title", title},
		{"summary", summary},
		{"published_at", fmt.Sprint(published.Unix())},
	}, tags...)
	return &Post{Event: a.event(kindArticle, at, body, append(tags, hashtags(body)...)), By: a}
}

// Reply answers a post: a note in its thread, or a comment (NIP-22) where the
// thread began with something that is no note.
func (a *Actor) Reply(at time.Time, parent *Post, text string, tags nostr.Tags) *Post {
	root := parent.thread()
	kind := uint16(kindNote)
	if root.Event.Kind != kindNote {
		kind = kindComment
	}
	tags = slices.Concat(a.threadTags(root, parent), tags, hashtags(text))
	return &Post{Event: a.event(kind, at, text, tags), By: a, Root: root}
}

func (a *Actor) threadTags(root, parent *Post) nostr.Tags {
	if root.Event.Kind != kindNote {
		return commentTags(root, parent)
	}
	var tags nostr.Tags
	switch {
	case a.old && root == parent:
		tags = nostr.Tags{{"e", root.Event.ID.String()}}
	case a.old:
		tags = nostr.Tags{{"e", root.Event.ID.String()}, {"e", parent.Event.ID.String()}}
	default:
		tags = nostr.Tags{{"e", root.Event.ID.String(), root.By.Relays[0], "root", root.By.PubKey.String()}}
		if root != parent {
			tags = append(tags, nostr.Tag{"e", parent.Event.ID.String(), parent.By.Relays[0], "reply", parent.By.PubKey.String()})
		}
	}
	return append(tags, a.answered(parent)...)
}

// answered names the author of parent and those whom parent named (NIP-10), the
// writer left out.
func (a *Actor) answered(parent *Post) nostr.Tags {
	tags := nostr.Tags{{"p", parent.By.PubKey.String(), parent.By.Relays[0]}}
	named := map[string]bool{parent.By.PubKey.String(): true, a.PubKey.String(): true}
	for _, t := range parent.Event.Tags {
		if len(t) > 1 && t[0] == "p" && !named[t[1]] && len(tags) < maxThreadTags {
			named[t[1]] = true
			tags = append(tags, slices.Clone(t))
		}
	}
	return tags
}

// commentTags are NIP-22's: upper case for the root, lower case for the parent.
func commentTags(root, parent *Post) nostr.Tags {
	key, hint := root.By.PubKey.String(), root.By.Relays[0]
	tags := nostr.Tags{
		{"A", root.address(), hint},
		{"E", root.Event.ID.String(), hint, key},
		{"K", strconv.Itoa(int(root.Event.Kind))},
		{"P", key, hint},
	}
	if root == parent {
		tags = append(tags, nostr.Tag{"a", root.address(), hint})
	}
	key, hint = parent.By.PubKey.String(), parent.By.Relays[0]
	return append(
		tags,
		nostr.Tag{"e", parent.Event.ID.String(), hint, key},
		nostr.Tag{"k", strconv.Itoa(int(parent.Event.Kind))}, nostr.Tag{"p", key, hint},
	)
}

// Link is a NIP-21 link to the post, and the tags of a note that quotes it so (NIP-18).
func (p *Post) Link() (link string, tags nostr.Tags) {
	key, hint := p.By.PubKey.String(), p.By.Relays[0]
	return "nostr:" + p.Event.ID.Note(), nostr.Tags{{"q", p.Event.ID.String(), hint, key}, {"p", key, hint}}
}

// Link is a NIP-21 link to the person, and the tag of a note that has it (NIP-27).
func (a *Actor) Link() (link string, tag nostr.Tag) {
	return "nostr:" + a.PubKey.Npub(), nostr.Tag{"p", a.PubKey.String(), a.Relays[0]}
}

// Repost passes a post on as a whole, signed if it was not (NIP-18).
func (a *Actor) Repost(at time.Time, target *Post) (*nostr.Event, error) {
	if target.Event.Sig == (nostr.Sig{}) {
		if err := target.By.Sign(target.Event); err != nil {
			return nil, err
		}
	}
	key, hint := target.By.PubKey.String(), target.By.Relays[0]
	tags := nostr.Tags{{"e", target.Event.ID.String(), hint}, {"p", key}}
	kind := uint16(kindRepost)
	if target.Event.Kind != kindNote {
		kind = kindGeneric
		tags = append(tags, nostr.Tag{"k", strconv.Itoa(int(target.Event.Kind))})
		if target.Event.Kind == kindArticle {
			tags = append(tags, nostr.Tag{"a", target.address(), hint})
		}
	}
	return a.event(kind, at, string(target.Event.AppendJSON(nil)), tags), nil
}

// React answers a post by "+", "-" or an emoji (NIP-25).
func (a *Actor) React(at time.Time, target *Post, content string) *nostr.Event {
	key, hint := target.By.PubKey.String(), target.By.Relays[0]
	tags := nostr.Tags{{"e", target.Event.ID.String(), hint, key}, {"p", key, hint}}
	if target.Event.Kind != kindNote {
		tags = append(tags, nostr.Tag{"k", strconv.Itoa(int(target.Event.Kind))})
	}
	return a.event(kindReaction, at, content, tags)
}

// Profile writes what the person is called and the about text, a new version each time.
func (a *Actor) Profile(at time.Time, about string) (*nostr.Event, error) {
	content, err := json.Marshal(struct {
		Name        string `json:"name"`
		DisplayName string `json:"display_name"`
		About       string `json:"about"`
		NIP05       string `json:"nip05"`
		LUD16       string `json:"lud16"`
		Picture     string `json:"picture,omitempty"`
	}{a.Handle, a.Name, about, a.NIP05, a.Handle + "@wallet.example", a.Picture})
	if err != nil {
		return nil, fmt.Errorf("profile of %s: %w", a.Handle, err)
	}
	return a.event(kindProfile, at, string(content), nil), nil
}

// Contacts writes the list of those who are followed.
func (a *Actor) Contacts(at time.Time, follows []*Actor) *nostr.Event {
	tags := make(nostr.Tags, len(follows))
	for i, f := range follows {
		tags[i] = nostr.Tag{"p", f.PubKey.String(), f.Relays[0]}
	}
	return a.event(kindContacts, at, "", tags)
}

// RelayList is NIP-65's: the first relay for both, the others for writing.
func (a *Actor) RelayList(at time.Time) *nostr.Event {
	tags := make(nostr.Tags, len(a.Relays))
	for i, url := range a.Relays {
		tags[i] = nostr.Tag{"r", url}
		if i > 0 {
			tags[i] = append(tags[i], "write")
		}
	}
	return a.event(kindRelays, at, "", tags)
}

// Mutes is NIP-51's list of people, a word and a hashtag.
func (a *Actor) Mutes(at time.Time, people []*Actor, word, hashtag string) *nostr.Event {
	tags := nostr.Tags{{"word", word}, {"t", hashtag}}
	for _, p := range people {
		tags = append(tags, nostr.Tag{"p", p.PubKey.String()})
	}
	return a.event(kindMutes, at, "", tags)
}

// Remove asks for the deletion of an own post (NIP-09).
func (a *Actor) Remove(at time.Time, target *Post, reason string) *nostr.Event {
	tags := nostr.Tags{{"e", target.Event.ID.String()}, {"k", strconv.Itoa(int(target.Event.Kind))}}
	return a.event(kindDelete, at, reason, tags)
}

// hashtags returns a `t` tag for each #word of a text, lower case, each once.
func hashtags(text string) (tags nostr.Tags) {
	seen := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		name, ok := strings.CutPrefix(word, "#")
		if !ok || strings.HasPrefix(name, "#") { // a heading of Markdown
			continue
		}
		name = strings.ToLower(strings.TrimRight(name, ".,;:!?)…。、！？"))
		if name != "" && !seen[name] {
			seen[name] = true
			tags = append(tags, nostr.Tag{"t", name})
		}
	}
	return tags
}

// digest hashes a public label under the seed. Keys, random sequences and
// payment hashes are all made of it, so that a world depends on nothing else.
func digest(seed uint64, purpose, label string) [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "bowerbird sample, worthless: %s\x00%d\x00%s", purpose, seed, label)
	return [32]byte(h.Sum(nil))
}

// Random returns the random sequence of a label.
func Random(seed uint64, label string) *rand.Rand {
	return rand.New(rand.NewChaCha8(digest(seed, "random", label)))
}

// Number makes a number of a label, for seconds and other small choices that
// must not shift when a neighbouring text is edited.
func Number(seed uint64, label string) uint64 {
	d := digest(seed, "number", label)
	return binary.BigEndian.Uint64(d[:])
}

// Pick returns one of all.
func Pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }

// Taste is what people send as a reaction.
func Taste(rng *rand.Rand) string {
	emoji := []string{"❤️", "🤙", "😂", "🔥", "👀", "🙏", "💜", "🐦"}
	switch roll := rng.IntN(100); {
	case roll < 55:
		return "+"
	case roll < 57:
		return "-"
	default:
		return emoji[roll%len(emoji)]
	}
}

// New gives a person the key of a seed and of the handle. Old names threads by position,
// as NIP-10 once had it; relays must have one at least.
func New(seed uint64, p Person, old bool, relays []string) *Actor {
	secret := digest(seed, "key", p.Handle)
	key, pub := btcec.PrivKeyFromBytes(secret[:])
	p.PubKey = nostr.PubKey(schnorr.SerializePubKey(pub))
	return &Actor{Person: p, Relays: relays, key: key, old: old}
}

// Sign signs an event of this person. BIP-340's check of the fresh signature is left
// out: it would triple the cost, and it guards against faults that matter for
// keys of worth.
func (a *Actor) Sign(e *nostr.Event) error {
	sig, err := schnorr.Sign(a.key, e.ID[:], schnorr.FastSign())
	if err != nil {
		return fmt.Errorf("sign event %s: %w", e.ID, err)
	}
	e.Sig = nostr.Sig(sig.Serialize())
	return nil
}
