package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
)

// listing serves a list of models and nothing else.
func listing(t *testing.T, list string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/v1/models") {
			http.NotFound(w, r)
			return
		}
		_, _ = fmt.Fprint(w, list)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestAModelIsShownWithWhatIsKnownOfIt(t *testing.T) {
	base := listing(t, `{"data":[
		{"id":"owl-8b","context_length":32768,"pricing":{"prompt":"0.0000005","completion":"0.0000015"}},
		{"id":"wren","context_length":8192,"pricing":{"prompt":"0","completion":"0"}},
		{"id":"plain\u001b[2J"}]}`)
	data := t.TempDir()
	r := bowerbird(t, "", "--data", data, "model", "show", "custom:owl-8b", "--base-url", base)
	for _, want := range []string{"custom:owl-8b: text stays on this computer", "32,768 tokens", "8 billion", "$0.50", "$1.50"} {
		if r.code != exitDone || !strings.Contains(r.out, want) {
			t.Errorf("exit %d: %s%s; want %q", r.code, r.out, r.err, want)
		}
	}
	row := decode[modelRow](t, bowerbird(t, "", "--data", data, "--json", "model", "show", "custom:owl-8b", "--base-url", base).out)
	if row.Context != 32768 || row.ContextFrom != llm.FromList || row.Params != 8 || row.Price == nil || row.Price.Output != 1.5 || row.Format == "" {
		t.Errorf("as JSON: %+v", row)
	}
	r = bowerbird(t, "", "--data", data, "model", "show", "custom:stranger", "--base-url", base)
	if r.code != exitDone || !strings.Contains(r.out, `models."custom:stranger"`) || strings.Contains(r.out, "Advanced") {
		t.Errorf("a window that is not known: %s%s", r.out, r.err)
	}
	r = bowerbird(t, "", "--data", data, "model", "show", "custom:owl", "--base-url", "http://127.0.0.1:9/v1")
	if r.code != exitDone || !strings.Contains(r.err, "server could not be asked") || !strings.Contains(r.out, "custom:owl") {
		t.Errorf("a server that does not answer: exit %d: %s%s", r.code, r.out, r.err)
	}
	if r = bowerbird(t, "", "--data", data, "model", "show"); r.code != exitDone || !strings.Contains(r.out, "no language model") {
		t.Errorf("the built-in: exit %d: %s%s", r.code, r.out, r.err)
	}
	if r = bowerbird(t, "", "--data", data, "model", "show", "nobody:owl"); r.code != exitUsage || r.out != "" {
		t.Errorf("an unknown provider: exit %d: %s%s", r.code, r.out, r.err)
	}
}

func TestWhatAModelCameToIsSaidInWords(t *testing.T) {
	cost := 0.0123
	for _, tt := range []struct {
		u    chats.Usage
		want string
	}{
		{chats.Usage{}, ""},
		{chats.Usage{Cost: 1}, ""},
		{chats.Usage{Input: 12345, Output: 67, Unpriced: true}, "12,345 tokens read, 67 written"},
		{chats.Usage{Input: 12345, Cached: 12000, Output: 67, Cost: 0.25}, "12,345 tokens read (12,000 of them from the provider's cache), 67 written, for $0.25"},
		{chats.Usage{Input: 10, Output: 1}, "10 tokens read, 1 written, free of charge"},
		{chats.Usage{Input: 10, Output: 1, Cost: 2, Unpriced: true}, "10 tokens read, 1 written, for $2 plus an unknown amount"},
		{spentIn(agent.Event{Usage: &llm.Usage{Input: 5, Output: 6, Cached: 1}, Cost: &cost}), "5 tokens read (1 of them from the provider's cache), 6 written, for $0.012"},
		{spentIn(agent.Event{}), ""},
	} {
		if got := spentWords(tt.u); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.u, got, tt.want)
		}
	}
}

func TestTheDoctorSaysWhereTextGoesAndWhereKeysAre(t *testing.T) {
	data := t.TempDir()
	r := bowerbird(t, "", "--data", data, "doctor")
	if !strings.Contains(r.out, "local_only = true in the settings keeps it") || strings.Contains(r.out, "key file") {
		t.Errorf("a new folder: %s", r.out)
	}
	if err := os.WriteFile(filepath.Join(data, "settings.toml"), []byte("[assistant]\nmodel = \"openrouter:owl\"\nlocal_only = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "keys.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	r = bowerbird(t, "", "--data", data, "doctor")
	for _, want := range []string{"text never leaves this computer", "WARN  key file   the file of keys " + filepath.Join(data, "keys.json") + " is damaged", "WARN  model", "text would go to openrouter.ai"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%s; want %q", r.out, want)
		}
	}
}
