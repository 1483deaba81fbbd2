package agent

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
)

// Redactor removes secrets from text: Nostr secret keys in every form, signer and wallet
// links, API keys by their shape, and those it was given (Know). Everything that goes to a
// model, a log, a peer or a crash report passes through it. Its methods may be called from
// any goroutine.
type Redactor struct {
	patterns []pattern
	first    [256]uint64               // by a byte, a bit for each pattern that begins with it
	second   [256]uint64               // the same for second bytes
	keys     atomic.Pointer[knownKeys] // see Know
}

// pattern is a shape of secret: fixed characters followed by a run of others.
type pattern struct {
	what  string
	start string // in lower case; matches any case
	of    string // the bytes of the run
	least int    // length of the run
	word  bool   // only at the start of a word
	digit bool   // only with a digit in the run, since prose can look like the rest
}

// NewRedactor returns a Redactor that knows the shapes of secrets.
func NewRedactor() *Redactor {
	r := &Redactor{patterns: patterns()}
	for i, p := range r.patterns {
		for _, c := range []byte{p.start[0], upper(p.start[0])} {
			r.first[c] |= 1 << i
		}
		for _, c := range []byte{p.start[1], upper(p.start[1])} {
			r.second[c] |= 1 << i
		}
	}
	return r
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// begun returns the patterns whose start is somewhere in s, as bits: nearly always none.
func (r *Redactor) begun(s string) (which uint64) {
	for i := range len(s) - 1 {
		here := r.first[s[i]] & r.second[s[i+1]] &^ which
		for ; here != 0; here &= here - 1 {
			n := bits.TrailingZeros64(here)
			start := r.patterns[n].start
			if len(s)-i >= len(start) && foldASCII(s[i:i+len(start)]) == start {
				which |= 1 << n
			}
		}
	}
	return which
}

func patterns() []pattern {
	const (
		digits   = "0123456789"
		letters  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		plain    = letters + digits
		key      = plain + "_-"
		bech32   = "023456789acdefghjklmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ"
		link     = plain + "-._~:/?#[]@!$&()*+,;=%|{}^"
		base64   = plain + "+/=-_.~"
		pemBlock = plain + "+/=-:,\\ \t\r\n" // with the words after it, up to a full stop or quote
	)
	var list []pattern
	add := func(p pattern, starts ...string) {
		for _, p.start = range starts {
			list = append(list, p)
		}
	}
	add(pattern{what: "secret key", of: bech32, least: 20}, "nsec1", "ncryptsec1")
	add(pattern{what: "signer link", of: link, least: 1}, "bunker://", "nostrconnect://")
	add(pattern{what: "wallet link", of: link, least: 1}, "nostr+walletconnect:", "nostrwalletconnect:")
	add(pattern{what: "private key", of: pemBlock},
		"-----begin private key-----", "-----begin rsa private key-----", "-----begin ec private key-----",
		"-----begin openssh private key-----", "-----begin encrypted private key-----", "-----begin pgp private key block-----")
	add(pattern{what: "access token", of: base64, least: 20, word: true, digit: true}, "bearer ")
	add(pattern{what: "API key", of: key, least: 20, word: true, digit: true}, "sk-")
	add(pattern{what: "API key", of: key, least: 16, word: true},
		"sk_live_", "sk_test_", "rk_live_", "rk_test_", "aizasy", "gsk_", "xai-", "pplx-", "hf_", "r8_", "tgp_v1_")
	add(pattern{what: "access token", of: key, least: 20, word: true},
		"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-")
	add(pattern{what: "access token", of: key, least: 10, word: true},
		"xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-")
	add(pattern{what: "access key", of: digits + letters[26:], least: 16, word: true}, "akia")
	return list
}

// Text returns s with every secret replaced by [WHAT removed].
func (r *Redactor) Text(s string) string {
	s = r.withoutKeys(s)
	which := r.begun(s)
	if which == 0 {
		return s
	}
	folded := foldASCII(s)
	for i := range r.patterns {
		if which&(1<<i) == 0 {
			continue
		}
		if clean := r.patterns[i].cut(s, folded); len(clean) != len(s) || clean != s {
			s, folded = clean, foldASCII(clean)
		}
	}
	return s
}

// cut replaces what matches; folded is s in lower case, of equal length.
func (p *pattern) cut(s, folded string) string {
	var b strings.Builder
	kept := 0
	for i := 0; ; {
		found := strings.Index(folded[i:], p.start)
		if found < 0 {
			break
		}
		i += found
		run := s[i+len(p.start):]
		run = run[:p.length(run)]
		if len(run) < p.least || p.word && i > 0 && wordByte(s[i-1]) || p.digit && !strings.ContainsAny(run, "0123456789") {
			i++
			continue
		}
		b.WriteString(s[kept:i])
		b.WriteString("[" + p.what + " removed]")
		i += len(p.start) + len(run)
		kept = i
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// length returns how much of s belongs to the run it begins with. The text may be JSON,
// like tools' results: there a byte may be written as \u0026 or after a backslash, and JSON
// inside JSON doubles the backslashes.
func (p *pattern) length(s string) int {
	n := 0
	for n < len(s) {
		if strings.IndexByte(p.of, s[n]) >= 0 {
			n++
			continue
		}
		size, c := escaped(s[n:])
		if size == 0 || strings.IndexByte(p.of, c) < 0 {
			break
		}
		n += size
	}
	return n
}

// escaped reads the byte that s begins with if it is escaped as in JSON; a size of 0 means
// that it is not.
func escaped(s string) (size int, c byte) {
	rest := strings.TrimLeft(s, `\`)
	slashes := len(s) - len(rest)
	if slashes == 0 || rest == "" {
		return 0, 0
	}
	if rest[0] == '/' {
		return slashes + 1, '/'
	}
	if len(rest) < 5 || rest[:3] != "u00" {
		return 0, 0
	}
	b, err := hex.DecodeString(rest[3:5])
	if err != nil {
		return 0, 0
	}
	return slashes + 5, b[0]
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

// foldASCII converts A to Z to lower case, so that offsets stay valid.
func foldASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// JSON returns raw with every secret in it replaced, including escaped ones. Invalid JSON
// is treated as text.
func (r *Redactor) JSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if !r.suspects(string(raw)) && !r.hidden(raw) {
		return raw
	}
	// Without escapes the document stays valid when it is treated as text, as replacements
	// contain none.
	if bytes.IndexByte(raw, '\\') < 0 && !r.quotes() || !json.Valid(raw) {
		return json.RawMessage(r.Text(string(raw)))
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return json.RawMessage(`"[unreadable]"`) // never, since it is valid
	}
	changed := false
	value = r.value(value, &changed)
	if !changed {
		return raw
	}
	clean, err := line(value)
	if err != nil {
		return json.RawMessage(`"[unreadable]"`)
	}
	return clean
}

// suspects is a fast test that is nearly always false.
func (r *Redactor) suspects(s string) bool {
	return r.begun(s) != 0 || r.withoutKeys(s) != s
}

// value redacts the strings of a decoded document.
func (r *Redactor) value(v any, changed *bool) any {
	switch v := v.(type) {
	case string:
		clean := r.Text(v)
		*changed = *changed || clean != v
		return clean
	case []any:
		for i := range v {
			v[i] = r.value(v[i], changed)
		}
	case map[string]any:
		for k, x := range v {
			x = r.value(x, changed)
			if clean := r.Text(k); clean != k {
				*changed = true
				delete(v, k)
				k = clean
			}
			v[k] = x
		}
	}
	return v
}

// hidden reports whether a string of a document may hold an escaped secret. Most documents
// have some escapes and no secret, and decoding them whole takes ten times as long.
func (r *Redactor) hidden(raw json.RawMessage) bool {
	suspicious := escapesLetters
	if r.quotes() {
		suspicious = func(raw []byte) bool { return bytes.IndexByte(raw, '\\') >= 0 }
	}
	if !suspicious(raw) {
		return false
	}
	for {
		start := bytes.IndexByte(raw, '"')
		if start < 0 {
			return false
		}
		raw = raw[start:]
		end := stringEnd(raw)
		if token := raw[:end]; suspicious(token) {
			var text string
			if json.Unmarshal(token, &text) != nil || r.suspects(text) {
				return true // what cannot be read is treated as text
			}
		}
		raw = raw[end:]
	}
}

// escapesLetters reports whether raw has a \u00xx that a secret's beginning may be written
// with. None has the <, > or & that Go's encoder escapes in every document.
func escapesLetters(raw []byte) bool {
	for found := true; found; {
		if _, raw, found = bytes.Cut(raw, []byte(`\u00`)); found && !slices.Contains([]string{"26", "3c", "3e"}, string(raw[:min(2, len(raw))])) {
			return true
		}
	}
	return false
}

// stringEnd returns the length of the string that raw begins with, quotes included.
func stringEnd(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

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
