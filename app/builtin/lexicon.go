package builtin

import (
	"regexp"
	"strings"
	"time"
)

// lexicon is how one language asks.
type lexicon struct {
	lang  string
	hints []string // words that tell the language of a question
	time  timeWords
	// everyone lists the names for all people that the user follows.
	everyone []string
	// articles stand before a topic and are no part of it; elided ones are joined
	// to it by an apostrophe.
	articles, elided []string
	self             []string // how those who ask name themselves

	before string // regexp: polite words to drop at the start
	behind string // regexp: polite words to drop at the end
	charts string // regexp: words at the end that ask for a chart
	asks   []phrase
}

// phrase is one way to put a question, as a regexp over its lower-case words, the
// time already cut out. {p}, {t}, {n} capture a person, a topic, a number;
// {all} is any of everyone's names. It must match the whole question.
type phrase struct {
	intent  intent
	pattern string
}

// compiled is a lexicon ready for use.
type compiled struct {
	*lexicon
	hintSet    map[string]bool
	all        map[string]bool
	articleSet map[string]bool
	selfSet    map[string]bool
	trim       []*regexp.Regexp
	drawn      *regexp.Regexp
	patterns   []compiledPhrase
	// vocabulary cuts texts written without spaces; nil for other languages.
	vocabulary map[string]bool
}

type compiledPhrase struct {
	intent intent
	re     *regexp.Regexp
}

func compile(lx *lexicon) *compiled {
	c := &compiled{lexicon: lx, hintSet: set(lx.hints...), all: set(lx.everyone...), articleSet: set(lx.articles...), selfSet: set(lx.self...)}
	for _, expr := range []string{`^(?:(?:` + lx.before + `) )+`, `(?: (?:` + lx.behind + `))+$`} {
		c.trim = append(c.trim, regexp.MustCompile(expr))
	}
	c.drawn = regexp.MustCompile(`(?: (?:` + lx.charts + `))+$`)
	quoted := make([]string, len(lx.everyone))
	for i, w := range lx.everyone {
		quoted[i] = regexp.QuoteMeta(w)
	}
	fill := strings.NewReplacer(
		"{p}", `(?P<person>.+?)`, "{t}", `(?P<topic>.+?)`, "{n}", `(?P<n>\d{1,3})`,
		"{all}", `(?:`+strings.Join(quoted, "|")+`)`)
	for _, a := range lx.asks {
		re := regexp.MustCompile(`^(?:` + fill.Replace(a.pattern) + `)$`)
		c.patterns = append(c.patterns, compiledPhrase{a.intent, re})
	}
	return c
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// weekdayNames and monthNames spell the tables from Sunday and January on;
// "a|b" gives several names to one.
func weekdayNames(names ...string) map[string]time.Weekday {
	m := map[string]time.Weekday{}
	for i, alts := range names {
		for n := range strings.SplitSeq(alts, "|") {
			m[n] = time.Weekday(i)
		}
	}
	return m
}

func monthNames(names ...string) map[string]time.Month {
	m := map[string]time.Month{}
	for i, alts := range names {
		for n := range strings.SplitSeq(alts, "|") {
			m[n] = time.Month(i + 1)
		}
	}
	return m
}

// unitNames spells minutes, hours, days, weeks, months and years, in that order.
func unitNames(names ...string) map[string]unit {
	m := map[string]unit{}
	for i, alts := range names {
		for n := range strings.SplitSeq(alts, "|") {
			m[n] = minutes + unit(i)
		}
	}
	return m
}

func lexicons() []*compiled {
	var all []*compiled
	for _, lx := range []*lexicon{english(), german(), french(), spanish(), portuguese()} {
		all = append(all, compile(lx))
	}
	ja := compile(japanese())
	ja.vocabulary = vocabularyOf(ja.lexicon)
	return append(all, ja)
}
