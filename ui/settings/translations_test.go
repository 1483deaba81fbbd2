package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// spoken finds what sources say: the first text of a call, the two of count, and the
// names of what is stored.
var spoken = regexp.MustCompile(`(?:lang\.L|\.say)\(\s*("(?:[^"\\]|\\.)*")|\.count\([^,]+,\s*("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")|\{("(?:[^"\\]|\\.)*"), \[\]uint16`)

func TestEveryWordIsThereInEnglishAndGerman(t *testing.T) {
	root := testkit.Root(t)
	files, err := filepath.Glob(filepath.Join(root, "ui", "settings", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"Built-in", "Another server"} // names of providers; the others are names in any language
	for _, name := range []string{"settings", "suggest"} {
		files = append(files, filepath.Join(root, "ui", "present", name+".go"))
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range spoken.FindAllStringSubmatch(string(source), -1) {
			for _, quoted := range found[1:] {
				if key, err := strconv.Unquote(quoted); err == nil && key != "" {
					keys = append(keys, key)
				}
			}
		}
	}
	if len(keys) < 120 {
		t.Fatalf("only %d words found in the sources", len(keys))
	}
	place := regexp.MustCompile(`\{\{\.\w+\}\}`)
	for _, language := range []string{"en", "de"} {
		raw, err := os.ReadFile(filepath.Join(root, "assets", "translations", "settings."+language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := json.Unmarshal(raw, &words); err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			got, ok := words[key]
			a, b := place.FindAllString(key, -1), place.FindAllString(got, -1)
			slices.Sort(a)
			slices.Sort(b)
			switch {
			case !ok:
				t.Errorf("%s: %q is not translated", language, key)
			case !slices.Equal(a, b):
				t.Errorf("%s: %q has the places %q, %q has %q", language, key, a, got, b)
			case language == "en" && got != key:
				t.Errorf("en: %q is said as %q", key, got)
			}
		}
		for key := range words {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: nobody says %q", language, key)
			}
		}
	}
}
