package llm

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"bowerbird/llm/textcall"
)

// What stands in the text of an answer beside text: thinking, and calls. Calls are looked
// for in two cases: where the model was told of its tools in the text (Options.Format, or
// learned from its server), and as a net under native calls, for servers that do not
// recognise what their model writes.

// writerOf returns what writes a text format; nil for "" and those that are only read.
func writerOf(format string) *textcall.Writer {
	f, _ := textcall.Find(format)
	return f.Write
}

// learnsText reports whether a failed request is to be repeated with its tools in the
// text, and sees to it that the model gets them so from now on.
func (a *attempt) learnsText() bool {
	if a.err.Kind != KindNoTools || len(a.req.Tools) == 0 || a.set.format != "" || !a.client.row.family(a.set).tagged() {
		return false
	}
	a.set.format = textFormatOf(a.client.model)
	return true
}

type textReader struct {
	options textcall.Options
	scan    *textcall.Scanner // from the first piece on
	apart   bool              // some thinking came apart from the text
	// net says that the model has native calls. Then only known tools count, and
	// only at the very end: a model stops when it has called, so one that goes on
	// was showing a call, or quoting a note that holds one.
	net     bool
	pending []textcall.Event
	calls   []Call
	said    [2]bool // some text, some reasoning
}

// newTextReader returns what reads the text of a model that has these tools.
// thinkingOpen says that its template opens the thinking, so that only the end tag is
// sent.
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

// end returns what was held back; whole says that the answer came to its end. After it
// calls holds all calls.
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

// take makes events of what was found: one for all text or reasoning in a row.
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
			if t.net { // then what was taken for calls turned out to be text
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

// raw makes text again of what was taken for calls.
func (t *textReader) raw() (text string) {
	for _, e := range t.pending {
		text += e.Raw
	}
	t.pending = nil
	return text
}

// unnamed stands for the name of a call that names no tool, which is invalid. The
// model is told so: it wrote the call itself, and would write it again.
const unnamed = "unnamed"

// beside returns the calls that are not among the native ones, with which some
// servers leave the text as well. reason is why none may be run, "" when they may.
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

func inText(req *Request, w *textcall.Writer) *Request {
	out := *req
	out.Tools, out.Messages = nil, nil
	if len(req.Tools) > 0 {
		tools := w.System(req.Tools)
		if len(req.Messages) == 0 || req.Messages[0].Role != System {
			out.Messages = append(out.Messages, Message{Role: System, Text: tools})
		}
		for i, m := range req.Messages {
			if i == 0 && m.Role == System {
				m.Text = strings.TrimRight(m.Text, "\n") + "\n\n" + tools
			}
			out.Messages = append(out.Messages, m)
		}
	} else {
		out.Messages = slices.Clone(req.Messages)
	}
	out.Messages = asText(out.Messages, w)
	return &out
}

// untold returns a request without tools. Calls and results of its history, made with
// another model maybe, stand in the text: servers refuse them where no tools are.
func withoutTools(req *Request) *Request {
	out := *req
	out.Tools = nil
	return inText(&out, writerOf(textFormatOf("")))
}

// asText writes calls into the messages that made them, and results, those that
// follow each other in one, as messages of the user: templates want the roles to
// take turns.
func asText(messages []Message, w *textcall.Writer) []Message {
	var out []Message
	answered := false // the last message holds results
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
