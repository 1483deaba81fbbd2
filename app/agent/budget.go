package agent

import (
	"sync"
	"unicode/utf8"

	"bowerbird/app/llm"
	"bowerbird/tools"
)

// Sizes are counted in bytes and compared to the model's window in tokens by a
// ratio that each usage report corrects.
const (
	defaultWindow   = 32 << 10 // tokens, when nothing is known
	firstRatio      = 3.0      // bytes a token, before anything was measured
	leastRatio      = 1.0
	mostRatio       = 6.0
	mostResult      = 64 << 10 // bytes of one tool result, whatever the window
	leastResult     = tools.MinForModel
	typedResult     = 2 << 10 // for a model that reads values: only a later model reads the text
	messageOverhead = 16      // bytes a message costs beside its text
)

// gauge knows how much the model takes.
type gauge struct {
	mu     sync.Mutex
	window int // tokens
	ratio  float64
}

func newGauge(info llm.Info) *gauge {
	g := &gauge{window: info.Context, ratio: firstRatio}
	if g.window <= 0 {
		g.window = defaultWindow
	}
	return g
}

// learn corrects the ratio by what a request of so many bytes really cost: at
// once when it was more than thought, slowly when it was less.
func (g *gauge) learn(bytes, tokens int) {
	if tokens < 100 || bytes < 100 {
		return // templates and rounding outweigh the text
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	measured := min(max(float64(bytes)/float64(tokens), leastRatio), mostRatio)
	if measured > g.ratio {
		measured = (g.ratio + measured) / 2 // good news may be an exception
	}
	g.ratio = measured
}

// overflowed notes that a request of so many bytes was too much.
func (g *gauge) overflowed(bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.window = min(g.window, int(float64(bytes)/g.ratio)) * 3 / 4
}

// room is how many bytes a request may have, with space left for the answer.
func (g *gauge) room() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int(float64(g.window-min(g.window/4, 4096)) * g.ratio)
}

// result is how many bytes each of n results of a step may have: together a
// third of the window.
func (g *gauge) result(n int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	third := int(float64(g.window) * g.ratio / 3)
	return max(min(third/max(n, 1), mostResult), leastResult)
}

// fit makes the conversation small enough for the next request: the oldest turns
// are left out whole, then the oldest results of this turn are cut. A call is
// never parted from its result. It returns the messages to send.
func (r *run) fit() []llm.Message {
	if r.typed {
		return r.chat.Messages
	}
	room := r.gauge.room() - r.fixedSize()
	if size(r.chat.Messages[r.chat.LeftOut:]) > room {
		r.leaveOutTurns(room)
		r.cutResults(room)
	}
	return r.chat.Messages[r.chat.LeftOut:]
}

// leaveOutTurns drops more than it must, so that the start of the history, which
// the model's cache rests on, does not move with every step.
func (r *run) leaveOutTurns(room int) {
	for i := r.chat.LeftOut + 1; i <= r.first; i++ {
		if size(r.chat.Messages[r.chat.LeftOut:]) <= room*3/4 {
			return
		}
		if r.chat.Messages[i].Role == llm.User {
			r.chat.LeftOut = i
		}
	}
}

func (r *run) cutResults(room int) {
	over := size(r.chat.Messages[r.chat.LeftOut:]) - room
	for _, limit := range []int{8 << 10, 2 << 10, leastResult} {
		for i := r.first; i < len(r.chat.Messages) && over > 0; i++ {
			m := &r.chat.Messages[i]
			if m.Role != llm.ToolRole || len(m.Text) <= limit {
				continue
			}
			before := len(m.Text)
			if result, ok := r.results[i]; ok {
				m.Text = cut(result.ForModel(limit), limit)
			} else {
				m.Text = cut(m.Text, limit)
			}
			over -= before - len(m.Text)
		}
	}
}

// fixedSize is what every request holds beside the conversation.
func (r *run) fixedSize() int {
	n := len(r.system()) + len(r.opt.Prompts.Closing) + 2*messageOverhead
	for _, t := range r.tools.offer {
		n += len(t.Name) + len(t.Description) + len(t.Schema) + messageOverhead
	}
	return n
}

func size(messages []llm.Message) int {
	n := 0
	for i := range messages {
		m := &messages[i]
		n += messageOverhead + len(m.Text) + len(m.Reasoning) + len(m.Refusal) + len(m.CallID) + len(m.CallName)
		for _, c := range m.Calls {
			n += messageOverhead + len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Extra)
		}
		for _, e := range m.Echo {
			n += len(e)
		}
	}
	return n
}

// cut shortens text to at most limit bytes, between characters, and says so.
func cut(text string, limit int) string {
	const mark = "… [cut]"
	if len(text) <= limit {
		return text
	}
	end := max(limit-len(mark), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
