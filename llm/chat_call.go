package llm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

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
	if d.id = scalar(w.ID); d.id == "" {
		d.id = scalar(w.CallID)
	}
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
	if inner.name == "" {
		inner.name = d.name
	}
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
