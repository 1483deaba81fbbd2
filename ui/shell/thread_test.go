package shell

import (
	"slices"
	"testing"
)

// The goroutine that drains runs all that is handed over, from any goroutine and
// from what runs, in order, until it is stopped; then nothing.
func TestWhatTheWindowLeavesBehindIsRunUntilItIsStopped(t *testing.T) {
	th := newThread()
	th.turn.Lock() // no loop of Fyne's runs here: what it is given stays
	var ran []int
	th.do(func() {
		ran = append(ran, 1)
		th.do(func() {
			ran = append(ran, 2)
			go th.do(func() {
				ran = append(ran, 3)
				th.stop()
				th.do(func() { ran = append(ran, 4) })
			})
		})
	})
	th.turn.Unlock()
	th.drain()
	th.do(func() { ran = append(ran, 5) })
	if want := []int{1, 2, 3}; !slices.Equal(ran, want) || !th.stopped() {
		t.Errorf("ran %v, want %v", ran, want)
	}
}
