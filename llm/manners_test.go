package llm_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"bowerbird/llm"
)

// said is one part of a made-up answer: thinking, text, or a call.
type said struct {
	kind string // "thinking", "text", "call"
	text string // also a call's arguments
	id   string // of a call; of thinking, what it is signed with
	name string
}

// saying makes answers up: the same seed, the same answer.
type saying struct{ *rand.Rand }

func newSaying(seed uint64) saying { return saying{rand.New(rand.NewPCG(seed, 7))} }

func (r saying) of(words ...string) string { return words[r.IntN(len(words))] }

// words are hard on whoever cuts, escapes or scans them.
func (r saying) words(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(r.of("Ada ", "relays", "\n", `"`, `\`, "é", "東京 ", "🌞", "</think>", "{\"a\":", "}", "data: ", "[DONE]", "<b>&", "\u2028", " "))
	}
	return "w" + b.String() + "."
}

func (r saying) value(depth int) any {
	switch n := r.IntN(7); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n == 2:
		return float64(r.IntN(1e6)) / 8
	case n == 3 && depth > 0:
		return r.object(depth - 1)
	case n == 4 && depth > 0:
		list := make([]any, r.IntN(3))
		for i := range list {
			list[i] = r.value(depth - 1)
		}
		return list
	}
	return r.words(r.IntN(4))
}

func (r saying) object(depth int) map[string]any {
	o := map[string]any{}
	for i := range r.IntN(4) {
		o[fmt.Sprintf("%s%d", r.of("a", "é", "search", `q"`), i)] = r.value(depth)
	}
	return o
}

// answer returns parts in a random order, one of them visible at least. ordered
// puts them as chat completions tell them: thinking, text, calls, each once.
func (r saying) answer(ordered bool) []said {
	var parts []said
	add := func(kind string) {
		p := said{kind: kind, text: r.words(r.IntN(6))}
		switch kind {
		case "thinking":
			p.id = fmt.Sprintf("c2ln%d", len(parts))
		case "call":
			p.id, p.name, p.text = fmt.Sprintf("call_%d_%d", len(parts), r.IntN(1e6)), r.of("query", "count", "get_note"), encoded(r.object(2))
		}
		parts = append(parts, p)
	}
	if ordered {
		if r.IntN(2) == 0 {
			add("thinking")
		}
		if r.IntN(3) > 0 {
			add("text")
		}
		for range r.IntN(4) {
			add("call")
		}
	} else {
		for range r.IntN(6) {
			add(r.of("thinking", "text", "call"))
		}
	}
	if all := whole(parts); all.Text == "" && len(all.Calls) == 0 {
		add("text")
	}
	return parts
}

// cut returns a text in pieces, whole characters each.
func (r saying) cut(text string) []string {
	var pieces []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := 1 + r.IntN(min(len(runes), 9))
		pieces, runes = append(pieces, string(runes[:n])), runes[n:]
	}
	return pieces
}

func encoded(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // what is made up here can be written
	}
	return string(raw)
}

// whole is what is to be read of an answer.
func whole(parts []said) *llm.Recorded {
	r := &llm.Recorded{}
	for _, p := range parts {
		switch p.kind {
		case "text":
			r.Text += p.text
		case "thinking":
			r.Reasoning += p.text
		case "call":
			r.Calls = append(r.Calls, llm.RecordedCall{ID: p.id, Name: p.name, Arguments: json.RawMessage(p.text)})
		}
	}
	return r
}

// differs tells how what was read differs from what was written.
func differs(got, want *llm.Recorded) string {
	if got.Error != nil {
		return fmt.Sprintf("error %+v", got.Error)
	}
	if got.Text != want.Text || got.Reasoning != want.Reasoning || len(got.Calls) != len(want.Calls) {
		return fmt.Sprintf("text %q for %q, reasoning %q for %q, %d calls for %d", got.Text, want.Text, got.Reasoning, want.Reasoning, len(got.Calls), len(want.Calls))
	}
	for i, w := range want.Calls {
		g := got.Calls[i]
		var a, b any
		if json.Unmarshal(g.Arguments, &a) != nil || json.Unmarshal(w.Arguments, &b) != nil || !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("arguments %s for %s", g.Arguments, w.Arguments)
		}
		if g.Arguments, w.Arguments = nil, nil; !reflect.DeepEqual(g, w) {
			return fmt.Sprintf("call %+v for %+v", g, w)
		}
	}
	return ""
}

// obj is shorter than its type.
type obj = map[string]any

// manner is how a provider writes an answer down, as the events of a stream.
type manner struct {
	name    string
	ordered bool // it knows no order of parts
	write   func(r saying, parts []said) []any
}

func manners() []manner {
	return []manner{
		{"chat completions", true, func(r saying, parts []said) []any {
			return chatManner(r, parts, func(i int, p said) []obj {
				deltas := []obj{{"index": i, "id": p.id, "type": "function", "function": obj{"name": p.name, "arguments": ""}}}
				for _, piece := range r.cut(p.text) {
					deltas = append(deltas, obj{"index": i, "function": obj{"arguments": piece}})
				}
				return deltas
			})
		}},
		{"chat completions, each call whole and at index 0", true, func(r saying, parts []said) []any {
			return chatManner(r, parts, func(_ int, p said) []obj {
				return []obj{{"index": 0, "id": p.id, "function": obj{"name": p.name, "arguments": p.text}}}
			})
		}},
		{"chat completions without an index", true, func(r saying, parts []said) []any {
			return chatManner(r, parts, func(_ int, p said) []obj {
				deltas := []obj{{"id": p.id, "function": obj{"name": p.name}}}
				for _, piece := range r.cut(p.text) {
					deltas = append(deltas, obj{"id": "", "function": obj{"name": nil, "arguments": piece}})
				}
				return deltas
			})
		}},
		{"chat completions with arguments as objects", true, func(r saying, parts []said) []any {
			return chatManner(r, parts, func(i int, p said) []obj {
				return []obj{{"index": i, "id": p.id, "function": obj{"name": p.name, "arguments": json.RawMessage(p.text)}}}
			})
		}},
		{"Ollama's own", true, ollamaManner},
		{"messages", false, anthropicManner},
		{"responses", false, responsesManner},
	}
}

func chatManner(r saying, parts []said, call func(i int, p said) []obj) []any {
	delta := func(d obj) any { return obj{"choices": []any{obj{"index": 0, "delta": d}}} }
	events := []any{delta(obj{"role": "assistant", "content": ""})}
	calls := 0
	for _, p := range parts {
		switch p.kind {
		case "thinking":
			for _, piece := range r.cut(p.text) {
				events = append(events, delta(obj{"reasoning_content": piece}))
			}
		case "text":
			for _, piece := range r.cut(p.text) {
				events = append(events, delta(obj{"content": piece}))
			}
		case "call":
			for _, d := range call(calls, p) {
				events = append(events, delta(obj{"tool_calls": []any{d}}))
			}
			calls++
		}
	}
	return append(events, obj{"choices": []any{obj{"index": 0, "delta": obj{}, "finish_reason": "stop"}}})
}

// ollamaManner gives each call whole and in a line of its own.
func ollamaManner(r saying, parts []said) []any {
	line := func(m obj) any {
		m["role"] = "assistant"
		return obj{"model": "m", "created_at": "2026-09-01T12:00:00Z", "message": m, "done": false}
	}
	var events []any
	for i, p := range parts {
		switch p.kind {
		case "thinking":
			for _, piece := range r.cut(p.text) {
				events = append(events, line(obj{"content": "", "thinking": piece}))
			}
		case "text":
			for _, piece := range r.cut(p.text) {
				events = append(events, line(obj{"content": piece}))
			}
		case "call":
			events = append(events, line(obj{"content": "", "tool_calls": []any{
				obj{"id": p.id, "function": obj{"index": i, "name": p.name, "arguments": json.RawMessage(p.text)}},
			}}))
		}
	}
	return append(events, obj{"model": "m", "message": obj{"role": "assistant", "content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 7, "eval_count": 3})
}

func anthropicManner(r saying, parts []said) []any {
	events := []any{obj{"type": "message_start", "message": obj{"content": []any{}, "usage": obj{"input_tokens": 1}}}}
	for i, p := range parts {
		start := obj{"type": "text", "text": ""}
		delta := func(piece string) obj { return obj{"type": "text_delta", "text": piece} }
		switch p.kind {
		case "thinking":
			start = obj{"type": "thinking", "thinking": "", "signature": ""}
			delta = func(piece string) obj { return obj{"type": "thinking_delta", "thinking": piece} }
		case "call":
			start = obj{"type": "tool_use", "id": p.id, "name": p.name, "input": obj{}}
			delta = func(piece string) obj { return obj{"type": "input_json_delta", "partial_json": piece} }
		}
		events = append(events, obj{"type": "content_block_start", "index": i, "content_block": start})
		pieces := r.cut(p.text)
		if p.text == "{}" && r.IntN(2) == 0 {
			pieces = nil
		}
		for _, piece := range pieces {
			events = append(events, obj{"type": "content_block_delta", "index": i, "delta": delta(piece)})
		}
		if p.kind == "thinking" {
			events = append(events, obj{"type": "content_block_delta", "index": i, "delta": obj{"type": "signature_delta", "signature": p.id}})
		}
		events = append(events, obj{"type": "content_block_stop", "index": i})
	}
	return append(events, obj{"type": "message_delta", "delta": obj{"stop_reason": "end_turn"}}, obj{"type": "message_stop"})
}

func responsesManner(r saying, parts []said) []any {
	events := []any{obj{"type": "response.created", "response": obj{"status": "in_progress", "output": []any{}}}}
	for i, p := range parts {
		begun, end, deltas, done := responsesItem(i, p)
		id := end["id"]
		events = append(events, obj{"type": "response.output_item.added", "output_index": i, "item": begun})
		if r.IntN(4) > 0 { // else it comes only in whole
			for _, piece := range r.cut(p.text) {
				events = append(events, obj{"type": deltas, "item_id": id, "output_index": i, "content_index": 0, "summary_index": 0, "delta": piece})
			}
		}
		events = append(events,
			obj{"type": deltas[:strings.LastIndexByte(deltas, '.')] + ".done", "item_id": id, "output_index": i, "content_index": 0, "summary_index": 0, done: p.text},
			obj{"type": "response.output_item.done", "output_index": i, "item": end})
	}
	return append(events, obj{"type": "response.completed", "response": obj{"status": "completed", "output": []any{}}})
}

// responsesItem returns an item as it begins and ends, the type of its deltas, and
// the member that holds all of them.
func responsesItem(i int, p said) (begun, end obj, deltas, done string) {
	id := fmt.Sprintf("item_%d", i)
	switch p.kind {
	case "thinking":
		return obj{"id": id, "type": "reasoning", "summary": []any{}},
			obj{"id": id, "type": "reasoning", "summary": []any{obj{"type": "summary_text", "text": p.text}}, "encrypted_content": p.id},
			"response.reasoning_summary_text.delta", "text"
	case "call":
		call := func(args string) obj {
			return obj{"id": id, "type": "function_call", "call_id": p.id, "name": p.name, "arguments": args}
		}
		return call(""), call(p.text), "response.function_call_arguments.delta", "arguments"
	}
	return obj{"id": id, "type": "message", "content": []any{}},
		obj{"id": id, "type": "message", "content": []any{obj{"type": "output_text", "text": p.text}}},
		"response.output_text.delta", "text"
}

// body writes events as a stream.
func body(events []any) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + encoded(e) + "\n\n")
	}
	return b.String()
}
