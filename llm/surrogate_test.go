package llm

import (
	"encoding/json"
	"testing"
)

func TestCharactersCutInHalfAreJoined(t *testing.T) {
	for _, test := range []struct {
		name   string
		chunks []string
		want   string
	}{
		{"between two chunks", []string{`a\ud83c`, `\udf0db`}, "a🌍b"},
		{"with a chunk without text between them", []string{`a\uD83C`, ``, `\uDF0Db`}, "a🌍b"},
		{"not cut", []string{`\ud83c\udf0d\ud83c\udf0d`, `\ud83c\udf0d`}, "🌍🌍🌍"},
		{"a half without the other", []string{`a\ud83c`, `b\udf0d`}, "ab�"},
		{"a backslash before the letter u", []string{`\\ud83c`, `x\"\\\\`}, `\ud83cx"\\`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s surrogates
			got := ""
			for _, c := range test.chunks {
				var v struct{ Content string }
				if err := json.Unmarshal(s.join([]byte(`{"id":"x","content":"`+c+`"}`)), &v); err != nil {
					t.Fatal(err)
				}
				got += v.Content
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// FuzzSurrogates holds that a chunk with nothing cut in it stays as it is.
func FuzzSurrogates(f *testing.F) {
	f.Add(`{"a":"\ud83c\udf0d\\\""}`)
	f.Add(`{"a":"\ud83c"}`)
	f.Add("[\"\xf1\",\"\xa50\"]")
	f.Fuzz(func(t *testing.T, data string) {
		var s surrogates
		got := s.join([]byte(data))
		if s.half == nil && string(got) != data {
			t.Fatalf("%q became %q", data, got)
		}
		if json.Valid([]byte(data)) && !json.Valid(got) {
			t.Fatalf("%q became %q, which is no JSON", data, got)
		}
	})
}
