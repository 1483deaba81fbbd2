package ndb

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseSearch(t *testing.T) {
	tests := []struct {
		text string
		want SearchQuery
	}{
		{"", SearchQuery{}},
		{" \t\n", SearchQuery{}},
		{"Blue birds", SearchQuery{Words: []string{"blue", "birds"}}},
		{"blue BLUE Blue", SearchQuery{Words: []string{"blue"}}},
		{`"Blue Birds"`, SearchQuery{Phrases: []string{"blue birds"}}},
		{`“blue birds” «two words» „drei Worte“`, SearchQuery{Phrases: []string{"blue birds", "two words", "drei worte"}}},
		{`"blue"`, SearchQuery{Words: []string{"blue"}}},
		{`blue "green birds" red`, SearchQuery{Words: []string{"blue", "red"}, Phrases: []string{"green birds"}}},
		{`blue "green birds`, SearchQuery{Words: []string{"blue"}, Phrases: []string{"green birds"}}},
		{`"blue"green`, SearchQuery{Words: []string{"blue", "green"}}},
		{`blue "" "`, SearchQuery{Words: []string{"blue"}}},
		{"blue -birds", SearchQuery{Words: []string{"blue"}, Not: []string{"birds"}}},
		{`-"blue birds" -self-custody`, SearchQuery{Not: []string{"blue birds", "self custody"}}},
		{"blue - birds -- & 🔥", SearchQuery{Words: []string{"blue", "birds"}}},
		{"don't self-custody", SearchQuery{Phrases: []string{"don t", "self custody"}}},
		{"Café", SearchQuery{Words: []string{"cafe"}}},
		{"東京都 猫", SearchQuery{Words: []string{"東京", "京都", "猫"}}},
		{`"東京都の"`, SearchQuery{Phrases: []string{"東京 京都 都の"}}},
		{"-東京都", SearchQuery{Not: []string{"東京 京都"}}},
		{"비트코인", SearchQuery{Words: []string{"비트", "트코", "코인"}}},
		{"2024年", SearchQuery{Phrases: []string{"2024 年"}}},
		{"from:ada From:@bob from:ada", SearchQuery{From: []string{"ada", "bob"}}},
		{`from:"Ada Lovelace" birds`, SearchQuery{Words: []string{"birds"}, From: []string{"Ada Lovelace"}}},
		{"from:npub1xyz", SearchQuery{From: []string{"npub1xyz"}}},
		{"#Bitcoin, #été! #foo_bar #東京 #", SearchQuery{Tags: []string{"bitcoin", "été", "foo_bar", "東京"}}},
		{"-#Cats dogs", SearchQuery{Words: []string{"dogs"}, Not: []string{"cats"}}},
		{"since:24h UNTIL:2024-05-01T10:00:00Z", SearchQuery{Since: "24h", Until: "2024-05-01T10:00:00Z"}},
		{`since:"3 days ago"`, SearchQuery{Since: "3 days ago"}},
		{"to:ada", SearchQuery{Phrases: []string{"to ada"}}},
		{"blue https://example.com/x", SearchQuery{Words: []string{"blue"}}},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := ParseSearch(test.text)
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

func TestParseSearchSaysWhatIsWrongAndWhere(t *testing.T) {
	tests := []struct{ text, want string }{
		{"été from:", "character 5: from: names nobody"},
		{`from:"" x`, "character 1: from: names nobody"},
		{"from:@", "from: names nobody"},
		{"since: x", "character 1: since: names no time"},
		{"until:", "until: names no time"},
		{"since:1 since:2", "character 9: since: stands there twice"},
		{"x -from:ada", "character 3: from: cannot be excluded"},
		{"-since:1", "since: cannot be excluded"},
		{"🔥 !", `nothing to look for in "🔥 !"`},
		{"https://example.com", "nothing to look for"},
		{"#", "nothing to look for"},
		{`"`, "nothing to look for"},
		{"a\xffb", "byte 1 is no UTF-8"},
		{strings.Repeat("a ", 3000), "6000 bytes, at most 4096"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			q, err := ParseSearch(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v, %v, want ...%s...", q, err, test.want)
			}
		})
	}
}

func TestSearchMatch(t *testing.T) {
	const text = "The Café sells blue-green birds; don't feed them! 東京都に住む https://example.com/hidden"
	tests := []struct {
		search string
		want   bool
	}{
		{"", true},
		{"cafe", true},
		{"CAFÉ birds", true},
		{"cafe dogs", false},
		{"bird", false},
		{`"blue green"`, true},
		{`"green blue"`, false},
		{`"green birds don"`, true},
		{`"feed them 東京"`, true},
		{"blue-green", true},
		{"green-blue", false},
		{"don't", true},
		{"-dogs", true},
		{"cafe -birds", false},
		{`-"blue birds"`, true},
		{`-"blue green"`, false},
		{"東京都", true},
		{"京東", false},
		{`"東京 京都"`, true},
		{"hidden", false},
		{"from:nobody #none since:1h birds", true},
	}
	for _, test := range tests {
		q, err := ParseSearch(test.search)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Match(text); got != test.want {
			t.Errorf("%q: got %v, want %v", test.search, got, test.want)
		}
	}
}

// What a person copies out of a note must find the note.
func TestEveryNoteIsFoundByItsOwnWords(t *testing.T) {
	n := 0
	for _, e := range realEvents(t) {
		if e.Kind != 1 {
			continue
		}
		for tok := range Tokens(e.Content) {
			word := e.Content[tok.Start:tok.End]
			q, err := ParseSearch(word)
			if err != nil {
				continue // signs inside, such as a zero-width joiner
			}
			n++
			if !q.Match(e.Content) {
				t.Errorf("%s is not found by %q (%+v)", e.ID, word, q)
			}
			if q.Not = q.Words; q.Not != nil && q.Match(e.Content) {
				t.Errorf("%s is found without %q", e.ID, word)
			}
		}
	}
	if n < 10_000 {
		t.Errorf("only %d words tried", n)
	}
}

func FuzzParseSearch(f *testing.F) {
	for _, s := range []string{
		`blue "green birds" -red -"x y" from:"Ada L" #Tag since:24h until:2024`, "東京 don't “x", `-from:x`, "-#a", "from:\u00a0",
	} {
		f.Add(s, "the blue green birds 東京都")
	}
	f.Fuzz(func(t *testing.T, s, text string) {
		q, err := ParseSearch(s)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "search: ") || !utf8.ValidString(err.Error()) {
				t.Fatalf("error %q", err)
			}
			return
		}
		for _, list := range [][]string{q.Words, q.Phrases, q.Not, q.From, q.Tags} {
			for _, item := range list {
				if item == "" || item != strings.TrimSpace(item) {
					t.Fatalf("%q gives %+v", s, q)
				}
			}
		}
		matched := q.Match(text)
		if q.Not = nil; matched && !q.Match(text) {
			t.Fatalf("%q: %q matches only with its exclusions", s, text)
		}
	})
}
