package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// The names of the figures; goals and picture go by them.
const (
	ingest      = "ingest, verified, with full text"
	verifying   = "of it hash and signature"
	ingestPlain = "ingest, without these and without text"
	again       = "the same notes sent again"
	peak        = "peak memory of the import"
	peakOwn     = "of it not mapped files"
	disk        = "size on disk"
	opening     = "open, by the clock"
	openingCPU  = "open"
	byAuthor    = "author and kind, latest 100"
	inWindow    = "kind 1 in a window, 500"
	ofFollows   = "300 follows, kind 1, latest 100"
	byHashtag   = "hashtag, 100"
	oneWord     = "one word, 50 newest"
	twoWords    = "two words, 50 newest"
	twoWordsP95 = "two words, 50 newest, p95"
	byID        = "one note by its id"
)

// phases are measured in this order, each in a process of its own.
var phases = []string{"import", "verify", "plain", "again", "open", "warm", "cold"}

func measurePhase(ctx context.Context, p place, phase string) ([]measure, error) {
	switch phase {
	case "import":
		return measureImport(ctx, p)
	case "verify":
		cost, err := verifyCost(p)
		return []measure{{verifying, cost, "us"}}, err
	case "plain":
		return measurePlain(ctx, p)
	case "again":
		return measureAgain(ctx, p)
	case "open":
		return measureOpen(p)
	case "warm", "cold":
		return measureQueries(ctx, p, phase == "cold")
	}
	return nil, fmt.Errorf("-phase: %q is none of %v", phase, phases)
}

// importWorld stores the world as `bowerbird import` does, and returns the CPU time
// of one event. The store's closing counts: it writes what is in memory.
func importWorld(ctx context.Context, p place) (perEvent float64, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // as `bowerbird import` does
	f, err := os.Open(p.world)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	begun := cpuTime()
	s, err := p.open()
	if err != nil {
		return 0, err
	}
	report, err := s.Import(ctx, f, ndb.ImportOptions{})
	if err != nil {
		_ = s.Close()
		return 0, err
	}
	if err := s.Close(); err != nil {
		return 0, err
	}
	return microseconds(cpuTime()-begun) / float64(report.Read), nil
}

func measureImport(ctx context.Context, p place) ([]measure, error) {
	if err := os.RemoveAll(p.store); err != nil {
		return nil, err
	}
	most := watchMemory()
	perEvent, err := importWorld(ctx, p)
	own := most()
	if err != nil {
		return nil, err
	}
	bytes, err := ndb.DiskBytes(p.store)
	if err != nil {
		return nil, err
	}
	return []measure{
		{ingest, perEvent, "us"},
		{peak, float64(peakMemory()) / 1e6, "MB"},
		{peakOwn, float64(own) / 1e6, "MB"},
		{disk, float64(bytes) / 1e6, "MB"},
	}, nil
}

func measureAgain(ctx context.Context, p place) ([]measure, error) {
	perEvent, err := importWorld(ctx, p)
	return []measure{{again, perEvent, "us"}}, err
}

// verifyCost returns the CPU time of an event's hash and signature, which peers leave
// to their callers.
func verifyCost(p place) (perEvent float64, err error) {
	raw, err := os.ReadFile(p.world)
	if err != nil {
		return 0, err
	}
	var events []*nostr.Event
	for line := range linesOf(raw) {
		e, err := nostr.ParseEvent(line)
		if err != nil {
			return 0, err
		}
		if events = append(events, e); len(events) == 20_000 {
			break
		}
	}
	begun := cpuTime()
	for _, e := range events {
		if err := e.Verify(); err != nil {
			return 0, err
		}
	}
	return microseconds(cpuTime()-begun) / float64(len(events)), nil
}

func linesOf(raw []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for begin := 0; begin < len(raw); {
			end := begin + slices.Index(raw[begin:], '\n')
			if end < begin || !yield(raw[begin:end]) {
				return
			}
			begin = end + 1
		}
	}
}

func measureOpen(p place) ([]measure, error) {
	var byClock, ofCPU []float64
	for range 5 {
		begun, used := time.Now(), cpuTime()
		s, err := p.open()
		if err != nil {
			return nil, err
		}
		byClock = append(byClock, microseconds(time.Since(begun))/1e3)
		ofCPU = append(ofCPU, microseconds(cpuTime()-used)/1e3)
		if err := s.Close(); err != nil {
			return nil, err
		}
	}
	slices.Sort(byClock)
	slices.Sort(ofCPU)
	return []measure{{opening, byClock[2], "ms"}, {openingCPU, ofCPU[2], "ms"}}, nil
}

// measureQueries asks each question with many values. Warm: all of them were asked
// before. Cold: each once, of a store that was just opened, and whose files the
// system holds no more of where it can be made to forget.
func measureQueries(ctx context.Context, p place, cold bool) ([]measure, error) {
	s, err := p.open()
	if err != nil {
		return nil, err
	}
	q, err := questions(ctx, p, s)
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	if err := writeQuestions(p, q); err != nil {
		return nil, err
	}
	var measures []measure
	for _, question := range q {
		if cold {
			if err := forget(p.store); err != nil {
				return nil, err
			}
		}
		if s, err = p.open(); err != nil {
			return nil, err
		}
		m, err := question.measure(ctx, s, cold)
		if err := s.Close(); err != nil {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", question.name, err)
		}
		measures = append(measures, m...)
	}
	return measures, nil
}

// question is a filter with many values in turn.
type question struct {
	name    string
	p95     string // name of the figure that is the slow end; "" for none
	filters []nostr.Filter
}

// rounds is how often a warm question is asked all over.
const rounds = 5

func (q question) measure(ctx context.Context, s *ndb.Store, cold bool) ([]measure, error) {
	suffix, asked := "", rounds
	if _, _, err := s.Size(ctx); err != nil { // as the window does when it opens
		return nil, err
	}
	if cold {
		suffix, asked = ", cold", 1
	} else if _, err := q.ask(ctx, s); err != nil {
		return nil, err
	}
	runtime.GC()
	var costs []float64
	for range asked {
		c, err := q.ask(ctx, s)
		if err != nil {
			return nil, err
		}
		costs = append(costs, c...)
	}
	sum := 0.0
	for _, c := range costs {
		sum += c
	}
	m := []measure{{q.name + suffix, sum / float64(len(costs)), "us"}}
	if q.p95 != "" {
		slices.Sort(costs)
		m = append(m, measure{q.p95 + suffix, costs[len(costs)*95/100], "us"})
	}
	return m, nil
}

// ask asks with each value once, and returns what each took, in microseconds.
func (q question) ask(ctx context.Context, s *ndb.Store) (costs []float64, err error) {
	for _, f := range q.filters {
		begun := cpuTime()
		for _, err := range s.Query(ctx, ndb.QueryOptions{}, f) {
			if err != nil {
				return nil, err
			}
		}
		costs = append(costs, microseconds(cpuTime()-begun))
	}
	return costs, nil
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// forget has the system drop what it holds of a folder's files.
func forget(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := dropCache(file); err != nil {
			return err
		}
	}
	return nil
}
