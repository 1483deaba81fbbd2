package ndb_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// The oracle of the search language makes a query and, beside its text, a naive test
// for it that looks at the raw event. It parses nothing.

// asked is a query and what it means.
type asked struct {
	text  string
	meets func(*oracleEvent) bool
	kinds bool // it names some
}

var (
	searchLinks = []string{
		"https://docs.example.com/guide?x=1", "https://example.com", "http://www.nest.example/a.png", "https://cdn.nest.example/b/C.JPG?w=3",
		"https://other.example:8080/song.mp3", "https://video.example/v.mp4",
	}
	searchEmoji = []string{"🔥", "👍🏽", "❤️", "🐦\u200d⬛", "🇩🇪", "👩🏿\u200d🚀"}
	searchHan   = []string{"東京都庁", "大阪市", "猫", "京都", "한국어를"}
)

// searchWorld makes events whose texts hold words, links, emoji and Han beside each
// other.
func searchWorld(t *testing.T, rng *rand.Rand, size int) *world {
	w := &world{people: somePeople(6)}
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	for len(w.events) < size {
		var parts []string
		for range rng.IntN(9) {
			switch rng.IntN(8) {
			case 0:
				parts = append(parts, pick(searchLinks))
			case 1:
				parts = append(parts, pick(searchEmoji))
			case 2:
				parts = append(parts, pick(searchHan))
			default:
				parts = append(parts, pick(vocabulary[:24]))
			}
		}
		e := &oracleEvent{
			CreatedAt: oracleNow - int64(rng.IntN(3000))*60, Kind: []int{1, 1, 1, 1, 20, 30023, 7, 6}[rng.IntN(8)],
			Content: strings.Join(parts, []string{" ", "\n", ", "}[rng.IntN(3)]), Tags: [][]string{},
		}
		if e.Kind == 30023 {
			e.Tags = append(e.Tags, []string{"d", fmt.Sprint(len(w.events))}, []string{"title", pick(vocabulary[:24])})
		}
		for range rng.IntN(3) {
			switch rng.IntN(5) {
			case 0:
				e.Tags = append(e.Tags, []string{"p", w.people[rng.IntN(len(w.people))].public})
			case 1:
				e.Tags = append(e.Tags, []string{"t", pick([]string{"birds", "Birds", "BIRDING", "Été", "猫"})})
			case 2:
				if len(w.events) > 0 {
					e.Tags = append(e.Tags, []string{"e", w.events[rng.IntN(len(w.events))].ID, "", "reply"})
				}
			case 3:
				e.Tags = append(e.Tags, []string{"q", strings.Repeat("ab", 32)})
			case 4:
				e.Tags = append(e.Tags, []string{"l", "eo", "ISO-639-1"})
			}
		}
		w.add(t, rng.IntN(len(w.people)), e)
	}
	return w
}

var oracleLink = regexp.MustCompile(`https?://[^\s,]+`)

// rawText is what a search looks at, "" for kinds without text.
func rawText(e *oracleEvent) string {
	text, _ := oracleText(e)
	if e.Kind == 30023 {
		for _, tag := range e.Tags {
			if tag[0] == "title" {
				text = tag[1] + "\n" + text
			}
		}
	}
	return text
}

// plainWords are the words of a text without its links, each between spaces.
func (e *oracleEvent) line() string {
	return " " + strings.Join(oracleWords(oracleLink.ReplaceAllString(rawText(e), " ")), " ") + " "
}

func (e *oracleEvent) hasTag(name string, is func(string) bool) bool {
	return slices.ContainsFunc(e.Tags, func(tag []string) bool { return tag[0] == name && is(tag[1]) })
}

func (e *oracleEvent) hasLink(pattern string) bool {
	re := regexp.MustCompile(pattern)
	return slices.ContainsFunc(oracleLink.FindAllString(rawText(e), -1), re.MatchString)
}

// someLeaf makes a query of one part.
func (w *world) someLeaf(rng *rand.Rand) asked {
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	word := func() string { return pick(vocabulary[:24]) }
	person := func() string { return w.people[rng.IntN(len(w.people))].public }
	switch rng.IntN(17) {
	case 0:
		a, b := word(), word()
		phrase := " " + oracleFold(a+" "+b) + " "
		return asked{text: `"` + capitals(a) + ", " + b + `"`, meets: func(e *oracleEvent) bool { return strings.Contains(e.line(), phrase) }}
	case 1:
		begin := string([]rune(oracleFold(word()))[:2])
		return asked{text: begin + "*", meets: func(e *oracleEvent) bool { return strings.Contains(e.line(), " "+begin) }}
	case 2:
		a, b := word(), string([]rune(oracleFold(word()))[:1])
		phrase := " " + oracleFold(a) + " " + b
		return asked{text: `"` + a + " " + b + `*"`, meets: func(e *oracleEvent) bool { return strings.Contains(e.line(), phrase) }}
	case 3:
		han := []rune(pick(searchHan))
		from := rng.IntN(len(han))
		part := string(han[from : from+1+rng.IntN(len(han)-from)])
		return asked{text: part, meets: func(e *oracleEvent) bool { return strings.Contains(rawText(e), part) }}
	case 4:
		emoji := pick(searchEmoji)
		has := strings.TrimSuffix(strings.NewReplacer("🏽", "", "🏿", "").Replace(emoji), "\ufe0f")
		plain := strings.NewReplacer("🏽", "", "🏿", "")
		return asked{text: emoji, meets: func(e *oracleEvent) bool { return strings.Contains(plain.Replace(rawText(e)), has) }}
	case 5:
		site := pick([]string{"example.com", "nest.example", "docs.example.com", "ocs.example.com", "example", "cdn.nest.example"})
		if site == "example" {
			site = "video.example"
		}
		return asked{text: "site:" + site, meets: func(e *oracleEvent) bool {
			return e.hasLink(`^https?://([^/]*\.)?` + regexp.QuoteMeta(site) + `([:/?]|$)`)
		}}
	case 6:
		if rng.IntN(2) == 0 {
			return asked{text: "docs.example.com", meets: func(e *oracleEvent) bool { return e.hasLink(`//docs\.example\.com`) }}
		}
		return asked{text: "https://docs.example.com/gui", meets: func(e *oracleEvent) bool { return e.hasLink(`//docs\.example\.com/gui`) }}
	case 7:
		a, b := person(), person()
		return asked{text: "from:" + a + " from:" + b, meets: func(e *oracleEvent) bool { return e.PubKey == a || e.PubKey == b }}
	case 8:
		who := person()
		return asked{text: "to:" + who, meets: func(e *oracleEvent) bool { return e.hasTag("p", func(s string) bool { return s == who }) }}
	case 9:
		if rng.IntN(2) == 0 {
			return asked{"kind:7 kind:picture", func(e *oracleEvent) bool { return e.Kind == 7 || e.Kind == 20 }, true}
		}
		return asked{"is:article", func(e *oracleEvent) bool { return e.Kind == 30023 }, true}
	case 10:
		tag := pick([]string{"birds", "BIRDING", "été", "猫", "none"})
		return asked{text: "#" + tag, meets: func(e *oracleEvent) bool {
			return e.hasTag("t", func(s string) bool { return strings.EqualFold(s, tag) })
		}}
	case 11:
		return asked{text: "#bir*", meets: func(e *oracleEvent) bool {
			return e.hasTag("t", func(s string) bool { return strings.HasPrefix(strings.ToLower(s), "bir") })
		}}
	case 12:
		return asked{text: "is:reply", meets: func(e *oracleEvent) bool {
			return e.Kind == 1 && e.hasTag("e", func(s string) bool { return len(s) == 64 })
		}}
	case 13:
		what, pattern := "image", `(?i)\.(png|jpg)(\?|$)`
		switch rng.IntN(5) {
		case 0:
			what, pattern = "audio", `\.mp3$`
		case 1:
			what, pattern = "video", `\.mp4$`
		case 2:
			what, pattern = "link", `(com|guide\?x=1)$`
		case 3:
			return asked{text: "has:quote", meets: func(e *oracleEvent) bool {
				_, text := oracleText(e)
				return text && e.hasTag("q", func(string) bool { return true })
			}}
		}
		return asked{text: "has:" + what, meets: func(e *oracleEvent) bool {
			return e.hasLink(pattern) || what == "image" && e.Kind == 20
		}}
	case 14:
		return asked{text: "lang:eo", meets: func(e *oracleEvent) bool { return e.hasTag("l", func(s string) bool { return s == "eo" }) }}
	case 15:
		at := oracleNow - int64(rng.IntN(180_000))
		if rng.IntN(2) == 0 {
			return asked{text: fmt.Sprint("since:", at), meets: func(e *oracleEvent) bool { return e.CreatedAt >= at }}
		}
		return asked{text: fmt.Sprint("until:", at), meets: func(e *oracleEvent) bool { return e.CreatedAt <= at }}
	}
	a := word()
	find := " " + oracleFold(a) + " "
	return asked{text: capitals(a), meets: func(e *oracleEvent) bool { return strings.Contains(e.line(), find) }}
}

// someQuery joins parts by and, or and not, some in brackets.
func (w *world) someQuery(rng *rand.Rand, depth int) asked {
	if depth == 0 || rng.IntN(3) == 0 {
		return w.someLeaf(rng)
	}
	a, b := w.someQuery(rng, depth-1), w.someQuery(rng, depth-1)
	kinds := a.kinds || b.kinds
	switch rng.IntN(4) {
	case 0:
		return asked{"-(" + a.text + ")", func(e *oracleEvent) bool { return !a.meets(e) }, a.kinds}
	case 1:
		return asked{"(" + a.text + ") OR (" + b.text + ")", func(e *oracleEvent) bool { return a.meets(e) || b.meets(e) }, kinds}
	case 2: // two that are not merged, whatever they are
		return asked{"(" + a.text + ") AND (" + b.text + ")", func(e *oracleEvent) bool { return a.meets(e) && b.meets(e) }, kinds}
	}
	c := w.someLeaf(rng)
	return asked{"(" + a.text + ") " + "x" + `* OR (` + b.text + ") -(" + c.text + ")", func(e *oracleEvent) bool {
		return a.meets(e) && (strings.Contains(e.line(), " x") || b.meets(e)) && !c.meets(e)
	}, kinds || c.kinds}
}

func TestSearchesEqualANaiveLookAtEveryText(t *testing.T) {
	size, questions := 1_500, 1_500
	if testing.Short() {
		size, questions = 400, 500
	}
	rng := rand.New(rand.NewPCG(11, 50))
	w := searchWorld(t, rng, size)
	store, oracle := openWorld(t, w)
	found := 0
	for range questions {
		query := w.someQuery(rng, 1+rng.IntN(3))
		q := question{raw: []byte(query.text), filter: nostr.Filter{Search: query.text}}
		if rng.IntN(4) == 0 {
			kinds := [][]int{{1}, {1, 20}, {7}, {6, 30023}}[rng.IntN(4)]
			q.oracle.Kinds = kinds
			for _, k := range kinds {
				q.filter.Kinds = append(q.filter.Kinds, uint16(k))
			}
		}
		if rng.IntN(4) == 0 {
			limit := rng.IntN(20)
			q.filter.Limit, q.oracle.Limit = &limit, &limit
		}
		anyKind := query.kinds || q.filter.Kinds != nil
		q.oracle.meets = func(e *oracleEvent) bool {
			_, text := oracleText(e)
			return (text || anyKind) && query.meets(e)
		}
		n := w.sameAnswer(t, store, oracle, false, q)
		found += min(n, 1)
		parsed, err := search.Parse(query.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range w.lines[:20] {
			e, err := nostr.ParseEvent(raw)
			if err != nil {
				t.Fatal(err)
			}
			o := w.events[slices.IndexFunc(w.events, func(o *oracleEvent) bool { return o.ID == e.ID.String() })]
			if _, text := oracleText(o); (text || query.kinds) && parsed.Match(e) != query.meets(o) || !text && !query.kinds && parsed.Match(e) {
				t.Fatalf("%s: matches %s: %v", query.text, raw, parsed.Match(e))
			}
		}
	}
	if found < questions/4 {
		t.Errorf("only %d of %d searches find something", found, questions)
	}
}
