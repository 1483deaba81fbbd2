package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
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
		{"the settings' own server", "custom:owl", "https://home.example/v1", "custom", "", "sent only to home.example."},
		{"a provider at another address", "openai:gpt", "https://proxy.example/v1", "openai", "", "sent only to proxy.example."},
		{"another provider than that of the settings", "custom:owl", "https://home.example/v1", "openrouter", "", "sent only to openrouter.ai."},
		{"an address that is given", "custom:owl", "https://home.example/v1", "custom", "https://given.example/v1", "sent only to given.example."},
		{"no address at all", "builtin:digest", "", "custom", "", "with --base-url"},
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

// TestTheTextOfAnAnswerIsReadAsTheFixturesSay: in the form of their expected files.
func TestTheTextOfAnAnswerIsReadAsTheFixturesSay(t *testing.T) {
	type call struct {
		ID, Name  string
		Arguments any
		Repaired  bool
	}
	type expected struct {
		Calls                  []call
		Text, Reasoning, Error string
		Tools                  []json.RawMessage
		TextAny                bool `json:"text_any"`
		Opened                 bool `json:"thinking_forced_open"`
	}
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "llm", "textcall", "testdata", "textcalls", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, file := range files {
		raw, err := os.ReadFile(strings.TrimSuffix(file, ".txt") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want := decode[expected](t, string(raw))
		args := []string{"model", "read", "--text"}
		schemas := false
		for _, tool := range want.Tools {
			var name string
			schemas = schemas || json.Unmarshal(tool, &name) != nil
			args = append(args, "--tools", name)
		}
		if schemas || want.Opened { // what the command line does not tell
			continue
		}
		read++
		r := bowerbird(t, "", append(args, file)...)
		got := decode[expected](t, r.out)
		for i := range min(len(got.Calls), len(want.Calls)) {
			if want.Calls[i].ID == "" {
				got.Calls[i].ID = ""
			}
		}
		if r.code != exitDone || len(got.Calls) != len(want.Calls) || len(want.Calls) > 0 && !reflect.DeepEqual(got.Calls, want.Calls) ||
			!want.TextAny && got.Text != want.Text || got.Reasoning != want.Reasoning || (got.Error == "") != (want.Error == "") {
			t.Errorf("%s: exit %d, %s\nwant %s", filepath.Base(file), r.code, r.out, raw)
		}
	}
	if read < 40 {
		t.Errorf("%d of %d fixtures were read", read, len(files))
	}
	r := bowerbird(t, `{"name":"count","arguments":{}} is how I would ask`, "model", "read", "--text", "--tools", "count,query", "-")
	if r.code != exitDone || !strings.Contains(r.out, "is how I would ask") {
		t.Errorf("from stdin: exit %d, %s", r.code, r.out)
	}
}
