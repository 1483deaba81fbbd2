package ndb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/dgraph-io/badger/v4"
	"golang.org/x/sync/errgroup"

	"bowerbird/ndb/nostr"
)

// ImportReport is what an import did. Read is the sum of Stored, Duplicate, Replaced,
// Deleted, Expired, Ephemeral and all of Invalid.
type ImportReport struct {
	Read      int                  `json:"read"`
	Stored    int                  `json:"stored"`
	Duplicate int                  `json:"duplicate"`
	Replaced  int                  `json:"replaced"`
	Deleted   int                  `json:"deleted"`
	Expired   int                  `json:"expired"`
	Ephemeral int                  `json:"ephemeral"`
	Invalid   map[nostr.Reason]int `json:"invalid"`
	Hidden    int                  `json:"hidden"`
	Seconds   float64              `json:"seconds"`
}

// BadLine is a line that an import left out.
type BadLine struct {
	Line int // from 1
	Err  *nostr.InvalidError
}

// ImportOptions configure Import.
type ImportOptions struct {
	Progress func(ImportReport) // called now and then, never concurrently
	Bad      func(BadLine)      // called for each line left out, never concurrently
}

// Import stores the events of a JSON Lines stream, verifying on all cores. A byte order
// mark, CRLF and a last line without an end are accepted. Empty lines are not counted. A
// broken or overlong line (no event is longer than 1 MiB) is counted and left out; of one
// with the id of a stored event no more than that is read, and it is a duplicate. The error is that of the reader, of ctx or of the disk, and the report covers what was done
// until then.
func (s *Store) Import(ctx context.Context, r io.Reader, opt ImportOptions) (ImportReport, error) {
	im := &importer{store: s, opt: opt, report: ImportReport{Invalid: make(map[nostr.Reason]int)}}
	if err := s.begin(); err != nil {
		return im.report, err
	}
	defer s.end()
	started := s.opt.Now()
	err := im.run(ctx, r)
	im.report.Seconds = s.opt.Now().Sub(started).Seconds()
	if err != nil {
		return im.report, fmt.Errorf("import: %w", err)
	}
	return im.report, nil
}

const (
	maxImportLine = 1 << 20 // no event that may be stored is longer
	importLines   = 1000    // lines that are parsed, verified and written together: a transaction writes each word's row once
	importBytes   = 1 << 20 // and at most so many bytes of them
	importAhead   = 1       // pieces that wait for the writer
)

// importer takes a stream through three stages, each a goroutine: read lines, parse and
// verify (on all cores), write. The stages are joined by short queues, so that memory
// stays bounded however fast the reader is.
type importer struct {
	store  *Store
	opt    ImportOptions
	report ImportReport
	told   time.Time
}

// piece is a number of lines on their way through the stages.
type piece struct {
	lines []importLine
	chunk *chunk
	where []int // the line number of each event of the chunk
	bad   []BadLine
	known int           // lines with the ids of stored events
	ready chan struct{} // closed when parsed and verified
}

type importLine struct {
	number int
	text   []byte // nil if it was too long
	length int
	known  bool // it has the id of a stored event
}

func (im *importer) run(ctx context.Context, r io.Reader) error {
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan *piece, importAhead)
	var broken error // of the reader; what came before it is still written
	group.Go(func() (err error) {
		defer close(queue)
		broken, err = im.readAll(ctx, r, func(p *piece) error {
			group.Go(func() error { p.prepare(ctx, im.store); return nil })
			select {
			case queue <- p:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		return err
	})
	group.Go(func() error {
		for p := range queue {
			select {
			case <-p.ready:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := p.chunk.write(ctx); err != nil {
				return err
			}
			im.count(p)
		}
		return nil
	})
	return errors.Join(group.Wait(), broken)
}

// readAll cuts the stream into pieces. The first error is the reader's.
func (im *importer) readAll(ctx context.Context, r io.Reader, send func(*piece) error) (broken, err error) {
	lines := newLineReader(r, maxImportLine)
	p, size := new(piece), 0
	flush := func() error {
		if len(p.lines) == 0 {
			return nil
		}
		full := p
		full.ready = make(chan struct{})
		p, size = new(piece), 0
		return send(full)
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil, flush()
		}
		if err != nil {
			return err, flush()
		}
		p.lines = append(p.lines, line)
		if size += len(line.text); len(p.lines) == importLines || size >= importBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
}

// prepare parses the lines and verifies the events.
func (p *piece) prepare(ctx context.Context, s *Store) {
	defer close(p.ready)
	p.chunk = s.newChunk(nil, "")
	if p.chunk.err = p.dropKnown(s); p.chunk.err != nil {
		return
	}
	var events []*nostr.Event
	for _, line := range p.lines {
		e, invalid := line.parse()
		if invalid != nil {
			p.bad = append(p.bad, BadLine{line.number, invalid})
			continue
		}
		events = append(events, e)
		p.where = append(p.where, line.number)
	}
	p.lines = nil
	p.chunk = s.newChunk(events, "")
	p.chunk.known, p.chunk.looked = p.known, true
	p.chunk.prepare(ctx)
}

// dropKnown leaves out the lines with the ids of events that are stored already.
func (p *piece) dropKnown(s *Store) error {
	ids := make([]*nostr.ID, len(p.lines))
	for i, line := range p.lines {
		if id, ok := nostr.PeekID(line.text); ok {
			ids[i] = &id
		}
	}
	err := s.reads.read(func(txn *badger.Txn) error {
		return findAgain(txn, ids, func(i int) { p.lines[i].known = true })
	})
	lines := len(p.lines)
	p.lines = slices.DeleteFunc(p.lines, func(l importLine) bool { return l.known })
	p.known = lines - len(p.lines)
	return err
}

func (l importLine) parse() (*nostr.Event, *nostr.InvalidError) {
	if l.text == nil {
		return nil, nostr.Invalidf(nostr.ReasonSize, "line of %d bytes, no event is longer than %d", l.length, maxImportLine)
	}
	e, err := nostr.ParseEvent(l.text)
	if err != nil {
		return nil, asInvalid(err)
	}
	return e, nil
}

// count adds a written piece to the report.
func (im *importer) count(p *piece) {
	im.report.Read += p.known
	im.report.Duplicate += p.known
	for i, result := range p.chunk.results {
		if result.Outcome == Invalid {
			p.bad = append(p.bad, BadLine{p.where[i], result.Err})
			continue
		}
		im.report.Read++
		if result.Hidden {
			im.report.Hidden++
		}
		*im.report.counter(result.Outcome)++
	}
	for _, bad := range p.bad {
		im.report.Read++
		im.report.Invalid[bad.Err.Reason]++
		if im.opt.Bad != nil {
			im.opt.Bad(bad)
		}
	}
	if now := im.store.opt.Now(); im.opt.Progress != nil && now.Sub(im.told).Abs() >= time.Second/4 {
		im.told = now
		im.opt.Progress(im.report)
	}
}

func (r *ImportReport) counter(o Outcome) *int {
	switch o {
	case Duplicate:
		return &r.Duplicate
	case Replaced:
		return &r.Replaced
	case Deleted:
		return &r.Deleted
	case Expired:
		return &r.Expired
	case Ephemeral:
		return &r.Ephemeral
	}
	return &r.Stored
}

// lineReader reads lines of any length while keeping no more than a limit of each.
type lineReader struct {
	r      io.Reader
	buffer []byte
	rest   []byte // read and not yet given out
	number int
	limit  int
	ended  error
}

const readSize = 256 << 10

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: r, buffer: make([]byte, readSize), limit: limit}
}

// next returns the next line that is not empty; io.EOF after the last.
func (l *lineReader) next() (importLine, error) {
	for {
		line, err := l.line()
		if err != nil {
			return importLine{}, err
		}
		if line.text == nil || len(bytes.TrimSpace(line.text)) > 0 {
			return line, nil
		}
	}
}

// line reads up to the next line feed. A reader's error comes after the lines before it;
// what was read of an interrupted line is discarded.
func (l *lineReader) line() (importLine, error) {
	l.number++
	line := importLine{number: l.number, text: []byte{}}
	for {
		if len(l.rest) == 0 && !l.fill() {
			if errors.Is(l.ended, io.EOF) && line.length > 0 {
				return l.finish(line), nil
			}
			return line, l.ended
		}
		part, after, found := bytes.Cut(l.rest, []byte{'\n'})
		l.rest = after
		line.length += len(part)
		if line.length > l.limit {
			line.text = nil
		} else {
			line.text = append(line.text, part...)
		}
		if found {
			return l.finish(line), nil
		}
	}
}

func (l *lineReader) finish(line importLine) importLine {
	if line.text != nil {
		line.text = bytes.TrimSuffix(line.text, []byte{'\r'})
		if line.number == 1 {
			line.text = bytes.TrimPrefix(line.text, []byte("\xef\xbb\xbf"))
		}
	}
	return line
}

func (l *lineReader) fill() bool {
	for empty := 0; l.ended == nil && empty < 100; empty++ {
		n, err := l.r.Read(l.buffer)
		l.rest, l.ended = l.buffer[:n], err
		if n > 0 {
			return true
		}
	}
	if l.ended == nil {
		l.ended = io.ErrNoProgress
	}
	return false
}
