// Package dispatch is the one way from other goroutines onto the window's thread.
//
// It promises that what is posted runs there, in order, and that streams cannot flood
// it: posts under one key within Interval become one, the newest. Nothing that reads a
// disk or the network belongs on the window's thread; Go takes such work away from it
// and brings its result back.
package dispatch

import (
	"sync"
	"time"
)

// Interval is how often one key is posted at most.
const Interval = 40 * time.Millisecond

// Dispatcher brings functions onto the window's thread. Its methods may be called
// from any goroutine.
type Dispatcher interface {
	// Do runs f on the window's thread, soon.
	Do(f func())
	// Post runs f on the window's thread, unless a later Post of the same key
	// takes its place within Interval.
	Post(key string, f func())
	// Go runs work on another goroutine and then, on the window's thread, the
	// function that work returns; nil for nothing to show.
	Go(work func() func())
}

// Window returns the dispatcher of the running program. do is fyne.Do, or what
// stands in for it.
func Window(do func(func())) Dispatcher {
	return &window{do: do, pending: map[string]func(){}}
}

type window struct {
	do      func(func())
	mu      sync.Mutex
	pending map[string]func() // by key; the timer of a key runs while it is here
}

func (w *window) Do(f func()) { w.do(f) }

func (w *window) Go(work func() func()) {
	go func() {
		if show := work(); show != nil {
			w.do(show)
		}
	}()
}

func (w *window) Post(key string, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, waiting := w.pending[key]
	w.pending[key] = f
	if !waiting {
		time.AfterFunc(Interval, func() { w.flush(key) })
	}
}

// flush hands over what is pending, under the lock: what is posted later comes later.
func (w *window) flush(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.pending[key]; f != nil {
		delete(w.pending, key)
		w.do(f)
	}
}
