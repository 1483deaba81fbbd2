package check

import (
	"strings"
	"unicode/utf8"

	"bowerbird/app/sentence"
)

// codeBlocks marks the first sentence of each block of code that speaks of somebody and is
// the words of no note: what is written as code is no less said. What is no sentence is code.
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

// fenceOf returns the mark that a line begins or ends a block of code with.
func fenceOf(line string) string {
	for _, mark := range []byte("`~") {
		if n := runLength(line, mark); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// saysOfSomebody reports whether a line is a sentence about somebody whose notes were read,
// and not out of one.
func (c *checker) saysOfSomebody(line string) bool {
	line = itemMark.ReplaceAllString(headMark.ReplaceAllString(line, ""), "")
	words := " " + wordsOf(line) + " "
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, " \t\r*_\"”»“」"))
	return sentence.Stop(last) && (strings.Count(words, " ") > 3 || strings.ContainsFunc(words, wide)) &&
		c.named(words) && !c.free(unit{}, line, words) && !c.held(line, nil)
}
