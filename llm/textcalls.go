package llm

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"bowerbird/llm/textcall"
)

// The formats in addition to those of [textcall].
const (
	formatNative = "native" // the provider's native calls
	formatNone   = "none"   // no tools
)

// Says is a server's yes or no about a capability; "" if it does not say.
type Says string

// The values of Says.
const (
	SaysYes Says = "yes"
	SaysNo  Says = "no"
)

// FormatFacts are what [ChooseFormat] chooses by.
type FormatFacts struct {
	Wanted   string // the user's choice: "native", "none" or a text format; "" for none
	Refused  bool   // the server has refused tools for this model
	Says     Says   // whether the model takes tools, according to the server
	SaysFrom Source // the source of Says
	Always   bool   // all models of the provider take tools
	Model    string // its name
}

// ChooseFormat returns the format in which a model gets its tools, and what the choice is
// based on. The user's choice comes first, unless it is native calls and the server has
// refused them; then what was observed, what the server says, and the model's name. By
// default native calls are tried: a refusal is learned, and calls that come as text
// nevertheless are read.
func ChooseFormat(f FormatFacts) (format string, from Source) {
	switch {
	case f.Wanted == formatNative && !f.Refused, f.Wanted == formatNone, writerOf(f.Wanted) != nil:
		return f.Wanted, FromUser
	case f.Refused:
		return textFormatOf(f.Model), FromRefusal
	case f.Says == SaysYes:
		return formatNative, f.SaysFrom
	case f.Says == SaysNo:
		return textFormatOf(f.Model), f.SaysFrom
	case f.Always:
		return formatNative, FromDefault
	case neverCalls(f.Model):
		return textFormatOf(f.Model), FromName
	}
	return formatNative, FromDefault
}

// neverCalls reports whether a model is known not to have been trained for calls. It is
// consulted only if the server says nothing. The names are of models that people still run
// themselves and that no server has a tool template for: base models, and families of 2023
// and 2024.
func neverCalls(model string) bool {
	name := plainModel(model)
	if slices.ContainsFunc([]string{
		"gemma-2b", "gemma-7b", "gemma:", "gemma-1.", "gemma2", "gemma-2-", "gemma3", "gemma-3", "codegemma", "medgemma",
		"llama2", "llama-2", "codellama", "tinyllama", "vicuna", "falcon", "starcoder", "orca-mini",
		"phi-2", "phi:", "phi3", "phi-3",
	}, func(family string) bool { return strings.HasPrefix(name, family) }) {
		return true
	}
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:.", r) }) {
		if word == "base" || word == "pt" || word == "text" && strings.HasPrefix(name, "gemma") {
			return true
		}
	}
	return name == "gemma" || name == "phi"
}

// textFormatOf returns the text format that a model's family was trained on, else that of
// Hermes: more models were trained on it than on any other, and others can follow its
// description.
func textFormatOf(model string) string {
	name := plainModel(model)
	for _, row := range []struct{ format, families string }{
		{"mistral", "mistral ministral magistral devstral codestral mixtral-8x22b mathstral"},
		{"pythonic", "llama3.2 llama-3.2 llama4 llama-4 toolace xlam"},
		{"json", "llama3 llama-3 meta-llama-3 gemma codegemma phi"},
	} {
		for _, family := range strings.Fields(row.families) {
			if strings.HasPrefix(name, family) {
				return row.format
			}
		}
	}
	return "hermes"
}

// plainModel returns a model's name in lower case, without the organisation before "/".
func plainModel(model string) string {
	model = strings.ToLower(model[:min(len(model), maxSizeName)])
	return model[strings.LastIndexByte(model, '/')+1:]
}

// writerOf returns the writer of a text format; nil for "" and formats that are only read.
func writerOf(format string) *textcall.Writer {
	f, _ := textcall.Find(format)
	return f.Write
}

// learnsText switches to a text format if the server has refused tools, and reports whether
// it did, so that the request is to be repeated.
func (a *attempt) learnsText() bool {
	if a.err.Kind != KindNoTools || len(a.req.Tools) == 0 || a.set.format != "" || !a.client.row.family(a.set).tagged() {
		return false
	}
	a.set.format = textFormatOf(a.client.model)
	return true
}

// textReader finds reasoning and calls in the text of an answer: for models whose tools are
// described in a text format, and as a safety net for servers that do not recognise the
// native calls of their models.
type textReader struct {
	options textcall.Options
	scan    *textcall.Scanner // nil before the first piece
	apart   bool              // some reasoning was sent separately from the text
	// net means that the model has native calls. Then only calls of known tools at the very
	// end count: models stop after a call, so one that continues was showing a call, or
	// quoting a note that contains one.
	net     bool
	pending []textcall.Event
	calls   []Call
	said    [2]bool // some text, some reasoning
}

// newTextReader returns a reader for the text of a model with these tools. thinkingOpen
// means that its template contains the opening tag of reasoning, so that only the end tag
// is sent.
func newTextReader(tools []Tool, format string, thinkingOpen bool) *textReader {
	return &textReader{
		options: textcall.Options{
			Tools: tools, KnownOnly: format == "", NoCalls: len(tools) == 0, ThinkingOpen: thinkingOpen,
		},
		net: format == "",
	}
}

func (t *textReader) add(text string) []Event {
	if text == "" {
		return nil
	}
	if t.scan == nil {
		t.options.ThinkingOpen = t.options.ThinkingOpen && !t.apart
		t.scan = textcall.New(t.options)
	}
	if t.apart {
		t.scan.Apart()
	}
	return t.take(t.scan.Add(text))
}

// end returns the events that were held back. whole means that the answer was not cut off.
// Afterwards t.calls holds all calls.
func (t *textReader) end(whole bool) (events []Event) {
	if t == nil || t.scan == nil {
		return nil
	}
	if t.apart {
		t.scan.Apart()
	}
	events = t.take(t.scan.End(whole))
	for _, e := range t.pending {
		t.calls = append(t.calls, e.Call)
	}
	t.pending = nil
	return events
}

func (t *textReader) close() {
	if t != nil && t.scan != nil {
		t.scan.Close()
	}
}

// take converts events of the scanner, joining consecutive text or reasoning.
func (t *textReader) take(found []textcall.Event) (events []Event) {
	var delta strings.Builder
	kind := EventText
	say := func(as EventType, begins bool, text string) {
		if text == "" {
			return
		}
		if as != kind && delta.Len() > 0 {
			events = append(events, Event{Type: kind, Delta: delta.String()})
			delta.Reset()
		}
		kind = as
		said := &t.said[map[EventType]int{EventText: 0, EventReasoning: 1}[as]]
		if begins && *said {
			delta.WriteString("\n\n")
		}
		*said = true
		delta.WriteString(text)
	}
	for _, e := range found {
		switch e.Kind {
		case textcall.Called:
			t.pending = append(t.pending, e)
		case textcall.Thought:
			say(EventText, false, t.raw())
		case textcall.Reasoning:
			say(EventReasoning, e.Begins, e.Delta)
		case textcall.Text:
			if t.net { // then the calls before it were text
				say(EventText, false, t.raw())
			}
			say(EventText, e.Begins, e.Delta)
		}
	}
	if delta.Len() > 0 {
		events = append(events, Event{Type: kind, Delta: delta.String()})
	}
	return events
}

// raw returns the pending calls as text, and drops them.
func (t *textReader) raw() (text string) {
	for _, e := range t.pending {
		text += e.Raw
	}
	t.pending = nil
	return text
}

// unnamed is the name of a call in text that names no tool. It is returned as an invalid call
// so that the model learns about it and does not repeat it.
const unnamed = "unnamed"

// beside returns the calls that are not among the native ones: some servers send both the
// native calls and their text. reason is why no call may be run, "" if they may.
func (t *textReader) beside(native []Call, reason string, newID func() string) []Call {
	if t == nil {
		return nil
	}
	taken := map[string]bool{"": true}
	for _, c := range native {
		taken[c.ID] = true
	}
	var out []Call
	for _, call := range t.calls {
		same := func(n Call) bool { return n.Name == call.Name && sameJSON(n.Arguments, call.Arguments) }
		if slices.ContainsFunc(native, same) {
			continue
		}
		call.Name = cmp.Or(call.Name, unnamed)
		for taken[call.ID] {
			call.ID = newID()
		}
		taken[call.ID] = true
		if reason != "" && call.Invalid == "" {
			call.Repaired, call.Invalid, call.Arguments = false, reason, quoted(string(call.Arguments))
		}
		out = append(out, call)
	}
	return out
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

// inText returns a request with its tools, calls and results in a text format.
func inText(req *Request, w *textcall.Writer) *Request {
	out := *req
	out.Tools, out.Messages = nil, asText(req.Messages, w)
	if len(req.Tools) == 0 {
		return &out
	}
	tools := w.System(req.Tools)
	if len(out.Messages) == 0 || out.Messages[0].Role != System {
		out.Messages = slices.Insert(out.Messages, 0, Message{Role: System})
	}
	system := &out.Messages[0]
	system.Text = strings.TrimLeft(strings.TrimRight(system.Text, "\n")+"\n\n"+tools, "\n")
	return &out
}

// withoutTools returns a request without tools. Calls and results in its history are written
// as text, since servers refuse them without tools.
func withoutTools(req *Request) *Request {
	out := *req
	out.Tools = nil
	return inText(&out, writerOf(textFormatOf("")))
}

// asText writes calls into the text of their messages, and consecutive results into one
// message of the user: many templates require alternating roles.
func asText(messages []Message, w *textcall.Writer) []Message {
	var out []Message
	answered := false // the last message contains results
	for _, m := range messages {
		switch {
		case m.Role == ToolRole:
			text := w.Result(textcall.Result{Name: m.CallName, Text: m.Text, Failed: m.Failed})
			if answered {
				out[len(out)-1].Text += "\n" + text
				continue
			}
			answered = true
			out = append(out, Message{Role: User, Text: text})
			continue
		case len(m.Calls) > 0:
			m.Text = strings.TrimLeft(m.Text+"\n"+w.Calls(m.Calls), "\n")
			m.Calls = nil
		}
		answered = false
		out = append(out, m)
	}
	return out
}
