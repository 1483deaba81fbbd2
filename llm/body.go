package llm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

var errNoDone = errors.New("the stream ended without [DONE]")

// eventBody reads a response's body as the events that matter: comments and pings
// are passed over, an error that is no JSON is made some, and the data of each stands
// on one line.
type eventBody struct {
	io.Closer
	events *sseReader
	any    bool
}

// next returns the next event. The error is io.EOF after [DONE], errNoDone where the
// body ended without it, an *Error where it held nothing but what is no stream, and else
// what broke it.
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
		e.data = escapeControls(unquoted(e.data))
		switch data := e.data; {
		case isDone(data), e.name == "done" && !bytes.Contains(data, []byte(`"choices"`)):
			return e, io.EOF
		case data[0] == ':':
			continue // a comment that some gateway wrapped as data
		case isPing(data):
			continue
		case e.name == "error" && data[0] != '[':
			e.data = errorData(data)
		case data[0] != '{' && e.name != "" && e.name != "message":
			continue // an event of some other kind, such as a ping
		}
		b.any = true
		return e, nil
	}
}

// unquoted returns what a JSON string holds, where that is an object: an event that
// was written as JSON twice.
func unquoted(data []byte) []byte {
	if inner, ok := text(data); ok && strings.HasPrefix(inner, "{") {
		return []byte(inner)
	}
	return data
}

// escapeControls puts data on one line and writes the control characters in its
// strings, which servers that make their JSON by hand leave as they are, as escapes.
func escapeControls(data []byte) []byte {
	isControl := func(c byte) bool { return c < ' ' }
	if !slices.ContainsFunc(data, isControl) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	inString, slash := false, false
	for _, c := range data {
		switch {
		case !isControl(c):
			out = append(out, c)
		case inString && !slash:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, ' ')
		}
		if c == '"' && !slash {
			inString = !inString
		}
		slash = inString && c == '\\' && !slash
	}
	return out
}

func errorData(data []byte) []byte {
	if _, says := readServerError(data); says {
		return data
	}
	if !isObject(data) {
		data = quoted(string(data))
	}
	return append(append([]byte(`{"error":`), data...), '}')
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
