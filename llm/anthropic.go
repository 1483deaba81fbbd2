package llm

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// anthropicFamily is Anthropic's Messages API. Anthropic also offers chat completions, but
// without prompt caching and signed thinking. The requests are in anthropic_request.go.
//
// https://docs.anthropic.com/en/api/messages-streaming
type anthropicFamily struct{}

// echoAnthropic is the member of [Message].Echo with the thinking of a message and the order
// of its parts. Thinking must be sent back as it was signed.
const echoAnthropic = "anthropic_content"

func (anthropicFamily) request(c *Client, req *Request, set settings) (*url.URL, any) {
	return c.base.JoinPath("messages"), anthropicBody(c.model, req, set)
}

func (anthropicFamily) decoder() decoder { return (&anthropicDecoder{}).decode }

func (anthropicFamily) tagged() bool { return false }

func (anthropicFamily) wrote(first string) bool {
	return first == "message_start" || first == "message"
}

func (anthropicFamily) learn(s *settings, e *Error, _ Provider, sent []byte) bool {
	if !e.refusesRequest() {
		return false
	}
	said := strings.ToLower(e.Message)
	if limit := anthropicLimit(said); limit > 0 && (s.maxAnswer == 0 || limit < s.maxAnswer) {
		s.maxAnswer = limit
		return true
	}
	if strings.Contains(said, "thinking") && containsAny(said, "signature", "cannot be modified") {
		return s.dropOnce(echoAnthropic)
	}
	if strings.Contains(said, "adaptive") && !s.budget {
		s.budget = true // an older model, which wants a number
		return true
	}
	if strings.Contains(said, "effort") && s.dropOnce("output_config") {
		return true
	}
	return s.dropNamed([]string{"display", "output_config", "temperature", "cache_control", "tool_choice", "thinking"}, said, sent)
}

// anthropicLimit returns the most tokens of an answer from an error of the form "max_tokens:
// 8192 > 4096, which is the maximum …"; 0 for other errors.
func anthropicLimit(said string) int {
	found := regexp.MustCompile(`max_tokens: \d+ > (\d+)`).FindStringSubmatch(said)
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return n
}

// maxCounts limits the different counts in the usage of one answer; there are a dozen.
const maxCounts = 32

type anthropicDecoder struct {
	blocks []*anthropicBlock       // in the order in which they began
	at     map[int]*anthropicBlock // the last one with each index
	usage  members
}

// anthropicBlock is a part of an answer: text, thinking, or a call.
type anthropicBlock struct {
	kind      string
	label     int     // its index in anthropicDecoder.blocks, which identifies the pieces of a call
	id        string  // of a call
	size      int     // of its text, in bytes
	members   members // of its first event
	thinking  strings.Builder
	signature strings.Builder
}

func (d *anthropicDecoder) decode(e sseEvent) (chunk, error) {
	w := membersOf(e.data)
	if w == nil {
		return chunk{}, errNotChunk
	}
	kind := cmp.Or(scalar(w["type"]), e.name)
	if kind == "error" || present(w["error"]) {
		if said, failed := readServerError(e.data); failed {
			return chunk{err: streamError(said, anthropicStatus(said.code))}, nil
		}
	}
	var c chunk
	index, _ := number(w["index"])
	switch kind {
	case "message_start":
		d.message(membersOf(w["message"]), &c)
	case "message": // the answer was not streamed
		d.message(w, &c)
		c.done = true
	case "content_block_start":
		d.start(index, membersOf(w["content_block"]), &c)
	case "content_block_delta":
		d.delta(index, membersOf(w["delta"]), &c)
	case "message_delta":
		d.count(w["usage"], &c)
		d.stop(membersOf(w["delta"]), &c)
	case "message_stop":
		c.done = true
	}
	if c.done || c.finish != "" {
		c.echo = d.echo
	}
	return c, nil
}

// message reads the start of a message, which from some servers is the whole message.
func (d *anthropicDecoder) message(w members, c *chunk) {
	c.model = scalar(w["model"])
	d.count(w["usage"], c)
	for i, block := range readList(w["content"]) {
		d.start(i, membersOf(block), c)
	}
	d.stop(w, c)
}

// start begins a block. Its content counts like a delta.
func (d *anthropicDecoder) start(index int, w members, c *chunk) {
	if w == nil || len(d.blocks) >= maxParts {
		return
	}
	b := &anthropicBlock{kind: scalar(w["type"]), label: len(d.blocks), members: w}
	d.blocks = append(d.blocks, b)
	if d.at == nil {
		d.at = map[int]*anthropicBlock{}
	}
	d.at[index] = b
	switch b.kind {
	case "text", "thinking":
		d.delta(index, w, c)
	case "tool_use":
		b.id = scalar(w["id"])
		call := callDelta{index: b.label, hasIndex: true, id: b.id, name: scalar(w["name"])}
		// If deltas follow, the input is an empty object.
		if input := w["input"]; string(input) != "{}" {
			call.setArguments(input)
		}
		c.calls = append(c.calls, call)
	}
}

func (d *anthropicDecoder) delta(index int, w members, c *chunk) {
	b := d.at[index]
	if b == nil {
		b = &anthropicBlock{kind: "text", label: -1 - index} // its first event was lost
	}
	if s, ok := text(w["text"]); ok {
		b.size += len(s)
		c.text += s
	}
	if s, ok := text(w["thinking"]); ok {
		b.thinking.WriteString(s)
		c.reasoning += s
	}
	if s, ok := text(w["signature"]); ok {
		b.signature.WriteString(s)
	}
	if part := w["partial_json"]; present(part) && (d.at[index] == nil || b.kind == "tool_use") {
		call := callDelta{index: b.label, hasIndex: true}
		call.setArguments(part)
		c.calls = append(c.calls, call)
	}
}

// stop translates the stop reason to the finish reasons of chat completions.
func (d *anthropicDecoder) stop(w members, c *chunk) {
	reason := scalar(w["stop_reason"])
	if reason == "" {
		return
	}
	c.nativeFinish = reason
	switch reason {
	case "end_turn", "stop_sequence", "pause_turn":
		c.finish = "stop"
	case "tool_use":
		c.finish = "tool_calls"
	case "max_tokens", "model_context_window_exceeded":
		c.finish = "length"
	case "refusal":
		c.finish = "content_filter"
		c.refusal = cmp.Or(scalar(membersOf(w["stop_details"])["explanation"]), "The model does not answer this.")
	default:
		c.finish = reason
	}
}

// count adds a count of tokens; later counts replace those of the same name. Anthropic's
// input does not include tokens read from the cache or written to it; [Usage].Input does.
func (d *anthropicDecoder) count(raw json.RawMessage, c *chunk) {
	counts := membersOf(raw)
	if len(counts) == 0 {
		return
	}
	if d.usage == nil {
		d.usage = members{}
	}
	for name, value := range counts {
		if len(d.usage) >= maxCounts && d.usage[name] == nil {
			continue
		}
		// Some servers send zeros after the real counts.
		if n, isCount := number(value); present(value) && !(isCount && n == 0 && present(d.usage[name])) {
			d.usage[name] = value
		}
	}
	input := 0
	for _, name := range []string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"} {
		n, _ := number(d.usage[name])
		input += n
	}
	d.usage["prompt_tokens"] = json.RawMessage(strconv.Itoa(input))
	if all, err := json.Marshal(d.usage); err == nil {
		c.usage = all
	}
}

func (d *anthropicDecoder) echo() members {
	var parts []part
	for _, b := range d.blocks {
		switch {
		case b.kind == "thinking" || b.kind == "redacted_thinking":
			parts = append(parts, part{Keep: b.whole()})
		case b.kind == "tool_use" && b.id != "":
			parts = append(parts, part{Call: b.id})
		case b.size > 0:
			parts = append(parts, part{Text: b.size})
		}
	}
	return partsEcho(echoAnthropic, parts)
}

// whole returns a block of thinking as if it had not been streamed.
func (b *anthropicBlock) whole() json.RawMessage {
	if b.kind == "thinking" {
		b.members["thinking"] = quoted(b.thinking.String())
		if b.signature.Len() > 0 {
			b.members["signature"] = quoted(b.signature.String())
		}
	}
	raw, _ := json.Marshal(b.members) // they were JSON
	return raw
}

// anthropicStatus returns the HTTP status that goes with an error's type outside a stream; 0
// for an unknown type.
func anthropicStatus(kind string) int {
	return map[string]int{
		"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402,
		"permission_error": 403, "not_found_error": 404, "request_too_large": 413,
		"rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,
	}[kind]
}
