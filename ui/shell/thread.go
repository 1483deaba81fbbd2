package shell

import (
	"sync"

	"fyne.io/fyne/v2"
)

// thread is the window's thread while Fyne runs it, and after: a signal of the system ends
// Fyne's loop at once, but what is open still has to be closed. Functions run in order,
// one at a time.
type thread struct {
	turn sync.Mutex // held while one runs

	mu    sync.Mutex // guards what follows
	queue []func()
	more  chan struct{} // holds a sign that there is something in the queue
	over  bool          // nothing runs any more
}

func newThread() *thread { return &thread{more: make(chan struct{}, 1)} }

// do queues a function; after stop it is dropped.
func (t *thread) do(f func()) {
	t.mu.Lock()
	if t.over {
		t.mu.Unlock()
		return
	}
	t.queue = append(t.queue, f)
	t.mu.Unlock()
	select {
	case t.more <- struct{}{}:
	default:
	}
	fyne.Do(t.next)
}

// next runs the first queued function. While Fyne's loop ends, Fyne may call it on any
// goroutine and within another call: then drain runs the function.
func (t *thread) next() {
	if !t.turn.TryLock() {
		return
	}
	defer t.turn.Unlock()
	if f := t.pop(); f != nil {
		f()
	}
}

func (t *thread) pop() func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over || len(t.queue) == 0 {
		return nil
	}
	f := t.queue[0]
	t.queue = t.queue[1:]
	return f
}

// stop drops all queued and future functions.
func (t *thread) stop() {
	t.mu.Lock()
	t.over, t.queue = true, nil
	t.mu.Unlock()
	select {
	case t.more <- struct{}{}:
	default:
	}
}

// stopped reports whether nothing runs any more.
func (t *thread) stopped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over
}

// drain runs queued functions after Fyne's loop has ended, until stop is called.
func (t *thread) drain() {
	for !t.stopped() {
		t.turn.Lock()
		for f := t.pop(); f != nil; f = t.pop() {
			f()
		}
		t.turn.Unlock()
		if !t.stopped() {
			<-t.more
		}
	}
}
