package testworld

import (
	"context"
	"runtime"
	"sync"

	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// press collects stamped events, signs them on all cores, and hands them on in
// their order. Signing is nearly all the work of a large world.
type press struct {
	ctx   context.Context
	emit  func([]*nostr.Event) error
	queue []*nostr.Event
	by    []*actor.Actor
}

const pressBatch = 2048

func (p *press) add(a *actor.Actor, e *nostr.Event) error {
	p.queue = append(p.queue, e)
	p.by = append(p.by, a)
	if len(p.queue) < pressBatch {
		return nil
	}
	return p.flush()
}

func (p *press) flush() error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(p.queue) && errs[w] == nil; i += workers {
				if p.queue[i].Sig == (nostr.Sig{}) {
					errs[w] = p.by[i].Sign(p.queue[i])
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	err := p.emit(p.queue)
	// The events may live on at the caller, and posts still point to them.
	p.queue, p.by = nil, p.by[:0]
	return err
}
