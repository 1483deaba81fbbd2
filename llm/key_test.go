package llm_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func TestAKeyGoesInItsHeaderToItsHostAndNowhereElse(t *testing.T) {
	const secret = "sk-very-secret-4711"
	echo := testkit.Reply{Status: 400, Body: `{"error":{"message":"bad key ` + secret + `","code":"` + secret + `"}}`}
	s := testkit.NewModelServer(t, echo, echo)
	host := strings.TrimPrefix(s.URL, "http://")
	for _, test := range []struct {
		entered string
		want    string
	}{{host, "Bearer " + secret}, {"api.openai.com", ""}} {
		key := llm.NewKey(secret, test.entered)
		var log strings.Builder
		c := newClient(t, s, func(o *llm.Options) {
			o.Key = key
			slog.New(slog.NewJSONHandler(&log, nil)).Info("options", "key", o.Key, "all", fmt.Sprintf("%v %+v %#v", o, o, o))
		})
		got := ask(t, c, question())
		all := fmt.Sprintf("%+v %+v %#v %v %s %q %x %d", got, got.Error, c, c, key, key, key, key) + log.String()
		raw, err := json.Marshal(map[string]any{"key": key})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(all+string(raw), secret) {
			t.Errorf("the key shows in %s %s", all, raw)
		}
		received := s.Received()
		if got := received[len(received)-1].Header.Get("Authorization"); got != test.want {
			t.Errorf("a key of %s was sent as %q", test.entered, got)
		}
	}
}

func TestAProvidersOwnHeaderTakesTheBareKey(t *testing.T) {
	s := testkit.NewModelServer(t, ok())
	c := newClient(t, s, func(o *llm.Options) {
		o.Provider.KeyHeader = "api-key"
		o.Key = llm.NewKey("k", strings.TrimPrefix(s.URL, "http://"))
	})
	ask(t, c, question())
	if h := s.Received()[0].Header; h.Get("api-key") != "k" || h.Get("Authorization") != "" {
		t.Errorf("got headers %v", h)
	}
}

func TestARedirectToAnotherHostIsRefused(t *testing.T) {
	other := testkit.NewModelServer(t)
	s := testkit.NewModelServer(t,
		testkit.Reply{Status: 307, Header: http.Header{"Location": {other.URL + "/v1/chat/completions"}}},
		testkit.Reply{Status: 302, Header: http.Header{"Location": {"/elsewhere"}}},
		testkit.Reply{Status: 307, Header: http.Header{"Location": {"/moved"}}}, ok(),
	)
	c := newClient(t, s, func(o *llm.Options) { o.Key = llm.NewKey("k", strings.TrimPrefix(s.URL, "http://")) })
	for _, what := range []string{"another host", "another method"} {
		if got := ask(t, c, question()); got.Error == nil || got.Error.Kind != llm.KindAPI {
			t.Errorf("a redirect to %s: got %+v", what, got.Error)
		}
	}
	if len(other.Received()) != 0 {
		t.Errorf("the other host got %+v", other.Received())
	}
	if got := ask(t, c, question()); got.Text != "ok" || s.Received()[3].URL.Path != "/moved" || len(s.Received()[3].Body) == 0 {
		t.Errorf("a redirect within the host: got %+v", got)
	}
}
