package search

import (
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

const someTime = 1_750_000_000

func note(content string, tags ...nostr.Tag) *nostr.Event {
	return &nostr.Event{Kind: nostr.KindNote, CreatedAt: someTime, Content: content, Tags: tags}
}

func mustParse(t testing.TB, text string) Query {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestWhatASearchMatches(t *testing.T) {
	ada := nostr.PubKey{1}
	e := note("The Café sells blue-green birds; don't feed them! 東京都に住む https://docs.example.com/hidden?x#y 👍🏽 v2.7.4",
		nostr.Tag{"t", "Birds"}, nostr.Tag{"p", ada.String()}, nostr.Tag{"e", strings.Repeat("a", 64), "", "reply"})
	e.PubKey = ada
	tests := map[string]bool{
		"":     false,
		"cafe": true, "CAFÉ birds": true, "cafe dogs": false, "bird": false, "bird*": true, "caf*": true, "afe*": false,
		`"blue green"`: true, `"green blue"`: false, `"green birds don"`: true, `"feed them 東京"`: true, `"feed the*"`: true,
		"blue-green": true, "green-blue": false, "don't": true, "2.7.4": true, "v2.7": true, "V2.7.4": true, "2.8": false,
		"-dogs": true, "cafe -birds": false, `-"blue birds"`: true, `-"blue green"`: false, "-bird*": false,
		"東京都": true, "京東": false, "都": true, "む": true, "猫": false, "住": true, "東京": true,
		"hidden": false, "docs": false, "example": false,
		"example.com": true, "docs.example.com": true, "ocs.example.com": false, "site:example.com": true, "site:other.com": false,
		"https://docs.example.com": true, "https://docs.example.com/hid": true, "https://docs.example.com/other": false,
		"HTTP://Example.com/hidden?x": true, "-site:example.com": false,
		"👍": true, "👍🏿": true, "🔥": false, `"them 👍"`: false, `"住む 👍"`: true, "dogs OR birds": true, "dogs OR cats": false, "cafe (dogs OR birds)": true, "(cafe dogs) OR (blue -cats)": true, "-(dogs OR birds)": false,
		"#birds": true, "#BIRDS": true, "#bir": false, "#bir*": true, "-#cats": true, "#birds #cats": false,
		"is:reply": true, "-is:reply": false, "is:note": true, "is:article": false, "kind:1": true, "kind:2 kind:1": true, "-kind:1": false,
		"has:link": true, "has:image": false, "-has:image": true,
		"from:" + ada.String(): true, "from:" + nostr.PubKey{2}.String(): false, "to:" + ada.String(): true, "-from:" + ada.String(): false,
		"from:nobody": false,
		"since:1h":    true, "until:1h": false, "since:2200-01-01": false, "until:2200-01-01": true, "-until:1h": true,
	}
	for search, want := range tests {
		if got := mustParse(t, search).Match(e); got != want {
			t.Errorf("%s: %v, want %v", search, got, want)
		}
	}
}

func TestAKindWithoutTextIsFoundOnlyWhenItIsNamed(t *testing.T) {
	like := &nostr.Event{Kind: nostr.KindReaction, Content: "blue", Tags: nostr.Tags{{"t", "birds"}}}
	for search, want := range map[string]bool{
		"blue": false, "-green": false, "kind:7": true, "is:reaction #birds": true, "kind:7 blue": false, "kind:7 -blue": true, "-kind:7": false, "-kind:1": true,
	} {
		if got := mustParse(t, search).Match(like); got != want {
			t.Errorf("%s: %v, want %v", search, got, want)
		}
	}
}

func TestWhatANoteHoldsBesidesItsWords(t *testing.T) {
	meta := func(url, mime string) nostr.Tag { return nostr.Tag{"imeta", "url " + url, "m " + mime} }
	article, err := nostr.Code{Prefix: nostr.CodeAddress, Kind: nostr.KindArticle, D: "x"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := nostr.Code{Prefix: nostr.CodeNote, Event: nostr.ID{1}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		e    *nostr.Event
		want string
	}{
		{"words alone", note("has:image http: https:// .jpg"), ""},
		{"a picture by its ending", note("Look: https://a.example/x.JPG?w=3."), "image"},
		{"a picture by its tag", note("https://a.example/blob", meta("https://a.example/blob", "image/webp")), "image"},
		{"a picture in a tag alone", note("", meta("https://a.example/blob", "image/png")), "image"},
		{"a picture post", &nostr.Event{Kind: nostr.KindPicture}, "image"},
		{"a video", note("HTTPS://a.example/x.mp4"), "video"},
		{"a video post", &nostr.Event{Kind: nostr.KindShortVideo}, "video"},
		{"music", note("https://a.example/x.mp3"), "audio"},
		{"a voice message", &nostr.Event{Kind: nostr.KindVoiceComment}, "audio"},
		{"a page", note("see https://a.example/jpg"), "link"},
		{"a page and a picture", note("https://a.example https://a.example/b.png"), "image link"},
		{"no page of the web", note("wss://relay.example ftp://a.example/b.png"), ""},
		{"an article", note("nostr:" + article), "article"},
		{"a quote", note("nostr:" + quoted), "quote"},
		{"a quote by its tag", note("", nostr.Tag{"q", nostr.ID{1}.String()}), "quote"},
		{"a quoted article", note("", nostr.Tag{"q", "30023:" + nostr.PubKey{}.String() + ":x"}), "article"},
		{"a profile", &nostr.Event{Kind: nostr.KindProfile, Content: `{"about":"https://a.example/x.png"}`}, ""},
	} {
		var got []string
		for _, what := range []string{"image", "video", "audio", "link", "article", "quote"} {
			if q := mustParse(t, "has:"+what+" (-kind:9 OR kind:9)"); q.Match(tt.e) {
				got = append(got, what)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: has %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTheLanguageOfANote(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    *nostr.Event
		want string
	}{
		{"English", note("The relay architecture is terrible for curation, and that is why browsing by relay is broken."), "en"},
		{"German", note("Ich habe gestern den ganzen Tag im Garten gearbeitet und bin heute ziemlich müde."), "de"},
		{"Spanish", note("No hay nada mejor que un buen café por la mañana antes de empezar el trabajo."), "es"},
		{"Japanese with many Han characters", note("今日本人確認書類提出期限です。東京都渋谷区役所へ行きました"), "ja"},
		{"Chinese", note("今天天气很好，我们去公园散步，然后一起吃晚饭"), "zh"},
		{"Russian", note("Это очень хорошая новость для всех нас сегодня"), "ru"},
		{"short", note("ok"), ""},
		{"a link alone", note("https://example.com/the/quick/brown/fox/jumps/over/the/lazy/dog"), ""},
		{"labelled", note("ok", nostr.Tag{"L", "ISO-639-1"}, nostr.Tag{"l", "nl", "ISO-639-1"}), "nl"},
	} {
		got := ""
		for _, code := range []string{"en", "de", "es", "ja", "zh", "ru", "nl"} {
			if mustParse(t, "lang:"+code).Match(tt.e) {
				got += code
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestHighlightsAreByteRangesOfTheTextAsItStands(t *testing.T) {
	tests := []struct{ search, text, want string }{ // «marked»
		{"cafe", "The CAFE\u0301 and Café", "The «CAFE\u0301» and «Café»"},
		{`"blue birds" green`, "blue birds, blue green", "«blue birds», blue «green»"},
		{"bow*", "The Bowerbird's bows", "The «Bowerbird»'s «bows»"},
		{"東京", "東京都と京東", "«東京»都と京東"},
		{"都", "東京都と", "東京«都»と"},
		{"東京都", "in東京都に 東京", "in«東京都»に 東京"},
		{"-blue green", "blue green", "blue «green»"},
		{"(a OR b) -c", "a b c", "«a» «b» c"},
		{"#foo_bar", "see #Foo_Bar and foo bar", "see #«Foo_Bar» and «foo bar»"},
		{"site:example.com", "https://docs.example.com/x example.com", "https://docs.«example.com»/x example.com"},
		{"example.com", "https://docs.example.com/x example.com", "https://docs.«example.com»/x «example.com»"},
		{"👍", "ok 👍🏽!", "ok «👍🏽»!"},
		{"ss", "Stra\u00dfe ß", "Straße «ß»"},
		{"from:ada kind:1 has:image since:1d", "ada 1 image", "ada 1 image"},
		{"blue blue-green", "blue-green", "«blue-green»"},
		{"", "blue", "blue"},
	}
	for _, tt := range tests {
		var got strings.Builder
		at := 0
		for _, r := range mustParse(t, tt.search).Highlights(tt.text) {
			got.WriteString(tt.text[at:r[0]] + "«" + tt.text[r[0]:r[1]] + "»")
			at = r[1]
		}
		got.WriteString(tt.text[at:])
		if got.String() != tt.want {
			t.Errorf("%s: %s, want %s", tt.search, got.String(), tt.want)
		}
	}
}

// What a person copies out of a note must find the note.
func TestEveryNoteIsFoundByItsOwnWords(t *testing.T) {
	if testing.Short() {
		t.Skip("one search after the other: not beside the race detector")
	}
	n := 0
	for _, e := range realNotes(t) {
		if e.Kind != 1 {
			continue
		}
		words := append(strings.Fields(e.Content), "")
		for i, word := range words {
			q, err := Parse(word)
			if err != nil || q.IsEmpty() || strings.ContainsAny(word, `:#"“”„«»()`) || strings.HasPrefix(word, "-") || word == "OR" || word == "AND" {
				continue
			}
			n++
			if !q.Match(e) {
				t.Errorf("%s is not found by its word %d, %q (%s)", e.ID, i, word, dump(q.root))
			}
			if len(q.Highlights(e.Content)) == 0 {
				t.Errorf("%q is not marked in %s", word, e.ID)
			}
		}
	}
	if n < 5_000 {
		t.Errorf("only %d words tried", n)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`blue "green birds" -red -"x y" from:"Ada L" #Tag since:24h until:2024`, "東京 don't “x", `-from:x`, "-#a", "from:\u00a0",
		"(a OR b) AND -(c OR d*)", "github.com/x https://a.b/c?d 👍🏽 🤷🏼‍♀️", "kind:1 is:reply has:image lang:de site:a.b", "猫 บิ", "((((a) OR", "OR OR AND",
		"since:1 since:2 to:me", "#bit* bow*", "\u200d🔥\u200d",
	} {
		f.Add(s, "the blue green birds 東京都 https://a.b/c?d 👍 don't")
	}
	f.Fuzz(func(t *testing.T, s, text string) {
		q, err := Parse(s)
		if err != nil {
			told := err.(*Error)
			if told.Start < 0 || told.Len < 0 || told.Start+told.Len > len(s) || told.Want == "" {
				t.Fatalf("%q: error at %+v", s, told)
			}
			return
		}
		if part, ok := q.Unfinished(); ok && (part.Start < 0 || part.Start+part.Len > len(s)) {
			t.Fatalf("%q: unfinished at %+v", s, part)
		}
		if again, err := Parse(q.String()); err != nil || dump(again.root) != dump(q.root) {
			t.Fatalf("%q reads back as %s, not %s (%v)", s, dump(again.root), dump(q.root), err)
		}
		if dump(q.AsTyped().root) == "" && !q.IsEmpty() {
			t.Fatalf("%q: nothing is left of it as it is typed", s)
		}
		e := note(text, nostr.Tag{"t", text})
		matched := q.Match(e)
		if not, err := Parse("-(" + s + "\n)"); err == nil && !q.IsEmpty() && !strings.ContainsAny(s, `()"“”„«»`) && q.Kinds() == nil &&
			q.read(0) == nil && len(s) < 4000 && not.Match(e) == matched {
			t.Fatalf("%q: %q matches it and its opposite alike (%v)", s, text, matched)
		}
		last := 0
		for _, r := range q.Highlights(text) {
			if r[0] < last || r[1] <= r[0] || r[1] > len(text) {
				t.Fatalf("%q marks %v in %q", s, r, text)
			}
			last = r[1]
		}
	})
}
