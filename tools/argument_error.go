package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

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
	path := e.Path
	if path == "" {
		path = "arguments"
	}
	s := e.Tool + ": " + path + ": expected " + e.Expected + ", got " + e.Got
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
