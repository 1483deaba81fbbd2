package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// chosen makes a data folder with settings that choose a model.
func chosen(t *testing.T, model, base string) (data string) {
	t.Helper()
	data = t.TempDir()
	text := fmt.Sprintf("[assistant]\nmodel = %q\nbase_url = %q\n", model, base)
	if err := os.WriteFile(filepath.Join(data, "settings.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAKeyIsKeptForTheHostThatIsAsked(t *testing.T) {
	tests := []struct{ name, model, base, provider, flag, want string }{
		{"the settings' own server", "custom:owl", "https://home.example/v1", "custom", "", "sent to home.example alone"},
		{"a provider at another address", "openai:gpt", "https://proxy.example/v1", "openai", "", "sent to proxy.example alone"},
		{"another provider than that of the settings", "custom:owl", "https://home.example/v1", "openrouter", "", "sent to openrouter.ai alone"},
		{"an address that is given", "custom:owl", "https://home.example/v1", "custom", "https://given.example/v1", "sent to given.example alone"},
		{"no address at all", "builtin:digest", "", "custom", "", "give --base-url"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"--data", chosen(t, tt.model, tt.base), "model", "key", tt.provider}
			if tt.flag != "" {
				args = append(args, "--base-url", tt.flag)
			}
			r := bowerbird(t, "sk-planted\n", args...)
			if !strings.Contains(r.out+r.err, tt.want) || strings.Contains(r.out+r.err, "sk-planted") {
				t.Errorf("exit %d: %s%s; want %q", r.code, r.out, r.err, tt.want)
			}
		})
	}
}

func TestAnotherProviderIsNotAskedAtTheAddressOfTheSettings(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = fmt.Fprint(w, `{"data":[{"id":"owl"}]}`)
	}))
	defer server.Close()
	data := chosen(t, "custom:owl", server.URL+"/v1")
	t.Setenv("OPENROUTER_API_KEY", "")
	r := bowerbird(t, "", "--data", data, "model", "list", "--model", "openrouter:foo")
	if asked > 0 || r.code == exitDone || !strings.Contains(r.err, "OPENROUTER_API_KEY") {
		t.Errorf("asked %d times; exit %d: %s%s", asked, r.code, r.out, r.err)
	}
	r = bowerbird(t, "", "--data", data, "model", "list")
	if asked != 1 || !strings.Contains(r.out, "custom:owl") {
		t.Errorf("asked %d times; exit %d: %s%s", asked, r.code, r.out, r.err)
	}
}

func TestAVariableIsNamedOnlyWhereItWouldBeUsed(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	r := bowerbird(t, "", "--data", chosen(t, "openai:gpt", "https://proxy.example/v1"), "model", "list")
	if !strings.Contains(r.err, "model key openai --base-url https://proxy.example") || strings.Contains(r.err, "OPENAI_API_KEY") {
		t.Errorf("at another host: %s", r.err)
	}
	r = bowerbird(t, "", "--data", t.TempDir(), "model", "list", "--model", "openai:gpt")
	if !strings.Contains(r.err, "OPENAI_API_KEY") {
		t.Errorf("at its own: %s", r.err)
	}
}
