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

// A turn is what one request says of the turn under way: the question, the time
// at which it was put, and what tools have answered so far. Plans are written as
// if every answer were there already (see ask); a request replays them.
type turn struct {
	ctx      context.Context // of the request: nobody waits for what is made after its end
	question string
	before   []string        // questions of the chat before it, oldest first
	said     []earlierAnswer // to each of before
	calendar question.Calendar
	results  map[string]llm.Message // by callKey
	offered  map[string]bool        // tools that may be called; nil: none any more
	pending  []llm.Call             // what this step has to ask
	first    *tools.Note            // that was read; nil: none
	steps    int                    // before this one
	chosen   bool                   // all is read, and it is chosen what is told
}

// maxSteps is how many steps a turn takes at most. The last one answers; before it one is kept
// for showing notes, and one for looking up what those that are told answer: however long
// reading takes, what was found is told.
const (
	maxSteps    = 12
	lookUpUntil = maxSteps - 2
	readUntil   = lookUpUntil - 1
)

// until is before which step a tool may be called.
func (t *turn) until(tool string) int {
	switch {
	case tool == "present_notes" || strings.HasPrefix(tool, "render_"):
		return maxSteps
	case t.chosen:
		return lookUpUntil
	}
	return readUntil
}

// contextMark begins the part of a user's message that is not the user's; see
// app/agent.
const contextMark = "<context>"

// echoNow names the member of a message that keeps the turn's time, so that all
// its steps speak of the same windows.
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

// lastQuestion finds the newest message that the user wrote. Messages without
// the mark are the agent's own remarks, unless none has it.
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

// maxBefore is how far back in a chat a follow-up is traced.
const maxBefore = 8

// earlier returns what the user asked in the messages before, and what was answered.
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

// callKey names a call by what it asks, whatever id it was given on the way.
func callKey(name string, args json.RawMessage) string {
	var b bytes.Buffer
	b.WriteString(name)
	if err := json.Compact(&b, args); err != nil {
		b.Write(args)
	}
	return b.String()
}

// found is a tool's answer. Exactly one of value, err and waiting says how it
// stands.
type found[R any] struct {
	value   *R
	err     string // why the tool could not answer
	failed  bool   // it was called, and found nothing
	waiting bool
}

// stepCalls is how many calls of one step are run.
const stepCalls = 128

// ask is a call of a tool: its answer when it is here, else it is put on the list
// of this step, or where that is full of a later one. It fails where the tool may not be
// called any more, and where its time ran out.
func ask[R any](t *turn, tool string, args any) found[R] {
	got := askPart[R](t, tool, args)
	if got.value != nil {
		if part, can := any(*got.value).(interface{ Partial() bool }); can && part.Partial() {
			return found[R]{err: tool + " ran out of time"}
		}
	}
	return got
}

// askPart asks as ask does, and takes what was counted when the tool's time ran out.
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

// waiting reports whether the plan cannot go on in this step.
func (t *turn) waiting() bool { return len(t.pending) > 0 }

// until yields the elements of a list as long as a context has not ended.
func until[T any](ctx context.Context, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, x := range list {
			if ctx.Err() != nil || !yield(i, x) {
				return
			}
		}
	}
}
