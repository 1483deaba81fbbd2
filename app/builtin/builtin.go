package builtin

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"bowerbird/app/llm"
	"bowerbird/tools"
)

// Options tell the model what a language model is told in its prompt. It is asked
// anew for each turn.
type Options struct {
	Now       func() time.Time      // default time.Now
	Zone      func() *time.Location // the user's zone; default the machine's
	LastVisit func() time.Time      // when the user was last here; zero or nil: unknown
	// Me is the user's public key as 64 hex digits, "" when nobody is chosen. The
	// user's own notes are read, but they are no news to him.
	Me func() string
	// Syncing reports whether notes are arriving right now; nil: no.
	Syncing func() bool
	// Fetching tells how it stands with whom the user follows; nil: FetchByHand.
	Fetching func() Fetching
	Scope    Scope
}

// Model is builtin:digest. It has no state beside its tables, and a draft that the next
// step of the same turn can take up; it may be used from any goroutine.
type Model struct {
	opt     Options
	parser  *parser
	grammar *grammar
	quoter  *quoter
	words   map[string]*words
	made    atomic.Pointer[made]
}

// New makes the model.
func New(opt Options) *Model {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Zone == nil {
		opt.Zone = func() *time.Location { return time.Local }
	}
	if opt.LastVisit == nil {
		opt.LastVisit = func() time.Time { return time.Time{} }
	}
	if opt.Me == nil {
		opt.Me = func() string { return "" }
	}
	if opt.Syncing == nil {
		opt.Syncing = func() bool { return false }
	}
	if opt.Fetching == nil {
		opt.Fetching = func() Fetching { return FetchByHand }
	}
	return &Model{opt: opt, parser: newParser(), grammar: newGrammar(), quoter: newQuoter(), words: allWords()}
}

// Info implements llm.Model. Text stays on this computer, and results are read
// as values, uncut.
func (m *Model) Info() llm.Info {
	return llm.Info{Provider: "builtin", Name: "digest", Typed: true}
}

// Stream implements llm.Model: it answers with the calls of the next step, or
// with the text. The only error is that of a cancelled context.
func (m *Model) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		t := m.readTurn(req)
		text := m.answer(ctx, t)
		if err := ctx.Err(); err != nil {
			yield(llm.Event{}, &llm.Error{Kind: llm.KindCancelled, Message: "the digest was cancelled", Err: err})
			return
		}
		for _, ev := range t.events(text) {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// events is what the model says in this step: its calls, or the text by lines.
func (t *turn) events(text string) []llm.Event {
	var evs []llm.Event
	echo := map[string]json.RawMessage{echoNow: t.clockRaw()}
	evs = append(evs, llm.Event{Type: llm.EventEcho, Echo: echo})
	if len(t.pending) > 0 {
		for i := range t.pending {
			evs = append(evs, llm.Event{Type: llm.EventToolCall, Call: &t.pending[i]})
		}
		return append(evs, llm.Event{Type: llm.EventFinish, Finish: "tool_calls"})
	}
	for line := range strings.Lines(text) {
		evs = append(evs, llm.Event{Type: llm.EventText, Delta: line})
	}
	return append(evs, llm.Event{Type: llm.EventFinish, Finish: "stop"})
}

// answer plays the question's plan from its start. What earlier steps found out
// is at hand at once; what is still unknown becomes the calls of this step, and
// the text then counts for nothing.
func (m *Model) answer(ctx context.Context, t *turn) string {
	q := m.opt.Scope.settle(m.parser.parse(t.question, t.calendar))
	p := &plan{Model: m, turn: t, ctx: ctx, q: q, words: m.words[q.lang].inWindow(m.opt.Fetching()), me: m.opt.Me()}
	if m.opt.Scope.Everyone {
		p.words, p.stored = p.words.forEveryone()
	}
	if q.window.asked && q.window.until.Before(t.calendar.oldest()) && q.intent != help && q.intent != unknown {
		return fill(p.words.nothing, "window", p.words.window(q.window, t.calendar.now))
	}
	switch q.intent {
	case digest:
		return p.digest()
	case search:
		return p.search()
	case thread:
		return p.thread()
	case longestThread:
		return p.longestThread()
	case topHashtags:
		return p.hashtags()
	case topPosters:
		return p.posters()
	case count:
		return p.count()
	case whoIs:
		return p.whoIs()
	case help:
		return p.help()
	default:
		return p.unknown()
	}
}

// plan is one question on its way to an answer.
type plan struct {
	*Model
	*turn
	ctx   context.Context
	q     question
	words *words
	// stored says how complete all stored notes are; "" where those of the people
	// followed are meant.
	stored string
	me     string
	who    *tools.ProfileResult // the one person that is told about; nil for others
}
