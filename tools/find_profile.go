package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
)

//go:embed find_profile.md
var findProfileDoc string

// maxFound is how many people a search finds at most.
const maxFound = 50

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
