package llm

import (
	"encoding/json"
	"strings"
)

// How the parts of an item are told: as they come, and at their end what of them
// did not come, since some servers send only the whole.

func told(parts *map[int]*strings.Builder, index json.RawMessage) *strings.Builder {
	i, _ := number(index)
	if *parts == nil {
		*parts = map[int]*strings.Builder{}
	}
	if (*parts)[i] == nil {
		(*parts)[i] = &strings.Builder{}
	}
	return (*parts)[i]
}

func (it *responsesItem) say(index, delta json.RawMessage, c *chunk) {
	s, ok := text(delta)
	if !ok || s == "" {
		return
	}
	told(&it.texts, index).WriteString(s)
	it.size += len(s)
	c.text += s
}

func (it *responsesItem) sayRest(index, whole json.RawMessage, c *chunk) {
	if s, ok := text(whole); ok {
		it.say(index, quoted(newPart(told(&it.texts, index).String(), s)), c)
	}
}

func (it *responsesItem) refuse(index, delta json.RawMessage, c *chunk) {
	if s, ok := text(delta); ok {
		told(&it.texts, index).WriteString(s)
		c.refusal += s
	}
}

func (it *responsesItem) refuseRest(index, whole json.RawMessage, c *chunk) {
	if s, ok := text(whole); ok {
		it.refuse(index, quoted(newPart(told(&it.texts, index).String(), s)), c)
	}
}

// takePart takes what was not told of a part of a message.
func (it *responsesItem) takePart(index, raw json.RawMessage, c *chunk) {
	p := membersOf(raw)
	if scalar(p["type"]) == "reasoning_text" {
		return // it has an event of its own
	}
	it.sayRest(index, p["text"], c)
	it.refuseRest(index, p["refusal"], c)
}

// think tells reasoning; its parts are paragraphs.
func (d *responsesDecoder) think(it *responsesItem, index, delta json.RawMessage, c *chunk) {
	s, ok := text(delta)
	if !ok || s == "" {
		return
	}
	part := told(&it.thoughts, index)
	if part.Len() == 0 && d.thought {
		c.reasoning += "\n\n"
	}
	d.thought = true
	part.WriteString(s)
	c.reasoning += s
}

func (d *responsesDecoder) thinkRest(it *responsesItem, index, whole json.RawMessage, c *chunk) {
	if s, ok := text(whole); ok {
		d.think(it, index, quoted(newPart(told(&it.thoughts, index).String(), s)), c)
	}
}

func (it *responsesItem) calls(w members) bool {
	var same callDelta
	same.setArguments(w["arguments"])
	return it.name == scalar(w["name"]) && (it.args.Len() == 0 || it.args.String() == same.args)
}

func (it *responsesItem) looks() string {
	switch {
	case it.args.Len() > 0:
		return "function_call"
	case len(it.texts) > 0:
		return "message"
	}
	return "reasoning"
}

func (it *responsesItem) argue(delta json.RawMessage, c *chunk) {
	call := callDelta{index: it.label, hasIndex: true}
	call.setArguments(delta)
	if call.args == "" {
		return
	}
	it.args.WriteString(call.args)
	c.calls = append(c.calls, call)
}

// argueWhole takes the arguments in whole, which stand for all pieces.
func (it *responsesItem) argueWhole(whole json.RawMessage, c *chunk) {
	call := callDelta{index: it.label, hasIndex: true}
	call.setArguments(whole)
	if call.args == "" || call.args == it.args.String() {
		return
	}
	it.args.Reset()
	it.args.WriteString(call.args)
	call.argsJSON = true
	c.calls = append(c.calls, call)
}
