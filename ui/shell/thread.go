package shell

import (
	"sync"

	"fyne.io/fyne/v2"
)

// thread is the window's thread for the time that Fyne runs it, and for the time
// after: a signal of the system ends Fyne's loop at once, and what is open has to be
// closed all the same. All that is handed to it runs in order, one at a time.
type thread struct {
	turn sync.Mutex // held while one runs

	mu    sync.Mutex // guards what follows
	queue []func()
	more  chan struct{} // holds a sign that there is something in the queue
	over  bool          // nothing runs any more
}

func newThread() *thread { return &thread{more: make(chan struct{}, 1)} }

// do hands over what is to be run. After stop it is dropped.
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

// next runs the first of the queue. When Fyne's loop has just ended Fyne calls it on
// any goroutine, and within another: then it is left to drain.
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

// stop drops what is queued, and all that comes.
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

// drain runs what comes until stop is called. Fyne's loop has ended.
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
