package agent

import (
	"cmp"
	"slices"
	"strings"
)

// shortestKey is how many bytes an API key must have to be removed everywhere. Shorter ones
// are placeholders for local servers ("ollama"), or may be a word of a note.
const shortestKey = 12

// knownKeys are the API keys to remove. It is never changed, only replaced.
type knownKeys struct {
	list   []string // the longest first, since it may hold a shorter one
	remove *strings.Replacer
	quoted bool // a key has characters that JSON escapes
}

// Know makes the redactor remove an API key from everything from now on, whatever its
// shape.
func (r *Redactor) Know(apiKey string) {
	apiKey = strings.TrimSpace(apiKey)
	if len(apiKey) < shortestKey {
		return
	}
	for {
		before := r.keys.Load()
		next := knownKeys{list: []string{apiKey}, quoted: strings.ContainsAny(apiKey, `"\/<>&`)}
		if before != nil {
			if slices.Contains(before.list, apiKey) {
				return
			}
			next.list, next.quoted = append(next.list, before.list...), next.quoted || before.quoted
		}
		slices.SortStableFunc(next.list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		var pairs []string
		for _, key := range next.list {
			pairs = append(pairs, key, "[API key removed]")
		}
		next.remove = strings.NewReplacer(pairs...)
		if r.keys.CompareAndSwap(before, &next) {
			return
		}
	}
}

// withoutKeys removes the known keys from s.
func (r *Redactor) withoutKeys(s string) string {
	known := r.keys.Load()
	if known == nil || !slices.ContainsFunc(known.list, func(key string) bool { return strings.Contains(s, key) }) {
		return s
	}
	return known.remove.Replace(s)
}

// quotes reports whether a key may have other bytes in JSON than in text.
func (r *Redactor) quotes() bool {
	known := r.keys.Load()
	return known != nil && known.quoted
}
