package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

//go:embed get_profile.md
var getProfileDoc string

// The bounds of what is shown of a profile, in runes.
const (
	maxAbout       = 2000
	maxProfileLine = 200
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
