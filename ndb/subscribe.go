package ndb

import (
	"context"
	"slices"
	"sync"
)

// Subscription delivers events as they are stored.
type Subscription struct {
	C <-chan *Event // closed when the subscription ends

	mu      sync.Mutex // held while delivering
	c       chan *Event
	ended   bool
	ctx     context.Context //nolint:containedctx // the subscription lives as long as it
	filters []Filter
}

// Subscribe delivers what is stored from now on and matches a filter, each event
// after it is on disk; a note dated in the future when its time comes. A filter's
// Search is matched as Query does, its Limit is ignored. The queue holds buffer
// events; a full one blocks the writer, so nothing is dropped: read it, or cancel
// ctx. A reader may query the store, but must not write to it with a full queue.
func (s *Store) Subscribe(ctx context.Context, buffer int, filters ...Filter) *Subscription {
	sub := &Subscription{c: make(chan *Event, max(buffer, 0)), ctx: ctx, filters: slices.Clone(filters)}
	sub.C = sub.c
	if s.begin() != nil {
		sub.end()
		return sub
	}
	defer s.end()
	s.subs.add(sub)
	context.AfterFunc(ctx, func() {
		s.subs.remove(sub)
		sub.end()
	})
	return sub
}

func (sub *Subscription) end() {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if !sub.ended {
		sub.ended = true
		close(sub.c)
	}
}

// subscribers are the open subscriptions of a store.
type subscribers struct {
	mu   sync.Mutex
	subs []*Subscription
}

func (all *subscribers) add(sub *Subscription) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.subs = append(all.subs, sub)
}

func (all *subscribers) remove(sub *Subscription) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.subs = slices.DeleteFunc(all.subs, func(other *Subscription) bool { return other == sub })
}

func (all *subscribers) open() []*Subscription {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Clone(all.subs)
}

func (all *subscribers) closeAll() {
	for _, sub := range all.open() {
		all.remove(sub)
		sub.end()
	}
}

// deliver sends events to every subscription that wants them, and waits for those
// whose queue is full until they read, end, or the store closes.
func (all *subscribers) deliver(events []*Event, closing <-chan struct{}) {
	if len(events) == 0 {
		return
	}
	for _, sub := range all.open() {
		sub.deliver(events, closing)
	}
}

func (sub *Subscription) deliver(events []*Event, closing <-chan struct{}) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if sub.ended {
		return
	}
	for _, e := range events {
		if !sub.wants(e) {
			continue
		}
		select {
		case sub.c <- e:
		case <-sub.ctx.Done():
			return
		case <-closing:
			return
		}
	}
}

func (sub *Subscription) wants(e *Event) bool {
	return slices.ContainsFunc(sub.filters, func(f Filter) bool {
		return f.Matches(e) && matchesSearch(f.Search, e)
	})
}
