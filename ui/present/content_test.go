package present

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// world is a small store that a test fills.
type world struct {
	t testing.TB
	r *Reader
}

func newWorld(t testing.TB, me string) *world {
	t.Helper()
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &world{t: t, r: &Reader{Store: s, Me: key(t, me), Now: func() time.Time { return clock }}}
}

// put stores an event by the person of a name, so many minutes before the clock.
func (w *world) put(name string, kind int, minutes int64, content string, tags ...[]string) *nostr.Event {
	w.t.Helper()
	e, err := nostr.ParseEvent(testkit.NewKey(name).Event(w.t, kind, clock.Unix()-60*minutes, content, tags...))
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := w.r.Store.Put(context.Background(), ndb.Batch{Events: []*nostr.Event{e}})
	if err != nil || res[0].Outcome != ndb.Stored {
		w.t.Fatal(res, err)
	}
	return e
}

func (w *world) person(name, display string) {
	w.t.Helper()
	w.put(name, 0, 9_000, fmt.Sprintf(`{"name":%q,"display_name":%q,"nip05":"%s@example.org"}`, name, display, name))
}

func (w *world) note(e *nostr.Event) Note {
	w.t.Helper()
	n, err := w.r.FromEvent(context.Background(), e)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func key(t testing.TB, name string) nostr.PubKey {
	t.Helper()
	e, err := nostr.ParseEvent(testkit.NewKey(name).Event(t, 1, 1, ""))
	if err != nil {
		t.Fatal(err)
	}
	return e.PubKey
}

// outline writes paragraphs so that a test can compare them.
func outline(ps []Paragraph) string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteString("¶")
		}
		for _, s := range p {
			switch s.Kind {
			case spanText:
				b.WriteString(s.Text)
			case SpanLink:
				b.WriteString("<" + s.Text + ">")
			case SpanPerson:
				b.WriteString("(" + s.Text + ")")
			case SpanNote:
				b.WriteString("{" + s.Text + "}")
			case SpanTag:
				b.WriteString("[" + s.Tag + "]")
			}
			if s.Mark {
				b.WriteString("!")
			}
		}
	}
	return b.String()
}

func TestATextIsTakenApart(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ada", "Ada Lindqvist")
	ada := key(t, "ada")
	older := w.put("ada", 1, 50, "older")
	nevent := eventLink(older.ID, ada)
	tests := []struct{ name, content, want string }{
		{"plain", "Spent the morning.\nStartup went.", "Spent the morning.\nStartup went."},
		{"paragraphs", "one\n\n\n\ntwo\n \nthree", "one¶two¶three"},
		{"a person", "hi nostr:" + ada.Npub() + "!", "hi (@Ada Lindqvist)!"},
		{"a bare code", "hi @" + ada.Npub() + ", you", "hi (@Ada Lindqvist), you"},
		{"a code in Chinese text", "你好nostr:" + ada.Npub() + "再见", "你好(@Ada Lindqvist)再见"},
		{"somebody unknown", "nostr:" + key(t, "x").Npub(), "(@" + Name(nostr.Profile{PubKey: key(t, "x")}) + ")"},
		{"a broken code", "nostr:npub1qqqq end", "nostr:npub1qqqq end"},
		{"a hashtag", "bring a bag #LocalFood. #1 no, a#b no, #über-uns yes #日本語 yes", "bring a bag [localfood]. #1 no, a#b no, [über-uns] yes [日本語] yes"},
		{"a link shows its host", "see https://Example.org/a/b?c=d.", "see <example.org/a/b?c=d>."},
		{"a link in brackets", "(https://en.example.org/wiki/A_(b))", "(<en.example.org/wiki/A_(b)>)"},
		{"a deceiving link", "https://bank.example@evil.example/x", "<evil.example/x>"},
		{"a deceiving host", "https://аррle.example/", "<xn--le-6kc8da.example>"},
		{"a link that is not safe", "http://example.org javascript:alert(1) file:///etc/passwd", "<http://example.org> javascript:alert(1) file:///etc/passwd"},
		{"a long host is shown to its end", "https://" + strings.Repeat("bank.", 20) + "evil.example/x", "<" + strings.Repeat("bank.", 20) + "evil.example/x>"},
		{"a picture is taken out", "look\nhttps://a.example/b.jpg\nnice", "look\nnice"},
		{"a picture in a sentence", "look https://a.example/b.jpg nice", "look nice"},
		{"a video", "https://a.example/b.mp4", "<Video on a.example>"},
		{"a quote at the end is shown below", "so true\n\n" + nevent, "so true"},
		{"a quote in a sentence stays", "as " + nevent + " says", "as {a note by Ada Lindqvist} says"},
		{"emoji by name", "well :soapbox: done", "well :soapbox: done"},
		{"hidden characters", "a\u202eb\u200bc\u2066d", "abcd"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := w.note(w.put("ben", 1, int64(i), tt.content))
			if got := outline(n.Body); got != tt.want {
				t.Errorf("%q\ngives %q\nwant  %q", tt.content, got, tt.want)
			}
		})
	}
}

func TestPicturesAreSaidWithWhatTheirTagsTell(t *testing.T) {
	w := newWorld(t, "me")
	n := w.note(w.put("ada", 1, 1, "look https://a.example/1 and https://b.example/2.png",
		[]string{"imeta", "url https://a.example/1", "m image/jpeg", "alt a\u202e walk", "size 1200000", "dim 3024x4032", "blurhash x"}))
	if outline(n.Body) != "look and" || len(n.Pictures) != 2 {
		t.Fatalf("%q %+v", outline(n.Body), n.Pictures)
	}
	want := Picture{URL: "https://a.example/1", Host: "a.example", Alt: "a walk", Bytes: 1_200_000, kind: "image"}
	if n.Pictures[0] != want {
		t.Errorf("%+v", n.Pictures[0])
	}
	alone := w.note(w.put("ada", 20, 1, "", []string{"title", "A walk"}, []string{"imeta", "url https://a.example/1", "m image/jpeg"}))
	if len(alone.Pictures) != 1 || alone.Title != "A walk" || alone.What != "" {
		t.Errorf("%+v", alone)
	}
}

func TestARepostShowsTheNoteAndWhoRepostedIt(t *testing.T) {
	w := newWorld(t, "me")
	w.person("tomas", "Tomás")
	w.person("clara", "Clara M.")
	note := w.put("clara", 1, 300, "secret", []string{"content-warning", "medical talk"})
	n := w.note(w.put("tomas", 6, 10, "", []string{"e", note.ID.String()}))
	if n.ID != note.ID || n.RepostedBy != "Tomás" || n.Author != "Clara M." || !n.Warned || n.Warning != "medical talk" || n.When != "5 h" || n.RepostedWhen != "10 min" {
		t.Errorf("%+v", n)
	}
	// One that is not stored is read from the repost, if its signature holds.
	inside := testkit.NewKey("ben").Event(t, 1, clock.Unix()-500, "carried")
	e, _ := nostr.ParseEvent(inside)
	n = w.note(w.put("tomas", 6, 9, string(inside), []string{"e", e.ID.String()}))
	if n.Missing || outline(n.Body) != "carried" {
		t.Errorf("%+v", n)
	}
	forged := strings.Replace(string(inside), "carried", "changed", 1)
	n = w.note(w.put("tomas", 6, 8, forged, []string{"e", e.ID.String()}))
	if !n.Missing || n.RepostedBy != "Tomás" {
		t.Errorf("a forged note is shown: %+v", n)
	}
}

func TestAQuoteIsANoteOfItsOwnAndSaysWhenItIsMissing(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ada", "Ada")
	quoted := w.put("ada", 1, 100, "the quoted #words", []string{"q", strings.Repeat("ab", 32)})
	n := w.note(w.put("ben", 1, 1, "yes", []string{"q", quoted.ID.String()}))
	if n.Quote == nil || n.Quote.Author != "Ada" || outline(n.Quote.Body) != "the quoted [words]" || n.Quote.Quote != nil {
		t.Errorf("%+v", n.Quote)
	}
	if n = w.note(quoted); n.Quote == nil || !n.Quote.Missing {
		t.Errorf("%+v", n.Quote)
	}
	article := w.put("ada", 30023, 200, strings.Repeat("word ", 2_400), []string{"d", "two"}, []string{"title", "Two years"}, []string{"summary", "What I learned"})
	code, err := nostr.Code{Prefix: nostr.CodeAddress, Kind: 30023, PubKey: article.PubKey, D: "two"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	n = w.note(w.put("ben", 1, 1, "Read this: nostr:"+code))
	if q := n.Quote; q == nil || q.Title != "Two years" || q.Minutes != 11 || q.Summary != "What I learned" || outline(n.Body) != "Read this:" {
		t.Errorf("%+v %q", q, outline(n.Body))
	}
}

func TestAZapIsShownWithoutWhatItSaysToPrograms(t *testing.T) {
	w := newWorld(t, "me")
	zap := w.put("ada", 9735, 1, "", []string{"description", `{"kind":9734,"content":""}`})
	if n := w.note(zap); n.What != "A zap" || n.Summary != "" {
		t.Errorf("%q, %q", n.What, n.Summary)
	}
	if n := w.note(w.put("ada", 9041, 1, "", []string{"description", "For a bench"})); n.Summary != "For a bench" {
		t.Errorf("%q", n.Summary)
	}
}

func TestAnAnswerNamesWhomItAnswers(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ada", "Ada")
	parent := w.put("ada", 1, 100, "hm")
	if n := w.note(w.put("ben", 1, 1, "yes", []string{"e", parent.ID.String(), "", "root"})); n.ReplyTo != "Ada" || !n.IsReply {
		t.Errorf("%+v", n)
	}
	gone := strings.Repeat("cd", 32)
	ada := parent.PubKey.String()
	if n := w.note(w.put("ben", 1, 2, "yes", []string{"e", gone, "", "root", ada})); n.ReplyTo != "Ada" {
		t.Errorf("%+v", n)
	}
	if n := w.note(w.put("ben", 1, 3, "yes", []string{"e", gone, "", "root"})); n.ReplyTo != "" || !n.IsReply {
		t.Errorf("%+v", n)
	}
}

func TestALongNoteIsClampedAndKeptWhole(t *testing.T) {
	w := newWorld(t, "me")
	for name, content := range map[string]string{
		"many lines": strings.Repeat("line\n", 10_000),
		"many words": strings.Repeat("word ", 4_000),
		"one word":   strings.Repeat("w", 100_000),
		"many links": strings.Repeat("https://a.example/x ", 3_000),
		"paragraphs": strings.Repeat("p\n\n", 5_000),
	} {
		n := w.note(w.put("ada", 1, 1, content))
		text := Text(n.Body)
		if runes := len([]rune(text)); runes > bodyRunes+60 || strings.Count(text, "\n") > bodyLines || !strings.HasSuffix(text, "…") {
			t.Errorf("%s: %d characters, %d lines, ends in %q", name, runes, strings.Count(text, "\n"), text[max(0, len(text)-20):])
		}
		if n.Whole == nil || len([]rune(Text(n.Whole))) > wholeRunes+60 || strings.Count(Text(n.Whole), "\n") > wholeLines+1 {
			t.Errorf("%s: whole is %d characters, %d lines", name, len([]rune(Text(n.Whole))), strings.Count(Text(n.Whole), "\n"))
		}
	}
	if n := w.note(w.put("ada", 1, 1, "short")); n.Whole != nil || n.Cut {
		t.Errorf("%+v", n)
	}
}

func TestNamesThatLookLikeSomebodyFollowedAreMarked(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ada", "Ada Lindqvist")
	w.person("bob", "Bob")
	w.put("me", 3, 10, "", []string{"p", key(t, "ada").String()}, []string{"p", key(t, "bob").String()})
	for i, tt := range []struct {
		display string
		marked  bool
	}{
		{"Ada Lindqvist", true},
		{"Adа Lindqvist", true}, // Cyrillic а
		{"ADA LINDQVIST ✓", true},
		{"Ada Lindqv1st", true},
		{"Ada  L\u0131ndqv\u00edst", true},
		{"𝓐𝓭𝓪 𝓛𝓲𝓷𝓭𝓺𝓿𝓲𝓼𝓽", true},
		{"B0b", true},
		{"Ada Lovelace", false},
		{"Bobby", false},
		{"雪", false},
	} {
		name := fmt.Sprintf("other%d", i)
		w.person(name, tt.display)
		n := w.note(w.put(name, 1, 1, "hi"))
		if (n.Mark != "") != tt.marked || n.Followed {
			t.Errorf("%q is marked %q", tt.display, n.Mark)
		}
	}
	if n := w.note(w.put("ada", 1, 1, "hi")); n.Mark != "" || !n.Followed || n.Handle != "@ada" || n.NIP05 != "ada@example.org" {
		t.Errorf("%+v", n)
	}
}

func TestWhatWasSearchedForIsMarked(t *testing.T) {
	w := newWorld(t, "me")
	tests := []struct{ content, query, want string }{
		{"moving our relay to LMDB.", "lmdb", "moving our relay to LMDB!."},
		{"Caf\u00e9 und cafe", "cafe", "Caf\u00e9! und cafe!"},
		{"one two three two one", `"two one"`, "one two three two one!"},
		{"#lmdb is fine", "#lmdb", "#[lmdb]![lmdb]"},
		{"今日はいい天気", "天気", "今日はいい天気!"},
		{"nothing", "else", "nothing"},
	}
	tests[3].want = "[lmdb][lmdb]! is fine"
	for i, tt := range tests {
		q, err := search.Parse(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		n := w.note(w.put("ada", 1, int64(i), tt.content)).Marked(q)
		if got := outline(n.Body); got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.query, tt.content, got, tt.want)
		}
	}
	q, _ := search.Parse("café")
	article := w.note(w.put("ada", 30023, 1, "It is long.", []string{"d", "x"}, []string{"title", "Your Cafe, my café"})).Marked(q)
	if want := [][2]int{{5, 9}, {14, 19}}; !slices.Equal(article.TitleMarks, want) {
		t.Errorf("in the title %q marked is %v", article.Title, article.TitleMarks)
	}
	q, _ = search.Parse("needle")
	long := w.note(w.put("ada", 1, 1, strings.Repeat("hay\n\n", 40)+"a needle\n\nend")).Marked(q)
	if got := outline(long.Body); got != "…¶a needle!¶end" {
		t.Errorf("%q", got)
	}
}

// shown returns every text of a note that reaches the screen.
func shown(n *Note) []string {
	out := []string{n.Author, n.Handle, n.NIP05, n.Mark, n.When, n.Exact, n.What, n.Title, n.Summary, n.Warning, n.RepostedBy, n.ReplyTo, n.Link, Text(n.Body), Text(n.Whole)}
	for _, p := range n.Pictures {
		out = append(out, p.Host, p.Alt)
	}
	if n.Quote != nil {
		out = append(out, shown(n.Quote)...)
	}
	return out
}

func checkClean(s string) error {
	marks := 0
	for _, r := range s {
		if unicode.IsMark(r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case marks > 8:
			return fmt.Errorf("%d marks on one character", marks)
		case r != '\n' && r != '\t' && unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0xe0000 && r <= 0xe007f, r == 0xfeff:
			return fmt.Errorf("%U", r)
		}
	}
	return nil
}

func FuzzWhatIsShownIsCleanAndBounded(f *testing.F) {
	f.Add("hello #world https://a.example/x.png nostr:npub1", "Ada", "alt", "reason")
	f.Add("a\u202eb\u2066c \U000e0041 \x1b[31m", "\u202eAda\u200b", "a\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300b", "\x00")
	f.Add("#[0] #[1] #[9999999] https://[::1]:80/ http://a:b@c/ https://%zz", "", "x", "")
	w := newWorld(f, "me")
	f.Fuzz(func(t *testing.T, content, name, alt, reason string) {
		var k nostr.PubKey
		k[0] = byte(len(name) + 1)
		e := &nostr.Event{Kind: 1, PubKey: k, CreatedAt: clock.Unix(), Content: content, Tags: nostr.Tags{
			{"p", k.String()},
			{"e", strings.Repeat("ab", 32)},
			{"content-warning", reason},
			{"subject", name},
			{"imeta", "url https://a.example/1.png", "alt " + alt, "size " + alt, "dim " + alt},
		}}
		for _, kind := range []uint16{1, 20, 30023, 1068, 9802} {
			e.Kind = kind
			n, err := w.r.FromEvent(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			total := 0
			for _, s := range shown(&n) {
				total += len([]rune(s))
				if err := checkClean(s); err != nil {
					t.Errorf("kind %d: %q holds %v", kind, s, err)
				}
			}
			if total > wholeRunes+8_000 {
				t.Errorf("kind %d: %d characters", kind, total)
			}
			spans := 0
			for _, p := range n.Whole {
				spans += len(p)
			}
			if spans > 3*maxSpans {
				t.Errorf("%d spans", spans)
			}
		}
	})
}

func TestAnAddressIsNoLongerThanItMayBe(t *testing.T) {
	for _, n := range []int{maxURL - 1, maxURL, maxURL + 1, 3 * maxURL} {
		s := "https://" + strings.Repeat("a", n-len("https://"))
		want := n
		if n > maxURL {
			want = 0
		}
		if got, word := urlEnd(s, 0); got != want || word != n {
			t.Errorf("an address of %d bytes is read to %d, want %d", n, got, want)
		}
		if got, _ := urlEnd(s+" b", 0); got != want {
			t.Errorf("an address of %d bytes and a word are read to %d, want %d", n, got, want)
		}
	}
}
