package markdown

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

const aNote = "note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqc"

func hexID(t *testing.T) string {
	t.Helper()
	code, err := nostr.ParseCode(aNote)
	if err != nil {
		t.Fatal(err)
	}
	return code.Event.String()
}

// sketch writes blocks on lines, for comparing by eye.
func sketch(bs []Block) string {
	var b strings.Builder
	for _, x := range bs {
		sketchBlock(&b, x, "")
	}
	return b.String()
}

func sketchBlock(b *strings.Builder, x Block, in string) {
	fmt.Fprintf(b, "%s%s", in, x.Kind)
	switch x.Kind {
	case Heading:
		fmt.Fprintf(b, " %d %s", x.Level, sketchInline(x.Inline))
	case Paragraph:
		fmt.Fprintf(b, " %s", sketchInline(x.Inline))
	case Code:
		fmt.Fprintf(b, " %q %q", x.Lang, x.Code)
	case List:
		if x.Ordered {
			fmt.Fprintf(b, " from %d", x.Start)
		}
	}
	b.WriteString("\n")
	for _, it := range x.Items {
		fmt.Fprintf(b, "%s item", in)
		if it.Task {
			fmt.Fprintf(b, " task %v", it.Done)
		}
		b.WriteString("\n")
		for _, c := range it.Blocks {
			sketchBlock(b, c, in+"  ")
		}
	}
	for _, c := range x.Children {
		sketchBlock(b, c, in+"  ")
	}
	for _, row := range x.Rows {
		b.WriteString(in + " |")
		for _, c := range row {
			if c.Align == fyne.TextAlignTrailing {
				b.WriteString("→")
			}
			if c.Align == fyne.TextAlignCenter {
				b.WriteString("↔")
			}
			b.WriteString(sketchInline(c.Inline) + "|")
		}
		b.WriteString("\n")
	}
}

func sketchInline(in []Inline) string {
	var b strings.Builder
	for _, x := range in {
		s := fmt.Sprintf("%q", x.Text)
		for _, m := range []struct {
			on   bool
			mark string
		}{{x.Bold, "b"}, {x.Italic, "i"}, {x.Strike, "s"}, {x.Code, "c"}, {x.Image, "img"}} {
			if m.on {
				s = m.mark + s
			}
		}
		if x.Cite > 0 {
			s = fmt.Sprintf("^%d", x.Cite)
		}
		if x.Link != "" {
			s += "<" + x.Link + ">"
		}
		if x.Host != "" {
			s += "(" + x.Host + ")"
		}
		b.WriteString(s)
	}
	return b.String()
}

// Row 001-8 among others: ^1 is a citation, and what is out of range stays plain.
func TestTextBecomesBlocks(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{
			"a paragraph with looks", "Some **bold**, *italic*, ~~gone~~ and `code`.",
			`paragraph "Some "b"bold"", "i"italic"", "s"gone"" and "c"code""."`,
		},
		{"line breaks", "one\ntwo  \nthree", `paragraph "one two\nthree"`},
		{"headings", "# One\n\nTwo\n===\n\nThree\n---", "heading 1 \"One\"\nheading 1 \"Two\"\nheading 2 \"Three\""},
		{"a list in a list", "- a\n  1. b\n- c", "list\n item\n  paragraph \"a\"\n  list from 1\n   item\n    paragraph \"b\"\n item\n  paragraph \"c\""},
		{"tasks", "- [x] done\n- [ ] to do", "list\n item task true\n  paragraph \"done\"\n item task false\n  paragraph \"to do\""},
		{"a quote", "> one\n> two", "quote\n  paragraph \"one two\""},
		{"code with a language", "```go\nx := 1\n\ty\n```", `code "go" "x := 1\n\ty\n"`},
		{"code that is not closed", "```\nx", `code "" "x\n"`},
		{"a rule", "a\n\n***\n\nb", "paragraph \"a\"\nrule\nparagraph \"b\""},
		{"a table", "| a | b |\n|---|--:|\n| 1 | **2** |", "table\n |\"a\"|→\"b\"|\n |\"1\"|→b\"2\"|"},
		{"citations", "Ben wrote ^1. Others^2^3, not ^4, `^1` nor \\^1.", `paragraph "Ben wrote "^1". Others"^2^3", not ^4, "c"^1"" nor ^1."`},
		{"citations in brackets", "so [^1] and [^2^3], not [^9]", `paragraph "so "^1" and "^2^3", not [^9]"`},
		{"lines of Japanese", "今日は\nいい天気\nand more", `paragraph "今日はいい天気 and more"`},
		{"a citation in bold", "**so ^1**", `paragraph b"so "^1`},
		{"a bare link", "See https://example.com/x?y=1 now", `paragraph "See ""https://example.com/x?y=1"<https://example.com/x?y=1>" now"`},
		{"a link with other words", "[here](https://evil.example/x)", `paragraph "here"<https://evil.example/x>(evil.example)`},
		{"a link that lies", "[bank.example](https://evil.example)", `paragraph "bank.example"<https://evil.example>(evil.example)`},
		{"a link with a name before the host", "<https://bank.example@evil.example/>", `paragraph "https://bank.example@evil.example/"<https://evil.example/>(evil.example)`},
		{"a host of look-alike letters", "[x](https://раypal.com)", `paragraph "x"<https://%D1%80%D0%B0ypal.com>(xn--ypal-43d9g.com)`},
		{
			"links that are not opened", "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](data:text/html,x) [d](/x) <mailto:a@b.c>",
			`paragraph "a b c d mailto:a@b.c"`,
		},
		{"an image", "![a cat](https://cats.example/1.png)", `paragraph img"a cat"<https://cats.example/1.png>(cats.example)`},
		{"an image without words", "![](https://cats.example/1.png)", `paragraph img""<https://cats.example/1.png>(cats.example)`},
		{"HTML", "<img src=https://x.example/y.png>\n\nand <b>this</b>", "paragraph \"<img src=https://x.example/y.png>\"\nparagraph \"and <b>this</b>\""},
		{"entities and backslashes", "a &amp; b &#42; \\*c\\*", `paragraph "a & b * *c*"`},
		{"a note's id", "see " + aNote + " and nostr:" + aNote, `paragraph "see ""note1fntxtkc…pk6nqc"<nostr:` + aNote + `>" and ""note1fntxtkc…pk6nqc"<nostr:` + aNote + `>`},
		{"a note's id as code", "`" + aNote + "`", `paragraph "note1fntxtkc…pk6nqc"<nostr:` + aNote + `>`},
		{"an id in hex", "(" + hexID(t) + ")", `paragraph "(""note1fntxtkc…pk6nqc"<nostr:` + aNote + `>")"`},
		{"a wrong id stays text", "note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqq", `paragraph "note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqq"`},
		{"a link to a note", "[Ada](nostr:" + aNote + ")", `paragraph "Ada"<nostr:` + aNote + `>`},
		{"a reference link", "[a][1]\n\n[1]: https://a.example", `paragraph "a"<https://a.example>(a.example)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimSpace(sketch(Parse(c.in, 3))); got != strings.TrimSpace(c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// nasty is Markdown whose blocks are not what they seem at first.
var nasty = []string{
	"para\n# heading\n#not a heading\n\npara\n-\n- item\n\n\n- [ ] task\n  more\n\n      code in item\n\ntext",
	"a\n-\nb\n\n1\n2. x\n\n3. y\n   - z\n     - w\n\n   back\nlazy\n\nout",
	"```go\nx\n\n# not heading\n~~~\n``\n```\nafter\n```\nunclosed\n\n- x",
	"| a | b |\n|---|---|\n| 1 | 2 |\n| 3\n\ntext\n| h |\n| - |\n| c |\nnot | cell\n\n| no\n|--x",
	"[foo] and [bar][foo]\n\ntext\n\n> [foo]: https://a.example\n\n- [bar]:\n  https://b.example\n\nend [bar]",
	"<div>\n*x*\n\n*y*\n</div>\n\n<!-- a\n\nb -->\nc\n\n<b>inline</b> text\n<script>\n\nx\n</script>\ny",
	"> a\nlazy\n> - b\n>   c\n\n> new\n>\n>> deep\n> back\n\n    code\n\n\n    more code\n\nx",
	"Setext\n===\nmore\nlines\n---\n\n* * *\n- - -\n+ x\n* y\n- z\n\n\n  z2\n1) a\n1. b",
	"- a\n\n  b\n- c\n\n\n\nd\n  - e\n\t- f\n\n\t\tg",
	"**bold\n\nnot** `code\n\nspan` ^1 `^2\n^3` ~~x\n~~ \\\n&amp; [x](<a b>) ![i](http://h.example 't')",
	"a\r\nb\r\n\r\n- c\r\n- d\r\n\r\n```\r\ne\r\n```\r\n",
	"1. one\n\n   ```\n   code\n\n   more\n   ```\n\n2. two\n\n10. ten\n\n   p",
	"# a\n## b #\n####### c\n\n&nbsp;\n\n\\# d\n\n\t\n \n***\ntext\n***",
	"- | a | b |\n  |---|---|\n  | 1 | 2 |\n- > q\n  ## h\n\nlong ^1 paragraph. See " + aNote + "\n\n" + aNote,
	"[a]: x\n[b]: y 'title\nover lines'\nc\n\n[b] [a]",
	"text\n\n   \n    \n\t\nindented?\n    not code\n\n    code\n\ttoo\n \n    still\nno",
}

// texts are all that a stream is tested with: the models' answers of the fixtures,
// the raw texts of others, and the nasty ones.
func texts(t testing.TB) []string {
	out := append([]string{}, nasty...)
	out = append(out, strings.Join(nasty, "\n\n"), answer(6_000))
	root := filepath.Dir(testkit.Root(t))
	for _, dir := range []string{"streams", "streams-recorded", "textcalls"} {
		files, _ := filepath.Glob(filepath.Join(root, "shared", "fixtures", dir, "*.json"))
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var one struct{ Text, Reasoning string }
			if json.Unmarshal(raw, &one) == nil {
				out = append(out, one.Text, one.Reasoning)
			}
		}
		files, _ = filepath.Glob(filepath.Join(root, "shared", "fixtures", dir, "*.txt"))
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(raw))
		}
	}
	return out
}

func TestAStreamedTextEqualsTheTextParsedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("parses thousands of texts: not beside the race detector")
	}
	r := rand.New(rand.NewPCG(7, 8))
	for _, text := range texts(t) {
		if len(text) > 40_000 {
			text = text[:40_000]
		}
		want := Parse(text, 3)
		for round := range 6 {
			var s Stream
			for at := 0; at < len(text); {
				step := 1 + r.IntN(1+round*round*12)
				if len(text) > 4_000 {
					step += r.IntN(len(text) / 50)
				}
				at = min(len(text), at+step)
				for at < len(text) && !utf8.RuneStart(text[at]) {
					at++
				}
				s.Set(text[:at], 3, false)
			}
			got := s.Set(text, 3, false)
			if !blocksEqual(got, want) {
				t.Fatalf("streamed\n%s\nat once\n%s\nof %q", sketch(got), sketch(want), text)
			}
		}
	}
}

func TestBlocksThatAreDoneStayAsTheyAre(t *testing.T) {
	text := answer(10_000)
	var s Stream
	var before []Block
	for at := 100; at < len(text); at += 97 {
		bs := s.Set(text[:at], 6, false)
		n := min(frozen(&s), len(before))
		for i := range n - 1 {
			if !bs[i].equal(&before[i]) {
				t.Fatalf("block %d changed from %s to %s", i, sketch(before[i:i+1]), sketch(bs[i:i+1]))
			}
		}
		before = bs
	}
	if frozen(&s) < len(before)-2 {
		t.Errorf("%d of %d blocks are frozen at the end", frozen(&s), len(before))
	}
}

// answer is an answer as models write it, of at least n characters.
func answer(n int) string {
	part := `## What you missed

Ben wrote up **two years** of a 4,000-person group ^1. 31 replies by 22 people, mostly on moderation by invitation ^2.

- **A long read on community.** Ben wrote up two years of a 4,000-person group ^1.
- **Relay maintenance.** Ada moved her relay to LMDB; start-up fell from 40 s to under one ^3. See [the steps](https://example.com/steps).
  1. Two others ask for the steps ^4.
  2. One has them done.

| Who | Notes |
|-----|------:|
| Ada | 12 |
| Ben | 7 |

> Spent the morning moving our relay to LMDB.

` + "```sh\nbowerbird sync --once\n```\n\n"
	return strings.Repeat(part, 1+n/len(part))[:n]
}

func TestTextsOfAnyMakeAreParsedInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("parses long texts: not beside the race detector")
	}
	for name, text := range map[string]string{
		"quotes in quotes":     strings.Repeat(">", 100_000),
		"quotes on all lines":  strings.Repeat(strings.Repeat("> ", 60)+"a\n", 500),
		"lists in lists":       strings.Repeat("- ", 50_000),
		"list ever deeper":     deeper(400),
		"open brackets":        strings.Repeat("[", 100_000),
		"brackets":             strings.Repeat("[a](", 40_000),
		"images":               strings.Repeat("![", 60_000),
		"stars":                strings.Repeat("*a **b ", 25_000),
		"underscores":          strings.Repeat("_a__", 40_000),
		"backticks":            ticks(600),
		"one word":             strings.Repeat("x", 200_000),
		"lines":                strings.Repeat("x\n", 100_000),
		"paragraphs":           strings.Repeat("x\n\n", 60_000),
		"tables":               strings.Repeat("| a | b |\n|---|---|\n| 1 | 2 |\n\n", 5_000),
		"a wide table":         strings.Repeat("|a", 20_000) + "\n" + strings.Repeat("|-", 20_000) + "\n" + strings.Repeat("|a\n", 20_000),
		"html":                 strings.Repeat("<a ", 60_000),
		"comments":             strings.Repeat("<!-- ", 40_000),
		"autolinks":            strings.Repeat("http://a.b ", 18_000),
		"references":           strings.Repeat("[a]: b\n", 28_000),
		"carets":               strings.Repeat("^1", 100_000),
		"entities":             strings.Repeat("&amp;", 40_000),
		"more than is read":    strings.Repeat("some words ", 100_000),
		"zeros":                strings.Repeat("\x00", 100_000),
		"no UTF-8":             strings.Repeat("\xff\xfe ", 50_000),
		"tildes":               strings.Repeat("~~a~", 50_000),
		"a rule of many stars": strings.Repeat("* ", 50_000) + "\n\ntext",
	} {
		began := time.Now()
		bs := Parse(text, 3)
		t.Logf("%s: %v, %d blocks", name, time.Since(began).Round(time.Millisecond), len(bs))
		if len(bs) == 0 || len(bs) > maxBlocks {
			t.Errorf("%s: %d blocks", name, len(bs))
		}
	}
}

func deeper(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

func FuzzStream(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 3_000 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 1))
		var s Stream
		for at := 0; at < len(text); at += 1 + r.IntN(20) {
			s.Set(text[:at], 3, false)
		}
		got, want := s.Set(text, 3, false), Parse(text, 3)
		if !blocksEqual(got, want) {
			t.Errorf("streamed\n%s\nat once\n%s", sketch(got), sketch(want))
		}
	})
}

func BenchmarkParseAnAnswerOf10000(b *testing.B) {
	text := answer(10_000)
	for b.Loop() {
		Parse(text, 6)
	}
}

func BenchmarkStreamAnUpdateAt10000(b *testing.B) {
	text := answer(10_200)
	var s Stream
	s.Set(text[:10_000], 6, false)
	n := 10_000
	for b.Loop() {
		if n++; n > 10_200 {
			n = 10_000
			s = Stream{}
			s.Set(text[:n], 6, false)
		}
		s.Set(text[:n], 6, false)
	}
}

// frozen returns how many of the blocks of the last Set will not change any more.
func frozen(s *Stream) int { return min(len(s.frozen), maxBlocks-1) }
