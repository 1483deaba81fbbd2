package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Limits of one answer. The arguments of a call may come as a single line, so a line may be
// long.
const (
	maxEventBytes  = 8 << 20
	maxStreamBytes = 64 << 20
)

var errTooLarge = errors.New("the answer is larger than this program reads")

type sseEvent struct {
	name string
	data []byte
}

// framed is the data of one or several events.
type framed struct {
	sseEvent
	several bool
}

// sseReader splits a response body into events. In addition to the standard
// (https://html.spec.whatwg.org/multipage/server-sent-events.html) it reads what some
// servers send instead: events without blank lines between them, and bare JSON, with one
// object per line (NDJSON) or over several lines.
//
// An event is returned as soon as its JSON is balanced, so that text does not wait for the
// blank line after it.
type sseReader struct {
	lines lineReader

	name    string
	pending []byte
	open    bool // pending holds the beginning of an event
	bare    bool // pending is bare JSON, not the data of an SSE event
	balance balance
	blanks  bool // events of this stream are separated by blank lines

	queue   []framed
	ended   error
	foreign []byte // the beginning of what was neither SSE nor JSON
}

func newSSEReader(r io.Reader) *sseReader {
	return &sseReader{lines: lineReader{from: r, maxLine: maxEventBytes, maxTotal: maxStreamBytes}}
}

// next returns the next event. The error is [io.EOF] at a clean end, otherwise that of the
// body's Read, or errTooLarge.
func (s *sseReader) next() (sseEvent, error) {
	for len(s.queue) == 0 {
		if s.ended != nil {
			return sseEvent{}, s.ended
		}
		line, err := s.lines.next()
		if err != nil {
			s.ended = err
			// Incomplete JSON was cut off and is not an event.
			if cut := s.balance.started && !s.balance.done(); errors.Is(err, io.EOF) && s.open && !cut {
				s.flush()
			}
			continue
		}
		if err := s.line(line); err != nil {
			s.ended = err
		}
	}
	head := &s.queue[0]
	e := head.sseEvent
	if head.several { // cut one at a time: there may be millions
		e.data, head.data = cutEvent(e.data)
	}
	if !head.several || len(head.data) == 0 {
		s.queue = s.queue[1:]
	}
	return e, nil
}

func (s *sseReader) line(line []byte) error {
	if s.open && s.bare {
		return s.add(line)
	}
	if len(line) == 0 {
		if s.open {
			s.flush()
		}
		s.blanks = true
		s.name = ""
		return nil
	}
	line = bytes.TrimLeft(line, string(recordMark)+string(bom))
	field, value, found := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(bytes.ToLower(bytes.TrimSpace(field))) {
	case "data":
		return s.data(value)
	case "error": // a field that older versions of llama.cpp use
		if found {
			s.name = "error"
			return s.data(value)
		}
	case "event":
		s.name = string(bytes.TrimSpace(value))
		return nil
	case "id", "retry":
		return nil
	case "":
		if found {
			return nil // a comment
		}
	}
	return s.unframed(line)
}

// unframed reads a line that is not SSE: the continuation of JSON whose first line was
// framed, the beginning of bare JSON, or something else.
func (s *sseReader) unframed(line []byte) error {
	if s.open && s.balance.started {
		return s.add(line)
	}
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
	case (text[0] == '{' || text[0] == '[') && len(s.foreign) == 0:
		if s.open {
			s.flush()
		}
		s.bare = true
		return s.add(text)
	case len(s.foreign) == 0:
		s.foreign = bytes.Clone(text[:min(len(text), 200)])
	}
	return nil
}

func (s *sseReader) data(value []byte) error {
	value = unwrapData(value)
	// Without blank lines, only the data shows that the last event was broken off: a line
	// that is a whole object is a new event.
	if s.open && !s.blanks && wholeObject(value) {
		s.flush()
	}
	return s.add(value)
}

func (s *sseReader) add(data []byte) error {
	if s.open {
		s.pending = append(s.pending, '\n')
	} else {
		s.open = true
		s.pending = s.pending[:0]
		s.balance = balance{}
	}
	if len(s.pending)+len(data) > s.lines.maxLine {
		return fmt.Errorf("%w: one event is over %d bytes", errTooLarge, s.lines.maxLine)
	}
	s.pending = append(s.pending, data...)
	s.balance.feed(data)
	if s.balance.done() {
		s.flush()
	}
	return nil
}

func (s *sseReader) flush() {
	if data := bytes.TrimSpace(s.pending); len(data) > 0 {
		data, isList := openList(data)
		s.queue = append(s.queue, framed{sseEvent{name: s.name, data: bytes.Clone(data)}, isList || s.balance.again})
	}
	s.open, s.bare = false, false
}

func wholeObject(data []byte) bool {
	var b balance
	b.feed(data)
	data = bytes.TrimSpace(data)
	return b.done() && len(data) > 2 && data[0] == '{'
}

// balance detects the end of a JSON object or array in one pass over its pieces, by its
// brackets and strings alone.
type balance struct {
	depth           int
	started, closed bool
	again           bool // more follows after the end
	inString, slash bool
}

func (b *balance) feed(data []byte) {
	for _, c := range data {
		if b.closed && b.depth <= 0 && c > ' ' {
			b.again = true
		}
		switch {
		case b.slash:
			b.slash = false
		case b.inString:
			b.slash = c == '\\'
			b.inString = c != '"'
		case c == '{' || c == '[':
			b.started = true
			b.depth++
		case !b.started:
			if c != ' ' && c != '\t' {
				return // neither an object nor an array: its end cannot be detected
			}
		case c == '"':
			b.inString = true
		case c == '}' || c == ']':
			b.depth--
			b.closed = b.depth <= 0
		}
	}
}

func (b *balance) done() bool { return b.closed && b.depth <= 0 && !b.inString }

// lineReader splits a stream at CR, LF and CRLF, and removes a byte order mark at its start.
// A line ends at its CR, without waiting for an LF that may follow.
type lineReader struct {
	from     io.Reader
	maxLine  int // bytes
	maxTotal int // bytes

	scanner *bufio.Scanner
	total   int
	err     error // of from
	begun   bool
	skipLF  bool
	scanned int // this many bytes of the line contain no line end
}

var bom = []byte("\xef\xbb\xbf")

func (l *lineReader) next() ([]byte, error) {
	if l.scanner == nil {
		l.scanner = bufio.NewScanner(l)
		l.scanner.Buffer(nil, 2*l.maxLine)
		l.scanner.Split(l.split)
	}
	if l.scanner.Scan() {
		return l.scanner.Bytes(), nil
	}
	return nil, cmp.Or(l.scanner.Err(), io.EOF)
}

func (l *lineReader) Read(p []byte) (n int, err error) {
	n, l.err = l.from.Read(p)
	if l.total += n; l.total > l.maxTotal {
		l.err = fmt.Errorf("%w: over %d bytes", errTooLarge, l.maxTotal)
	}
	return n, l.err
}

// split is a [bufio.SplitFunc].
func (l *lineReader) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	rest := data
	if !l.begun {
		if len(data) < len(bom) && bytes.HasPrefix(bom, data) && !atEOF {
			return 0, nil, nil
		}
		l.begun, rest = true, bytes.TrimPrefix(data, bom)
	}
	if l.skipLF && len(rest) > 0 {
		l.skipLF, rest = false, bytes.TrimPrefix(rest, []byte("\n"))
	}
	skipped := len(data) - len(rest)
	if i := bytes.IndexAny(rest[l.scanned:], "\r\n"); i >= 0 {
		end := l.scanned + i
		l.skipLF, l.scanned = rest[end] == '\r', 0
		return skipped + end + 1, rest[:end], nil
	}
	l.scanned = len(rest)
	switch {
	case len(rest) > l.maxLine:
		return 0, nil, fmt.Errorf("%w: one line is over %d bytes", errTooLarge, l.maxLine)
	case atEOF && len(rest) > 0 && errors.Is(l.err, io.EOF): // not if the connection broke: the line may be incomplete
		l.scanned = 0
		return len(data), rest, nil
	}
	return skipped, nil, nil
}

// recordMark precedes each JSON text in a sequence (RFC 7464).
const recordMark = '\x1e'

func isDone(data []byte) bool {
	if len(data) > 10 {
		return false
	}
	return bytes.EqualFold(bytes.Trim(data, "[]\"' \t"), []byte("DONE"))
}

// unwrapData removes repeated "data:" prefixes, which gateways add to events that are framed
// already.
func unwrapData(value []byte) []byte {
	for {
		rest, found := bytes.CutPrefix(value, []byte("data:"))
		if !found {
			return value
		}
		value = bytes.TrimLeft(rest, " ")
	}
}

// openList returns the contents of a list of chunks, and whether data is one.
func openList(data []byte) ([]byte, bool) {
	if data[0] != '[' || !bytes.Contains(data, []byte(`"choices"`)) || !json.Valid(data) {
		return data, false
	}
	return bytes.TrimSpace(data[1 : len(data)-1]), true
}

// cutEvent splits off the first of several JSON objects that were sent as one event.
// Anything but an object remains one piece.
func cutEvent(data []byte) (event, rest []byte) {
	if data[0] != '{' {
		return data, nil
	}
	end := objectEnd(data)
	rest = bytes.TrimLeft(data[end:], " \t\r\n,\x1e")
	return data[:end], unwrapData(rest) // some servers omit the line end before the next "data:"
}

// objectEnd returns the length of the object at the beginning of data; that of data if the
// object does not end.
func objectEnd(data []byte) int {
	var b balance
	for i := range data {
		b.feed(data[i : i+1])
		if b.done() {
			return i + 1
		}
	}
	return len(data)
}

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
