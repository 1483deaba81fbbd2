package agent

import (
	"encoding/json"
	"strings"
	"testing"
)

// However a document escapes its strings, what they say is redacted as text is.
func FuzzAStringWithEscapesIsRedactedAsWhatItSays(f *testing.F) {
	const secret = `nsec1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq`
	for _, s := range []string{
		`plain`, secret, `\u006esec1` + secret[5:], `x\n\u006e\u0073ec1` + secret[5:], `a\"b\\c\/d\u0026`, `\n\r\t\b\f\u0000`,
		`p\u00e4ss\u20ac`, `\ud83d\ude00\u003c`, `\ud83d`, `\ud83dx\u0041`, `\\u006esec1` + secret[5:], `é\u00e9`, `\u00`, `\`,
		`\u003c\u003E\u0026` + secret, `\u003cn\u0073ec1` + secret[5:], `\u003`, `\\u0026\u006Esec1` + secret[5:],
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := NewRedactor()
		raw := json.RawMessage(`["` + s + `"]`)
		got := r.JSON(raw)
		var before, after []string
		if json.Unmarshal(raw, &before) != nil || len(before) != 1 {
			return // it only must not panic
		}
		if json.Unmarshal(got, &after) != nil || len(after) != 1 || r.Text(after[0]) != after[0] || r.Text(before[0]) == before[0] && after[0] != before[0] {
			t.Errorf("%s became %s", raw, got)
		}
	})
}

func BenchmarkADocumentWithEscapesAndNoSecret(b *testing.B) {
	raw := json.RawMessage(`[` + strings.Repeat(`{"content":"Ada \u0026 Bob met \u003cat the harbour\u003e, and \"nothing\" happened","n":1},`, 2000) + `1]`)
	r := NewRedactor()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		r.JSON(raw)
	}
}
