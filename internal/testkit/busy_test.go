package testkit

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestAGoroutineThatRunsIsBusyAndOneThatWaitsIsNot(t *testing.T) {
	var stop atomic.Bool
	ended, wait := make(chan struct{}), make(chan struct{})
	go func() {
		<-wait
	}()
	defer close(wait)
	go spins(&stop, ended)
	Eventually(t, "the one that runs is busy", func() bool { return strings.Contains(Busy(), "testkit.spins") })
	stop.Store(true)
	Receive(t, "its end", ended)
	Eventually(t, "nobody is busy", func() bool { return Busy() == "" })
}

func spins(stop *atomic.Bool, ended chan<- struct{}) {
	for !stop.Load() {
	}
	close(ended)
}
