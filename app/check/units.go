package check

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/sentence"
)

type form uint8

const (
	prose form = iota
	heading
	item
	row
	quoted
)

// unit is a sentence of an answer, or what takes its place: a heading, a table row, a
// quoted block. In a list item, a citation covers everything before it.
type unit struct {
	start, end int // of text; the citations behind the sentence are part of it
	form       form
	refs       []Reference
}

type block struct {
	start, end int
	form       form
	open       string // what a list's item begins with, and what a quoted line does
}

var (
	itemMark  = regexp.MustCompile(`^[ \t]*(?:[-*+•·–▪]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\] )?`)
	headMark  = regexp.MustCompile(`^[ ]{0,3}#{1,6}[ \t]+`)
	boldLine  = regexp.MustCompile(`^[ \t]*(?:\*\*[^*\n]+\*\*|__[^_\n]+__)[ \t]*(?:\([^()\n]*\))?[:：]?[ \t]*$`)
	ruleLine  = regexp.MustCompile(`^[ \t]*(?:[-=*_][ \t]*){3,}$`)
	tableRule = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	tagLine   = regexp.MustCompile(`^[ \t]*(?:<(?:/?[A-Za-z][^<>]*|!--[^<>]*--)>[ \t]*)+$`)
	quoteMark = regexp.MustCompile(`^[ ]{0,3}>[ \t]?`)
)

// blocks splits a text into blocks. plain is the text without code.
func blocks(plain string) []block {
	var out []block
	begun := false // the last block goes on
	start := 0
	for line := range strings.Lines(plain) {
		b := block{start: start, end: start + len(strings.TrimRight(line, "\r\n"))}
		start += len(line)
		text := plain[b.start:b.end]
		trimmed := strings.TrimSpace(text)
		last := len(out) - 1
		switch {
		case trimmed == "":
			begun = false
			continue
		case tableRule.MatchString(text) && strings.Contains(text, "|") && last >= 0 && begun:
			out[last].form = heading // the names of the columns
			continue
		case ruleLine.MatchString(text), tagLine.MatchString(text):
			begun = false
			continue
		case strings.HasPrefix(trimmed, "|"):
			b.form, b.open = row, text[:strings.Index(text, "|")+1]
			b.end = b.start + len(strings.TrimRight(text, "| \t"))
			b.end = max(b.end, b.start+len(b.open))
		case headMark.MatchString(text):
			b.form, b.open = heading, headMark.FindString(text)
		case boldLine.MatchString(text):
			b.form = heading
		case quoteMark.MatchString(text):
			if begun && out[last].form == quoted {
				out[last].end = b.end
				continue
			}
			b.form, b.open = quoted, quoteMark.FindString(text)
		case itemMark.MatchString(text):
			b.form, b.open = item, itemMark.FindString(text)
		case begun && (out[last].form == prose || out[last].form == item || out[last].form == quoted):
			out[last].end = b.end
			continue
		}
		b.start += len(b.open)
		out = append(out, b)
		begun = true
	}
	return out
}

// cited matches citations after a sentence's full stop.
var cited = regexp.MustCompile(`^(?:[ \t\x{a0}]*[(\[（［]?\^\d{1,3}[)\]）］]?[,;、]?)+[.。]?`)

func units(text string) []unit {
	plain := withoutCode(text)
	refs := References(text)
	masked := mask(text, plain, refs)
	var out []unit
	for _, b := range blocks(plain) {
		first := len(out)
		switch b.form {
		case row, heading, quoted:
			out = append(out, unit{start: b.start, end: b.end, form: b.form})
		default:
			out = cut(out, b, plain, masked)
		}
		for i := first; i < len(out); i++ {
			for len(refs) > 0 && refs[0].Start < out[i].end {
				if refs[0].Start >= out[i].start {
					out[i].refs = append(out[i].refs, refs[0])
				}
				refs = refs[1:]
			}
		}
		if b.form == item {
			out = joined(out, first)
		}
	}
	return out
}

func cut(out []unit, b block, plain, masked string) []unit {
	stop := b.start // where a sentence ends, lines aside: found once, however many they are
	for at := b.start; at < b.end; {
		if stop <= at {
			size, _ := sentence.End(masked[at:b.end])
			stop = at + size
		}
		// A line that ends with a citation or a colon is over, whatever follows.
		end := at + lineEnd(plain[at:stop])
		end += len(cited.FindString(plain[end:b.end]))
		u := unit{start: at, end: end, form: b.form}
		for u.start < u.end && strings.ContainsRune(" \t\r\n", rune(plain[u.start])) {
			u.start++
		}
		u.end = u.start + len(strings.TrimRightFunc(plain[u.start:end], unicode.IsSpace))
		if strings.ContainsFunc(plain[u.start:u.end], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			out = append(out, u)
		}
		at = max(end, at+1)
	}
	return out
}

var lineOver = regexp.MustCompile(`(?:\^\d{1,3}[)\]）］]?[.,;。、]?|[:：.!?。！？])(?:[ \t*_]|</?[A-Za-z][^<>\n]*>)*\r?\n`)

func lineEnd(s string) int {
	if at := lineOver.FindStringIndex(s); at != nil {
		return at[1]
	}
	return len(s)
}

// joined joins the sentences of an item that a later citation covers.
func joined(all []unit, first int) []unit {
	out := all[:first]
	var waiting *unit
	for _, u := range all[first:] {
		if waiting != nil {
			u.start = waiting.start
		}
		if len(u.refs) == 0 {
			if waiting == nil {
				waiting = &u
			} else {
				waiting.end = u.end
			}
			continue
		}
		waiting = nil
		out = append(out, u)
	}
	if waiting != nil {
		out = append(out, *waiting)
	}
	return out
}

// mask returns the text with equal offsets, but letters in place of what must not end a
// sentence: quotations, code and citations. A full stop inside quotation marks ends the
// sentence around them if only a new one can follow.
func mask(text, plain string, refs []Reference) string {
	out := []byte(plain)
	for i := range out {
		if text[i] != plain[i] {
			out[i] = 'x'
		}
	}
	for _, q := range quotations(plain) {
		inside := plain[q.start:q.end]
		fill(out[q.start:q.end], 'x')
		trimmed := strings.TrimRightFunc(inside, unicode.IsSpace)
		stop, size := utf8.DecodeLastRuneInString(trimmed)
		if behind := strings.TrimLeft(plain[q.after:], " \t"); sentence.Stop(stop) &&
			(behind == "" || len(behind) < len(plain[q.after:]) || strings.ContainsRune("\n^([", rune(behind[0]))) {
			copy(out[q.end-size:q.end], trimmed[len(trimmed)-size:])
		}
	}
	for _, r := range refs {
		before := strings.TrimRight(string(out[max(0, r.Start-24):r.Start]), " \t([^0123456789),")
		last, _ := utf8.DecodeLastRuneInString(before)
		if sentence.Stop(last) || strings.ContainsRune("”»“\"'」』", last) && endsQuote(out[:r.Start]) {
			for i := r.Start; i < r.End; i++ {
				out[i] = ' '
			}
			continue
		}
		fill(out[r.Start:r.End], 'x')
	}
	return string(out)
}

func endsQuote(s []byte) bool {
	text := strings.TrimRight(string(s[max(0, len(s)-24):]), " \t([^0123456789)”»“\"'」』")
	last, _ := utf8.DecodeLastRuneInString(text)
	return sentence.Stop(last)
}
