package models

import (
	"fmt"
	"net/http"
	"strings"

	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// LocalOnlyError says that a model was not asked because the settings let no text go
// to a model off this computer (Settings.Assistant.LocalOnly).
type LocalOnlyError struct {
	Provider string // as people know it: "OpenRouter"
	Host     string // where the text would have gone
}

// Error says what can be done, too.
func (e *LocalOnlyError) Error() string {
	return fmt.Sprintf("%s was not asked: text would go to %s, and the settings keep it on this computer. "+
		"Choose a model that runs here or builtin:digest, or switch \"never send\" off (local_only in the settings)", e.Provider, e.Host)
}

// KeepHere lets no text go to a model off this computer from now on, before that is
// saved and also if it cannot be; with false the settings alone say so again.
func (r *Registry) KeepHere(on bool) { r.keepHere.Store(on) }

func (r *Registry) onlyHere() bool { return r.keepHere.Load() || r.opt.Settings().Assistant.LocalOnly }

// StaysHere reports whether text for a model stays on this computer, as far as is known
// without asking anybody.
func (r *Registry) StaysHere(choice Choice) bool {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return true
	}
	provider, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return false
	}
	row, base, err := server(provider, choice.BaseURL)
	return err == nil && llm.OnThisComputer(base) && r.passesOn(row, newModelAt(base, name)) == ""
}

// keepsHere returns a *LocalOnlyError if the settings let no text go to a server of
// this provider at this address. A computer in the same network is not this one.
func (r *Registry) keepsHere(p llm.Provider, base string) error {
	if !r.onlyHere() || llm.OnThisComputer(base) {
		return nil
	}
	host, err := hostOf(base)
	if err != nil {
		host = strings.TrimSpace(base)
	}
	return &LocalOnlyError{Provider: p.Title, Host: host}
}

// keptHere asks keepsHere before each request, so that a switch that is turned while
// a turn is under way holds for the turn's next step.
type keptHere struct {
	next  http.RoundTripper
	check func() error
}

func (k keptHere) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := k.check(); err != nil {
		return nil, &netsafe.Error{Kind: netsafe.Refused, Op: "ask", Host: r.URL.Host, Err: err}
	}
	return k.next.RoundTrip(r)
}
