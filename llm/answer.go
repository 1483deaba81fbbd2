package llm

import (
	"encoding/json"
	"maps"
	"strings"
)

// answer makes events of the chunks of one answer. It holds no connection: chunks
// go in, events come out, and at the end the calls.
type answer struct {
	row    Provider
	decode decoder
	newID  func() string

	halves  surrogates
	inText  *textReader // nil where the text is nothing but text
	marked  *textReader // of text that is marked as thought
	calls   assembler
	beside  assembler // calls of other choices: see chunk
	echo    echoes
	given   func() members  // what the family wants back; nil for nothing
	said    strings.Builder // the text so far, for chunks that hold all of it
	thought strings.Builder
	deltas  bool // some of either came as what is new
	pieces  bool // chunks that should hold all so far hold what is new
	visible bool // an event with text, reasoning or refusal went out
	silent  bool // may hold nothing: see Request.Answered

	finish, native string
	done           bool // [DONE] came, or what stands for it
	usage          json.RawMessage
	failed         *Error // a chunk that could not be read, while the rest could
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
		// What a lost piece held of a call cannot be known.
		return nil, len(a.calls.slots) > 0, nil
	}
	if a.inText != nil && opensThinking(c.model) {
		a.inText.options.ThinkingOpen = true // which counts until the first piece
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
	case c.thought: // and between tags all the same
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

// takeWhole leaves in a chunk that holds the answer so far what is new in it. Where
// nothing but such chunks comes, and one does not go on from the last, they hold what
// is new alone.
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

// newPart returns what a whole text adds to what was said piece by piece.
func newPart(said, whole string) string {
	if said == "" {
		return whole
	}
	part, found := strings.CutPrefix(whole, said)
	if !found {
		return ""
	}
	return part
}

func (a *answer) append(out []Event, t EventType, delta string) []Event {
	if delta == "" {
		return out
	}
	return a.see(out, []Event{{Type: t, Delta: delta}})
}

// see adds events that a person sees.
func (a *answer) see(out, events []Event) []Event {
	a.visible = a.visible || len(events) > 0
	return append(out, events...)
}

// held returns the text that was held back, once the stream is over; whole says that the
// answer came to its end.
func (a *answer) held(whole bool) []Event {
	return a.see(a.see(nil, asThought(a.marked.end(whole))), a.inText.end(whole))
}

func (a *answer) close() {
	a.inText.close()
	a.marked.close()
}

func (a *answer) complete() bool { return a.done || a.finish != "" }

// end closes an answer whose stream is over; broken is how it broke, nil when it
// did not. It returns what is left to tell, and what is wrong with the answer.
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

// opensThinking reports whether a model is one of those whose template opens the
// thinking by itself, so that a stream that nobody parsed begins inside it.
func opensThinking(model string) bool {
	return containsAny(strings.ToLower(model), "deepseek-r1", "deepseek_r1", "qwq")
}

// What the finish reasons of all providers come to. They are compared in small
// letters; Gemini's have the kind in front ("content_filter: SAFETY").

// Filtered reports whether a finish reason says that the server or the model held
// the answer back by a rule of content. Asking the same again brings the same.
func Filtered(finish string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(finish), ":")
	switch strings.TrimSpace(kind) {
	case "content_filter", "content_filtered", "refusal", "safety", "image_safety", "prohibited_content",
		"blocklist", "spii", "recitation", "sensitive", "guardrail_intervened":
		return true
	}
	return false
}

// CutShort reports whether a finish reason says that the answer ran out of tokens.
func CutShort(finish string) bool {
	switch strings.ToLower(finish) {
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return true
	}
	return false
}

// brokenOff returns the error that a finish reason stands for; nil where the model ended
// the answer, or a limit or rule did.
func brokenOff(finish string) *Error {
	switch strings.ToLower(finish) {
	case "error":
		return &Error{Kind: KindAPI, Message: "the server ended the answer with an error"}
	case "insufficient_system_resource": // DeepSeek
		return &Error{Kind: KindOverloaded, Message: "the server had no room to finish the answer"}
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
