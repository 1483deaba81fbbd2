package answers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/chats"
	"bowerbird/app/check"
	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// Assembler builds a [Turn] from the events of its answer as they arrive. It reads notes
// where it is called, so it must not be used on the window's thread; only one goroutine
// may use it at a time.
type Assembler struct {
	turn    Turn
	find    NoteFinder
	steps   []*turnStep
	sources []foundSource
	missing int
	problem *Problem
	retry   *Notice // until the next event
	waiting map[string]bool
	finish  string
	trimmed bool
	checked *check.Report // nil until the answer was looked at
	unread  []Block       // above an answer for which no note was read
	refused []string      // tools that the model's provider does not take

	works    map[int]madeWork // by the step of their first call
	digest   *Digest          // with everything drawn within it
	thinking *Notice          // while nothing is said yet
	asking   *Notice          // while an approval is waited for
}

// turnStep is one model call.
type turnStep struct {
	n                       int
	text, thinking, refusal strings.Builder
	calls                   []*turnCall
	shown                   []Block // tables and charts
	over                    bool    // a later event than its text has come

	thoughts, words, refused kept
}

// kept are blocks with the state that they were made from: they are reused while it is the
// same.
type kept struct {
	from   wordsOf
	blocks []Block
}

// wordsOf is the state of a text that only grows.
type wordsOf struct {
	length, sources int
	ended, checked  bool
}

// get returns the blocks for a state, and makes them if it has changed.
func (k *kept) get(from wordsOf, fresh func() []Block) []Block {
	if k.from != from {
		k.from, k.blocks = from, fresh()
	}
	return k.blocks
}

// turnCall is one call of a tool.
type turnCall struct {
	event   agent.Event
	begun   bool         // its arguments still come
	started bool         // it runs, or ran, and does more than read
	result  *agent.Event // nil while it runs

	progress *tools.Progress // as its server last reported; nil for nothing
}

// NewAssembler returns the assembler of a turn that begins. head has its Question, Asked,
// Scope, Model and Host.
func NewAssembler(head Turn, find NoteFinder) *Assembler {
	head.State, head.Blocks = chats.Running, nil
	return &Assembler{
		turn: head, find: find, waiting: map[string]bool{}, works: map[int]madeWork{},
		thinking: &Notice{Name: "thinking", Words: phrase("Thinking")},
		asking:   &Notice{Name: "waiting", Words: phrase("Waiting for your answer")},
	}
}

// SavedTurn returns a saved turn as it looked when it ended.
func SavedTurn(ctx context.Context, t chats.Turn, host string, find NoteFinder) Turn {
	a := NewAssembler(Turn{
		ID: t.ID, Number: t.Number, Question: t.Question, Asked: t.Asked, Scope: app.SavedScope(t.Scope), Model: t.Model, Host: host,
	}, find)
	for _, e := range t.Events {
		a.Add(ctx, e)
	}
	a.End(t.State)
	return a.Turn()
}

// Add processes the next event.
func (a *Assembler) Add(ctx context.Context, e agent.Event) {
	if a.turn.ID == "" {
		a.turn.ID = e.Turn
	}
	if e.Type != agent.EventUsage {
		a.retry = nil
	}
	e = chats.Kept(e)
	s := a.step(e.Step)
	switch e.Type {
	case agent.EventText:
		s.text.WriteString(e.Delta)
	case agent.EventReasoning:
		s.thinking.WriteString(e.Delta)
	case agent.EventRefusal:
		s.refusal.WriteString(e.Delta)
	case agent.EventToolCallBegun:
		s.calls = append(s.calls, &turnCall{event: e, begun: true})
	case agent.EventToolCall:
		s.call(e)
	case agent.EventApproval:
		s.calls = slices.DeleteFunc(s.calls, stillComes)
		a.waiting[e.ID] = true
	case agent.EventToolStarted:
		delete(a.waiting, e.ID)
		s.start(e.ID)
	case agent.EventProgress:
		s.progress(e)
	case agent.EventToolResult:
		s.calls = slices.DeleteFunc(s.calls, stillComes)
		delete(a.waiting, e.ID)
		a.result(s, e)
	case agent.EventPresentNotes:
		a.present(ctx, e)
	case agent.EventTable:
		s.shown = append(s.shown, &Table{Call: s.shownName(), TableResult: e.Table})
	case agent.EventChart:
		s.shown = append(s.shown, &Chart{Call: s.shownName(), ChartResult: readChart(e.Chart)})
	case agent.EventUsage:
		a.turn.Spent.add(e)
	case agent.EventChecked:
		a.checked = e.Checked
		if a.checked.Read == 0 {
			a.unread = []Block{&Notice{Name: "unread", Words: phrase("No note was read for this answer.")}}
		}
	case agent.EventRetrying:
		a.takeBack(s, e)
	case agent.EventError:
		f := failure{kind: "api"}
		if e.Err != nil {
			f = failure{
				kind: string(e.Err.Kind), cause: e.Err.Cause, message: e.Err.Message,
				status: e.Err.Status, wait: e.Err.RetryAfterSeconds,
			}
		}
		f.said = a.said()
		a.problem = problemOf(f, a.turn)
	case agent.EventFinish:
		a.finish, a.trimmed = e.Finish, e.Trimmed
		a.turn.Spent.All, a.turn.Spent.Own = e.Cost, e.CostBy != ""
		switch e.Finish {
		case agent.FinishCancelled:
			a.turn.State = chats.Cancelled
		case agent.FinishError:
			a.turn.State = chats.Failed
		default:
			a.turn.State = chats.Done
		}
	}
}

// End sets the state of a turn without a finish event, or whose saved state differs.
func (a *Assembler) End(s chats.State) {
	a.turn.State = s
	a.retry = nil
}

// step returns a step by its number, and ends the earlier ones.
func (a *Assembler) step(n int) *turnStep {
	for _, s := range slices.Backward(a.steps) {
		if s.n == n {
			return s
		}
	}
	for _, s := range a.steps {
		s.over = true
	}
	a.steps = append(a.steps, &turnStep{n: n})
	return a.steps[len(a.steps)-1]
}

// call adds a complete call. It replaces the one that was announced while its arguments
// arrived: the one with the same id, else the first one.
func (s *turnStep) call(e agent.Event) {
	at := slices.IndexFunc(s.calls, func(c *turnCall) bool { return c.begun && e.ID != "" && c.event.ID == e.ID })
	if at < 0 {
		at = slices.IndexFunc(s.calls, stillComes)
	}
	if at < 0 {
		s.calls = append(s.calls, &turnCall{event: e})
		return
	}
	s.calls[at] = &turnCall{event: e}
}

func stillComes(c *turnCall) bool { return c.begun }

// made returns the calls of the step, without incomplete ones if it is over.
func (s *turnStep) made(over bool) []*turnCall {
	if !over {
		return s.calls
	}
	return slices.DeleteFunc(slices.Clone(s.calls), stillComes)
}

// start marks a call as started.
func (s *turnStep) start(id string) {
	for _, c := range s.calls {
		if c.event.ID == id && c.result == nil {
			c.started = true
			return
		}
	}
}

// progress notes how far a call is.
func (s *turnStep) progress(e agent.Event) {
	for _, c := range s.calls {
		if c.event.ID == e.ID && c.result == nil {
			c.progress = e.Progress
			return
		}
	}
}

// shownName names the next table or chart of a step. The ids of calls cannot serve: they
// are not saved, and may repeat between steps.
func (s *turnStep) shownName() string { return fmt.Sprintf("%d.%d", s.n, len(s.shown)+1) }

// result adds a result to its call: the first call with that id and no result yet.
func (a *Assembler) result(s *turnStep, e agent.Event) {
	for _, c := range s.calls {
		if c.event.ID == e.ID && c.result == nil {
			c.result = &e
			return
		}
	}
}

// takeBack drops what a step has said and called so far, since the model is asked again.
func (a *Assembler) takeBack(s *turnStep, e agent.Event) {
	*s = turnStep{n: s.n, shown: s.shown}
	if a.retry = retryNotice("", 0); e.Retry == nil {
		return
	}
	a.retry = retryNotice(e.Retry.Reason, e.Retry.AfterSeconds)
	if names, refused := strings.CutPrefix(e.Retry.Reason, llm.ToolRefused); refused {
		a.refused = append(a.refused, clean.Line(names, 300))
	}
}

// markdown returns the text of the step, cleaned.
func (s *turnStep) markdown() string { return strings.TrimSpace(cleanSaid(s.text.String())) }

// cleanSaid cleans a model's text, also of the private characters that mark doubts in the
// window.
func cleanSaid(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xe0f0 && r <= 0xe0f3 {
			return -1
		}
		return r
	}, clean.Text(text))
}

// shifted moves the marks of a raw text to their places in the cleaned text.
func shifted(marks []check.Mark, raw, text string) []check.Mark {
	var out []check.Mark
	whole := cleanSaid(raw)
	lead := len(whole) - len(strings.TrimLeftFunc(whole, unicode.IsSpace))
	at := func(i int) int { return min(len(cleanSaid(raw[:min(i, len(raw))]))-lead, len(text)) }
	for _, m := range marks {
		m.Start, m.End, m.After, m.Text = at(m.Start), at(m.End), at(m.After), cleanSaid(m.Text)
		out = append(out, m)
	}
	return out
}

// The most that is shown of a model's thoughts and of its words for a refusal.
const (
	besideLines = 200
	besideRunes = 6000
)

// shortened cleans and clamps a text that is shown beside the answer.
func shortened(text string) string {
	if len(text) > 16*besideRunes {
		text = strings.ToValidUTF8(text[:16*besideRunes], "")
	}
	text, _ = present.Clamp(strings.TrimSpace(clean.Text(text)), besideLines, besideRunes)
	return text
}

// Turn returns the current state of the turn. Earlier results stay valid, and blocks that
// did not change are the same pointers, so that they need not be drawn again.
func (a *Assembler) Turn() Turn {
	t := a.turn
	t.Blocks = nil
	var later []Block // of the built-in, which draws before it writes, while they belong below its text
	var group []*turnCall
	first, said := 0, false
	add := func(blocks ...Block) {
		if len(blocks) > 0 && len(group) > 0 {
			t.Blocks = append(t.Blocks, a.work(first, group))
			group = nil
		}
		t.Blocks = append(t.Blocks, blocks...)
	}
	if len(a.refused) > 0 {
		add(&Notice{Name: "left out", Words: phrase("Left out, because the model's provider does not accept it: {{.Tool}}", "Tool", strings.Join(a.refused, ", "))})
	}
	for _, s := range a.steps {
		calls := s.made(s.over || !t.Running())
		ended := s.over || !t.Running() || slices.ContainsFunc(calls, func(c *turnCall) bool { return !c.begun })
		add(s.thoughtBlocks(ended)...)
		words := a.wordBlocks(s, ended)
		if len(words) > 0 && !said {
			add(a.unread...)
		}
		add(words...)
		said = said || len(words) > 0
		if len(group) == 0 {
			first = s.n
		}
		group = append(group, calls...)
		if said || t.Model != config.DefaultModel {
			add(s.shown...)
		} else {
			later = append(later, s.shown...)
		}
	}
	if len(group) > 0 {
		t.Blocks = append(t.Blocks, a.work(first, group))
	}
	// What is below the text is added when the text has ended: until then the newest words
	// are at the end, where the user reads.
	if !t.Running() {
		t.Blocks = a.gathered(append(t.Blocks, a.below(later)...))
		return t
	}
	if n := a.underWay(t.Blocks); n != nil {
		t.Blocks = append(t.Blocks, n)
	}
	t.Cited = make(map[int]nostr.ID)
	for _, s := range a.sources {
		if !s.Gone {
			t.Cited[s.Index] = s.ID
		}
	}
	return t
}

// thoughtBlocks returns what a model thought in a step.
func (s *turnStep) thoughtBlocks(ended bool) []Block {
	from := wordsOf{length: s.thinking.Len(), ended: ended || s.text.Len() > 0}
	return s.thoughts.get(from, func() []Block {
		text := shortened(s.thinking.String())
		if text == "" {
			return nil
		}
		return []Block{&Thinking{Step: s.n, Text: text, Final: from.ended}}
	})
}

// wordBlocks returns what a model said in a step.
func (a *Assembler) wordBlocks(s *turnStep, ended bool) []Block {
	from := wordsOf{s.text.Len(), len(a.sources), ended, a.checked != nil}
	words := s.words.get(from, func() []Block {
		text := s.markdown()
		if text == "" {
			return nil
		}
		said := &Said{Step: s.n, Markdown: text, Sources: from.sources, Final: ended}
		if a.checked != nil {
			said.Marks = shifted(a.checked.Of(s.n), s.text.String(), text)
		}
		return a.parted(said)
	})
	refused := s.refused.get(wordsOf{length: s.refusal.Len()}, func() []Block {
		text := shortened(s.refusal.String())
		if text == "" {
			return nil
		}
		return []Block{&Refusal{Step: s.n, Text: text}}
	})
	return slices.Concat(words, refused)
}

// parted returns the blocks of the text of a step. Complete answers of the built-in are
// split into their known parts.
func (a *Assembler) parted(b *Said) []Block {
	if !b.Final || a.turn.Model != config.DefaultModel {
		return []Block{b}
	}
	if list, ok := builtin.ReadOffer(b.Markdown); ok {
		b.Markdown = list.Before
		return []Block{b, &Offer{Step: b.Step, Questions: list.Questions, Patterns: list.Patterns}}
	}
	if d, ok := builtin.ReadDigest(b.Markdown); ok {
		return []Block{&Digest{Step: b.Step, Markdown: b.Markdown, Parts: d}}
	}
	return []Block{b}
}

// below returns what follows the text of an answer that has ended.
func (a *Assembler) below(later []Block) []Block {
	var blocks []Block
	if a.checked != nil && a.checked.Sentences+a.checked.Quotes+a.checked.Numbers+len(a.checked.Marks)+len(a.sources) > 0 {
		blocks = append(blocks, &Checked{*a.checked})
	}
	if len(a.sources)+a.missing > 0 {
		blocks = append(blocks, &Sources{List: a.sourceList(), Missing: a.missing})
	}
	blocks = append(blocks, later...)
	if c := a.coverage(); c != nil {
		blocks = append(blocks, c)
	}
	if a.problem != nil {
		blocks = append(blocks, a.problem)
	}
	if n := endNotice(a.turn.State, a.trimmed, a.finish, len(a.waiting)); n != nil {
		blocks = append(blocks, n)
	}
	if a.turn.Toolless && a.problem == nil {
		blocks = append(blocks, &Notice{Name: "toolless", Words: phrase("Answered without your notes: your settings do not let this model look anything up.")})
	}
	if a.problem != nil && !a.said() {
		return blocks // nothing to copy, and the problem says what can be done
	}
	return append(blocks, &Foot{Model: a.turn.Model})
}

// said reports whether the model said anything.
func (a *Assembler) said() bool {
	return slices.ContainsFunc(a.steps, func(s *turnStep) bool { return s.text.Len()+s.refusal.Len() > 0 })
}

// underWay returns a notice of what the turn waits for, unless another block shows it.
func (a *Assembler) underWay(blocks []Block) Block {
	if a.retry != nil {
		return a.retry
	}
	if len(a.waiting) > 0 {
		return a.asking
	}
	if len(blocks) > 0 {
		switch b := blocks[len(blocks)-1].(type) {
		case *Work:
			if b.State == WorkRunning {
				return nil
			}
		case *Said, *Refusal:
			return nil
		case *Thinking:
			if !b.Final {
				return nil
			}
		}
	}
	return a.thinking
}
