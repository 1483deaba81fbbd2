package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// responsesFamily is OpenAI's Responses API, the second family of its [Provider]: newer
// models do not accept tools on chat completions while they reason. The requests are in
// responses_request.go.
//
// https://platform.openai.com/docs/api-reference/responses-streaming
type responsesFamily struct{}

// echoResponses is the member of [Message].Echo with the encrypted reasoning of a message
// and the order of its parts. The provider stores nothing, so it must be sent back.
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
	// A gateway may translate to chat completions and return their refusal.
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
	for _, name := range []string{"include", "reasoning.summary", "reasoning.effort", "reasoning", "temperature", "max_output_tokens", "parallel_tool_calls"} {
		if e.param == name || strings.Contains(said, "'"+name+"'") {
			return s.dropOnce(name)
		}
	}
	return false
}

type responsesDecoder struct {
	items   []*responsesItem // in the order in which they began
	thought bool             // some reasoning has been received
}

func (d *responsesDecoder) decode(e sseEvent) (chunk, error) {
	w := membersOf(e.data)
	if w == nil {
		return chunk{}, errNotChunk
	}
	kind := cmp.Or(scalar(w["type"]), e.name)
	item := func() *responsesItem { return d.item(scalar(w["item_id"]), w["output_index"]) }
	content, raw := w["content_index"], w["delta"]
	name, whole := strings.CutSuffix(kind, ".done")
	if whole {
		raw = firstPresent(w, "text", "refusal", "arguments")
	}
	var c chunk
	switch strings.TrimSuffix(name, ".delta") {
	case "response.output_item.added":
		d.begin(w["output_index"]).take(d, membersOf(w["item"]), &c)
	case "response.output_item":
		d.end(w, &c)
	case "response.output_text":
		item().addText(content, raw, whole, &c)
	case "response.refusal":
		item().addRefusal(content, raw, whole, &c)
	case "response.content_part":
		item().addPart(content, w["part"], &c)
	case "response.reasoning_summary_text":
		d.addThought(item(), w["summary_index"], raw, whole, &c)
	case "response.reasoning_text", "response.reasoning": // the latter from older versions of vLLM
		d.addThought(item(), content, raw, whole, &c)
	case "response.function_call_arguments":
		item().addArguments(raw, whole, &c)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled", "response":
		d.close(kind, membersOf(w["response"]), &c)
	default:
		said, failed := readServerError(e.data)
		switch {
		case failed && (kind == "error" || present(w["error"])):
			c.err = streamError(said, responsesStatus(said.code))
		case kind == "" && scalar(w["object"]) == "response": // the answer was not streamed
			d.close("", w, &c)
		}
	}
	return c, nil
}

func (d *responsesDecoder) begin(at json.RawMessage) *responsesItem {
	index, ok := number(at)
	if !ok {
		index = len(d.items)
	}
	it := &responsesItem{label: len(d.items), index: index, texts: itemParts{}, thoughts: itemParts{}}
	if len(d.items) < maxParts {
		d.items = append(d.items, it)
	}
	return it
}

// item finds the item of an event: by its id, else by its index, else the last one. An item
// whose first event was lost begins here.
func (d *responsesDecoder) item(id string, at json.RawMessage) *responsesItem {
	for _, it := range slices.Backward(d.items) {
		if id != "" && it.id == id {
			return it
		}
	}
	index, indexed := number(at)
	for _, it := range slices.Backward(d.items) {
		if !indexed || it.index == index {
			return it
		}
	}
	return d.begin(at)
}

// end reads an event with a complete item, of which deltas may have been missing.
func (d *responsesDecoder) end(w members, c *chunk) {
	whole, at := membersOf(w["item"]), w["output_index"]
	id := scalar(whole["id"])
	it := d.item(id, at)
	switch {
	case it.done && id != "" && id == it.id:
		return // a repetition
	case it.done, it.kind != "" && it.kind != scalar(whole["type"]):
		it = d.begin(at)
	}
	it.take(d, whole, c)
	it.done = true
	it.keepReasoning(whole)
}

// keepReasoning keeps encrypted reasoning to be sent back, without the members that are
// only allowed in answers.
func (it *responsesItem) keepReasoning(whole members) {
	if it.kind != "reasoning" || !present(whole["encrypted_content"]) {
		return
	}
	delete(whole, "status")
	if c := whole["content"]; !present(c) || string(c) == "[]" {
		delete(whole, "content")
	}
	it.keep, _ = json.Marshal(whole) // it was JSON
}

// take adds what w holds beyond what has been received of the item.
func (it *responsesItem) take(d *responsesDecoder, w members, c *chunk) {
	begins := it.kind == ""
	if begins {
		it.kind, it.id = scalar(w["type"]), scalar(w["id"])
		it.callID = cmp.Or(scalar(w["call_id"]), it.id)
	}
	if name := scalar(w["name"]); it.kind == "function_call" && (begins || it.name == "" && name != "") {
		it.name = name
		c.calls = append(c.calls, callDelta{index: it.label, hasIndex: true, id: it.callID, name: name})
	}
	switch it.kind {
	case "function_call":
		it.addArguments(w["arguments"], true, c)
	case "message":
		parts := readList(w["content"])
		for i, part := range parts[:min(len(parts), maxParts)] {
			it.addPart(json.RawMessage(strconv.Itoa(i)), part, c)
		}
	case "reasoning":
		list := readList(w["summary"])
		if len(list) == 0 {
			list = readList(w["content"])
		}
		for i, raw := range list[:min(len(list), maxParts)] {
			if len(it.thoughts) == 0 || i > 0 && it.thoughts[i] == nil {
				d.addThought(it, json.RawMessage(strconv.Itoa(i)), membersOf(raw)["text"], false, c)
			}
		}
	}
}

func (d *responsesDecoder) close(kind string, w members, c *chunk) {
	if isObject(w["usage"]) {
		c.usage = w["usage"]
	}
	status := strings.TrimPrefix(kind, "response.")
	if said := scalar(w["status"]); kind == "" || said == "incomplete" || said == "failed" || said == "cancelled" {
		status = said
	}
	d.closeItems(readList(w["output"]), c)
	c.done, c.nativeFinish = true, status
	switch status {
	case "failed", "cancelled":
		said := serverError{code: "server_error", message: "the server did not finish the answer"}
		if saysError(w["error"]) {
			said = readInnerError(w["error"], nil)
		}
		c.err = streamError(said, responsesStatus(said.code))
	case "incomplete":
		c.finish = scalar(membersOf(w["incomplete_details"])["reason"])
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

// closeItems adds what the items in the last event hold beyond what has been received: some
// servers stream less, and a call must not run without its arguments.
func (d *responsesDecoder) closeItems(output []json.RawMessage, c *chunk) {
	output = output[:min(len(output), maxParts)]
	wholes := make([]members, len(output))
	for i, raw := range output {
		wholes[i] = membersOf(raw)
	}
	all := d.opened(wholes)
	for i, whole := range wholes {
		it := all[i]
		if it == nil {
			it = d.begin(json.RawMessage(strconv.Itoa(i)))
			it.closed, all[i] = true, it
		}
		it.take(d, whole, c)
		if it.keep == nil {
			it.keepReasoning(whole)
		}
	}
	if len(all) >= len(d.items) { // every item received is there
		d.items = all
	}
}

// opened returns, for each item in the last event, the one received before; nil if there is
// none. Items are matched by id first, the others by their content: some servers use
// another id in each event.
func (d *responsesDecoder) opened(wholes []members) []*responsesItem {
	type last struct {
		whole            members
		id, callID, kind string
	}
	all := make([]last, len(wholes))
	for i, w := range wholes {
		all[i] = last{w, scalar(w["id"]), scalar(w["call_id"]), scalar(w["type"])}
	}
	found := make([]*responsesItem, len(wholes))
	for _, same := range []func(*responsesItem, last) bool{
		func(it *responsesItem, w last) bool { return it.id != "" && it.id == w.id },
		func(it *responsesItem, w last) bool { return it.callID != "" && it.callID == w.callID },
		func(it *responsesItem, w last) bool {
			return it.kind == w.kind && (w.kind != "function_call" || it.sameCall(w.whole))
		},
		func(it *responsesItem, w last) bool { return it.kind == "" && it.guessKind() == w.kind },
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

func (d *responsesDecoder) echo() members {
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

// responsesStatus returns the HTTP status that goes with an error's code outside a stream;
// 0 for an unknown code.
func responsesStatus(code string) int {
	return map[string]int{
		"rate_limit_exceeded": 429, "insufficient_quota": 429, "server_error": 500,
		"server_is_overloaded": 503, "slow_down": 503, "invalid_prompt": 400,
		"model_not_found": 404, "invalid_api_key": 401,
	}[code]
}
