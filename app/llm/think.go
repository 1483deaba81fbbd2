package llm

import "strings"

// thinkTag is a pair of tags that models wrap their thinking in when the server
// does not take it out. They are found in any case of letters.
type thinkTag struct{ open, close string }

func thinkTags() []thinkTag {
	return []thinkTag{
		{"<think>", "</think>"},
		{"<thinking>", "</thinking>"},
		{"<thought>", "</thought>"},
		{"<reasoning>", "</reasoning>"},
		{"<antThinking>", "</antThinking>"},
		{"<seed:think>", "</seed:think>"},              // Seed-OSS
		{"[THINK]", "[/THINK]"},                        // Magistral
		{"◁think▷", "◁/think▷"},                        // Kimi-VL
		{"<|channel>thought", "<channel|>"},            // Gemma
		{"<|START_THINKING|>", "<|END_THINKING|>"},     // Command A
		{"<|begin_of_thought|>", "<|end_of_thought|>"}, // Sky-T1, OpenThinker
		{"<longcat_think>", "</longcat_think>"},        // LongCat
	}
}

// thinkSplitter parts thinking from answer in text that comes in pieces. Thinking
// stands between a tag at the very start and its end tag; a tag further on is
// text. The white space around the tags belongs to neither. Text that begins with
// harmony's marks is all taken as harmony.
//
// It holds back only what may yet turn out to be a tag or white space before one,
// so that the result does not depend on how the text was cut.
type thinkSplitter struct {
	state    thinkState
	tag      thinkTag
	held     string
	searched strings.Builder // stands before held and holds no end tag; for thinkOpened
	begun    bool            // more than white space stands in searched or held; for thinkOpened
	apart    bool            // some thinking came apart from the text: an end tag at its start is left over
	harmony  harmonySplitter
}

// maxHeld limits, in bytes, the white space that is held back.
const maxHeld = 4096

type thinkState uint8

const (
	thinkStart   thinkState = iota // nothing but white space so far
	thinkOpened                    // the start tag was never sent: all is held until the end tag
	thinkBegun                     // white space behind the start tag
	thinkInside                    // between the tags
	thinkAfter                     // white space behind the end tag
	thinkText                      // the rest is text
	thinkHarmony                   // the rest is harmony
)

// add takes the next piece and returns what is certain by now.
func (t *thinkSplitter) add(piece string) (answer, thinking string) {
	t.held += piece
	if t.state != thinkOpened && t.searched.Len() > 0 { // no end tag is to come, as was found meanwhile
		t.held = t.searched.String() + t.held
		t.searched.Reset()
	}
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
	held := t.searched.String() + t.held
	t.held = ""
	t.searched.Reset()
	switch t.state {
	case thinkInside:
		return "", strings.TrimRight(held, " \t\r\n")
	case thinkBegun, thinkAfter:
		return "", ""
	case thinkHarmony:
		return t.harmony.end()
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
	case thinkHarmony:
		answer, thinking = t.harmony.add(t.held)
		t.held = ""
	}
	return answer, thinking
}

// opened looks for the end tag of thinking whose start was never sent. The first
// one is it, whichever tag's.
func (t *thinkSplitter) opened() (thinking string) {
	if !t.begun {
		body := strings.TrimLeft(t.held, " \t\r\n")
		t.searched.WriteString(t.held[:len(t.held)-len(body)])
		t.held = body
		if t.opener() {
			if t.state != thinkOpened {
				t.searched.Reset()
			}
			return ""
		}
		t.begun = true
	}
	first, width, longest := -1, 0, 0
	for _, tag := range thinkTags() {
		longest = max(longest, len(tag.close))
		if i := indexFold(t.held, tag.close); i >= 0 && (first < 0 || i < first) {
			first, width = i, len(tag.close)
		}
	}
	if first < 0 {
		n := max(0, len(t.held)-longest+1)
		t.searched.WriteString(t.held[:n])
		t.held = t.held[n:]
		return ""
	}
	thinking = strings.TrimSpace(t.searched.String() + t.held[:first])
	t.state, t.held = thinkAfter, t.held[first+width:]
	t.searched.Reset()
	return thinking
}

func (t *thinkSplitter) start() {
	body := strings.TrimLeft(t.held, " \t\r\n")
	for _, mark := range []string{harmonyStart, harmonyChannel} {
		if strings.HasPrefix(body, mark) {
			t.state, t.held = thinkHarmony, body
			return
		}
	}
	waits := strings.HasPrefix(harmonyStart, body) || strings.HasPrefix(harmonyChannel, body) || t.apart && t.leftover(body)
	if t.state == thinkAfter {
		return
	}
	if !t.opener() && !waits || t.state == thinkStart && len(t.held) > maxHeld {
		t.state = thinkText
	}
}

// leftover takes an end tag off the start of the text, whose thinking the server took
// out without it. It reports whether the text may still turn out to begin with one.
func (t *thinkSplitter) leftover(body string) bool {
	waits := false
	for _, tag := range thinkTags() {
		n := min(len(body), len(tag.close))
		if !strings.EqualFold(body[:n], tag.close[:n]) {
			continue
		}
		if n == len(tag.close) {
			t.state, t.held = thinkAfter, body[n:]
			return false
		}
		waits = true
	}
	return waits
}

// opener reports whether the text begins with a start tag, which it then takes
// off, or may still turn out to.
func (t *thinkSplitter) opener() bool {
	body := strings.TrimLeft(t.held, " \t\r\n")
	waits := false
	for _, tag := range thinkTags() {
		n := min(len(body), len(tag.open))
		if !strings.EqualFold(body[:n], tag.open[:n]) {
			continue
		}
		if n == len(tag.open) {
			t.state, t.tag, t.held = thinkBegun, tag, body[n:]
			return true
		}
		waits = true
	}
	return waits
}

func (t *thinkSplitter) inside() (thinking string) {
	if i := indexFold(t.held, t.tag.close); i >= 0 {
		thinking = strings.TrimRight(t.held[:i], " \t\r\n")
		t.state, t.held = thinkAfter, t.held[i+len(t.tag.close):]
		return thinking
	}
	keep := len(t.held) - partialSuffix(t.held, t.tag.close)
	if blank := len(strings.TrimRight(t.held[:keep], " \t\r\n")); keep-blank <= maxHeld {
		keep = blank
	}
	thinking, t.held = t.held[:keep], t.held[keep:]
	return thinking
}

// indexFold returns where mark is first found in s, in any case of its letters; -1
// when it is not. The first byte of mark is no letter.
func indexFold(s, mark string) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], mark[0])
		if i < 0 || from+i+len(mark) > len(s) {
			return -1
		}
		from += i
		if strings.EqualFold(s[from:from+len(mark)], mark) {
			return from
		}
		from++
	}
}

// partialSuffix returns the length of the longest end of s that begins mark, in any
// case of its letters.
func partialSuffix(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if s[len(s)-n] == mark[0] && strings.EqualFold(mark[:n], s[len(s)-n:]) {
			return n
		}
	}
	return 0
}
