package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is looked at is what the string says, but for the white space between words.
func FuzzAStringWithEscapesIsReadAsADecoderReadsIt(f *testing.F) {
	for _, s := range []string{
		`plain`, `\u006esec1`, `a\"b\\c\/d`, `\n\r\t\b\f`, `p\u00e4ss\u20ac`, `\ud83d\ude00`, `\ud83d`, `\ud83dx`, `\ud83d\u0041`, `\\u006e`, `é`, `\u00`, `\`,
	} {
		f.Add(s)
	}
	white := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ", "\b", " ", "\f", " ")
	f.Fuzz(func(t *testing.T, s string) {
		got := string(appendSaid(nil, []byte(s)))
		var want string
		if stringEnd([]byte(s)) != len(s) || json.Unmarshal([]byte(`"`+s+`"`), &want) != nil {
			return // it only must not panic
		}
		if utf8.ValidString(s) && white.Replace(got) != white.Replace(want) {
			t.Errorf("%q says %q, and %q is looked at", s, want, got)
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
