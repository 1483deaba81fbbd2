package agent

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"bowerbird/llm"
	"bowerbird/tools"
)

// Sizes are counted in bytes, since counting tokens needs each model's own tokenizer. They
// are compared with the model's window by a ratio that each usage report corrects.
const (
	defaultWindow   = 32 << 10 // tokens, when nothing is known
	firstRatio      = 3.0      // bytes a token, before it was measured: cautious
	sureRatio       = 4.0      // bytes a token, to reject a request that is certainly too long
	leastRatio      = 1.0
	mostRatio       = 6.0
	mostResult      = 64 << 10 // bytes of one tool result, whatever the window
	leastResult     = tools.MinForModel
	leastAnswer     = 256     // tokens
	typedResult     = 2 << 10 // for a model that reads values; only other models later read the text
	messageOverhead = 16      // bytes a message costs beside its text
)

// Gauge estimates how much a model takes: its window, and how many bytes make a token. It
// learns from each answer, so agents of the same model share one.
type Gauge struct {
	mu       sync.Mutex
	window   int // tokens
	ratio    float64
	known    int  // the window as the provider reports it; 0 if unknown
	answer   int  // tokens that the user allows an answer; 0 if not set
	measured bool // the ratio
}

// NewGauge returns a Gauge that knows no more than info.
func NewGauge(info llm.Info) *Gauge {
	g := &Gauge{window: info.Context, ratio: firstRatio, known: info.Context, answer: info.Answer}
	if g.window <= 0 {
		g.window = defaultWindow
	}
	return g
}

// learn corrects the ratio by what a request cost: at once if it was more than estimated,
// slowly if it was less.
func (g *Gauge) learn(bytes, tokens int) {
	if tokens < 100 || bytes < 100 {
		return // templates and rounding outweigh the text
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	measured := min(max(float64(bytes)/float64(tokens), leastRatio), mostRatio)
	if measured > g.ratio {
		measured = (g.ratio + measured) / 2 // good news may be an exception
	}
	g.ratio, g.measured = measured, true
}

// cannot reports that a request certainly does not fit the window with the shortest answer,
// and its approximate size in tokens. If the window is unknown, sure is false: the server
// will know.
func (g *Gauge) cannot(bytes int) (tokens, window int, sure bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ratio := g.ratio
	if !g.measured {
		ratio = sureRatio
	}
	tokens = int(float64(bytes) / ratio)
	return tokens, g.known, g.known > 0 && tokens+leastAnswer > g.known
}

// overflowed records that a request of so many bytes was too long.
func (g *Gauge) overflowed(bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.window = min(g.window, int(float64(bytes)/g.ratio)) * 3 / 4
}

// budget returns how many bytes a request may have, with space left for the answer: as much
// as the user set, but at most half of the window.
func (g *Gauge) budget() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	answer := max(min(g.window/4, 4096), min(g.window/2, g.answer))
	return int(float64(g.window-answer) * g.ratio)
}

// result returns how many bytes each of n results of a step may have: a third of the window
// in all.
func (g *Gauge) result(n int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	third := int(float64(g.window) * g.ratio / 3)
	return max(min(third/max(n, 1), mostResult), leastResult)
}

// fit shortens the conversation for the next request, what is least missed first: calls and
// results of the oldest turns, much of this turn's oldest results, the oldest turns whole,
// nearly all of this turn's results. A call is never separated from its result. It returns
// the messages to send.
func (r *run) fit() []llm.Message {
	if r.typed {
		return r.chat.Messages
	}
	budget := r.gauge.budget() - r.fixedSize()
	for _, shorten := range []func(){
		// More than necessary, so that the start of the history, on which the provider's
		// cache depends, does not move with every step.
		func() { r.moveUp(&r.chat.Bare, budget*3/4) },
		func() { r.cutResults(budget, 8<<10) },
		func() { r.cutResults(budget, 2<<10) },
		func() { r.moveUp(&r.chat.LeftOut, budget*3/4) },
		func() { r.cutResults(budget, leastResult) },
	} {
		if size(r.chat.sent()) <= budget {
			break
		}
		shorten()
	}
	return r.chat.sent()
}

// tooLong returns the error of a request that cannot fit although everything was cut that
// may be. It is not sent: some servers silently cut a prompt at its beginning.
func (r *run) tooLong(sent []llm.Message) error {
	tokens, window, sure := r.gauge.cannot(size(sent) + r.fixedSize())
	if !sure {
		return nil
	}
	question := size(r.chat.Messages[r.first:min(r.first+1, len(r.chat.Messages))])
	fixed, _, alone := r.gauge.cannot(r.fixedSize() + messageOverhead)
	what := "the question and what was found for it are"
	do := "ask about less at once, or choose a model with a larger window"
	switch {
	case alone:
		what, tokens = "the instructions and tools sent with every question are", fixed
		do = "choose a model with a larger window, or let its server start it with a larger one"
	case question > size(sent)/2:
		what, do = "the question is", "shorten it, or choose a model with a larger window"
	}
	return &llm.Error{Kind: llm.KindContext, Message: fmt.Sprintf(
		"%s too long for this model: about %d tokens, and it reads %d at a time; %s", what, tokens, window, do)}
}

// moveUp advances a mark turn by turn, up to this turn, until what is sent is small enough.
func (r *run) moveUp(mark *int, target int) {
	for i := *mark + 1; i <= r.first && size(r.chat.sent()) > target; i++ {
		if r.chat.Messages[i].Role == llm.User {
			*mark = i
		}
	}
}

// sent returns the messages that still go to the model.
func (c *Conversation) sent() []llm.Message {
	out := make([]llm.Message, 0, len(c.Messages)-c.LeftOut)
	for i, m := range c.Messages[c.LeftOut:] {
		if i+c.LeftOut >= c.Bare {
			out = append(out, m)
			continue
		}
		if m.Role == llm.User {
			if at := strings.LastIndex(m.Text, "\n\n"+contextMark); at >= 0 {
				m.Text = m.Text[:at] // the time then, which nothing that is left rests on
			}
			out = append(out, m)
			continue
		}
		if m.Role == llm.ToolRole {
			continue
		}
		if len(m.Calls) > 0 { // only its words: without its calls, and what its provider wants back with them
			m = llm.Message{Role: m.Role, By: m.By, Text: m.Text, Refusal: m.Refusal}
		}
		if m.Text == "" && m.Refusal == "" {
			continue
		}
		// Two answers in a row are one: servers refuse what does not take turns.
		if n := len(out); n > 0 && out[n-1].Role == llm.Assistant {
			m = llm.Message{Role: llm.Assistant, By: m.By, Text: spoken(out[n-1]) + "\n\n" + spoken(m)}
			out = out[:n-1]
		}
		out = append(out, m)
	}
	return out
}

func spoken(m llm.Message) string { return cmp.Or(m.Text, m.Refusal) }

// cutResults shortens this turn's results to limit bytes, the oldest first, until what is
// sent fits the budget.
func (r *run) cutResults(budget, limit int) {
	over := size(r.chat.sent()) - budget
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

// fixedSize is the size of a request without the conversation.
func (r *run) fixedSize() int {
	return len(r.system()) + toolsSize(r.outfit.tools) + len(resultsRead) + len(r.opt.Prompts.Closing) + 3*messageOverhead
}

// toolsSize is the size of a list of tools in a request.
func toolsSize(list []llm.Tool) int {
	n := 0
	for _, t := range list {
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

// cut shortens text to at most limit bytes, between characters, and marks the cut.
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
