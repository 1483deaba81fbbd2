package chart

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

func TestEveryWordOfChartsAndTablesIsThereInEnglishAndGerman(t *testing.T) {
	root := testkit.Root(t)
	said := regexp.MustCompile(`lang\.[LN]\("((?:[^"\\]|\\.)*)"`)
	keys := map[string]bool{}
	for _, dir := range []string{"chart", "table"} {
		files, err := filepath.Glob(filepath.Join(root, "ui", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range said.FindAllStringSubmatch(string(raw), -1) {
				keys[m[1]] = true
			}
		}
	}
	for m := time.January; m <= time.December; m++ {
		keys[m.String()[:3]] = true
	}
	if len(keys) < 20 {
		t.Fatalf("only %d words found in the sources", len(keys))
	}
	for _, language := range []string{"en", "de"} {
		raw, err := os.ReadFile(filepath.Join(root, "assets", "translations", "chart."+language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]any
		if err := json.Unmarshal(raw, &words); err != nil {
			t.Fatal(err)
		}
		for key := range keys {
			if words[key] == nil {
				t.Errorf("%s: %q is not translated", language, key)
			}
		}
		for key := range words {
			if !keys[key] {
				t.Errorf("%s: nobody says %q", language, key)
			}
		}
	}
}
