package models

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// LocalOnlyError is returned if the settings allow no text to leave this computer
// ([config.Assistant].LocalOnly) and the model is elsewhere.
type LocalOnlyError struct {
	Provider string // its name for people: "OpenRouter"
	Host     string // where the text would have been sent
}

func (e *LocalOnlyError) Error() string {
	return fmt.Sprintf("%s was not asked: text would go to %s, and the settings keep it on this computer. "+
		"Choose a model that runs here or builtin:digest, or switch \"never send\" off (local_only in the settings)", e.Provider, e.Host)
}

// KeepHere keeps text on this computer from now on, even before that is saved in the
// settings and if it cannot be; false leaves it to the settings again.
func (r *Registry) KeepHere(on bool) { r.keepHere.Store(on) }

func (r *Registry) onlyHere() bool { return r.keepHere.Load() || r.opt.Settings().Assistant.LocalOnly }

// StaysHere reports whether text for a model stays on this computer, as far as is known
// without asking its server.
func (r *Registry) StaysHere(choice Choice) bool {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return true
	}
	t, err := choice.target()
	return err == nil && r.staysHere(t)
}

func (r *Registry) staysHere(t target) bool {
	return llm.OnThisComputer(t.base) && r.passedTo(t) == ""
}

// passedTo returns the host to which a server on this computer passes on what it is sent
// for a model; "" if it answers itself.
func (r *Registry) passedTo(t target) string {
	if host := t.provider.PassesOn(t.at.model); host != "" || !r.memory.model(t.at).Own.Elsewhere {
		return host
	}
	return cmp.Or(t.provider.Cloud, "another server")
}

// mayAsk returns a *LocalOnlyError if the settings allow no text to be sent to a model.
// Another computer in the same network is not this one.
func (r *Registry) mayAsk(t target) error {
	if !r.onlyHere() || r.staysHere(t) {
		return nil
	}
	host := r.passedTo(t)
	if host == "" {
		var err error
		if host, err = hostOf(t.base); err != nil {
			host = strings.TrimSpace(t.base)
		}
	}
	return &LocalOnlyError{Provider: t.provider.Title, Host: host}
}

// gate checks before each request, so that a setting that is changed during a turn applies
// to the turn's next step.
type gate struct {
	next  http.RoundTripper
	check func() error
}

func (g gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.check(); err != nil {
		return nil, &netsafe.Error{Kind: netsafe.Refused, Op: "ask", Host: r.URL.Host, Err: err}
	}
	return g.next.RoundTrip(r)
}
