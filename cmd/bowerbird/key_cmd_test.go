package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/models"
	"bowerbird/internal/testkit"
)

func TestWithoutAKeyringScriptsKeepAKeyUnderAPassword(t *testing.T) {
	keyring.MockInitWithError(errors.New("no keyring here"))
	defer keyring.MockInit()
	const key = "Kd83hs92Lq01mZxc7Vbn"
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if got := r.Header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("%s came with %q", r.URL, got)
		}
		switch {
		case strings.HasSuffix(r.URL.Path, "/models"):
			_, _ = io.WriteString(w, `{"data":[{"id":"owl"}]}`)
		case r.Method == http.MethodPost:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, testkit.SSE(`{"choices":[{"delta":{"content":"Ninety."},"finish_reason":"stop"}]}`).Body)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	data := t.TempDir()
	in := func(stdin string, args ...string) result {
		return withItsKeyring(t, stdin, append([]string{"--data", data}, args...)...)
	}
	at := []string{"--model", "custom:owl", "--base-url", server.URL}
	keep := []string{"model", "key", "custom", "--base-url", server.URL}

	r := in(key+"\n", keep...)
	if r.code != exitFailed || !strings.Contains(r.err, models.EnvKeysPassword) || !strings.Contains(r.err, models.EnvAPIHost) {
		t.Errorf("nobody to ask for a password: exit %d, %s", r.code, r.err)
	}
	t.Setenv(models.EnvKeysPassword, "correct horse battery")
	if r = in(key+"\n", keep...); r.code != exitDone || !strings.Contains(r.err, filepath.Join(data, "keys.json")) {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	raw, err := os.ReadFile(filepath.Join(data, "keys.json"))
	if err != nil || strings.Contains(string(raw), key) || strings.Contains(r.out+r.err, key) {
		t.Errorf("%v; the key is shown in %s%s or in the file", err, r.out, r.err)
	}
	if r = in("", append([]string{"model", "list"}, at...)...); r.code != exitDone || !strings.Contains(r.out, "custom:owl") {
		t.Errorf("list: exit %d, %s%s", r.code, r.out, r.err)
	}
	if r = in("", append([]string{"ask", "How many?"}, at...)...); r.code != exitDone || !strings.Contains(r.out, "Ninety") {
		t.Errorf("ask: exit %d, %s%s", r.code, r.out, r.err)
	}
	before := asked
	t.Setenv(models.EnvKeysPassword, "")
	if r = in("", append([]string{"ask", "How many?"}, at...)...); r.code != exitFailed || !strings.Contains(r.err, models.EnvKeysPassword) {
		t.Errorf("ask with the file locked: exit %d, %s%s", r.code, r.out, r.err)
	}
	t.Setenv(models.EnvKeysPassword, "a wrong password")
	if r = in("", append([]string{"model", "list"}, at...)...); r.code != exitFailed || !strings.Contains(r.err, "not the password") {
		t.Errorf("a wrong password: exit %d, %s%s", r.code, r.out, r.err)
	}
	if r = in("\n", keep...); r.code != exitDone || !strings.Contains(r.err, "no API key for") {
		t.Errorf("removing it: exit %d, %s", r.code, r.err)
	}
	if before == 0 || asked != before {
		t.Errorf("%d requests, %d of them without the key", asked, asked-before)
	}
}
