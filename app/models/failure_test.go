package models

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"bowerbird/llm"
	"bowerbird/netsafe"
)

func TestWhatIsBehindAFailureIsFound(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	plain := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()

	for name, tt := range map[string]struct {
		base string
		want Failure
	}{
		"a server that is not there":       {gone.URL, Failure{Kind: "offline", Cause: llm.CauseNobody}},
		"a certificate that nobody signed": {secure.URL, Failure{Kind: "transport", Cause: llm.CauseUntrusted}},
		"http over the internet":           {"http://8.8.8.8", Failure{Kind: "transport", Cause: llm.CausePlainHTTP}},
		"another server": {plain(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/models", http.StatusTemporaryRedirect)
		}), Failure{Kind: "api", Cause: llm.CauseRedirect}},
		"asked too often": {plain(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = fmt.Fprint(w, `{"error":{"message":"slow down"}}`)
		}), Failure{Kind: "rate_limit", Said: "slow down", Status: 429, Wait: 20 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			got := FailureOf(listAt(t.Context(), t, tt.base+"/v1"))
			if tt.want.Said == "" {
				got.Said = ""
			}
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// listAt asks a server for its models, and returns the error.
func listAt(ctx context.Context, t *testing.T, base string) error {
	t.Helper()
	web, err := netsafe.ForModel(base)
	if err != nil {
		t.Fatal(err)
	}
	row, _ := llm.FindProvider("custom")
	client, err := llm.New(llm.Options{Provider: row, Model: "?", BaseURL: base, HTTP: web, Tries: -1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.List(ctx)
	return err
}

func TestANameWithoutAnAddressIsToldFromANetworkThatIsOff(t *testing.T) {
	for cause, err := range map[llm.Cause]error{
		llm.CauseName:    &net.DNSError{Err: "no such host", IsNotFound: true},
		llm.CauseUnknown: &net.DNSError{Err: "server misbehaving", IsTemporary: true},
	} {
		got := FailureOf(&llm.Error{Kind: llm.KindOffline, Message: "cannot reach it", Err: err})
		if got.Cause != cause || got.Kind != "offline" {
			t.Errorf("%v: got %+v", err, got)
		}
	}
	if got := FailureOf(fmt.Errorf("API key for h: %w", context.Canceled)); got != (Failure{Kind: "cancelled"}) {
		t.Errorf("stopped while the key was looked for: got %+v", got)
	}
	if got := FailureOf(fmt.Errorf("reading: %w", fs.ErrPermission)); got != (Failure{}) {
		t.Errorf("an error of another making: got %+v", got)
	}
	if got := FailureOf(&llm.Error{Kind: llm.KindAuth, Message: "no"}); got.Kind != "auth" || got.Said != "no" {
		t.Errorf("got %+v", got)
	}
}
