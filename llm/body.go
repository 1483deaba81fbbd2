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

// eventBody reads a response's body as events of JSON, each on one line. It skips comments
// and pings, and converts errors that are not JSON.
type eventBody struct {
	io.Closer
	events *sseReader
	any    bool // there has been an event
}

// next returns the next event. The error is [io.EOF] after [DONE], errNoDone if the body
// ended without it, an [*Error] if the body was not a stream at all, and otherwise what
// broke the connection.
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
			continue // a comment that a gateway wrapped as data
		case isPing(data):
			continue
		case e.name == "error" && data[0] != '[':
			e.data = errorData(data)
		case data[0] != '{' && e.name != "" && e.name != "message":
			continue // an event of another type, such as a ping
		}
		b.any = true
		return e, nil
	}
}

// unquoted returns the object in a JSON string, for servers that encode an event twice; other
// data as it is.
func unquoted(data []byte) []byte {
	if inner, ok := text(data); ok && strings.HasPrefix(inner, "{") {
		return []byte(inner)
	}
	return data
}

// escapeControls puts data on one line, and escapes the control characters in its strings:
// servers that format JSON by hand leave them as they are.
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

// errorData returns the data of an error event as JSON that [readServerError] reads.
func errorData(data []byte) []byte {
	if _, says := readServerError(data); says {
		return data
	}
	if !isObject(data) {
		data = quoted(string(data))
	}
	return append(append([]byte(`{"error":`), data...), '}')
}

// isPing reports whether data is one of the words that gateways send to keep a connection
// open.
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
