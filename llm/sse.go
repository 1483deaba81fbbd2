package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Limits on what one answer may hold. A call's arguments may come as a single
// line, so a line is allowed to be long.
const (
	maxEventBytes  = 8 << 20
	maxStreamBytes = 64 << 20
)

var errTooLarge = errors.New("the answer is larger than this program reads")

type sseEvent struct {
	name string
	data []byte
}

type framed struct {
	sseEvent
	several bool
}

// sseReader takes a response body apart into events. Beyond the standard
// (https://html.spec.whatwg.org/multipage/server-sent-events.html) it reads what
// servers send in its stead: events without blank lines between them, and bare
// JSON, one object a line (NDJSON) or spread over many.
//
// An event is handed out as soon as its JSON is balanced, so that no text waits
// for the blank line behind it.
type sseReader struct {
	lines lineReader

	name    string
	pending []byte
	open    bool // pending holds the start of an event
	bare    bool // pending is bare JSON, not data of an SSE event
	balance balance
	blanks  bool // events of this stream are separated by blank lines

	queue   []framed
	ended   error
	foreign []byte // the start of what was neither SSE nor JSON
}

func newSSEReader(r io.Reader) *sseReader {
	return &sseReader{lines: lineReader{from: r, maxLine: maxEventBytes, maxTotal: maxStreamBytes}}
}

// next returns the next event. The error is io.EOF at a clean end, else what the
// body's Read returned, or errTooLarge.
func (s *sseReader) next() (sseEvent, error) {
	for len(s.queue) == 0 {
		if s.ended != nil {
			return sseEvent{}, s.ended
		}
		line, err := s.lines.next()
		if err != nil {
			s.ended = err
			// JSON that stops before its end was cut off; it is no event.
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
	if head.several { // one by one: a frame may hold millions
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
	case "error": // llama.cpp had a field of its own for it
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

// unframed reads a line that is no line of SSE: a further line of JSON that was
// framed only at its start, the start of bare JSON, or nothing of ours.
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
	// Without blank lines, only the data can tell where a broken event ended: a
	// line that is a whole object begins anew.
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

// balance tells when a JSON object or array has come to its end, in one pass
// over its pieces. It checks nothing else.
type balance struct {
	depth           int
	started, closed bool
	again           bool // something follows the end
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
				return // neither object nor array: its end is not in its text
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

// lineReader splits a stream at CR, LF and CRLF, and takes a byte order mark off
// its start. A line is handed out at its CR, without waiting for the LF that may
// follow.
type lineReader struct {
	from     io.Reader
	maxLine  int // bytes
	maxTotal int // bytes

	scanner *bufio.Scanner
	total   int
	err     error // from's
	begun   bool
	skipLF  bool
	scanned int // so many bytes of the line have no end in them
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
	case atEOF && len(rest) > 0 && errors.Is(l.err, io.EOF): // what came before a broken connection is no line
		l.scanned = 0
		return len(data), rest, nil
	}
	return skipped, nil, nil
}

// recordMark stands before each JSON text of a sequence (RFC 7464).
const recordMark = '\x1e'

func isDone(data []byte) bool {
	if len(data) > 10 {
		return false
	}
	return bytes.EqualFold(bytes.Trim(data, "[]\"' \t"), []byte("DONE"))
}

// unwrapData takes off further "data:" that some gateway put before an event that
// was one already.
func unwrapData(value []byte) []byte {
	for {
		rest, found := bytes.CutPrefix(value, []byte("data:"))
		if !found {
			return value
		}
		value = bytes.TrimLeft(rest, " ")
	}
}

func openList(data []byte) ([]byte, bool) {
	if data[0] != '[' || !bytes.Contains(data, []byte(`"choices"`)) || !json.Valid(data) {
		return data, false
	}
	return bytes.TrimSpace(data[1 : len(data)-1]), true
}

// cutEvent cuts the first event off what came as one and is several: JSON objects one
// behind the other. What stands between objects and is not the mark at the end stays
// one piece, for whoever cannot read it.
func cutEvent(data []byte) (event, rest []byte) {
	if data[0] != '{' {
		return data, nil
	}
	end := objectEnd(data)
	rest = bytes.TrimLeft(data[end:], " \t\r\n,\x1e")
	return data[:end], unwrapData(rest) // some leave out the line end
}

// objectEnd returns the length of the object that data begins with; all of data
// where it does not end.
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
