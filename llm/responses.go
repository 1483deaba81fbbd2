package llm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// responsesFamily is OpenAI's responses API, the second way of its row: newer
// models take no tools on chat completions while they reason. See
// responses_request.go for what is sent.
//
// https://platform.openai.com/docs/api-reference/responses-streaming
type responsesFamily struct{}

// echoResponses is where the encrypted reasoning of a message stands, and the order
// of its parts. Nothing is stored at the provider, so it has to be sent back.
const echoResponses = "openai_output"

func (responsesFamily) request(c *Client, req *Request, set settings) (*url.URL, any) {
	return c.base.JoinPath("responses"), responsesBody(c.model, req, c.row, set)
}

func (responsesFamily) decoder() decoder { return (&responsesDecoder{}).decode }

func (responsesFamily) tagged() bool { return false }

func (responsesFamily) wrote(first string) bool { return strings.HasPrefix(first, "response.") }

func (responsesFamily) learn(s *settings, e *Error, _ Provider, _ []byte) bool {
	said := strings.ToLower(e.Message)
	unknown := e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed
	// A gateway may translate to chat completions, and hand out their refusal.
	refused := e.refusesRequest() && strings.Contains(said, "reasoning_effort") && strings.Contains(said, "tools")
	if s.second && (unknown || refused) {
		s.second, s.secondFailed, s.effort = false, true, "none"
		return true
	}
	if !e.refusesRequest() {
		return false
	}
	switch {
	case e.Code == "invalid_encrypted_content", strings.Contains(said, "without its required"):
		return s.dropOnce(echoResponses)
	case strings.Contains(said, "encrypted content is not supported"):
		return s.dropOnce("include")
	case strings.Contains(said, "reasoning summar"):
		return s.dropOnce("reasoning.summary")
	}
	for _, name := range []string{"include", "reasoning.summary", "reasoning.effort", "reasoning", "temperature", "max_output_tokens", "parallel_tool_calls", "text.format"} {
		if e.param == name || strings.Contains(said, "'"+name+"'") {
			return s.dropOnce(name)
		}
	}
	return false
}

// responsesDecoder reads the events of one answer.
type responsesDecoder struct {
	items   []*responsesItem // in the order in which they began
	thought bool             // some reasoning was told
}

// responsesItem is a part of an answer: a message, reasoning, or a call.
type responsesItem struct {
	kind     string
	label    int // its place among the items, by which a call's pieces are known
	index    int // output_index
	id       string
	callID   string
	name     string
	size     int                      // of text, in bytes
	texts    map[int]*strings.Builder // what was told of each part
	thoughts map[int]*strings.Builder // likewise, of reasoning
	args     strings.Builder
	keep     json.RawMessage
	done     bool
	closed   bool // it was found in the answer's end
}

type responsesEvent struct {
	Type      json.RawMessage `json:"type"`
	Object    json.RawMessage `json:"object"`
	Response  json.RawMessage `json:"response"`
	Item      json.RawMessage `json:"item"`
	ItemID    json.RawMessage `json:"item_id"`
	Index     json.RawMessage `json:"output_index"`
	Content   json.RawMessage `json:"content_index"`
	Summary   json.RawMessage `json:"summary_index"`
	Delta     json.RawMessage `json:"delta"`
	Text      json.RawMessage `json:"text"`
	Part      json.RawMessage `json:"part"`
	Refusal   json.RawMessage `json:"refusal"`
	Arguments json.RawMessage `json:"arguments"`
	Error     json.RawMessage `json:"error"`
}

// responsesWhole is an item as it stands when it is whole.
type responsesWhole struct {
	Type      json.RawMessage `json:"type"`
	ID        json.RawMessage `json:"id"`
	CallID    json.RawMessage `json:"call_id"`
	Name      json.RawMessage `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Content   json.RawMessage `json:"content"`
	Summary   json.RawMessage `json:"summary"`
	Encrypted json.RawMessage `json:"encrypted_content"`
}

func (d *responsesDecoder) decode(e sseEvent) (chunk, error) {
	if !isObject(e.data) {
		return chunk{}, errNotChunk
	}
	w := readMembers[responsesEvent](e.data)
	kind := scalar(w.Type)
	if kind == "" {
		kind = e.name
	}
	var c chunk
	switch kind {
	case "response.output_item.added":
		d.begin(w).take(d, readMembers[responsesWhole](w.Item), &c)
	case "response.output_item.done":
		d.end(w, &c)
	case "response.output_text.delta":
		d.item(w).say(w.Content, w.Delta, &c)
	case "response.output_text.done":
		d.item(w).sayRest(w.Content, w.Text, &c)
	case "response.refusal.delta":
		d.item(w).refuse(w.Content, w.Delta, &c)
	case "response.refusal.done":
		d.item(w).refuseRest(w.Content, w.Refusal, &c)
	case "response.content_part.done":
		d.item(w).takePart(w.Content, w.Part, &c)
	case "response.reasoning_summary_text.delta":
		d.think(d.item(w), w.Summary, w.Delta, &c)
	case "response.reasoning_summary_text.done":
		d.thinkRest(d.item(w), w.Summary, w.Text, &c)
	case "response.reasoning_text.delta", "response.reasoning.delta": // as vLLM called it once
		d.think(d.item(w), w.Content, w.Delta, &c)
	case "response.reasoning_text.done":
		d.thinkRest(d.item(w), w.Content, w.Text, &c)
	case "response.function_call_arguments.delta":
		d.item(w).argue(w.Delta, &c)
	case "response.function_call_arguments.done":
		d.item(w).argueWhole(w.Arguments, &c)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled", "response.done":
		d.close(kind, w.Response, &c)
	default:
		said, failed := readServerError(e.data)
		switch {
		case failed && (kind == "error" || present(w.Error)):
			c.err = streamError(said, responsesStatus(said.code))
		case kind == "" && scalar(w.Object) == "response": // an answer that is not streamed
			d.close("", e.data, &c)
		}
	}
	return c, nil
}

// begin adds an item.
func (d *responsesDecoder) begin(w responsesEvent) *responsesItem {
	index, ok := number(w.Index)
	if !ok {
		index = len(d.items)
	}
	it := &responsesItem{label: len(d.items), index: index}
	if len(d.items) < maxParts {
		d.items = append(d.items, it)
	}
	return it
}

// item finds the item that an event is about: by its id, else by its index, else
// the last one; one whose beginning was lost begins here.
func (d *responsesDecoder) item(w responsesEvent) *responsesItem {
	if id := scalar(w.ItemID); id != "" {
		for _, it := range slices.Backward(d.items) {
			if it.id == id {
				return it
			}
		}
	}
	index, indexed := number(w.Index)
	for _, it := range slices.Backward(d.items) {
		if !indexed || it.index == index {
			return it
		}
	}
	return d.begin(w)
}

// end takes up an item that is whole: what was not told of it piece by piece.
func (d *responsesDecoder) end(w responsesEvent, c *chunk) {
	whole := readMembers[responsesWhole](w.Item)
	w.ItemID = whole.ID
	it := d.item(w)
	switch id := scalar(whole.ID); {
	case it.done && id != "" && id == it.id:
		return // told twice
	case it.done, it.kind != "" && it.kind != scalar(whole.Type):
		it = d.begin(w)
	}
	it.take(d, whole, c)
	it.done = true
	if it.kind == "reasoning" && present(whole.Encrypted) {
		it.keep = keptReasoning(w.Item)
	}
}

// keptReasoning is a reasoning item as it is sent back: without what may only stand
// in an answer.
func keptReasoning(raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	delete(members, "status")
	if c := members["content"]; !present(c) || string(c) == "[]" {
		delete(members, "content")
	}
	kept, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	return kept
}

// take takes up what an item holds beyond what was told of it.
func (it *responsesItem) take(d *responsesDecoder, w responsesWhole, c *chunk) {
	begins := it.kind == ""
	if begins {
		it.kind, it.id, it.callID = scalar(w.Type), scalar(w.ID), scalar(w.CallID)
		if it.callID == "" {
			it.callID = it.id
		}
	}
	if name := scalar(w.Name); it.kind == "function_call" && (begins || it.name == "" && name != "") {
		it.name = name
		c.calls = append(c.calls, callDelta{index: it.label, hasIndex: true, id: it.callID, name: name})
	}
	switch it.kind {
	case "function_call":
		it.argueWhole(w.Arguments, c)
	case "message":
		parts := readList(w.Content)
		for i, part := range parts[:min(len(parts), maxParts)] {
			it.takePart(json.RawMessage(strconv.Itoa(i)), part, c)
		}
	case "reasoning":
		list := readList(w.Summary)
		if len(list) == 0 {
			list = readList(w.Content)
		}
		for i, raw := range list[:min(len(list), maxParts)] {
			thought := readMembers[struct {
				Text json.RawMessage `json:"text"`
			}](raw).Text
			if len(it.thoughts) == 0 || i > 0 && it.thoughts[i] == nil {
				d.think(it, json.RawMessage(strconv.Itoa(i)), thought, c)
			}
		}
	}
}

// close reads the end of an answer.
func (d *responsesDecoder) close(kind string, raw json.RawMessage, c *chunk) {
	w := readMembers[struct {
		Status     json.RawMessage `json:"status"`
		Error      json.RawMessage `json:"error"`
		Incomplete json.RawMessage `json:"incomplete_details"`
		Output     json.RawMessage `json:"output"`
		Usage      json.RawMessage `json:"usage"`
	}](raw)
	if isObject(w.Usage) {
		c.usage = w.Usage
	}
	status := strings.TrimPrefix(kind, "response.")
	if said := scalar(w.Status); kind == "" || said == "incomplete" || said == "failed" || said == "cancelled" {
		status = said
	}
	d.closeItems(readList(w.Output), c)
	c.done, c.nativeFinish = true, status
	switch status {
	case "failed", "cancelled":
		said := serverError{code: "server_error", message: "the server did not finish the answer"}
		if saysError(w.Error) {
			said = readInnerError(w.Error, nil)
		}
		c.err = streamError(said, responsesStatus(said.code))
	case "incomplete":
		c.finish = scalar(readMembers[struct {
			Reason json.RawMessage `json:"reason"`
		}](w.Incomplete).Reason)
		if c.finish == "" || c.finish == "max_output_tokens" {
			c.finish = "length"
		}
	default:
		c.finish = "stop"
		if slices.ContainsFunc(d.items, func(it *responsesItem) bool { return it.kind == "function_call" }) {
			c.finish = "tool_calls"
		}
	}
	c.echo = d.echo
}

// closeItems takes up, of the items that the end of an answer holds, what was not told
// of them before: some servers tell less, and a call may not run without its arguments.
func (d *responsesDecoder) closeItems(output []json.RawMessage, c *chunk) {
	output = output[:min(len(output), maxParts)]
	wholes := make([]responsesWhole, len(output))
	for i, raw := range output {
		wholes[i] = readMembers[responsesWhole](raw)
	}
	all := d.opened(wholes)
	for i, whole := range wholes {
		it := all[i]
		if it == nil {
			it = d.begin(responsesEvent{Index: json.RawMessage(strconv.Itoa(i))})
			it.closed, all[i] = true, it
		}
		it.take(d, whole, c)
		if it.kind == "reasoning" && present(whole.Encrypted) && it.keep == nil {
			it.keep = keptReasoning(output[i])
		}
	}
	if len(all) >= len(d.items) { // nothing was told that is not there
		d.items = all
	}
}

// opened returns the items that were told of before and are whole in the end, by their
// ids, and those that are left by what they are; nil where there is none. Some servers
// have another id for an item in each event.
func (d *responsesDecoder) opened(wholes []responsesWhole) []*responsesItem {
	type last struct {
		responsesWhole
		id, callID, kind string
	}
	all := make([]last, len(wholes))
	for i, w := range wholes {
		all[i] = last{w, scalar(w.ID), scalar(w.CallID), scalar(w.Type)}
	}
	found := make([]*responsesItem, len(wholes))
	for _, same := range []func(*responsesItem, last) bool{
		func(it *responsesItem, w last) bool { return it.id != "" && it.id == w.id },
		func(it *responsesItem, w last) bool { return it.callID != "" && it.callID == w.callID },
		func(it *responsesItem, w last) bool {
			return it.kind == w.kind && (w.kind != "function_call" || it.calls(w.responsesWhole))
		},
		func(it *responsesItem, w last) bool { return it.kind == "" && it.looks() == w.kind },
	} {
		for i, w := range all {
			if found[i] != nil {
				continue
			}
			at := slices.IndexFunc(d.items, func(it *responsesItem) bool { return !it.closed && same(it, w) })
			if at >= 0 {
				found[i] = d.items[at]
				found[i].closed = true
			}
		}
	}
	return found
}

// echo returns the encrypted reasoning, and the order of what stands around it.
func (d *responsesDecoder) echo() map[string]json.RawMessage {
	var parts []part
	for _, it := range d.items {
		switch {
		case present(it.keep):
			parts = append(parts, part{Keep: it.keep})
		case it.kind == "function_call":
			parts = append(parts, part{Call: it.callID})
		case it.size > 0:
			parts = append(parts, part{Text: it.size})
		}
	}
	return partsEcho(echoResponses, parts)
}

// responsesStatus returns the status that an error with a code would have had, had
// it come before the stream; 0 for a code that is not known.
func responsesStatus(code string) int {
	return map[string]int{
		"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500,
		"server_is_overloaded": 503, "slow_down": 503, "invalid_prompt": 400,
		"model_not_found": 404, "invalid_api_key": 401,
	}[code]
}
