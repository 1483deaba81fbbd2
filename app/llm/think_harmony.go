package llm

import "strings"

// The marks of harmony, which gpt-oss writes and its server should have read.
const (
	harmonyStart   = "<|start|>"
	harmonyChannel = "<|channel|>"
	harmonyBody    = "<|message|>"
)

// harmonyEnds are the marks that a message's body ends at.
func harmonyEnds() []string {
	return []string{"<|end|>", "<|return|>", "<|call|>", harmonyStart, harmonyChannel}
}

// maxHeader limits, in bytes, what is held back of a message's header.
const maxHeader = 256

// harmonySplitter parts thinking from answer in messages that each name a channel:
// what is on the channel analysis is thinking, all else is answer. A message that is
// to somebody is a call: it stays as it is, in the answer, for whoever reads calls
// in text.
type harmonySplitter struct {
	held   string
	inBody bool
	raw    bool // the body belongs to a call
	think  bool // the body is thinking
	fresh  bool // nothing of the body was told
	told   [2]bool
}

func (h *harmonySplitter) add(piece string) (answer, thinking string) {
	h.held += piece
	var said [2]strings.Builder // answer, thinking
	for h.step(&said) {
	}
	return said[0].String(), said[1].String()
}

// end returns what was held back. A header that never ended is text, unless it is
// the beginning of one mark.
func (h *harmonySplitter) end() (answer, thinking string) {
	var said [2]strings.Builder
	switch {
	case h.inBody:
		h.tell(&said, h.held)
	case !strings.HasPrefix(strings.TrimLeft(h.held, " \t\r\n"), "<|"):
		h.think, h.raw, h.fresh = false, false, true
		h.tell(&said, strings.TrimSpace(h.held))
	}
	h.held = ""
	return said[0].String(), said[1].String()
}

func (h *harmonySplitter) step(said *[2]strings.Builder) bool {
	if h.inBody {
		return h.body(said)
	}
	for _, mark := range harmonyEnds()[:3] {
		if strings.HasPrefix(h.held, mark) {
			h.held = h.held[len(mark):]
			return true
		}
	}
	header, _, found := strings.Cut(h.held[:min(len(h.held), maxHeader+len(harmonyBody))], harmonyBody)
	switch {
	case found:
		h.open(header, said)
		h.held = h.held[len(header)+len(harmonyBody):]
		return true
	case len(h.held) > maxHeader+len(harmonyBody):
		// No header: text, as far as the next mark.
		h.inBody, h.fresh, h.think, h.raw = true, true, false, false
		h.tell(said, h.held[:1])
		h.held = h.held[1:]
		return true
	}
	return false
}

// open begins the message of a header.
func (h *harmonySplitter) open(header string, said *[2]strings.Builder) {
	_, channel, _ := strings.Cut(header, harmonyChannel)
	h.inBody, h.fresh = true, true
	h.think = strings.HasPrefix(strings.TrimSpace(channel), "analysis")
	h.raw = strings.Contains(header, "to=")
	if h.raw {
		h.think = false
		h.tell(said, header+harmonyBody)
	}
}

// body passes a message on, as far as its end.
func (h *harmonySplitter) body(said *[2]strings.Builder) bool {
	end, mark := firstMark(h.held, harmonyEnds())
	if mark == "" {
		keep := len(h.held)
		for _, m := range harmonyEnds() {
			keep = min(keep, len(h.held)-partialSuffix(h.held, m))
		}
		h.tell(said, h.held[:keep])
		h.held = h.held[keep:]
		return false
	}
	h.tell(said, h.held[:end])
	h.inBody = false
	switch {
	case mark == harmonyStart || mark == harmonyChannel:
		h.held = h.held[end:]
	case h.raw:
		h.tell(said, mark)
		fallthrough
	default:
		h.held = h.held[end+len(mark):]
	}
	return true
}

// firstMark returns where the first of the marks stands, and which; "" when none does.
// All begin alike, so that what stands before it is looked at once.
func firstMark(s string, marks []string) (int, string) {
	for from := 0; ; from++ {
		i := strings.Index(s[from:], marks[0][:2])
		if i < 0 {
			return -1, ""
		}
		from += i
		for _, m := range marks {
			if strings.HasPrefix(s[from:], m) {
				return from, m
			}
		}
	}
}

// tell adds to what is said, apart from an earlier message by a blank line.
func (h *harmonySplitter) tell(said *[2]strings.Builder, text string) {
	if text == "" {
		return
	}
	kind := 0
	if h.think {
		kind = 1
	}
	if h.fresh && h.told[kind] && !h.raw {
		said[kind].WriteString("\n\n")
	}
	h.fresh, h.told[kind] = false, true
	said[kind].WriteString(text)
}
