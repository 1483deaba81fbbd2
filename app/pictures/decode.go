package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"
)

// The limits of decoding.
const (
	maxDecoding  = 96 << 20 // bytes that all decoders hold together
	decoders     = 2
	decodingTime = 5 * time.Second
	// muchMemory is what a decoding must have taken for its memory to be given back
	// at once: without that two large ones in a row are counted, but held, twice.
	muchMemory = 24 << 20
)

// decode decodes what was fetched. It gives up when ctx ends or after five seconds of
// decoding.
func (l *Loader) decode(ctx context.Context, data []byte) (*image.RGBA, error) {
	p, err := measure(data)
	if err != nil {
		return nil, err
	}
	if err := l.budget.take(ctx, p.cost); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, decodingTime, &Error{TooSlow, nil})
	defer cancel()
	type result struct {
		picture *image.RGBA
		err     error
	}
	done := make(chan result, 1)
	go func() {
		defer l.budget.give(p.cost)
		picture, err := run(ctx, p, data)
		if p.cost > muchMemory {
			debug.FreeOSMemory()
		}
		done <- result{picture, err}
	}()
	select {
	case r := <-done:
		return r.picture, r.err
	case <-ctx.Done(): // the decoder ends at its next read, and keeps its share of memory until then
		return nil, context.Cause(ctx)
	}
}

// run decodes; a panic of a decoder becomes an error.
func run(ctx context.Context, p plan, data []byte) (picture *image.RGBA, err error) {
	defer func() {
		if r := recover(); r != nil {
			picture, err = nil, &Error{Damaged, fmt.Errorf("%v", r)}
		}
	}()
	src, err := p.decode(&reader{ctx: ctx, r: bytes.NewReader(data)})
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, &Error{Damaged, err}
	}
	b := src.Bounds()
	if b.Empty() || b.Dx() > p.width || b.Dy() > p.height {
		return nil, &Error{Damaged, errors.New("its size is not what it said")}
	}
	return small(src, p.turn), nil
}

// reader ends when ctx does: the one way to stop a decoder.
type reader struct {
	ctx context.Context
	r   *bytes.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// budget limits the memory that decoders may take, and how many may run.
type budget struct {
	places, bytes *semaphore.Weighted
}

func newBudget() *budget {
	return &budget{semaphore.NewWeighted(decoders), semaphore.NewWeighted(maxDecoding)}
}

// take waits for a place and n bytes.
func (r *budget) take(ctx context.Context, n int64) error {
	if err := r.places.Acquire(ctx, 1); err != nil {
		return err
	}
	if err := r.bytes.Acquire(ctx, n); err != nil {
		r.places.Release(1)
		return err
	}
	return nil
}

func (r *budget) give(n int64) {
	r.bytes.Release(n)
	r.places.Release(1)
}
