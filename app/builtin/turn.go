package builtin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/llm"
	"bowerbird/tools"
)

// A turn is what a request contains of the turn under way: the question, when it was asked,
// and what tools have answered so far. Plans are written as if every result were there
// already (see ask), and each request replays them.
type turn struct {
	ctx      context.Context // of the request
	question string
	before   []string        // questions of the chat before it, oldest first
	said     []earlierAnswer // to each of before
	calendar question.Calendar
	results  map[string]llm.Message // by callKey
	offered  map[string]bool        // tools that may be called; nil: none
	pending  []llm.Call             // the calls of this step
	first    *tools.Note            // the first note that was read; nil for none
	steps    int                    // before this one
	chosen   bool                   // everything is read, and the topics are chosen
}

// maxSteps is how many steps a turn takes at most. The last one answers; before it, one is
// reserved for showing notes and one for looking up what the quoted notes answer. So
// however long reading takes, the result is shown.
const (
	maxSteps    = 12
	lookUpUntil = maxSteps - 2
	readUntil   = lookUpUntil - 1
)

// until returns the step before which a tool may be called.
func (t *turn) until(tool string) int {
	switch {
	case tool == "present_notes" || strings.HasPrefix(tool, "render_"):
		return maxSteps
	case t.chosen:
		return lookUpUntil
	}
	return readUntil
}

// contextMark begins the part of a user's message that the agent adds.
const contextMark = "<context>"

// echoNow is the echo that keeps the turn's time, so that all its steps compute the same
// windows.
const echoNow = "builtin_now"

func (m *Model) readTurn(ctx context.Context, req *llm.Request) *turn {
	start := lastQuestion(req.Messages)
	t := &turn{ctx: ctx, results: map[string]llm.Message{}}
	if start >= 0 {
		t.question = userWords(req.Messages[start].Text)
		t.before, t.said = earlier(req.Messages[:start])
	}
	zone := m.opt.Zone()
	t.calendar = question.Calendar{Now: m.opt.Now().In(zone).Truncate(time.Second), LastVisit: m.opt.LastVisit()}
	asked := map[string]string{} // call id to callKey
	for _, msg := range req.Messages[start+1:] {
		if now, err := strconv.ParseInt(string(msg.Echo[echoNow]), 10, 64); err == nil {
			t.calendar.Now = time.Unix(now, 0).In(zone)
		}
		if len(msg.Calls) > 0 {
			t.steps++
		}
		for _, c := range msg.Calls {
			asked[c.ID] = callKey(c.Name, c.Arguments)
		}
		if msg.Role == llm.ToolRole {
			t.results[asked[msg.CallID]] = msg
			if q, ok := msg.Value.(tools.QueryResult); ok && len(q.Notes) > 0 && t.first == nil {
				t.first = &q.Notes[0]
			}
		}
	}
	if req.ToolChoice != llm.ToolNone {
		t.offered = map[string]bool{}
		for _, tool := range req.Tools {
			t.offered[tool.Name] = true
		}
	}
	return t
}

// lastQuestion returns the index of the newest message that the user wrote, or -1. Messages
// without the mark are the agent's own remarks, unless none has it.
func lastQuestion(msgs []llm.Message) int {
	last := -1
	for i, msg := range slices.Backward(msgs) {
		if msg.Role != llm.User || userWords(msg.Text) == "" {
			continue
		}
		if strings.Contains("\n"+msg.Text, "\n"+contextMark) {
			return i
		}
		if last < 0 {
			last = i
		}
	}
	return last
}

// maxBefore is how many questions back a follow-up is resolved.
const maxBefore = 8

// earlier returns the previous questions and their answers, oldest first.
func earlier(msgs []llm.Message) (asked []string, said []earlierAnswer) {
	for i := lastQuestion(msgs); i >= 0 && len(asked) < maxBefore; i = lastQuestion(msgs) {
		asked, said = append(asked, userWords(msgs[i].Text)), append(said, answerIn(msgs[i:]))
		msgs = msgs[:i]
	}
	slices.Reverse(asked)
	slices.Reverse(said)
	return asked, said
}

// answerIn returns the answer in the messages of one turn.
func answerIn(msgs []llm.Message) earlierAnswer {
	said := earlierAnswer{notes: map[int]string{}}
	for _, msg := range msgs {
		if msg.Role == llm.Assistant && strings.TrimSpace(msg.Text) != "" {
			said.text = msg.Text
		}
		if msg.Role == llm.ToolRole && msg.CallName == "present_notes" {
			var shown tools.PresentResult
			if v, ok := msg.Value.(tools.PresentResult); ok {
				shown = v
			} else if json.Unmarshal([]byte(msg.Text), &shown) != nil {
				continue // it was cut
			}
			for _, n := range shown.Presented {
				said.notes[n.Index] = n.NoteID
			}
		}
	}
	return said
}

func userWords(text string) string {
	words, _, _ := strings.Cut("\n"+text, "\n"+contextMark)
	return strings.TrimSpace(words)
}

// callKey identifies a call by its tool and arguments, whatever id it was given.
func callKey(name string, args json.RawMessage) string {
	var b bytes.Buffer
	b.WriteString(name)
	if err := json.Compact(&b, args); err != nil {
		b.Write(args)
	}
	return b.String()
}

// found is a tool's answer: exactly one of value, err and waiting is set.
type found[R any] struct {
	value   *R
	err     string // why the tool could not answer
	failed  bool   // the tool was called and reported an error
	waiting bool
}

// stepCalls is how many calls the agent runs in a step.
const stepCalls = 128

// ask returns a tool's answer if it is there, and requests it otherwise: in this step or,
// if that is full, in a later one. It fails if the tool may not be called any more, or if
// it ran out of time.
func ask[R any](t *turn, tool string, args any) found[R] {
	got := askPart[R](t, tool, args)
	if got.value != nil {
		if part, can := any(*got.value).(interface{ Partial() bool }); can && part.Partial() {
			return found[R]{err: tool + " ran out of time"}
		}
	}
	return got
}

// askPart does what ask does, but accepts the partial count of a tool that ran out of time.
func askPart[R any](t *turn, tool string, args any) found[R] {
	raw, err := json.Marshal(args)
	if err != nil {
		return found[R]{err: err.Error()}
	}
	key := callKey(tool, raw)
	msg, ok := t.results[key]
	switch {
	case ok && msg.Failed:
		return found[R]{err: msg.Text, failed: true}
	case ok:
		switch v := msg.Value.(type) {
		case R:
			return found[R]{value: &v}
		case *R:
			return found[R]{value: v}
		}
		return found[R]{err: tool + " answered with something else"}
	case !t.offered[tool]:
		return found[R]{err: tool + " is not offered"}
	case t.steps >= t.until(tool):
		return found[R]{err: "no step is left for " + tool}
	}
	sum := sha256.Sum256([]byte(key))
	id := tool + "_" + hex.EncodeToString(sum[:6])
	if len(t.pending) < stepCalls && !slices.ContainsFunc(t.pending, func(c llm.Call) bool { return c.ID == id }) {
		t.pending = append(t.pending, llm.Call{ID: id, Name: tool, Arguments: raw})
	}
	return found[R]{waiting: true}
}

// waiting reports whether the plan must wait for results.
func (t *turn) waiting() bool { return len(t.pending) > 0 }

// until yields the elements of a list as long as ctx has not ended.
func until[T any](ctx context.Context, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, x := range list {
			if ctx.Err() != nil || !yield(i, x) {
				return
			}
		}
	}
}
