package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

var (
	//go:embed get_profile.md
	getProfileDoc string
	//go:embed find_profile.md
	findProfileDoc string
)

// The bounds of what is shown of a profile, in runes, and of a search.
const (
	maxAbout       = 2000
	maxProfileLine = 200
	maxFound       = 50
)

// GetProfileArgs are the arguments of get_profile.
type GetProfileArgs struct {
	Person string `json:"person" jsonschema:"npub, nprofile, hex key, NIP-05 name or name"`
}

// ProfileResult is the answer of get_profile, and one hit of find_profile.
type ProfileResult struct {
	PubKey      string `json:"pubkey,omitempty"`
	Npub        string `json:"npub"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name,omitempty"`
	NIP05       string `json:"nip05,omitempty"` // as claimed, not checked
	About       string `json:"about,omitempty"`
	Website     string `json:"website,omitempty"`
	Followed    bool   `json:"followed"`
	Follows     int    `json:"follows,omitempty"` // how many they follow; get_profile only
	Notes       int    `json:"notes,omitempty"`   // kinds 1 and 30023 stored; get_profile only
}

func runGetProfile(ctx context.Context, env *Env, a GetProfileArgs) (ProfileResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	pk, err := env.person(ctx, "person", a.Person)
	if err != nil {
		return ProfileResult{}, err
	}
	p, err := env.Store.Profile(ctx, pk)
	if err != nil {
		return ProfileResult{}, fmt.Errorf("read profile of %s: %w", pk, err)
	}
	near, err := env.near(ctx)
	if err != nil {
		return ProfileResult{}, err
	}
	res := env.profileView(p, near)
	follows, err := env.Store.Contacts(ctx, pk)
	if err != nil && !errors.Is(err, ndb.ErrNotFound) {
		return res, fmt.Errorf("read contact list of %s: %w", pk, err)
	}
	res.Follows = len(follows)
	view, err := env.viewer(ctx)
	if err != nil {
		return res, err
	}
	res.Notes, err = env.Store.Count(ctx, ndb.QueryOptions{Match: view.shows}, nostr.Filter{Authors: []nostr.PubKey{pk}, Kinds: []uint16{1, 30023}})
	if err != nil {
		return res, fmt.Errorf("count notes of %s: %w", pk, err)
	}
	return res, nil
}

// FindProfileArgs are the arguments of find_profile.
type FindProfileArgs struct {
	Name  string `json:"name" maxLength:"200" jsonschema:"the beginning of any word of a name or NIP-05 name"`
	Limit int    `json:"limit,omitempty" default:"10" jsonschema:"1 to 50; more is cut to 50"`
}

// FindProfileResult is the answer of find_profile.
type FindProfileResult struct {
	People []ProfileResult `json:"people"`
}

func runFindProfile(ctx context.Context, env *Env, a FindProfileArgs) (FindProfileResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	res := FindProfileResult{People: []ProfileResult{}}
	name := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(a.Name), "@"))
	if name == "" || isSecret(name) {
		return res, wrongValue("name", "a name or the beginning of one", a.Name)
	}
	near, err := env.near(ctx)
	if err != nil {
		return res, err
	}
	limit, _ := clampLimit(a.Limit, 10, maxFound)
	found, err := env.Store.SearchProfiles(ctx, name, limit, near.has)
	if err != nil {
		return res, fmt.Errorf("look for people called %q: %w", clip(name, 60), err)
	}
	for _, p := range found {
		res.People = append(res.People, env.profileView(p, near))
	}
	return res, nil
}

// profileView cleans a profile's texts, which are the person's own.
func (env *Env) profileView(p nostr.Profile, near people) ProfileResult {
	r := ProfileResult{
		PubKey:      p.PubKey.String(),
		Npub:        p.PubKey.Npub(),
		Name:        clean.Line(p.Name, maxNameRunes),
		DisplayName: clean.Line(p.DisplayName, maxNameRunes),
		NIP05:       clean.Line(p.NIP05, maxProfileLine),
		About:       clip(clean.Text(p.About), maxAbout),
		Website:     clean.Line(p.Website, maxProfileLine),
		Followed:    near.has(p.PubKey) && p.PubKey != env.Me,
	}
	if r.Name == "" {
		r.Name = displayName(p)
	}
	return r
}

// cut returns the profile with its longer texts cut to n runes.
func (r ProfileResult) cut(n int) ProfileResult {
	r.About, r.Website, r.NIP05 = clip(r.About, n), clip(r.Website, n), clip(r.NIP05, n)
	return r
}

// ForModel implements Result.
func (r ProfileResult) ForModel(limit int) string {
	return Fit(limit, 0, func(_, text int) any { return r.cut(text) })
}

// ForModel implements Result.
func (r FindProfileResult) ForModel(limit int) string {
	return Fit(limit, len(r.People), func(show, text int) any {
		out := struct {
			FindProfileResult
			LeftOut int `json:"left_out,omitempty"`
		}{FindProfileResult{make([]ProfileResult, 0, show)}, len(r.People) - show}
		for _, p := range r.People[:show] {
			p.PubKey = "" // follows from the npub
			out.People = append(out.People, p.cut(min(text, 200)))
		}
		return out
	})
}
