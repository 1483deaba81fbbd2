package relays

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"bowerbird/app"
	"bowerbird/internal/testkit"
)

// spoken finds what sources say: the first text of a call, or the two of count.
var spoken = regexp.MustCompile(`(?:lang\.L|\.say)\(\s*("(?:[^"\\]|\\.)*")|\.count\([^,]+,\s*("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")`)

// TestEveryWordIsThereInEnglishAndGerman reads the sources of the screen and of its
// values for what they say, and the translations for it.
func TestEveryWordIsThereInEnglishAndGerman(t *testing.T) {
	root := testkit.Root(t)
	files, err := filepath.Glob(filepath.Join(root, "ui", "relays", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"relay", "relays", "relays_words"} {
		files = append(files, filepath.Join(root, "ui", "present", name+".go"))
	}
	var keys []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range spoken.FindAllStringSubmatch(string(source), -1) {
			for _, quoted := range found[1:] {
				if key, err := strconv.Unquote(quoted); err == nil {
					keys = append(keys, key)
				}
			}
		}
	}
	if len(keys) < 90 {
		t.Fatalf("only %d words found in the sources", len(keys))
	}
	for _, trouble := range []app.LookUpTrouble{
		app.LookUpEmpty, app.LookUpSecret, app.LookUpNote, app.LookUpMistyped, app.LookUpNoName, app.LookUpUnknown, app.LookUpNoAnswer, app.LookUpOffline,
	} {
		keys = append(keys, (&app.LookUpError{Trouble: trouble, Domain: "{{.Domain}}"}).Error())
	}
	place := regexp.MustCompile(`\{\{\.\w+\}\}`)
	for _, language := range []string{"en", "de"} {
		raw, err := os.ReadFile(filepath.Join(root, "assets", "translations", "relays."+language+".json"))
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
