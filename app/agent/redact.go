package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
)

// SecretHash is the SHA-256 of a secret key's 32 bytes. The Redactor knows own
// secrets by it alone, so that it holds none.
type SecretHash [sha256.Size]byte

// HashSecret returns the hash of a secret key.
func HashSecret(secret [32]byte) SecretHash { return sha256.Sum256(secret[:]) }

// Redactor cuts secrets out of text: Nostr secret keys in every form, signer and
// wallet strings, API keys. It is the one place that does; what goes to a model,
// a log, a peer or a crash report passes through it. Its methods may be called
// from any goroutine.
type Redactor struct {
	own      map[SecretHash]bool
	patterns []pattern
	hexRuns  *regexp.Regexp
}

// pattern is one shape of secret.
type pattern struct {
	what string
	// hint stands, folded, in every text that holds the secret: texts without it
	// are not searched.
	hint string
	re   *regexp.Regexp
	real func(string) bool // a further test; nil for none
}

// NewRedactor returns a Redactor that also knows the given own secrets, as hex
// digits anywhere in a text.
func NewRedactor(own ...SecretHash) *Redactor {
	r := &Redactor{
		own:      make(map[SecretHash]bool, len(own)),
		patterns: patterns(),
		hexRuns:  regexp.MustCompile(`[0-9a-fA-F]{64,}`),
	}
	for _, h := range own {
		r.own[h] = true
	}
	return r
}

func patterns() []pattern {
	const link = `[^\s"'<>\\` + "`" + `]`
	p := func(what, hint, expr string) pattern {
		return pattern{what: what, hint: hint, re: regexp.MustCompile(expr)}
	}
	// Prefixes that words of prose can have too: only with a digit.
	digits := func(what, hint, expr string) pattern {
		q := p(what, hint, expr)
		q.real = func(s string) bool { return strings.ContainsAny(s, "0123456789") }
		return q
	}
	list := []pattern{
		p("secret key", "nsec1", `(?i)nsec1[02-9ac-hj-np-z]{20,}`),
		p("secret key", "ncryptsec1", `(?i)ncryptsec1[02-9ac-hj-np-z]{20,}`),
		p("signer link", "bunker://", `(?i)bunker://`+link+`+`),
		p("signer link", "nostrconnect://", `(?i)nostrconnect://`+link+`+`),
		p("wallet link", "walletconnect:", `(?i)nostr\+?walletconnect:`+link+`+`),
		digits("API key", "sk-", `\bsk-[A-Za-z0-9_-]{20,}`),
		digits("API key", "sk_", `\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`),
		p("API key", "aiza", `\bAIza[0-9A-Za-z_-]{35}`),
		p("API key", "gsk_", `\bgsk_[A-Za-z0-9]{20,}`),
		p("API key", "xai-", `\bxai-[A-Za-z0-9]{20,}`),
		p("API key", "pplx-", `\bpplx-[A-Za-z0-9]{20,}`),
		p("API key", "hf_", `\bhf_[A-Za-z0-9]{20,}`),
		p("API key", "r8_", `\br8_[A-Za-z0-9]{20,}`),
		p("API key", "tgp_v1_", `\btgp_v1_[A-Za-z0-9_-]{20,}`),
		p("access token", "github_pat_", `\bgithub_pat_[A-Za-z0-9_]{30,}`),
		p("access token", "glpat-", `\bglpat-[A-Za-z0-9_-]{20,}`),
		p("access token", "xox", `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
		p("access key", "akia", `\bAKIA[0-9A-Z]{16}\b`),
		digits("access token", "bearer", `(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{20,}`),
		p("private key", "private key-----", `-----BEGIN [A-Z ]*PRIVATE KEY-----[^-"]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`),
	}
	for _, prefix := range []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"} {
		list = append(list, p("access token", prefix, `\b`+prefix+`[A-Za-z0-9]{30,}`))
	}
	return list
}

// Text returns s with every secret replaced by [WHAT removed].
func (r *Redactor) Text(s string) string {
	folded := strings.ToLower(s)
	for _, p := range r.patterns {
		if !strings.Contains(folded, p.hint) {
			continue
		}
		s = p.re.ReplaceAllStringFunc(s, func(hit string) string {
			if p.real != nil && !p.real(hit) {
				return hit
			}
			return "[" + p.what + " removed]"
		})
	}
	if len(r.own) > 0 && len(s) >= 64 {
		s = r.hexRuns.ReplaceAllStringFunc(s, r.ownHex)
	}
	return s
}

// ownHex cuts own secrets out of a run of hex digits, at any place in it.
func (r *Redactor) ownHex(run string) string {
	var b strings.Builder
	for len(run) >= 64 {
		var key [32]byte
		if _, err := hex.Decode(key[:], []byte(run[:64])); err == nil && r.own[HashSecret(key)] {
			b.WriteString("[secret key removed]")
			run = run[64:]
			continue
		}
		b.WriteByte(run[0])
		run = run[1:]
	}
	b.WriteString(run)
	return b.String()
}

// JSON returns raw with every secret in it replaced, also those written with
// escapes. What is no JSON is treated as text.
func (r *Redactor) JSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if !bytes.Contains(raw, []byte(`\u00`)) && !r.suspects(string(raw)) {
		return raw
	}
	// Without escapes, and a replacement has none, a document's text stays a
	// document.
	if bytes.IndexByte(raw, '\\') < 0 || !json.Valid(raw) {
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

// suspects is a quick look that says no to nearly everything.
func (r *Redactor) suspects(s string) bool {
	folded := strings.ToLower(s)
	for _, p := range r.patterns {
		if strings.Contains(folded, p.hint) {
			return true
		}
	}
	if len(r.own) == 0 {
		return false
	}
	for _, run := range r.hexRuns.FindAllString(s, -1) {
		if r.ownHex(run) != run {
			return true
		}
	}
	return false
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
