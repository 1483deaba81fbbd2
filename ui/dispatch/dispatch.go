// Package dispatch is the only way from other goroutines onto the window's thread.
//
//	do := dispatch.Window(fyne.Do)
//	do.Go(func() func() {
//		found := search(ctx, words)
//		return func() { list.Show(found) }
//	})
//
// Functions run there in the order in which they are given. A stream cannot flood the window:
// of the posts under one key within [Interval] only the newest runs. Reading a disk or the
// network does not belong on the window's thread; Go does it elsewhere and returns the result
// back.
package dispatch

import (
	"sync"
	"time"
)

// Interval is the shortest time between two posts of one key.
const Interval = 40 * time.Millisecond

// Dispatcher runs functions on the window's thread. Its methods may be called from any
// goroutine.
type Dispatcher interface {
	// Do runs f on the window's thread, soon.
	Do(f func())
	// Post runs f on the window's thread, unless a later Post of the same key replaces it
	// within [Interval].
	Post(key string, f func())
	// Go runs work on another goroutine, and then on the window's thread the function that
	// work returns, unless that is nil.
	Go(work func() func())
}

// Window returns the dispatcher of the running program. do is fyne.Do, or a replacement in
// tests.
func Window(do func(func())) Dispatcher {
	return &window{do: do, pending: map[string]func(){}}
}

type window struct {
	do      func(func())
	mu      sync.Mutex
	pending map[string]func() // by key; a key is in it while its timer runs
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

// flush runs the pending function of a key. It holds the lock so that a later post cannot
// overtake it.
func (w *window) flush(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.pending[key]; f != nil {
		delete(w.pending, key)
		w.do(f)
	}
}
