package llm

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"bowerbird/llm/textcall"
)

// Recorded is a model's whole answer, for bug reports and for comparison with an expected
// one.
type Recorded struct {
	Calls     []RecordedCall  `json:"calls"`
	Text      string          `json:"text"`
	Reasoning string          `json:"reasoning"`
	Refusal   string          `json:"refusal,omitempty"`
	Finish    *string         `json:"finish"` // null if the server reported none
	Usage     json.RawMessage `json:"usage"`  // as the provider reports it, without nulls
	Error     *RecordedError  `json:"error"`
}

// RecordedCall is one tool call of an answer.
type RecordedCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // not set if Invalid
	Repaired  bool            `json:"repaired,omitempty"`
	Invalid   bool            `json:"invalid,omitempty"` // must not be run
	Extra     json.RawMessage `json:"extra_content,omitempty"`
}

// RecordedError is how an answer failed.
type RecordedError struct {
	Kind       ErrorKind `json:"kind"`
	Message    string    `json:"message,omitempty"`
	Status     int       `json:"status,omitempty"`
	RetryAfter float64   `json:"retry_after_s,omitempty"`
	Code       string    `json:"code,omitempty"`
}

// ReadRecorded reads the body of a streamed answer as a [Client] reads it from a server.
// tools are those of the request. An answer that failed is not an error: it is in
// [Recorded].Error.
func ReadRecorded(ctx context.Context, body io.Reader, tools ...Tool) (*Recorded, error) {
	in := bufio.NewReaderSize(body, firstEvent)
	start, _ := in.Peek(firstEvent) // the body may be shorter
	row, _ := FindProvider("custom")
	row.speaks = writer(start)
	c, err := New(Options{
		Provider: row,
		Model:    "recorded",
		BaseURL:  "http://recorded.invalid/v1",
		HTTP:     &http.Client{Transport: replay{in}},
		Random:   counter(),
		Tries:    -1,
	})
	if err != nil {
		return nil, err
	}
	req := &Request{Messages: []Message{{Role: User, Text: "recorded"}}, Tools: tools}
	rec := collect(c.Stream(ctx, req))
	return rec, ctx.Err()
}

// RecordedText is a text in which a model wrote calls, taken apart.
type RecordedText struct {
	Calls     []Call   `json:"calls"` // those that may be run
	Text      string   `json:"text"`
	Reasoning string   `json:"reasoning"`
	Invalid   []string `json:"invalid,omitempty"` // the names of the others
	Error     string   `json:"error,omitempty"`   // why the first of the others is invalid: "incomplete" or "malformed"
}

// ReadText reads the text of an answer of a model without native calls. tools are those that
// it was given; without any, every name counts as a tool.
func ReadText(text string, tools ...Tool) RecordedText {
	scan := textcall.New(textcall.Options{Tools: tools})
	defer scan.Close()
	r := RecordedText{Calls: []Call{}}
	for _, e := range append(scan.Add(text), scan.End(true)...) {
		switch {
		case e.Kind == textcall.Text:
			r.Text += e.Delta
		case e.Kind == textcall.Reasoning:
			r.Reasoning += e.Delta
		case e.Kind == textcall.Called && e.Call.Invalid == "":
			r.Calls = append(r.Calls, e.Call)
		case e.Kind == textcall.Called:
			r.Invalid = append(r.Invalid, e.Call.Name)
			if r.Error == "" && strings.Contains(e.Call.Invalid, "cut off") {
				r.Error = "incomplete"
			}
			r.Error = cmp.Or(r.Error, "malformed")
		}
	}
	return r
}

// firstEvent is how many bytes of a body are searched for its family.
const firstEvent = 4 << 10

// writer returns the family of an answer, by the type of its first event other than a ping.
func writer(start []byte) family {
	first := ""
	for _, found := range regexp.MustCompile(`"type"\s*:\s*"([\w.]+)"`).FindAllSubmatch(start, -1) {
		if first = string(found[1]); first != "ping" {
			break
		}
	}
	all := families()
	if i := slices.IndexFunc(all, func(f family) bool { return f.wrote(first) }); i >= 0 {
		return all[i]
	}
	return all[0]
}

type replay struct{ body io.Reader }

func (r replay) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(r.body), ContentLength: -1, Request: req,
	}, nil
}

// counter replaces random numbers, so that the same input gives the same ids.
func counter() func() uint64 {
	n := uint64(0)
	return func() uint64 { n++; return n }
}

func collect(events iter.Seq2[Event, error]) *Recorded {
	r := &Recorded{Calls: []RecordedCall{}}
	var said [3]strings.Builder // text, reasoning, refusal
	for e, err := range events {
		if err != nil {
			r.fail(err)
			break
		}
		switch e.Type {
		case EventText:
			said[0].WriteString(e.Delta)
		case EventReasoning:
			said[1].WriteString(e.Delta)
		case EventRefusal:
			said[2].WriteString(e.Delta)
		case EventRetrying:
			said = [3]strings.Builder{}
		case EventToolCall:
			r.call(e.Call)
		case EventUsage:
			r.Usage = recordedUsage(e)
		case EventFinish:
			r.finish(e.Finish)
		}
	}
	r.Text, r.Reasoning, r.Refusal = said[0].String(), said[1].String(), said[2].String()
	return r
}

func (r *Recorded) call(c *Call) {
	call := RecordedCall{ID: c.ID, Name: c.Name, Repaired: c.Repaired, Extra: c.Extra}
	if call.Invalid = c.Invalid != ""; !call.Invalid {
		call.Arguments = c.Arguments
	}
	r.Calls = append(r.Calls, call)
}

func (r *Recorded) finish(reason string) {
	if reason != "" {
		r.Finish = &reason
	}
}

func (r *Recorded) fail(err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = &Error{Kind: KindTransport, Message: err.Error()}
	}
	r.finish(e.Finish)
	r.Error = &RecordedError{Kind: e.Kind, Message: e.Message, Status: e.Status, RetryAfter: e.RetryAfterSeconds, Code: e.Code}
}

func recordedUsage(e Event) json.RawMessage {
	w := membersOf(e.rawUsage)
	if w == nil {
		return nil
	}
	maps.DeleteFunc(w, func(_ string, value json.RawMessage) bool { return !present(value) })
	for name, n := range map[string]int{
		"prompt_tokens": e.Usage.Input, "completion_tokens": e.Usage.Output, "total_tokens": e.Usage.Total,
	} {
		w[name], _ = json.Marshal(n)
	}
	raw, _ := json.Marshal(w) // it was JSON
	return raw
}
