package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/sentence"
)

// free reports whether a sentence states nothing that a note would have to support. What
// follows "in short" or a colon is judged by itself.
func (c *checker) free(u unit, body, words string) bool {
	for _, frame := range sums.words {
		if rest, ok := strings.CutPrefix(words, frame); ok {
			words = " " + rest
		}
	}
	if at := behindColon(body); at > 0 {
		if claim := body[at:]; !listed(claim) && !c.free(unit{}, claim, " "+wordsOf(claim)+" ") {
			return false
		}
	}
	trimmed := strings.TrimRight(body, " \t\n*_()[]|\"'”»“」』")
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	if strings.ContainsRune("?？:：;؟", last) {
		return true
	}
	count, letters := strings.Count(words, " ")-1, utf8.RuneCountInString(strings.TrimSpace(words))
	unspaced := strings.ContainsFunc(words, wide)
	named := c.named(words)
	foreign := strings.ContainsFunc(body, func(r rune) bool { return unicode.IsLetter(r) && !unicode.In(r, spoken...) })
	switch {
	case !unspaced && count <= 1:
		return true
	case !named && (foreign || unspaced && letters <= 6 || !unspaced && (count <= 2 || count <= 4 && last == '!')):
		return true
	case u.form == row:
		return !c.states(body)
	case u.form == item && !unspaced && count <= 3:
		return true
	case speaks.in(words):
		return !c.slipsIn(body)
	case c.deniesWriting(words), c.general(body, words), denies.in(words) && hedged.in(words):
		return true
	}
	return framing.in(words) && (unspaced && letters <= 30 || !unspaced && count <= 14)
}

var ands = []string{"and", "but", "und", "aber", "et", "mais", "y", "pero", "e", "mas"}

// deniesWriting reports whether a sentence says that somebody did not write: the verb is
// near the negation, in the same clause. "Said no" negates something else.
func (c *checker) deniesWriting(words string) bool {
	if !denies.in(words) || !writes.in(words) || strings.ContainsFunc(words, wide) {
		return denies.in(words) && writes.in(words)
	}
	all := strings.Fields(words)
	for i := range all {
		first, behind := max(0, i-1), min(len(all), i+2)
		if !denies.in(" "+all[i]+" ") && !denies.whole(strings.Join(all[i:behind], " ")) {
			continue
		}
		if all[i] == "no" {
			first = i
		}
		for behind < min(len(all), i+6) && !slices.Contains(ands, all[behind]) {
			behind++
		}
		if writes.in(" " + strings.Join(all[first:behind], " ") + " ") {
			return true
		}
	}
	return false
}

// states reports whether a table row has a cell of four words: figures and names state
// nothing.
func (c *checker) states(row string) bool {
	return slices.ContainsFunc(strings.Split(row, "|"), func(cell string) bool {
		words := wordsOf(cell)
		return strings.Count(words, " ") >= 3 || strings.ContainsFunc(words, wide) && utf8.RuneCountInString(words) >= 8
	})
}

func (c *checker) named(words string) bool {
	return slices.ContainsFunc(c.names, func(name string) bool { return find(words, name) >= 0 })
}

func (c *checker) appOnly(words string) bool {
	at := complete.at(words)
	if at >= 0 && hedged.in(words) && !reader.in(words) && !addressed.in(words) {
		return false
	}
	if at < 0 && (reader.in(words) || addressed.in(words)) {
		at = current.at(words)
	}
	return at >= 0 && !doubts.in(words[:at]+" ")
}

func (c *checker) ofReader(words string) bool {
	return addressed.at(words) == 0 && !c.named(words) && !writes.in(words)
}

// spoken are the scripts of the languages whose words are in words.go.
var spoken = []*unicode.RangeTable{unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Cyrillic, unicode.Hangul, unicode.Arabic, unicode.Common}

func (c *checker) headline(all []unit, i int, words string) bool {
	if strings.Count(words, " ") < 5 || !reports.in(words) && !c.named(words) {
		return false
	}
	for _, below := range all[i+1:] {
		if below.form == heading {
			break
		}
		if notes := c.cites(below); slices.ContainsFunc(notes, func(n int) bool { return c.about(n, words) }) {
			return false
		}
	}
	return true
}

// about reports whether a note is by, or mentions, one of the people that words name; any
// note is, if they name nobody.
func (c *checker) about(n int, words string) bool {
	author := " " + wordsOf(c.facts.Notes[n-1].Name) + " "
	none := true
	for _, name := range c.names {
		if find(words, name) >= 0 {
			none = false
			if author == "  " || find(author, name) >= 0 || find(c.note(n).words, name) >= 0 {
				return true
			}
		}
	}
	return none
}

// behindColon returns where a sentence continues after a colon, or 0.
func behindColon(body string) int {
	for i, r := range body {
		if r == '：' || r == ':' && strings.HasPrefix(strings.TrimLeft(body[i+1:], "*_"), " ") {
			return i + utf8.RuneLen(r)
		}
	}
	return 0
}

func listed(text string) bool {
	return !slices.ContainsFunc(listMark.Split(text, -1), func(part string) bool { return strings.Count(wordsOf(part), " ") >= 3 })
}

var (
	listMark   = regexp.MustCompile(`[,;、，]|\s(?:and|or|und|oder|et|ou|y|e|o)\s`)
	dashMark   = regexp.MustCompile(`[;；]|\s[–—]\s`)
	clauseMark = regexp.MustCompile(`[,;，；]|\s[–—-]\s`)
	verbLast   = regexp.MustCompile(`(?:t|te|en|ist|war|sind)$`)
)

// slipsIn reports whether advice or an offer also states something: in a clause after a
// comma that refers to what was named, or names somebody, or in another sentence after a
// dash.
func (c *checker) slipsIn(body string) bool {
	for _, other := range dashMark.Split(body, -1)[1:] {
		if words := " " + wordsOf(other) + " "; reports.in(words) && !speaks.in(words) && !c.deniesWriting(words) {
			return true
		}
	}
	clauses := clauseMark.Split(body, -1)
	return slices.ContainsFunc(clauses[1:], func(clause string) bool {
		said := wordsOf(clause)
		first, _, _ := strings.Cut(said, " ")
		words := " " + said + " "
		if speaks.in(words) || c.deniesWriting(words) || strings.Count(said, " ") < 2 && !strings.ContainsFunc(said, wide) {
			return false
		}
		switch {
		case relatives.whole(first):
			return true
		case slices.Contains([]string{"der", "die", "das", "den", "dem"}, first):
			return verbLast.MatchString(said)
		case strings.ContainsFunc(said, wide):
			return relatives.begins(said)
		}
		return slices.Contains(ands, first) && c.named(words)
	})
}

// general reports whether a sentence is common knowledge, such as what a word means: it is
// about no particular person, thing or day. If nothing was read, it need not be a
// definition.
func (c *checker) general(body, words string) bool {
	all := strings.Fields(words)
	if len(all) == 0 || c.named(words) || dated.in(words) || !german.in(words) && proper(body) {
		return false
	}
	one := articles.whole(all[0])
	if portugueseA.MatchString(words) {
		return false
	} else if one && defines.in(" "+strings.Join(all[:min(5, len(all))], " ")+" ") {
		return true // a zap is a …
	}
	if reports.in(words) {
		return false
	} else if raised.MatchString(body) {
		return true // one bitcoin is 10^8 sats
	}
	if first := " " + all[0] + " "; definite.in(first) && !(c.wasGeneral && pronouns.in(first)) {
		return false
	}
	for i, w := range all[1:] {
		if len(w) > 4 && strings.HasSuffix(w, "ed") && !slices.Contains([]string{"is", "are", "be", "a", "an"}, all[i]) {
			return false // somebody did it
		}
	}
	if len(c.facts.Names)+len(c.facts.Notes) == 0 || c.wasGeneral && pronouns.whole(all[0]) {
		return true
	}
	noted := func(note Note) bool { return find(wordsOf(note.Text), all[0]) >= 0 }
	return defines.in(words) && (one || !slices.ContainsFunc(c.facts.Notes, noted))
}

// raised matches a power in a formula.
var raised = regexp.MustCompile(`[\p{L}\d]\^\d`)

// portugueseA matches "a ponte é", the bridge is, whose article is no English a.
var portugueseA = regexp.MustCompile(`^ a .* (?:é|são|está|significa|geralmente|costuma|em geral) `)

var inside = regexp.MustCompile(`[\p{Ll},;] +[*_]*(\p{Lu}\p{Ll}+)`)

// proper reports whether a sentence has a name, in languages that do not capitalise all
// nouns, as [german] does.
func proper(body string) bool {
	return slices.ContainsFunc(inside.FindAllStringSubmatch(body, -1), func(m []string) bool { return !slices.Contains(trade, m[1]) })
}

var (
	german = newList(`der|die|das|ein|eine|und|ist|sind|wird`)
	trade  = []string{"Nostr", "Bitcoin", "Lightning", "Markdown", "Internet", "I"}
)

// codeBlocks marks the first sentence of each block of code that is about somebody and not
// from a note: a claim is no less one in code. Text that is no sentence is code.
func (c *checker) codeBlocks() {
	var claim *Mark // of the block that is open
	fence := ""
	for at := 0; at < len(c.text); {
		line, _, _ := strings.Cut(c.text[at:], "\n")
		next := min(at+len(line)+1, len(c.text))
		text := strings.TrimLeft(line, " ")
		switch mark := fenceOf(text); {
		case fence == "" && mark != "" && c.plain[at+len(line)-len(text)] == ' ':
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence) && strings.Trim(text, fence[:1]+" \r") == "":
			if fence = ""; claim != nil {
				claim.After = at + len(line)
				claim = nil
			}
		case fence != "" && claim == nil && c.saysOfSomebody(text):
			c.report.Sentences++
			claim = c.mark(Uncited, at, at+len(line), len(c.text))
			claim.Code = true
		}
		at = next
	}
}

// fenceOf returns the mark with which a line begins or ends a block of code.
func fenceOf(line string) string {
	for _, mark := range []byte("`~") {
		if n := runLength(line, mark); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// saysOfSomebody reports whether a line is a sentence about somebody whose notes were read,
// and not from a note.
func (c *checker) saysOfSomebody(line string) bool {
	line = itemMark.ReplaceAllString(headMark.ReplaceAllString(line, ""), "")
	words := " " + wordsOf(line) + " "
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, " \t\r*_\"”»“」"))
	return sentence.Stop(last) && (strings.Count(words, " ") > 3 || strings.ContainsFunc(words, wide)) &&
		c.named(words) && !c.free(unit{}, line, words) && !c.held(line, nil)
}
