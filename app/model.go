package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/ndb"
)

// ModelChoice names a model; empty fields fall back to the settings.
type ModelChoice struct {
	ID      string // "provider:name"
	BaseURL string
}

// Model returns the chosen model. It connects to nothing yet. A key is looked for
// in the environment, then among those entered in this run, then in the keyring,
// under the server's host.
func (a *App) Model(ctx context.Context, choice ModelChoice) (llm.Model, error) {
	return a.model(ctx, choice, Scope{})
}

// model is Model for a question of a scope.
func (a *App) model(ctx context.Context, choice ModelChoice, scope Scope) (llm.Model, error) {
	choice = a.settle(choice)
	if choice.ID == config.DefaultModel {
		return a.digest(ctx, scope)
	}
	return a.server(ctx, choice)
}

// digest returns the model without a model.
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
		Fetching:  a.Live().fetching,
		Language:  a.language,
		Scope:     scope.builtin(),
	}), nil
}

// language is that of the window: the one chosen, else the system's. English is also
// what a system has that nobody told a language, so it counts where it is chosen.
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
			return tag // "C" and "POSIX" are no language, and none is spoken
		}
	}
	return ""
}

func (a *App) myHex() string {
	if a.Me() == (ndb.PubKey{}) {
		return ""
	}
	return a.Me().String()
}

// Server returns the client of a model server for who has no App open. Of the options
// Places, Settings, Getenv and KeysPassword count.
func Server(ctx context.Context, choice ModelChoice, opt Options) (*llm.Client, error) {
	a := withoutStores(opt)
	return a.server(ctx, a.settle(choice))
}

// ShowModel returns what is known of a model for who has no App open, after its server
// was asked what is not; the options are those of Server. With an error of the server
// comes what was known before.
func ShowModel(ctx context.Context, choice ModelChoice, opt Options) (ModelFacts, ModelState, error) {
	a := withoutStores(opt)
	a.models.open(opt.Places.Data, slog.New(slog.DiscardHandler), a.redactor.JSON)
	state := a.ModelState(ctx, choice)
	facts, err := a.AskFacts(ctx, choice)
	return facts, state, err
}

// withoutStores returns an App that can ask models' servers, and nothing else.
func withoutStores(opt Options) *App {
	if opt.Getenv == nil {
		opt.Getenv = os.Getenv
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &App{
		opt: opt, redactor: newRedactor(opt.Getenv),
		keyFile: config.NewKeyFile(opt.Places.Keys, opt.Now), keyring: config.NewKeyring(),
	}
}

// ServerHost returns the host that a provider's key is for: that of baseURL, else of
// the settings if it is their provider, else the provider's own.
func ServerHost(providerName, baseURL string, s config.Settings) (string, error) {
	choice := ModelChoice{ID: providerName + ":?", BaseURL: baseURL}.SettledBy(s)
	_, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return "", err
	}
	return hostOf(base)
}

func server(providerName, baseURL string) (p llm.Provider, base string, err error) {
	p, ok := llm.FindProvider(providerName)
	if !ok {
		if providerName == BuiltinProvider {
			return p, "", argumentf("model", "the one built-in model is %s, which needs no server", config.DefaultModel)
		}
		return p, "", argumentf("model", "no provider is called %q; there are: %s; and %s, which needs none", providerName, strings.Join(providerNames(), ", "), config.DefaultModel)
	}
	if base = strings.TrimSpace(baseURL); base == "" {
		base = p.BaseURL
	}
	if base == "" {
		return p, "", argumentf("model", "%s needs the address of its server: give --base-url, or base_url in the settings", p.Title)
	}
	return p, base, nil
}

func providerNames() []string {
	var names []string
	for _, p := range llm.Providers() {
		names = append(names, p.Name)
	}
	return names
}

// originOf returns the beginning of an address, without what may be secret in it.
func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func hostOf(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%q is no address of a server; it should look like https://host/v1", base)
	}
	return u.Host, nil
}
