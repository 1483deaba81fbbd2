package llm

import (
	"encoding/json"
	"strings"
)

// responsesItem is one item of an answer: a message, reasoning or a call.
type responsesItem struct {
	kind     string
	label    int // its index in responsesDecoder.items, which identifies the pieces of a call
	index    int // output_index
	id       string
	callID   string
	name     string
	size     int // of its text, in bytes
	texts    itemParts
	thoughts itemParts
	args     strings.Builder
	keep     json.RawMessage // encrypted reasoning, as it is sent back
	done     bool
	closed   bool // it has been found in the event that ends the answer
}

// itemParts is the text received of each part of an item, by the part's index.
type itemParts map[int]*strings.Builder

// add returns what an event adds to a part. The event holds a delta or the whole part:
// some servers send only the latter.
func (p itemParts) add(index, raw json.RawMessage, whole bool) string {
	s, _ := text(raw)
	i, _ := number(index)
	part := p[i]
	if part == nil {
		part = &strings.Builder{}
	}
	if whole {
		s = newPart(part.String(), s)
	}
	if s != "" {
		part.WriteString(s)
		p[i] = part
	}
	return s
}

func (it *responsesItem) addText(index, raw json.RawMessage, whole bool, c *chunk) {
	s := it.texts.add(index, raw, whole)
	it.size += len(s)
	c.text += s
}

func (it *responsesItem) addRefusal(index, raw json.RawMessage, whole bool, c *chunk) {
	c.refusal += it.texts.add(index, raw, whole)
}

// addPart adds a whole part of a message.
func (it *responsesItem) addPart(index, raw json.RawMessage, c *chunk) {
	p := membersOf(raw)
	if scalar(p["type"]) == "reasoning_text" {
		return // it has events of its own type
	}
	it.addText(index, p["text"], true, c)
	it.addRefusal(index, p["refusal"], true, c)
}

// addThought adds reasoning, each part as a paragraph.
func (d *responsesDecoder) addThought(it *responsesItem, index, raw json.RawMessage, whole bool, c *chunk) {
	parts := len(it.thoughts)
	s := it.thoughts.add(index, raw, whole)
	if len(it.thoughts) > parts && d.thought {
		c.reasoning += "\n\n"
	}
	d.thought = d.thought || s != ""
	c.reasoning += s
}

// addArguments adds to the arguments of a call. Whole ones replace the pieces.
func (it *responsesItem) addArguments(raw json.RawMessage, whole bool, c *chunk) {
	call := callDelta{index: it.label, hasIndex: true}
	call.setArguments(raw)
	if call.args == "" || whole && call.args == it.args.String() {
		return
	}
	if whole {
		it.args.Reset()
		call.argsJSON = true
	}
	it.args.WriteString(call.args)
	c.calls = append(c.calls, call)
}

// sameCall reports whether w is this call, as far as its arguments have been received.
func (it *responsesItem) sameCall(w members) bool {
	var same callDelta
	same.setArguments(w["arguments"])
	return it.name == scalar(w["name"]) && (it.args.Len() == 0 || it.args.String() == same.args)
}

// guessKind returns the type of an item whose first event was lost.
func (it *responsesItem) guessKind() string {
	switch {
	case it.args.Len() > 0:
		return "function_call"
	case len(it.texts) > 0:
		return "message"
	}
	return "reasoning"
}
