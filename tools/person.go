package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bowerbird/ndb/nostr"
)

const personForms = "a person: npub1…, nprofile1…, 64 hex digits, a NIP-05 name (ada@example.org) or a name that is stored here"

// maxCandidates is how many people an error lists.
const maxCandidates = 10

// person finds who is meant: a key in any form, a NIP-05 name as profiles claim it, or a
// name. A name is first looked up among the people followed, so that a stranger cannot
// take a friend's name; if several people have it, the error lists them.
func (env *Env) person(ctx context.Context, path, text string) (nostr.PubKey, error) {
	text = strings.TrimSpace(text)
	if isSecret(text) || text == "" {
		return nostr.PubKey{}, wrongValue(path, personForms, text)
	}
	if pk, ok, err := env.personByKey(path, text); ok || err != nil {
		return pk, err
	}
	name := strings.TrimPrefix(text, "@")
	near, err := env.near(ctx)
	if err != nil {
		return nostr.PubKey{}, err
	}
	found, err := env.Store.SearchProfiles(ctx, name, 200, near.has)
	if err != nil {
		return nostr.PubKey{}, fmt.Errorf("look for a person called %q: %w", clip(name, 60), err)
	}
	return choosePerson(path, name, found, near)
}

// personByKey parses the forms that contain the key itself.
func (env *Env) personByKey(path, text string) (nostr.PubKey, bool, error) {
	low := strings.TrimPrefix(strings.ToLower(text), "nostr:")
	if low == "me" && env.Me != (nostr.PubKey{}) {
		return env.Me, true, nil
	}
	if pk, err := nostr.ParsePubKey(low); err == nil {
		return pk, true, nil
	}
	if strings.HasPrefix(low, "npub1") || strings.HasPrefix(low, "nprofile1") {
		code, err := nostr.ParseCode(text)
		if err != nil {
			return nostr.PubKey{}, false, &ArgumentError{Path: path, Expected: personForms, Got: describe(text) + " (" + err.Error() + ")"}
		}
		return code.PubKey, true, nil
	}
	return nostr.PubKey{}, false, nil
}

// choosePerson picks the one person meant: exact names before parts of names, people
// followed before strangers.
func choosePerson(path, name string, found []nostr.Profile, near people) (nostr.PubKey, error) {
	var exact []nostr.Profile
	for _, p := range found {
		if goesBy(p, name) {
			exact = append(exact, p)
		}
	}
	followed := func(ps []nostr.Profile) []nostr.Profile {
		return slices.DeleteFunc(slices.Clone(ps), func(p nostr.Profile) bool { return !near.has(p.PubKey) })
	}
	for _, group := range [][]nostr.Profile{followed(exact), exact, followed(found), found} {
		switch {
		case len(group) == 1:
			return group[0].PubKey, nil
		case len(group) > 1:
			return nostr.PubKey{}, &ArgumentError{
				Path:     path,
				Expected: onePerson,
				Got:      fmt.Sprintf("%s, which %d people here go by: %s", describe(name), len(group), candidates(group, near)),
			}
		}
	}
	return nostr.PubKey{}, wrongValue(path, personForms, name)
}

// goesBy reports whether a name is exactly one of a profile's.
func goesBy(p nostr.Profile, name string) bool {
	if strings.EqualFold(p.Name, name) || strings.EqualFold(p.DisplayName, name) || strings.EqualFold(p.NIP05, name) {
		return p.PubKey != (nostr.PubKey{})
	}
	// NIP-05: _@domain is the domain itself.
	host, ok := strings.CutPrefix(p.NIP05, "_@")
	return ok && strings.EqualFold(host, name)
}

func candidates(ps []nostr.Profile, near people) string {
	var b strings.Builder
	for i, p := range ps[:min(len(ps), maxCandidates)] {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%q %s", clip(displayName(p), 40), p.PubKey.Npub())
		if near.has(p.PubKey) {
			b.WriteString(" (followed)")
		}
	}
	if more := len(ps) - maxCandidates; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

// people is a set of keys.
type people map[nostr.PubKey]bool

func (p people) has(pk nostr.PubKey) bool { return p[pk] }

// near is the account and the people followed; empty if there is no account.
func (env *Env) near(ctx context.Context) (people, error) {
	list, _, err := env.home(ctx)
	if err != nil {
		return nil, err
	}
	set := make(people, len(list))
	for _, pk := range list {
		set[pk] = true
	}
	return set, nil
}
