package present

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
		want llm.Error
	}{
		"a server that is not there":       {gone.URL, llm.Error{Kind: llm.KindOffline, Cause: llm.CauseNobody}},
		"a certificate that nobody signed": {secure.URL, llm.Error{Kind: llm.KindTransport, Cause: llm.CauseUntrusted}},
		"http over the internet":           {"http://8.8.8.8", llm.Error{Kind: llm.KindTransport, Cause: llm.CausePlainHTTP}},
		"another server": {plain(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/models", http.StatusTemporaryRedirect)
		}), llm.Error{Kind: llm.KindAPI, Cause: llm.CauseRedirect}},
		"asked too often": {plain(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = fmt.Fprint(w, `{"error":{"message":"slow down"}}`)
		}), llm.Error{Kind: llm.KindRateLimit, Message: "slow down", RetryAfterSeconds: 20}},
	} {
		t.Run(name, func(t *testing.T) {
			got := *modelError(listAt(t.Context(), t, tt.base+"/v1"))
			if tt.want.Message == "" {
				got.Message = ""
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
	web, err := netsafe.ForServer(base)
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
		got := *modelError(&llm.Error{Kind: llm.KindOffline, Message: "cannot reach it", Err: err})
		if got.Cause != cause || got.Kind != llm.KindOffline {
			t.Errorf("%v: got %+v", err, got)
		}
	}
	if got := *modelError(fmt.Errorf("API key for h: %w", context.Canceled)); got != (llm.Error{Kind: llm.KindCancelled}) {
		t.Errorf("stopped while the key was looked for: got %+v", got)
	}
	if got := *modelError(fmt.Errorf("reading: %w", fs.ErrPermission)); got != (llm.Error{}) {
		t.Errorf("an error of another making: got %+v", got)
	}
	if got := *modelError(&llm.Error{Kind: llm.KindAuth, Message: "no"}); got.Kind != llm.KindAuth || got.Message != "no" {
		t.Errorf("got %+v", got)
	}
}
