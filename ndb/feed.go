package ndb

import "sync"

// feed is the sequence of notes in the order in which they became visible. It is kept as
// runs of consecutive note numbers, so that the million notes of an import are a few
// bytes. A subscription holds the run it has reached, and each run the one after it; runs
// that no subscription needs any more are garbage collected.
type feed struct {
	mu   sync.Mutex
	last *run
	more chan struct{} // closed when something is added
}

func newFeed() *feed { return &feed{last: new(run), more: make(chan struct{})} }

// add appends notes in their order. The writer calls it before it answers.
func (f *feed) add(notes []uint32) {
	if len(notes) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range notes {
		if f.last.to != n || f.last.from == f.last.to {
			f.last.next = &run{from: n, to: n}
			f.last = f.last.next
		}
		f.last.to = n + 1
	}
	close(f.more)
	f.more = make(chan struct{})
}

// end returns the position after everything that is there now.
func (f *feed) end() *feedPlace {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &feedPlace{f, f.last, f.last.to}
}

// feedPlace is a position in a feed: everything before note number next of a run has been
// taken.
type feedPlace struct {
	feed *feed
	run  *run
	next uint32
}

// take returns up to so many notes and moves past them; if there are none, more is closed
// as soon as there are.
func (p *feedPlace) take(most int) (notes []uint32, more <-chan struct{}) {
	p.feed.mu.Lock()
	defer p.feed.mu.Unlock()
	for len(notes) < most {
		if p.next < p.run.to {
			notes = append(notes, p.next)
			p.next++
			continue
		}
		if p.run.next == nil {
			break
		}
		p.run = p.run.next
		p.next = p.run.from
	}
	return notes, p.feed.more
}

type run struct {
	from, to uint32 // excluding to
	next     *run
}
