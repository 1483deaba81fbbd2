package markdown

import (
	"regexp"
	"strings"
)

// fenceBegins matches the first line of a text that is in a block of Markdown code.
var fenceBegins = regexp.MustCompile("(?i)^\\s*```(?:markdown|md)[ \t]*\n")

// unfenced blanks out the fence of a text that is one block of Markdown code as a whole: some
// models wrap their answer in one. All else stays in its place. Code within has fences of its
// own, though CommonMark would end the block there.
func unfenced(text string) string {
	first := fenceBegins.FindString(text)
	if first == "" {
		return text
	}
	body := text[len(first):]
	inside := false // code within
	at := 0
	for line := range strings.SplitAfterSeq(body, "\n") {
		mark := strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(mark, "```"):
		case mark != "```":
			inside = true
		case inside:
			inside = false
		default: // the end of the block
			if strings.TrimSpace(body[at+len(line):]) != "" {
				return text // and more behind it
			}
			body = body[:at] + blank(line)
		}
		at += len(line)
	}
	return blank(first) + body
}

// blank returns as much space as a line is long.
func blank(line string) string {
	space := strings.Repeat(" ", len(line))
	if strings.HasSuffix(line, "\n") {
		return space[1:] + "\n"
	}
	return space
}
