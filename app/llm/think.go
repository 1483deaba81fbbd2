package llm

import "strings"

// thinkTags are the tags that models wrap their thinking in when the server does
// not take it out.
func thinkTags() []string { return []string{"think", "thinking", "thought"} }

// thinkSplitter parts thinking from answer in text that comes in pieces. Thinking
// stands between a tag at the very start and its end tag; a tag further on is
// text. The white space around the tags belongs to neither.
//
// It holds back only what may yet turn out to be a tag or white space before one,
// so that the result does not depend on how the text was cut.
type thinkSplitter struct {
	state    thinkState
	tag      string
	held     string
	searched int // no end tag begins in held[:searched]; for thinkOpened
}

// maxHeld limits, in bytes, the white space that is held back.
const maxHeld = 4096

type thinkState uint8

const (
	thinkStart  thinkState = iota // nothing but white space so far
	thinkOpened                   // the start tag was never sent: all is held until the end tag
	thinkBegun                    // white space behind the start tag
	thinkInside                   // between the tags
	thinkAfter                    // white space behind the end tag
	thinkText                     // the rest is text
)

// add takes the next piece and returns what is certain by now.
func (t *thinkSplitter) add(piece string) (answer, thinking string) {
	t.held += piece
	for {
		before := t.state
		a, th := t.step()
		answer += a
		thinking += th
		if t.state == before {
			return answer, thinking
		}
	}
}

// end returns what was held back.
func (t *thinkSplitter) end() (answer, thinking string) {
	held := t.held
	t.held = ""
	switch t.state {
	case thinkInside:
		return "", strings.TrimRight(held, " \t\r\n")
	case thinkBegun, thinkAfter:
		return "", ""
	}
	return held, ""
}

func (t *thinkSplitter) step() (answer, thinking string) {
	switch t.state {
	case thinkStart:
		t.start()
	case thinkOpened:
		return "", t.opened()
	case thinkBegun:
		t.held = strings.TrimLeft(t.held, " \t\r\n")
		if t.held != "" {
			t.state = thinkInside
		}
	case thinkInside:
		return "", t.inside()
	case thinkAfter:
		t.held = strings.TrimLeft(t.held, " \t\r\n")
		if t.held != "" {
			t.state = thinkText
		}
	case thinkText:
		answer, t.held = t.held, ""
	}
	return answer, ""
}

// opened looks for the end tag of thinking whose start was never sent.
func (t *thinkSplitter) opened() (thinking string) {
	if t.opener() {
		return ""
	}
	for _, tag := range thinkTags() {
		closer := "</" + tag + ">"
		if i := strings.Index(t.held[t.searched:], closer); i >= 0 {
			i += t.searched
			thinking = strings.TrimSpace(t.held[:i])
			t.state, t.held = thinkAfter, t.held[i+len(closer):]
			return thinking
		}
	}
	t.searched = max(0, len(t.held)-len("</thinking>"))
	return ""
}

func (t *thinkSplitter) start() {
	if !t.opener() || t.state == thinkStart && len(t.held) > maxHeld {
		t.state = thinkText
	}
}

// opener reports whether the text begins with a start tag, which it then takes
// off, or may still turn out to.
func (t *thinkSplitter) opener() bool {
	body := strings.TrimLeft(t.held, " \t\r\n")
	for _, tag := range thinkTags() {
		opener := "<" + tag + ">"
		if after, found := strings.CutPrefix(body, opener); found {
			t.state, t.tag, t.held = thinkBegun, tag, after
			return true
		}
		if strings.HasPrefix(opener, body) {
			return true
		}
	}
	return false
}

func (t *thinkSplitter) inside() (thinking string) {
	closer := "</" + t.tag + ">"
	if inside, after, found := strings.Cut(t.held, closer); found {
		t.state, t.held = thinkAfter, after
		return strings.TrimRight(inside, " \t\r\n")
	}
	keep := len(t.held) - partialSuffix(t.held, closer)
	if blank := len(strings.TrimRight(t.held[:keep], " \t\r\n")); keep-blank <= maxHeld {
		keep = blank
	}
	thinking, t.held = t.held[:keep], t.held[keep:]
	return thinking
}

// partialSuffix returns the length of the longest end of s that begins mark.
func partialSuffix(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if strings.HasPrefix(mark, s[len(s)-n:]) {
			return n
		}
	}
	return 0
}
