package testkit

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// maxExampleRows are the rows of a data set that are put into an example.
const maxExampleRows = 1000

// VegaLiteExamples returns the example specifications of Vega-Lite by the names of
// their files, and again, with " with data" behind the name, those that fetch their
// data, with the rows in the place of the address, and once more without what they
// do with the mouse and their transforms. The test is skipped where they
// have not been installed, by internal/testkit/vegalite/install.sh.
func VegaLiteExamples(t testing.TB) map[string][]byte {
	t.Helper()
	dir := filepath.Join(Root(t), "internal", "testkit", "vegalite", "node_modules")
	files, err := filepath.Glob(filepath.Join(dir, "specs", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("Vega-Lite's examples are not installed: run internal/testkit/vegalite/install.sh")
	}
	all := map[string][]byte{}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".vl")
		all[name] = raw
		var spec any
		if json.Unmarshal(raw, &spec) != nil {
			continue
		}
		spec, found := withData(t, spec, dir)
		if found {
			filled, err := json.Marshal(spec)
			if err != nil {
				t.Fatal(err)
			}
			all[name+" with data"] = filled
		}
		if plain(spec) {
			left, err := json.Marshal(spec)
			if err != nil {
				t.Fatal(err)
			}
			all[name+" plain"] = left
		}
	}
	return all
}

// withData puts rows in the place of addresses.
func withData(t testing.TB, v any, dir string) (any, bool) {
	found := false
	switch v := v.(type) {
	case map[string]any:
		if url, ok := v["url"].(string); ok && strings.HasPrefix(url, "data/") {
			if rows := readRows(t, filepath.Join(dir, url)); rows != nil {
				return map[string]any{"values": rows}, true
			}
		}
		for name, member := range v {
			if filled, ok := withData(t, member, dir); ok {
				v[name], found = filled, true
			}
		}
	case []any:
		for i, item := range v {
			if filled, ok := withData(t, item, dir); ok {
				v[i], found = filled, true
			}
		}
	}
	return v, found
}

// plain takes out what is never drawn, and reports whether there was any.
func plain(v any) bool {
	found := false
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"selection", "transform", "condition"} {
			if _, ok := v[name]; ok {
				delete(v, name)
				found = true
			}
		}
		for _, member := range v {
			found = plain(member) || found
		}
	case []any:
		for _, item := range v {
			found = plain(item) || found
		}
	}
	return found
}

func readRows(t testing.TB, path string) []any {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var rows []any
	if filepath.Ext(path) == ".json" {
		if json.Unmarshal(raw, &rows) != nil {
			return nil
		}
		return rows[:min(len(rows), maxExampleRows)]
	}
	lines, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, line := range lines[1:min(len(lines), maxExampleRows+1)] {
		row := map[string]any{}
		for i, cell := range line {
			if f, err := strconv.ParseFloat(cell, 64); err == nil {
				row[lines[0][i]] = f
			} else {
				row[lines[0][i]] = cell
			}
		}
		rows = append(rows, row)
	}
	return rows
}
