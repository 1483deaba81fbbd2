package app

import (
	"context"
	"strings"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/nostr"
)

// model returns the chosen model for a question of a scope: that of a server (see
// [models.Registry.Client]), or the built-in one. It makes no connection yet.
func (a *App) model(ctx context.Context, choice models.Choice, scope Scope) (llm.Model, error) {
	choice = a.models.Settled(choice)
	if choice.ID == config.DefaultModel {
		return a.digest(ctx, scope)
	}
	return a.models.Client(ctx, choice)
}

// digest returns the built-in model, which needs no language model.
func (a *App) digest(ctx context.Context, scope Scope) (llm.Model, error) {
	last, err := a.LastVisit(ctx)
	if err != nil {
		return nil, err
	}
	seen, err := a.seen(ctx)
	if err != nil {
		return nil, err
	}
	shown := make(map[string]bool, len(seen))
	for _, id := range seen {
		shown[id] = true
	}
	return builtin.New(builtin.Options{
		Seen:      func(id string) bool { return len(id) > seenDigits && shown[id[:seenDigits]] },
		Now:       a.opt.Now,
		Zone:      func() *time.Location { return a.opt.Zone },
		LastVisit: func() time.Time { return last },
		Me:        a.myHex,
		Syncing:   a.syncing.Load,
		Fetching:  func() builtin.Fetching { return fetching(a.live.Status()) },
		Language:  a.language,
		Scope:     scope.builtin(),
	}), nil
}

// language is the window's: the chosen one, else the system's. English is also what a
// system reports that was never given a language, so it counts only if it was chosen.
func (a *App) language() string {
	if chosen := a.Settings().Appearance.Language; chosen != "" {
		return chosen
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := a.opt.Getenv(name); v != "" {
			tag, _, _ := strings.Cut(v, ".")
			tag, _, _ = strings.Cut(tag, "_")
			if tag == "en" {
				return ""
			}
			return tag // "C" and "POSIX" are not languages that anybody speaks
		}
	}
	return ""
}

func (a *App) myHex() string {
	if a.Me() == (nostr.PubKey{}) {
		return ""
	}
	return a.Me().String()
}

// fetching describes the state of fetching for an answer that has nothing to report. A
// Live that was not started belongs to a terminal.
func fetching(st live.Status) builtin.Fetching {
	switch {
	case st.Stage == live.StageStopped:
		return builtin.FetchByHand
	case st.Trouble == live.TroubleEmpty:
		return builtin.FetchNobody
	case st.Trouble == live.TroubleList || st.Trouble == live.TroubleRelay:
		return builtin.FetchNoList
	case st.Offline:
		return builtin.FetchOffline
	}
	return builtin.FetchUnderWay
}
