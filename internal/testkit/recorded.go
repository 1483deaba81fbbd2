package testkit

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// RecordedReply reads a fixture of a model's streamed answer, PATH.sse, with how its
// server sent it, which is in PATH.json.
func RecordedReply(t testing.TB, path string) Reply {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(strings.TrimSuffix(path, ".sse") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var sent struct {
		HTTP struct {
			Status  int
			Headers map[string]string
		}
		Transport struct{ Abort bool }
	}
	if err := json.Unmarshal(raw, &sent); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	r := Reply{Body: string(body), Status: sent.HTTP.Status, Abort: sent.Transport.Abort, Header: http.Header{}}
	for name, value := range sent.HTTP.Headers {
		r.Header.Set(name, value)
	}
	return r
}

// RecordedReplies reads all fixtures of a folder, by name; it fails where there are
// fewer than 70, since a folder that is not found would let every test pass.
func RecordedReplies(t testing.TB, dir string) map[string]Reply {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.sse"))
	if err != nil || len(paths) < 70 {
		t.Fatalf("%d fixtures in %s: %v", len(paths), dir, err)
	}
	all := make(map[string]Reply, len(paths))
	for _, path := range paths {
		all[strings.TrimSuffix(filepath.Base(path), ".sse")] = RecordedReply(t, path)
	}
	return all
}
