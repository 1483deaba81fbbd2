package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// dump writes a query's tree: side by side is and, | is or.
func dump(n *Node) string {
	if n == nil {
		return ""
	}
	kids := func(by string) string {
		var parts []string
		for _, kid := range n.Kids {
			parts = append(parts, dump(kid))
		}
		return "(" + strings.Join(parts, by) + ")"
	}
	star := ""
	if n.Prefix {
		star = "*"
	}
	var names []string
	for _, p := range n.People {
		names = append(names, p.name)
	}
	switch n.Op {
	case OpAnd:
		return kids(" ")
	case OpOr:
		return kids(" | ")
	case OpNot:
		return "-" + dump(n.Kids[0])
	case OpWords:
		return strings.Join(n.Terms, "+") + star
	case OpChar:
		return "'" + n.Terms[0] + "'"
	case OpTerm:
		return strings.NewReplacer(featureMark, "", HashtagMark, "#").Replace(n.Terms[0]) + star
	case OpLink:
		return "link:" + n.value
	case OpKind:
		return "kind:" + strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Kinds), " ", ","), "[]")
	case OpFrom:
		return "from:" + strings.Join(names, ",")
	case OpTo:
		return "to:" + strings.Join(names, ",")
	case OpLang:
		return "lang:" + strings.Join(n.langs, ",")
	case OpSince:
		return "since:" + n.value
	}
	return "until:" + n.value
}

func TestParseSearch(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{" \t\n", ""},
		{"Blue birds", "(blue birds)"},
		{`"Blue Birds"`, "blue+birds"},
		{`“blue birds” «two words» „drei Worte“`, "(blue+birds two+words drei+worte)"},
		{`"blue"`, "blue"},
		{`"blue"green`, "(blue green)"},
		{"don't self-custody", "(don+t self+custody)"},
		{"v2.7.4 snake_case @handle", "(2+7+4 snake+case handle)"},
		{"Café", "cafe"},
		{"東京都 猫 東京 비트코인", "(東京+京都 '猫' 東京 비트+트코+코인)"},
		{"2024年", "2024+年"},
		{"บิ", "'บิ'"},

		{"blue -birds", "(blue -birds)"},
		{`-"blue birds" -self-custody --x`, "(-blue+birds -self+custody -x)"},
		{"-from:ada -#Cats -has:image -(a OR b)", "(-from:ada -#cats -has:image -(a | b))"},

		{"a OR b", "(a | b)"},
		{"a b OR c d", "(a (b | c) d)"},
		{"a OR b OR c", "(a | b | c)"},
		{"(a b) OR c", "((a b) | c)"},
		{"(a OR b) OR c", "((a | b) | c)"},
		{"a AND b OR c", "(a (b | c))"},
		{"a or b and c", "(a or b and c)"},
		{`a "OR" b ORACLE`, "(a or b oracle)"},
		{"-a OR b", "(-a | b)"},
		{"(a (b OR (c d)))", "(a (b | (c d)))"},
		{"f(x) a) b", "(f+x a b)"},
		{":) (: ;-)", ""},

		{"from:ada From:@bob by:cyd", "from:ada,bob,cyd"},
		{`from:"Ada Lovelace" birds`, "(from:Ada Lovelace birds)"},
		{"from:a OR from:b", "(from:a | from:b)"},
		{"(from:a) from:b", "((from:a) from:b)"},
		{"to:ada mentions:bob", "(to:ada to:bob)"},
		{"kind:1 kind:article is:repost", "kind:1,30023,6,16"},
		{"is:reply -is:reply is:Articles", "(is:reply -is:reply kind:30023)"},
		{"has:image has:photos HAS:Audio has:quote", "(has:image has:image has:audio has:quote)"},
		{"lang:de language:pt-BR lang:deu", "lang:de,pt,de"},
		{"site:github.com domain:https://www.A.example/x", "(github.com a.example)"},
		{"since:24h UNTIL:2024-05-01T10:00:00Z", "(since:24h until:2024-05-01T10:00:00Z)"},
		{`after:"3 days ago" before:today`, "(since:3 days ago until:today)"},
		{"#Bitcoin, #été! #foo_bar #東京 ##x", "(#bitcoin #été #foo_bar #東京 #x)"},
		{"at 10:30 note: hello foo:bar", "(at 10+30 note hello foo+bar)"},

		{"bow* #bit* \"blue bow*\" * a*b", "(bow* #bit* blue+bow* a+b)"},
		{"github.com", "(github.com | github+com)"},
		{"github.com/A/b.", "(link:github.com/A/b | github+com+a+b)"},
		{"https://www.GitHub.com/A/b/", "link:github.com/A/b"},
		{"https://a.b.example see", "(link:a.b.example see)"},
		{"bob@nest.example 192.168.0.1 e.g.", "(bob+nest+example 192+168+0+1 e+g)"},
		{"🔥 👍🏽👍 gm☀️", "(🔥 (👍 👍) (gm ☀))"},
		{`"gm ☀️"`, "gm+☀"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := Parse(test.text)
			if err != nil || dump(got.root) != test.want {
				t.Errorf("got  %s, %v\nwant %s", dump(got.root), err, test.want)
			}
		})
	}
}

func TestASearchBeingTypedIsNoError(t *testing.T) {
	tests := []struct{ text, want, unfinished string }{
		{`blue "green bir`, "(blue green+bir)", `"green bir`},
		{`blue "`, "blue", `"`},
		{"blue from:", "blue", "from:"},
		{`from:"`, "", `from:"`},
		{"from:@", "", "from:@"},
		{"since: blue", "blue", "since:"},
		{"-has:", "", "has:"},
		{"blue #", "blue", "#"},
		{"blue OR", "blue", ""},
		{"OR blue", "blue", ""},
		{"a OR OR b", "(a | b)", ""},
		{"a OR ?? b", "(a b)", ""},
		{"blue -", "blue", ""},
		{"(blue OR green", "(blue | green)", ""},
		{"(", "", ""},
		{"-", "", ""},
		{"???", "", ""},
	}
	for _, test := range tests {
		q, err := Parse(test.text)
		if err != nil || dump(q.root) != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.text, dump(q.root), err, test.want)
		}
		if part, ok := q.Unfinished(); ok != (test.unfinished != "") || part.In(test.text) != test.unfinished {
			t.Errorf("%s: unfinished is %q, want %q", test.text, part.In(test.text), test.unfinished)
		}
	}
	// Nor is any beginning of a sound one.
	const whole = `blue -"green birds" from:"Ada L" (a OR #tag) since:24h until:2024-05-01 kind:1 lang:de has:image`
	for end := range whole {
		if _, err := Parse(whole[:end]); err != nil && !strings.HasSuffix(whole[:end], "has:imag") {
			part := err.(*Error).Part
			if part.Start+part.Len != end { // a value that is being typed
				t.Errorf("%s: %v", whole[:end], err)
			}
		}
	}
}

func TestASearchErrorSaysWhereAndWhatToWrite(t *testing.T) {
	tests := []struct {
		text, part string
		problem    Problem
		want       string
	}{
		{"été has:sound x", "has:sound", BadValue, "audio"},
		{"x -has:sound", "has:sound", BadValue, "image"},
		{"kind:letter", "kind:letter", BadValue, "a number, or one of note, article"},
		{"kind:70000", "kind:70000", BadValue, "a number"},
		{"is:1", "is:1", BadValue, "reply, or one of note"},
		{`lang:"a b"`, `lang:"a b"`, BadValue, "en, de"},
		{"lang:xx1", "lang:xx1", BadValue, "en, de"},
		{"site:nothing", "site:nothing", BadValue, "github.com"},
		{"a filter:links b", "filter:links", UnknownOperator, "from:"},
		{strings.Repeat("(", 20) + "a", "(", TooDeep, "fewer brackets"},
		{strings.Repeat("a ", 101), "a ", TooLong, "100"},
		{strings.Repeat("a", 5000), strings.Repeat("a", 904), TooLong, "shorter"},
		{"a\xffb", "\xff", NotText, "UTF-8"},
	}
	for _, test := range tests {
		_, err := Parse(test.text)
		told, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%.40s: %v", test.text, err)
			continue
		}
		if told.In(test.text) != test.part || told.Problem != test.problem || !strings.Contains(told.Want, test.want) {
			t.Errorf("%.40s: %v at %q: %v, want %s at %q: ...%s...", test.text, told.Problem, told.In(test.text), told.Want, test.problem, test.part, test.want)
		}
		if len(told.Error()) > 400 {
			t.Errorf("%.40s: an error of %d bytes", test.text, len(told.Error()))
		}
	}
}

func TestResolveReplacesNamesAndTimesAndSaysWhichIsWrong(t *testing.T) {
	ada, bob := nostr.PubKey{1}, nostr.PubKey{2}
	r := Resolver{
		Person: func(name string) (nostr.PubKey, error) {
			switch name {
			case "Ada L":
				return ada, nil
			case "bob":
				return bob, nil
			}
			return nostr.PubKey{}, &Error{Problem: NoPerson, Want: "a known name"}
		},
		Moment: func(text string, end bool) (int64, error) {
			switch {
			case text == "today" && end:
				return 200, nil
			case text == "today":
				return 100, nil
			}
			return 0, &Error{Problem: BadTime, Want: "a time"}
		},
	}
	q, err := Parse(`blue from:"Ada L"green by:@bob -to:bob since:today (until:today OR x)`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := q.Resolve(r)
	want := fmt.Sprintf("blue from:%s green by:%s -to:%s since:100 (until:200 OR x)", ada, bob, bob)
	if err != nil || got.String() != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	for text, part := range map[string]string{
		"from:bob from:cyd x":     "from:cyd",
		"x OR -to:cyd":            "to:cyd",
		"blue since:whenever":     "since:whenever",
		"since:today until:\"a b": "until:\"a b",
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = q.Resolve(r)
		if told, ok := errors.AsType[*Error](err); !ok || told.In(text) != part {
			t.Errorf("%s: %v, want it at %s", text, err, part)
		}
	}
}

func TestAQueryBeingTypedTakesItsLastWordAsABeginning(t *testing.T) {
	for text, want := range map[string]string{
		"blue bow":      "(blue bow*)",
		"blue bow ":     "(blue bow)",
		`"blue bow`:     "blue+bow*",
		`"blue bow"`:    "blue+bow",
		"#bit":          "#bit*",
		"-bow":          "-bow*",
		"from:ada":      "from:ada",
		"self-cust":     "self+cust*",
		"bow!":          "bow",
		"(a OR b":       "(a | b*)",
		"東京":            "東京*",
		"猫":             "'猫'",
		"github.com":    "(github.com | github+com*)",
		"https://x.com": "link:x.com",
		"bow*":          "bow*",
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := dump(q.AsTyped().root); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestAQueryTellsWhatItNames(t *testing.T) {
	q, err := Parse("blue kind:7 -is:reply (has:image OR is:article)")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(q.Kinds()); got != "[7 30023]" {
		t.Errorf("kinds %s", got)
	}
	for operator, want := range map[string]bool{"is:reply": true, "is:": true, "has:image": true, "has:video": false, "from:": false} {
		if q.Asks(operator) != want {
			t.Errorf("asks %s: %v", operator, !want)
		}
	}
	for text, want := range map[string]string{"Ada Lovelace": "Ada Lovelace", "@ada": "ada", `"Ada L"`: "", "ada from:bob": "", "-ada": "", "ada OR bob": "", "": ""} {
		if q, err := Parse(text); err != nil || q.Plain() != want {
			t.Errorf("%s: plain %q, want %q (%v)", text, q.Plain(), want, err)
		}
	}
}
