package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// check validates a value against a schema and describes where and how it violates it, in
// words that a model can act on. It knows the keywords that our argument structs produce.
func check(s *jsonschema.Schema, v any, path string) error {
	if s == nil {
		return nil
	}
	if !acceptsType(s, v) {
		return broken(s, path, expectation(s), v)
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return broken(s, path, expectation(s), v)
	}
	switch v := v.(type) {
	case map[string]any:
		return checkObject(shapeFor(s, "object"), v, path)
	case []any:
		return checkList(shapeFor(s, "array"), v, path)
	case string:
		if n := shapeFor(s, "string").MaxLength; n != nil && len([]rune(v)) > *n {
			return broken(s, path, fmt.Sprintf("at most %d characters", *n), v)
		}
	case json.Number:
		f, err := v.Float64()
		limits := shapeFor(s, "integer")
		if err != nil || limits.Minimum != nil && f < *limits.Minimum || limits.Maximum != nil && f > *limits.Maximum {
			return broken(s, path, expectation(s), v)
		}
	}
	return nil
}

func checkObject(s *jsonschema.Schema, obj map[string]any, path string) error {
	if s.Properties == nil {
		return nil
	}
	for _, name := range s.Required {
		if _, ok := obj[name]; !ok {
			return broken(s.Properties[name], join(path, name), expectation(s.Properties[name])+" (required)", missing{})
		}
	}
	for _, name := range sortedKeys(obj) {
		p, known := s.Properties[name]
		if !known {
			return unknownArgument(s, path, name)
		}
		if err := check(p, obj[name], join(path, name)); err != nil {
			return err
		}
	}
	return nil
}

func checkList(s *jsonschema.Schema, list []any, path string) error {
	if s.MinItems != nil && len(list) < *s.MinItems {
		return broken(s, path, fmt.Sprintf("at least %d items", *s.MinItems), list)
	}
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		return broken(s, path, fmt.Sprintf("at most %d items", *s.MaxItems), list)
	}
	for i, v := range list {
		if err := check(s.Items, v, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// shapeFor picks the alternative of a schema for a type. Limits beside the alternatives
// apply to all of them.
func shapeFor(s *jsonschema.Schema, typ string) *jsonschema.Schema {
	for _, sub := range s.AnyOf {
		if wants(sub, typ) {
			shape := *sub
			if shape.MinItems == nil {
				shape.MinItems = s.MinItems
			}
			if shape.MaxItems == nil {
				shape.MaxItems = s.MaxItems
			}
			if shape.MaxLength == nil {
				shape.MaxLength = s.MaxLength
			}
			return &shape
		}
	}
	return s
}

// missing is the value of an absent argument.
type missing struct{}

func (missing) String() string { return "nothing" }

func broken(s *jsonschema.Schema, path, expected string, got any) *ArgumentError {
	raw, _ := json.Marshal(s) // a schema was made from JSON types
	return &ArgumentError{Path: path, Expected: expected, Got: describe(got), Schema: raw}
}

func unknownArgument(s *jsonschema.Schema, path, name string) *ArgumentError {
	names := s.PropertyOrder
	if len(names) != len(s.Properties) {
		names = sortedKeys(s.Properties)
	}
	expected := "one of " + strings.Join(names, ", ")
	if near := nearest(name, names); near != "" {
		expected += fmt.Sprintf(" (did you mean %q?)", near)
	}
	if len(names) == 0 {
		expected = "no arguments"
	}
	return &ArgumentError{Path: join(path, clip(name, 40)), Expected: expected, Got: "an unknown argument"}
}

// expectation describes in words what a schema accepts.
func expectation(s *jsonschema.Schema) string {
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = fmt.Sprint(e)
		}
		return "one of " + strings.Join(words, ", ")
	}
	var parts []string
	for _, t := range typesOf(s) {
		parts = append(parts, typeWords(shapeFor(s, t), t))
	}
	if len(parts) == 0 {
		return "a JSON value"
	}
	return strings.Join(parts, " or ")
}

func typeWords(s *jsonschema.Schema, typ string) string {
	switch typ {
	case "integer", "number":
		word := map[string]string{"integer": "a whole number", "number": "a number"}[typ]
		if s.Minimum != nil && s.Maximum != nil {
			return fmt.Sprintf("%s from %v to %v", word, *s.Minimum, *s.Maximum)
		}
		return word
	case "string":
		return "a text"
	case "boolean":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return typ
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// nearest returns the name that was probably meant, or "".
func nearest(name string, names []string) string {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	if len(name) > 64 {
		return ""
	}
	want, best, bestCost := fold(name), "", 1+len(name)/2
	for _, n := range names {
		have := fold(n)
		cost := Edits(want, have)
		if want != "" && (strings.Contains(have, want) || strings.Contains(want, have)) {
			cost = min(cost, 1)
		}
		if cost < bestCost {
			best, bestCost = n, cost
		}
	}
	return best
}

// Edits is the number of single-byte edits from a to b (Levenshtein).
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// ArgumentError describes what is wrong with a call's arguments, so that the model can
// correct itself.
type ArgumentError struct {
	Tool     string
	Path     string // "since", "note_ids[3]"; "" for the arguments as a whole
	Expected string
	Got      string
	Schema   json.RawMessage // the part that was violated; nil if the value, not its shape, is wrong
}

// maxSchemaInError keeps an error shorter than the schema it describes.
const maxSchemaInError = 400

func (e *ArgumentError) Error() string {
	s := e.Tool + ": " + cmp.Or(e.Path, "arguments") + ": expected " + e.Expected + ", got " + e.Got
	if n := len(e.Schema); n > 0 && n <= maxSchemaInError {
		s += "; schema: " + string(e.Schema)
	}
	return s
}

// wrongValue is the error for a value that has the right shape but makes no sense here.
// New adds the tool's name.
func wrongValue(path, expected string, got any) *ArgumentError {
	return &ArgumentError{Path: path, Expected: expected, Got: describe(got)}
}

// describe shows a value in an error: short, and never a private key.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if isSecret(v) {
			return "a private key, which no tool takes"
		}
		return fmt.Sprintf("%q", clip(v, 60))
	case json.Number:
		return "the number " + clip(v.String(), 30)
	case bool:
		return fmt.Sprintf("%t", v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("an object with %d members", len(v))
	}
	return fmt.Sprintf("%v", v)
}

// isSecret reports whether a text holds a Nostr private key (NIP-19, NIP-49).
func isSecret(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "nsec1") || strings.Contains(s, "ncryptsec1")
}

// clip cuts s to at most n runes, with an ellipsis in place of the rest.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-1 {
			if utf8.RuneCountInString(s[i:]) == 1 {
				return s
			}
			return s[:i] + "…"
		}
		count++
	}
	return s
}
