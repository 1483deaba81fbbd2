package nostr

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// TestHostileJSONIsReadOrRefused gives the event parser the texts of JSONTestSuite:
// as they are, as a field that is not known, as the content, and as the tags. Those
// whose name begins with n_ are no JSON, with y_ they are, with i_ either will do.
func TestHostileJSONIsReadOrRefused(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "data", "hostile", "json", "test_parsing"), "*.json"))
	if err != nil || len(files) != 318 {
		t.Fatalf("%d texts, %v, want 318", len(files), err)
	}
	count := make(map[string]int)
	for _, file := range files {
		name := filepath.Base(file)
		count[name[:2]]++
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := ParseEvent(text); err == nil {
			t.Errorf("%s is taken for an event: %+v", name, e)
		} else if _, ok := errors.AsType[*InvalidError](err); !ok {
			t.Errorf("%s: error %T %v", name, err, err)
		}
		for _, field := range []string{"x", "content", "tags"} {
			mustReadAsJSON(t, name, field, text)
		}
		if _, err := ParseFilter(text); err == nil && !json.Valid(text) {
			t.Errorf("%s is taken for a filter", name)
		}
	}
	t.Logf("texts: %v", count)
}

// mustReadAsJSON gives the parser an event with a text as one of its fields.
func mustReadAsJSON(t *testing.T, name, field string, text []byte) {
	t.Helper()
	line := []byte(eventLine(field, string(text)))
	e, err := ParseEvent(line)
	valid := json.Valid(line)
	switch {
	case err == nil && !valid:
		t.Errorf("%s as %s is taken, and is no JSON", name, field)
	case err != nil && field == "x" && strings.HasPrefix(name, "y_") && valid:
		t.Errorf("%s as a field that is not known is refused: %v", name, err)
	case err == nil && field == "content":
		var want string
		if json.Unmarshal(text, &want) != nil || e.Content != want {
			t.Errorf("%s as content is read as %q, want %q", name, e.Content, want)
		}
	case err != nil && field == "content" && strings.HasPrefix(name, "y_string") && bytes.HasPrefix(text, []byte(`"`)):
		t.Errorf("%s as content is refused: %v", name, err)
	}
}
