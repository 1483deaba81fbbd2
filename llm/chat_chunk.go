package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

var errNotChunk = errors.New("not a JSON object")

// parseChunk reads the data of one event. It returns an error only for what is not a JSON
// object; anything else unexpected is read as far as possible.
func parseChunk(data []byte) (chunk, error) {
	var c chunk
	if string(data) == "null" {
		return c, nil
	}
	w, ok := readWire(data)
	if !ok {
		if said, ok := readServerError(data); ok {
			c.err = chunkError(said)
			return c, nil
		}
		if c.err = foreignAPI(data); c.err != nil {
			return c, nil
		}
		return c, errNotChunk
	}
	if !bytes.Contains(data, []byte(`"choices"`)) || bytes.Contains(data, []byte(`error`)) || bytes.Contains(data, []byte(`"base_resp"`)) {
		if said, ok := readServerError(data); ok {
			c.err = chunkError(said)
		}
	}
	c.model = scalar(w.Model)
	c.readUsage(w.wireChunk)
	if w.Choices == nil && !present(w.wireChunk.Choices) && c.err == nil {
		ollama := present(w.Message)
		if !ollama {
			c.err = foreignAPI(data)
			ollama = c.err == nil && scalar(w.Done) == "true"
		}
		if ollama {
			c.readOllama(w.wireChunk)
			return c, nil
		}
	}
	first := true
	for _, choice := range w.Choices {
		if n, _ := number(choice.Index); n == 0 && first {
			c.readChoice(choice)
			first = false
			continue
		}
		// Requests never ask for several choices; some gateways split an answer with text
		// and calls into two.
		var other chunk
		other.readChoice(choice)
		c.beside = append(c.beside, other.calls...)
	}
	return c, nil
}

func (c *chunk) readChoice(w wholeChoice) {
	if finish := scalar(w.Finish); finish != "null" && finish != "false" {
		c.finish = finish
	}
	c.nativeFinish = scalar(w.NativeFinish)
	if c.usage == nil && isObject(w.Usage) {
		c.usage = w.Usage
	}
	if c.err == nil && saysError(w.Error) {
		said := readInnerError(w.Error, nil)
		c.err = chunkError(said)
	}
	switch {
	case w.Delta != nil:
		c.readDelta(*w.Delta)
		if c.empty() && present(w.Message) {
			c.readMessage(w.Message)
		}
	case present(w.Message):
		c.readMessage(w.Message)
	case present(w.Text):
		c.text, _ = text(w.Text)
	}
}

func (c *chunk) empty() bool {
	return c.text == "" && c.reasoning == "" && c.refusal == "" && len(c.calls) == 0
}

func (c *chunk) readMessage(raw json.RawMessage) {
	c.readDelta(readMembers[wireDelta](raw))
	c.whole = true
}

func (c *chunk) readOllama(w wireChunk) {
	c.readDelta(readMembers[wireDelta](w.Message))
	if scalar(w.Done) == "true" {
		c.finish = cmp.Or(scalar(w.DoneReason), "stop")
	}
	in, hasIn := number(w.PromptEval)
	out, hasOut := number(w.Eval)
	if hasIn || hasOut {
		c.usage, _ = json.Marshal(map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out})
	}
}

func (c *chunk) readDelta(d wireDelta) {
	body, thinking := readContent(d.Content)
	if d.Extra.Google.Thought {
		c.thought = true
	}
	c.text = body
	c.refusal, _ = text(d.Refusal)

	// Servers that send several of these fields send the same text in each.
	for i, field := range []json.RawMessage{d.ReasoningContent, d.Reasoning, d.ReasoningText, d.Thinking} {
		if c.reasoning == "" {
			c.reasoning, _ = readContent(field)
			c.reasoningContent = i == 0 && c.reasoning != ""
		}
	}
	c.reasoning = cmp.Or(c.reasoning, thinking)
	// Details are only for the echo: nearly all servers that send them send their text too.
	// That of Snowflake, which does not, is not shown.
	c.details = readList(d.Details)
	if c.calls = readCalls(d.ToolCalls); len(c.calls) == 0 {
		c.calls = readCalls(d.ToolCall)
	}
	if present(d.FunctionCall) && len(c.calls) == 0 { // some servers send a call in both forms
		c.calls = append(c.calls, readFunction(d.FunctionCall))
	}
}

// readContent reads content that is a string or a list of parts, nested at most 3 levels.
func readContent(raw json.RawMessage) (body, thinking string) {
	return readParts(raw, 3)
}

func readParts(raw json.RawMessage, levels int) (body, thinking string) {
	if !present(raw) || levels == 0 {
		return "", ""
	}
	if s, ok := text(raw); ok {
		return s, ""
	}
	if _, ok := number(raw); ok {
		return string(raw), "" // PHP encodes numeric strings as numbers
	}
	parts := readList(raw)
	if parts == nil {
		parts = []json.RawMessage{raw}
	}
	var b, t strings.Builder
	for _, part := range parts {
		if s, ok := text(part); ok {
			b.WriteString(s)
			continue
		}
		p := membersOf(part)
		for _, name := range []string{"thinking", "reasoning", "summary"} { // summary: of reasoning, from Databricks
			s, _ := readParts(p[name], levels-1)
			t.WriteString(s)
		}
		for _, name := range []string{"text", "content"} {
			s, _ := readParts(p[name], levels-1)
			b.WriteString(s)
		}
	}
	return b.String(), t.String()
}

// readUsage keeps the count of tokens.
func (c *chunk) readUsage(w wireChunk) {
	switch {
	case present(w.Usage):
		c.usage = w.Usage
	case present(w.Groq):
		c.usage = membersOf(w.Groq)["usage"]
	}
	if !isObject(c.usage) {
		c.usage = nil
	}
}

// wireChunk holds the members of a chunk undecoded, since servers disagree on their types.
type wireChunk struct {
	Choices json.RawMessage `json:"choices"` // only if readWire could not decode them at once
	Model   json.RawMessage `json:"model"`
	Usage   json.RawMessage `json:"usage"`
	Groq    json.RawMessage `json:"x_groq"`

	// Members of Ollama's own API.
	Message    json.RawMessage `json:"message"`
	Done       json.RawMessage `json:"done"`
	DoneReason json.RawMessage `json:"done_reason"`
	PromptEval json.RawMessage `json:"prompt_eval_count"`
	Eval       json.RawMessage `json:"eval_count"`
}

type wireChoice struct {
	Index        json.RawMessage `json:"index"`
	Delta        json.RawMessage `json:"delta"` // as wireChunk.Choices
	Message      json.RawMessage `json:"message"`
	Finish       json.RawMessage `json:"finish_reason"`
	NativeFinish json.RawMessage `json:"native_finish_reason"`
	Text         json.RawMessage `json:"text"`
	Error        json.RawMessage `json:"error"`
	Usage        json.RawMessage `json:"usage"` // Kimi
}

type wireDelta struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningText    json.RawMessage `json:"reasoning_text"` // Copilot
	Thinking         json.RawMessage `json:"thinking"`
	Details          json.RawMessage `json:"reasoning_details"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
	ToolCall         json.RawMessage `json:"tool_call"`
	FunctionCall     json.RawMessage `json:"function_call"`
	Extra            wireExtra       `json:"extra_content"`
}

type wireExtra struct {
	Google struct {
		Thought bool `json:"thought"`
	} `json:"google"`
}

// wholeChunk is a chunk whose choices and deltas have the usual types, as nearly all do, so
// that one pass decodes it.
type wholeChunk struct {
	wireChunk
	Choices []wholeChoice `json:"choices"`
}

type wholeChoice struct {
	wireChoice
	Delta *wireDelta `json:"delta"`
}

// readWire decodes a chunk: in one pass if its types are the usual ones, else member by
// member. It reports false for what is not a JSON object.
func readWire(data []byte) (wholeChunk, bool) {
	var w wholeChunk
	if len(data) == 0 || data[0] != '{' {
		return w, false
	}
	if json.Unmarshal(data, &w) == nil {
		return w, true
	}
	if !json.Valid(data) {
		return w, false
	}
	w = wholeChunk{wireChunk: readMembers[wireChunk](data)}
	for _, raw := range readList(w.wireChunk.Choices) {
		c := wholeChoice{wireChoice: readMembers[wireChoice](raw)}
		if delta := c.wireChoice.Delta; present(delta) {
			d := readMembers[wireDelta](delta)
			if _, ok := text(delta); ok {
				d.Content = delta
			}
			c.Delta = &d
		}
		w.Choices = append(w.Choices, c)
	}
	return w, true
}

// wireCall is a piece of a call as received. Some servers have the members of its function
// object at the top level instead, or, for tools that take text, in custom.
type wireCall struct {
	Index    json.RawMessage `json:"index"`
	ID       json.RawMessage `json:"id"`
	CallID   json.RawMessage `json:"call_id"`
	Function json.RawMessage `json:"function"`
	Custom   json.RawMessage `json:"custom"`
	Extra    json.RawMessage `json:"extra_content"`
	wireFunction
}

// wireFunction is a name with arguments, under all the names that servers use for them.
type wireFunction struct {
	Name       json.RawMessage `json:"name"`
	Index      json.RawMessage `json:"index"`
	Arguments  json.RawMessage `json:"arguments"`
	Parameters json.RawMessage `json:"parameters"`
	Input      json.RawMessage `json:"input"`
	Args       json.RawMessage `json:"args"`
}

// readCalls reads a list of calls, a single call, an object whose members are numbered, or a
// string that holds any of these. Any other string becomes a call without a name, so that
// the loss is reported.
func readCalls(raw json.RawMessage) []callDelta {
	if s, ok := text(raw); ok {
		s = strings.TrimSpace(s)
		if s == "" || s == "[]" || s == "null" {
			return nil
		}
		if raw = json.RawMessage(s); !json.Valid(raw) || raw[0] != '[' && raw[0] != '{' {
			return []callDelta{{args: s}}
		}
	}
	var calls []callDelta
	for _, one := range readNumbered(raw) {
		switch _, isText := text(one); {
		case isText:
			calls = append(calls, readCalls(one)...)
		case present(one):
			calls = append(calls, readCall(one))
		}
	}
	return calls
}

// readNumbered is [readList] for a list that may be an object with numbers as keys.
func readNumbered(raw json.RawMessage) []json.RawMessage {
	w := membersOf(raw)
	if len(w) == 0 {
		return readList(raw)
	}
	var order []int
	for name := range w {
		n, err := strconv.Atoi(name)
		if err != nil || strconv.Itoa(n) != name {
			return readList(raw)
		}
		order = append(order, n)
	}
	slices.Sort(order)
	var list []json.RawMessage
	for _, n := range order {
		list = append(list, w[strconv.Itoa(n)])
	}
	return list
}

func readCall(raw json.RawMessage) callDelta {
	w := readMembers[wireCall](raw)
	d := w.delta()
	for _, inner := range []json.RawMessage{w.Custom, w.Function} {
		if present(inner) {
			d = d.within(readFunction(inner))
		}
	}
	d.id = cmp.Or(scalar(w.ID), scalar(w.CallID))
	if n, ok := number(w.Index); ok {
		d.index, d.hasIndex = n, true
	}
	if present(w.Extra) {
		d.extra = w.Extra
	}
	return d
}

// within completes a function object with what the call itself says.
func (d callDelta) within(inner callDelta) callDelta {
	inner.name = cmp.Or(inner.name, d.name)
	if inner.args == "" {
		inner.args, inner.argsJSON = d.args, d.argsJSON
	}
	return inner
}

// readFunction reads a function object, or only a name.
func readFunction(raw json.RawMessage) callDelta {
	if name, ok := text(raw); ok {
		return callDelta{name: name}
	}
	f := readMembers[wireFunction](raw)
	d := f.delta()
	d.index, d.hasIndex = number(f.Index)
	return d
}

func (f wireFunction) delta() callDelta {
	d := callDelta{name: scalar(f.Name)}
	d.setArguments(f.arguments())
	return d
}

// arguments returns the first member that holds any; if none does, the first one that is
// present. A call must not run without arguments that the server sent under another name.
func (f wireFunction) arguments() json.RawMessage {
	all := []json.RawMessage{f.Arguments, f.Parameters, f.Input, f.Args}
	for _, raw := range all {
		switch strings.TrimSpace(string(raw)) {
		case "", "null", `""`, "{}", `"{}"`:
		default:
			return raw
		}
	}
	for _, raw := range all {
		if present(raw) {
			return raw
		}
	}
	return nil
}

// setArguments sets arguments that are a string of JSON, as in OpenAI's API, or JSON itself.
func (d *callDelta) setArguments(raw json.RawMessage) {
	if !present(raw) {
		return
	}
	if s, ok := text(raw); ok {
		d.args = s
		return
	}
	d.args, d.argsJSON = strings.ToValidUTF8(string(raw), "�"), true
}
