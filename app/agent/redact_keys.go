package agent

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// shortestKey is how long an API key has to be, in bytes, to be cut out wherever it
// stands. What is shorter is a stand-in that servers at home take ("ollama"), or may
// be a word of a note.
const shortestKey = 12

// keyPrint is how a Redactor knows an API key without holding it: a quick sum that
// rolls along a text, and a hash that decides.
type keyPrint struct {
	size int
	roll uint32
	hash [sha256.Size]byte
}

// keyPrints are those of all keys; it is never changed, only replaced.
type keyPrints struct {
	list   []keyPrint
	sizes  []int // each once
	quoted bool  // a key has characters that JSON escapes
}

// Know makes the redactor cut an API key out of everything from now on, whatever it
// looks like. It keeps hashes of the key, not the key.
func (r *Redactor) Know(apiKey string) {
	apiKey = strings.TrimSpace(apiKey)
	if len(apiKey) < shortestKey {
		return
	}
	p := keyPrint{size: len(apiKey), roll: rollOf(apiKey), hash: sha256.Sum256([]byte(apiKey))}
	for {
		before := r.keys.Load()
		old := before
		if old == nil {
			old = &keyPrints{}
		}
		if slices.Contains(old.list, p) {
			return
		}
		next := &keyPrints{
			list: append(slices.Clone(old.list), p), sizes: slices.Clone(old.sizes),
			quoted: old.quoted || strings.ContainsAny(apiKey, `"\/<>&`),
		}
		if !slices.Contains(next.sizes, p.size) {
			next.sizes = append(next.sizes, p.size)
			slices.Sort(next.sizes)
			slices.Reverse(next.sizes) // the longest first, since it may hold a shorter one
		}
		if r.keys.CompareAndSwap(before, next) {
			return
		}
	}
}

// knownKeys cuts the keys that are known out of s.
func (r *Redactor) knownKeys(s string) string {
	known := r.keys.Load()
	if known == nil {
		return s
	}
	for _, size := range known.sizes {
		s = known.cut(s, size)
	}
	return s
}

// rollBase is the base of the rolling sum; any odd number will do.
const rollBase = 16777619

func rollOf(s string) uint32 {
	sum := uint32(0)
	for i := range len(s) {
		sum = sum*rollBase + uint32(s[i])
	}
	return sum
}

// cut takes the keys of one size out of s, in one pass.
func (k *keyPrints) cut(s string, size int) string {
	if len(s) < size {
		return s
	}
	top := uint32(1) // what the first byte of a window counts
	for range size - 1 {
		top *= rollBase
	}
	var b strings.Builder
	kept := 0
	sum := rollOf(s[:size])
	for i := 0; ; {
		if k.is(s[i:i+size], sum) {
			b.WriteString(s[kept:i])
			b.WriteString("[API key removed]")
			i += size
			kept = i
			if i+size > len(s) {
				break
			}
			sum = rollOf(s[i : i+size])
			continue
		}
		if i+size == len(s) {
			break
		}
		sum = (sum-uint32(s[i])*top)*rollBase + uint32(s[i+size])
		i++
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

func (k *keyPrints) is(window string, sum uint32) bool {
	for _, p := range k.list {
		if p.roll == sum && p.size == len(window) && p.hash == sha256.Sum256([]byte(window)) {
			return true
		}
	}
	return false
}

// quotes reports whether a key may stand in JSON in other bytes than in text.
func (r *Redactor) quotes() bool {
	known := r.keys.Load()
	return known != nil && known.quoted
}
