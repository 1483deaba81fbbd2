package sample

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/ndb"
)

// The kinds that are made here.
const (
	kindProfile   = 0
	kindNote      = 1
	kindContacts  = 3
	kindDelete    = 5
	kindRepost    = 6
	kindReaction  = 7
	kindGeneric   = 16 // repost of anything but a note
	kindComment   = 1111
	kindZapAsk    = 9734
	kindZap       = 9735
	kindMutes     = 10000
	kindRelays    = 10002
	kindArticle   = 30023
	maxThreadTags = 20 // people named by one reply
)

// actor is a person who can write events.
type actor struct {
	Person
	signer *signer
	old    bool     // names threads by position, as NIP-10 once had it
	relays []string // where the person writes; the first is the hint in tags
}

func newActor(seed uint64, p Person, old bool, relays []string) *actor {
	a := &actor{Person: p, signer: newSigner(seed, p.Handle), old: old, relays: relays}
	a.PubKey = a.signer.pub
	return a
}

// post is an event together with what a reply to it must know.
type post struct {
	event *ndb.Event
	by    *actor
	root  *post // nil for the first of a thread
}

// thread returns the first post of the thread.
func (p *post) thread() *post {
	if p.root != nil {
		return p.root
	}
	return p
}

// address is the value of an `a` tag (NIP-01), for addressable events.
func (p *post) address() string {
	d, _ := p.event.Tags.Value("d")
	return fmt.Sprintf("%d:%s:%s", p.event.Kind, p.event.PubKey, d)
}

// event makes a stamped event without a signature.
func (a *actor) event(kind uint16, at time.Time, content string, tags ndb.Tags) *ndb.Event {
	if tags == nil {
		tags = ndb.Tags{}
	}
	e := &ndb.Event{CreatedAt: at.Unix(), Kind: kind, Tags: tags, Content: content}
	a.signer.stamp(e)
	return e
}

// note writes a kind 1 note; tags are those that its text does not show.
func (a *actor) note(at time.Time, text string, tags ndb.Tags) *post {
	return &post{event: a.event(kindNote, at, text, append(tags, hashtags(text)...)), by: a}
}

// reply answers a post: a note in its thread, or a comment (NIP-22) where the
// thread began with something that is no note.
func (a *actor) reply(at time.Time, parent *post, text string, tags ndb.Tags) *post {
	root := parent.thread()
	p := &post{by: a, root: root}
	tags = slices.Concat(a.threadTags(root, parent), tags, hashtags(text))
	kind := uint16(kindNote)
	if root.event.Kind != kindNote {
		kind = kindComment
	}
	p.event = a.event(kind, at, text, tags)
	return p
}

func (a *actor) threadTags(root, parent *post) ndb.Tags {
	if root.event.Kind != kindNote {
		return commentTags(root, parent)
	}
	var tags ndb.Tags
	switch {
	case a.old && root == parent:
		tags = ndb.Tags{{"e", root.event.ID.String()}}
	case a.old:
		tags = ndb.Tags{{"e", root.event.ID.String()}, {"e", parent.event.ID.String()}}
	default:
		tags = ndb.Tags{{"e", root.event.ID.String(), root.by.relays[0], "root", root.by.PubKey.String()}}
		if root != parent {
			tags = append(tags, ndb.Tag{"e", parent.event.ID.String(), parent.by.relays[0], "reply", parent.by.PubKey.String()})
		}
	}
	return append(tags, a.answered(parent)...)
}

// answered names the author of parent and those whom parent named (NIP-10), the
// writer left out.
func (a *actor) answered(parent *post) ndb.Tags {
	tags := ndb.Tags{{"p", parent.by.PubKey.String(), parent.by.relays[0]}}
	named := map[string]bool{parent.by.PubKey.String(): true, a.PubKey.String(): true}
	for _, t := range parent.event.Tags {
		if len(t) > 1 && t[0] == "p" && !named[t[1]] && len(tags) < maxThreadTags {
			named[t[1]] = true
			tags = append(tags, slices.Clone(t))
		}
	}
	return tags
}

// commentTags are NIP-22's: upper case for the root, lower case for the parent.
func commentTags(root, parent *post) ndb.Tags {
	key, hint := root.by.PubKey.String(), root.by.relays[0]
	tags := ndb.Tags{
		{"A", root.address(), hint},
		{"E", root.event.ID.String(), hint, key},
		{"K", strconv.Itoa(int(root.event.Kind))},
		{"P", key, hint},
	}
	if root == parent {
		tags = append(tags, ndb.Tag{"a", root.address(), hint})
	}
	key, hint = parent.by.PubKey.String(), parent.by.relays[0]
	return append(
		tags,
		ndb.Tag{"e", parent.event.ID.String(), hint, key},
		ndb.Tag{"k", strconv.Itoa(int(parent.event.Kind))}, ndb.Tag{"p", key, hint},
	)
}

// quoteTags go with a text that ends with link(target) (NIP-18).
func quoteTags(target *post) ndb.Tags {
	key, hint := target.by.PubKey.String(), target.by.relays[0]
	return ndb.Tags{{"q", target.event.ID.String(), hint, key}, {"p", key, hint}}
}

// repost passes a post on, signed and whole (NIP-18).
func (a *actor) repost(at time.Time, target *post) (*ndb.Event, error) {
	if target.event.Sig == (ndb.Sig{}) {
		if err := target.by.signer.sign(target.event); err != nil {
			return nil, err
		}
	}
	key, hint := target.by.PubKey.String(), target.by.relays[0]
	tags := ndb.Tags{{"e", target.event.ID.String(), hint}, {"p", key}}
	kind := uint16(kindRepost)
	if target.event.Kind != kindNote {
		kind = kindGeneric
		tags = append(tags, ndb.Tag{"k", strconv.Itoa(int(target.event.Kind))})
		if target.event.Kind == kindArticle {
			tags = append(tags, ndb.Tag{"a", target.address(), hint})
		}
	}
	return a.event(kind, at, string(target.event.AppendJSON(nil)), tags), nil
}

// react answers a post by "+", "-" or an emoji (NIP-25).
func (a *actor) react(at time.Time, target *post, content string) *ndb.Event {
	key, hint := target.by.PubKey.String(), target.by.relays[0]
	tags := ndb.Tags{{"e", target.event.ID.String(), hint, key}, {"p", key, hint}}
	if target.event.Kind != kindNote {
		tags = append(tags, ndb.Tag{"k", strconv.Itoa(int(target.event.Kind))})
	}
	return a.event(kindReaction, at, content, tags)
}

func (a *actor) profile(at time.Time, about string) (*ndb.Event, error) {
	content, err := json.Marshal(struct {
		Name        string `json:"name"`
		DisplayName string `json:"display_name"`
		About       string `json:"about"`
		NIP05       string `json:"nip05"`
		LUD16       string `json:"lud16"`
	}{a.Handle, a.Name, about, a.NIP05, a.Handle + "@wallet.example"})
	if err != nil {
		return nil, fmt.Errorf("profile of %s: %w", a.Handle, err)
	}
	return a.event(kindProfile, at, string(content), nil), nil
}

func (a *actor) contacts(at time.Time, follows []*actor) *ndb.Event {
	tags := make(ndb.Tags, len(follows))
	for i, f := range follows {
		tags[i] = ndb.Tag{"p", f.PubKey.String(), f.relays[0]}
	}
	return a.event(kindContacts, at, "", tags)
}

// relayList is NIP-65's: the first relay for both, the others for writing.
func (a *actor) relayList(at time.Time) *ndb.Event {
	tags := make(ndb.Tags, len(a.relays))
	for i, url := range a.relays {
		tags[i] = ndb.Tag{"r", url}
		if i > 0 {
			tags[i] = append(tags[i], "write")
		}
	}
	return a.event(kindRelays, at, "", tags)
}

// remove asks for the deletion of an own post (NIP-09).
func (a *actor) remove(at time.Time, target *post, reason string) *ndb.Event {
	tags := ndb.Tags{{"e", target.event.ID.String()}, {"k", strconv.Itoa(int(target.event.Kind))}}
	return a.event(kindDelete, at, reason, tags)
}

// hashtags returns a `t` tag for each #word of a text, lower case, each once.
func hashtags(text string) (tags ndb.Tags) {
	seen := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		name, ok := strings.CutPrefix(word, "#")
		if !ok || strings.HasPrefix(name, "#") { // a heading of Markdown
			continue
		}
		name = strings.ToLower(strings.TrimRight(name, ".,;:!?)…。、！？"))
		if name != "" && !seen[name] {
			seen[name] = true
			tags = append(tags, ndb.Tag{"t", name})
		}
	}
	return tags
}
