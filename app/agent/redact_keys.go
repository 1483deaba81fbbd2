package agent

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// shortestKey is how many bytes an API key must have to be removed everywhere. Shorter ones
// are placeholders for local servers ("ollama"), or may be a word of a note.
const shortestKey = 12

// keyPrint identifies an API key without containing it: a small sum of its first bytes to
// look for, and a hash that decides.
type keyPrint struct {
	size int
	head uint16
	hash [sha256.Size]byte
}

// keyPrints holds those of all keys. It is never changed, only replaced.
type keyPrints struct {
	list   []keyPrint           // the longest first, since it may hold a shorter one
	heads  [1 << 16 / 64]uint64 // a bit for each head in the list
	quoted bool                 // a key has characters that JSON escapes
}

// Know makes the redactor remove an API key from everything from now on, whatever its
// shape. It keeps hashes of the key, not the key.
func (r *Redactor) Know(apiKey string) {
	apiKey = strings.TrimSpace(apiKey)
	if len(apiKey) < shortestKey {
		return
	}
	p := keyPrint{size: len(apiKey), head: headOf(apiKey), hash: sha256.Sum256([]byte(apiKey))}
	for {
		before := r.keys.Load()
		next := &keyPrints{}
		if before != nil {
			*next = *before
		}
		if slices.Contains(next.list, p) {
			return
		}
		next.list = append(slices.Clone(next.list), p)
		slices.SortStableFunc(next.list, func(a, b keyPrint) int { return b.size - a.size })
		next.heads[p.head/64] |= 1 << (p.head % 64)
		next.quoted = next.quoted || strings.ContainsAny(apiKey, `"\/<>&`)
		if r.keys.CompareAndSwap(before, next) {
			return
		}
	}
}

// knownKeys removes the known keys from s, in one pass.
func (r *Redactor) knownKeys(s string) string {
	known := r.keys.Load()
	if known == nil {
		return s
	}
	var b strings.Builder
	kept := 0
	for i := 0; i+shortestKey <= len(s); i++ {
		head := headOf(s[i:])
		if known.heads[head/64]&(1<<(head%64)) == 0 {
			continue
		}
		if size := known.at(s[i:], head); size > 0 {
			b.WriteString(s[kept:i])
			b.WriteString("[API key removed]")
			kept = i + size
			i = kept - 1
		}
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// headOf hashes the first eight bytes of s, which must have as many.
func headOf(s string) uint16 {
	first := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return uint16(first * 0x9e3779b97f4a7c15 >> 48)
}

// at returns the size of the key that s begins with; 0 for none.
func (k *keyPrints) at(s string, head uint16) int {
	for _, p := range k.list {
		if p.head == head && p.size <= len(s) && p.hash == sha256.Sum256([]byte(s[:p.size])) {
			return p.size
		}
	}
	return 0
}

// quotes reports whether a key may have other bytes in JSON than in text.
func (r *Redactor) quotes() bool {
	known := r.keys.Load()
	return known != nil && known.quoted
}
