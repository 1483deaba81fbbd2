package llm

import (
	"encoding/json"
	"maps"
	"strings"
)

// answer turns the data of one answer into events, the calls last. It has no connection.
type answer struct {
	row    Provider
	decode decoder
	newID  func() string

	halves  surrogates
	inText  *textReader // nil if the text contains nothing but text
	marked  *textReader // of text that is marked as reasoning
	calls   assembler
	beside  assembler // see chunk.beside
	echo    echoes
	given   func() members  // chunk.echo
	said    strings.Builder // the text so far, for chunks that repeat it
	thought strings.Builder // the reasoning so far, likewise
	deltas  bool            // some chunks held only what is new
	pieces  bool            // chunks that should hold everything so far hold only what is new
	visible bool            // an event with text, reasoning or a refusal has been emitted
	silent  bool            // may be empty: see Request.Answered

	finish, native string
	done           bool // [DONE] or its equivalent was received
	usage          json.RawMessage
	failed         *Error // for a chunk that could not be read, although others could
}

func newAnswer(row Provider, speaks family, inText *textReader, newID func() string) *answer {
	a := &answer{row: row, decode: speaks.decoder(), newID: newID}
	if speaks.tagged() {
		a.inText, a.marked = inText, newTextReader(nil, "", false)
	}
	return a
}

func (a *answer) read(e sseEvent) (events []Event, stop bool, err *Error) {
	e.data = a.halves.join(e.data)
	c, parseErr := a.decode(e)
	if parseErr != nil {
		a.failed = &Error{Kind: KindBadChunk, Message: "a part of the answer cannot be read", Err: parseErr}
		// If a call has begun, its missing piece cannot be reconstructed: stop.
		return nil, len(a.calls.slots) > 0, nil
	}
	if a.inText != nil && opensThinking(c.model) {
		a.inText.options.ThinkingOpen = true // has an effect before the first piece only
	}
	events = a.take(c)
	if c.err != nil {
		return events, true, c.err
	}
	a.done = a.done || c.done
	return events, c.done, nil
}

func (a *answer) take(c chunk) []Event {
	if c.usage != nil && (a.usage == nil || countsAny(c.usage)) {
		a.usage = c.usage
	}
	if c.finish != "" {
		a.finish = c.finish
	}
	if c.echo != nil {
		a.given = c.echo
	}
	if c.nativeFinish != "" {
		a.native = c.nativeFinish
	}
	a.takeWhole(&c)
	a.calls.add(c.calls)
	a.beside.add(c.beside)
	a.echo.add(c)

	var out []Event
	if a.inText != nil && (c.reasoning != "" || c.thought) {
		a.inText.apart = true
	}
	a.thought.WriteString(c.reasoning)
	a.said.WriteString(c.text)
	out = a.append(out, EventReasoning, c.reasoning)
	switch {
	case a.inText == nil:
		out = a.append(out, EventText, c.text)
	case c.thought: // may have tags nevertheless
		out = a.see(out, asThought(a.marked.add(c.text)))
	default:
		out = a.see(out, a.inText.add(c.text))
	}
	out = a.append(out, EventRefusal, c.refusal)
	for _, call := range a.calls.begun() {
		out = append(out, Event{Type: EventToolBegun, Call: &call})
	}
	return out
}

// takeWhole removes what is not new from a chunk that holds the answer so far. If all chunks
// claim to be of this kind, but one does not continue the last, they are deltas after all.
func (a *answer) takeWhole(c *chunk) {
	if !c.whole {
		a.deltas = a.deltas || c.text+c.reasoning != ""
		return
	}
	said, thought := a.said.String(), a.thought.String()
	if !a.deltas && (c.text != "" && !strings.HasPrefix(c.text, said) || c.reasoning != "" && !strings.HasPrefix(c.reasoning, thought)) {
		a.pieces = true
	}
	if !a.pieces {
		c.text, c.reasoning = newPart(said, c.text), newPart(thought, c.reasoning)
	}
	if !a.pieces && len(a.calls.slots) > 0 {
		a.calls.addWhole(c.calls)
		c.calls = nil
	}
}

func asThought(events []Event) []Event {
	for i := range events {
		events[i].Type = EventReasoning
	}
	return events
}

// newPart returns what whole adds to the text received so far; "" if it does not continue it.
func newPart(said, whole string) string {
	if part, continues := strings.CutPrefix(whole, said); continues {
		return part
	}
	return ""
}

func (a *answer) append(out []Event, t EventType, delta string) []Event {
	if delta == "" {
		return out
	}
	return a.see(out, []Event{{Type: t, Delta: delta}})
}

// see adds events that the user sees.
func (a *answer) see(out, events []Event) []Event {
	a.visible = a.visible || len(events) > 0
	return append(out, events...)
}

// held returns the text that was held back, once the stream is over. whole means that the
// answer was not cut off.
func (a *answer) held(whole bool) []Event {
	return a.see(a.see(nil, asThought(a.marked.end(whole))), a.inText.end(whole))
}

func (a *answer) close() {
	a.inText.close()
	a.marked.close()
}

func (a *answer) complete() bool { return a.done || a.finish != "" }

// end closes an answer whose stream is over; broken is the error that broke it, if any. It
// returns the remaining events, and what is wrong with the answer.
func (a *answer) end(broken *Error) ([]Event, *Error) {
	err := broken
	if err == nil {
		err = a.failed
	}
	if err == nil && !a.complete() {
		err = &Error{Kind: KindIncomplete, Message: "the answer stopped before its end"}
	}
	reason := ""
	if err != nil {
		reason = "the answer broke off before its end"
	}
	if len(a.calls.slots) == 0 && endsWithCalls(a.finish) {
		a.calls = a.beside
	}
	calls := a.calls.calls(!cutOff(a.finish), reason, a.newID)
	calls = append(calls, a.inText.beside(calls, reason, a.newID)...)
	if err == nil {
		err = a.flaw(calls)
	}
	if err != nil {
		err.Finish = a.finish
	}

	var out []Event
	for i := range calls {
		out = append(out, Event{Type: EventToolCall, Call: &calls[i]})
	}
	echo := a.echo.members(a.row.echo)
	if a.given != nil {
		maps.Copy(echo, a.given())
	}
	if err == nil && len(echo) > 0 {
		out = append(out, Event{Type: EventEcho, Echo: echo})
	}
	if u := readUsage(a.usage); u != nil {
		if a.row.costs {
			u.Cost = readCost(a.usage)
		}
		out = append(out, Event{Type: EventUsage, Usage: u, rawUsage: a.usage})
	}
	if err == nil {
		out = append(out, Event{Type: EventFinish, Finish: a.finish})
	}
	return out, err
}

// flaw returns the error for a complete answer that cannot be used.
func (a *answer) flaw(calls []Call) *Error {
	for _, c := range calls {
		if c.Name == "" {
			return &Error{Kind: KindNamelessCall, Message: "the model called a tool without naming it"}
		}
	}
	nothing := !a.visible && len(calls) == 0
	ending := strings.ToUpper(a.native + " " + a.finish)
	switch {
	case strings.Contains(ending, "MALFORMED_FUNCTION_CALL"):
		return &Error{Kind: KindMalformedCall, Message: "the model wrote a tool call that its server could not read"}
	case brokenOff(a.finish) != nil:
		return brokenOff(a.finish)
	case nothing && !a.silent && !cutOff(a.finish):
		return &Error{Kind: KindEmpty, Message: "the model answered nothing"}
	}
	return nil
}

func cutOff(finish string) bool {
	return CutShort(finish) || Filtered(finish) || brokenOff(finish) != nil
}

// opensThinking reports whether a model's template ends with the opening tag of reasoning,
// so that an answer that the server has not parsed begins inside it.
func opensThinking(model string) bool {
	return containsAny(strings.ToLower(model), "deepseek-r1", "deepseek_r1", "qwq")
}

// Filtered reports whether a finish reason means that the server or the model withheld the
// answer because of its content. Repeating the request does not help. Gemini's reasons have
// a prefix ("content_filter: SAFETY").
func Filtered(finish string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(finish), ":")
	switch strings.TrimSpace(kind) {
	case "content_filter", "content_filtered", "refusal", "safety", "image_safety", "prohibited_content",
		"blocklist", "spii", "recitation", "sensitive", "guardrail_intervened":
		return true
	}
	return false
}

// CutShort reports whether a finish reason means that the answer ran out of tokens.
func CutShort(finish string) bool {
	switch strings.ToLower(finish) {
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return true
	}
	return false
}

// brokenOff returns the error for a finish reason that means a failure; nil for others.
func brokenOff(finish string) *Error {
	switch strings.ToLower(finish) {
	case "error":
		return &Error{Kind: KindAPI, Message: "the server ended the answer with an error"}
	case "insufficient_system_resource": // DeepSeek
		return &Error{Kind: KindOverloaded, Message: "the server did not have the resources to finish the answer"}
	case "network_error": // Z.AI
		return &Error{Kind: KindServer, Message: "the server lost its model before the end of the answer"}
	case "abort", "aborted": // SGLang, vLLM
		return &Error{Kind: KindIncomplete, Message: "the server broke the answer off"}
	}
	return nil
}

func endsWithCalls(finish string) bool {
	switch strings.ToLower(finish) {
	case "tool_calls", "tool_call", "tool_use", "function_call":
		return true
	}
	return false
}
