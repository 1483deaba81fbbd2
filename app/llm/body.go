package llm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

var errNoDone = errors.New("the stream ended without [DONE]")

// eventBody reads a response's body as the events that matter: comments and pings
// are passed over, and an error that is no JSON is made some. It is the stream of
// the families that read their answers themselves.
type eventBody struct {
	io.Closer
	events *sseReader
	any    bool
}

func newEventBody(body io.ReadCloser) *eventBody {
	return &eventBody{Closer: body, events: newSSEReader(body)}
}

// next implements stream. Where the body held nothing but what is no stream, the
// error is an *Error.
func (b *eventBody) next() (sseEvent, error) {
	for {
		e, err := b.events.next()
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return e, err
		case !b.any && len(b.events.foreign) > 0:
			return e, notSSE(fmt.Sprintf("%q", clip(string(b.events.foreign))), 0)
		default:
			return e, errNoDone
		}
		switch data := e.data; {
		case isDone(data), e.name == "done" && !bytes.Contains(data, []byte(`"choices"`)):
			return e, io.EOF
		case data[0] == ':':
			continue // a comment that some gateway wrapped as data
		case isPing(data):
			continue
		case data[0] != '{' && data[0] != '[' && e.name == "error":
			e.data = append([]byte(`{"error":`), quoted(string(data))...)
			e.data = append(e.data, '}')
		case data[0] != '{' && e.name != "" && e.name != "message":
			continue // an event of some other kind, such as a ping
		}
		b.any = true
		return e, nil
	}
}

// isPing reports whether the data of an event is one of the words that gateways
// send to keep a connection open, and that stand in no JSON.
func isPing(data []byte) bool {
	if len(data) > 16 || data[0] == '{' {
		return false
	}
	switch strings.ToLower(strings.Trim(string(data), "[]\" ")) {
	case "ping", "pong", "heartbeat", "keepalive", "keep-alive", "keep_alive":
		return true
	}
	return false
}
