// Package pictures fetches the pictures of strangers and makes them small.
//
// A picture may contain anything, so nothing in it is trusted. The way of a picture:
//
//	address ─ fetch ─ kind ─ measure ─ budget ─ decode ─ turn, scale ─ caches
//	https     10 MB,  by its  before    two at  5 s     1,024 px      small ones
//	only      netsafe bytes   decoding  a time                        only
//
// What is not a PNG, JPEG, GIF or WebP by its first bytes is never decoded (so no SVG,
// BMP or TIFF); nothing is decoded before its size was read and found acceptable; the
// decoders together hold no more than a fixed amount of memory, computed in advance from
// the kind, the size and the coding; a GIF shows its first frame; a panic of a decoder is
// an error; only the small picture is kept.
//
// Whether a picture may be fetched at all, which reveals to its server who reads, is left
// to the caller.
package pictures

import (
	"context"
	"errors"
	"image"
	"net/http"
	"net/url"
	"sync"
	"time"

	"bowerbird/netsafe"
)

// The limits of fetching.
const (
	maxBody      = 10 << 20 // bytes, also after decompression
	fetchingTime = 10 * time.Second
	maxAddress   = 4096     // bytes
	maxMemory    = 24 << 20 // bytes; the window also keeps what it shows
)

// Options configure where pictures come from and are kept.
type Options struct {
	Web *netsafe.Client // required
	// Dir is a folder for small pictures, so that they are not fetched again; "" for
	// none. It holds nothing else.
	Dir string
	// Own returns the pictures that the program contains, by address. Where it is set
	// nothing is fetched.
	Own func(address string) (picture *image.RGBA, ok bool)
}

// Loader loads pictures. Its methods may be called from any goroutine.
type Loader struct {
	web    *netsafe.Client
	budget *budget
	memory *memory
	disk   *disk
	own    func(address string) (*image.RGBA, bool)

	mu     sync.Mutex
	jobs   map[string]*job
	closed bool
	// working is held by every job until it writes nothing more.
	working sync.WaitGroup
}

// ErrClosed is returned by a closed Loader.
var ErrClosed = errors.New("pictures: the loader is closed")

// job is one picture being loaded, for everybody who waits for it.
type job struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	picture *image.RGBA
	err     error
}

// New returns a Loader.
func New(opt Options) *Loader {
	return &Loader{
		web: opt.Web, budget: newBudget(), memory: newMemory(maxMemory), disk: &disk{dir: opt.Dir}, own: opt.Own, jobs: map[string]*job{},
	}
}

// Load returns a picture, upright and at most 1,024 pixels long, which must not be
// changed: from memory, from the disk, else from its server. Callers that ask for the
// same one share one request, which ends when the last of them stops waiting. The error
// is an *Error, ErrClosed, or that of ctx.
func (l *Loader) Load(ctx context.Context, address string) (image.Image, error) {
	if err := l.check(address); err != nil {
		return nil, err
	}
	if p := l.memory.get(address); p != nil {
		return p, nil
	}
	j := l.join(address)
	if j == nil {
		return nil, ErrClosed
	}
	defer l.leave(address, j)
	select {
	case <-j.done:
		if j.err != nil {
			return nil, j.err
		}
		return j.picture, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends everything that is being fetched and waits for it: after that nothing is
// written, so that the folder can be removed. Closing twice is fine.
func (l *Loader) Close() {
	l.mu.Lock()
	l.closed = true
	for _, j := range l.jobs {
		j.cancel()
	}
	l.mu.Unlock()
	l.working.Wait()
}

// Clear forgets all pictures, in memory and on the disk.
func (l *Loader) Clear() error {
	l.memory.clear()
	return l.disk.clear()
}

// Size returns how many bytes the pictures take up on disk.
func (l *Loader) Size() int64 { return l.disk.size() }

// check refuses at once what the client would refuse later, and what is not a web
// address.
func (l *Loader) check(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxAddress:
		return &Error{BadAddress, nil}
	case u.Scheme == "https" && u.Host != "":
		return nil
	case u.Scheme == "http" && u.Host != "" && l.web.Policy().AllowPrivate:
		return nil
	}
	return &Error{BadAddress, errors.New("only https is fetched")}
}

// join returns the job of an address, started if there is none; nil once closed.
func (l *Loader) join(address string) *job {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	j := l.jobs[address]
	if j == nil {
		ctx, cancel := context.WithCancel(context.Background())
		j = &job{done: make(chan struct{}), cancel: cancel}
		l.jobs[address] = j
		l.working.Add(1)
		go l.work(ctx, address, j)
	}
	j.waiting++
	return j
}

func (l *Loader) leave(address string, j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j.waiting--; j.waiting > 0 {
		return
	}
	j.cancel()
	if l.jobs[address] == j { // later callers start again
		delete(l.jobs, address)
	}
}

func (l *Loader) work(ctx context.Context, address string, j *job) {
	defer l.working.Done()
	j.picture, j.err = l.load(ctx, address)
	if j.err == nil {
		l.memory.put(address, j.picture)
	}
	close(j.done)
}

func (l *Loader) load(ctx context.Context, address string) (*image.RGBA, error) {
	if l.own != nil {
		if p, ok := l.own(address); ok {
			return p, nil
		}
		return nil, &Error{NotFound, nil}
	}
	if data := l.disk.get(address); data != nil {
		if p, err := l.decode(ctx, data); err == nil || ctx.Err() != nil {
			return p, err
		}
	}
	data, err := l.web.Fetch(ctx, netsafe.Request{
		URL: address, Accept: "image/webp, image/png, image/jpeg, image/gif", MaxBytes: maxBody,
		Timeout: fetchingTime, Redirects: 3,
	})
	if err != nil {
		return nil, fetchError(ctx, err)
	}
	p, err := l.decode(ctx, data)
	if err == nil && ctx.Err() == nil { // if nobody waits for it any more, it is not kept
		l.disk.put(address, p)
	}
	return p, err
}

// Trouble is why a picture cannot be shown, in words for users.
type Trouble string

// The troubles.
const (
	BadAddress  Trouble = "This picture has no safe address"
	NotFound    Trouble = "The picture is no longer there"
	NoAnswer    Trouble = "The picture's server does not answer"
	Offline     Trouble = "This computer is offline"
	TooLarge    Trouble = "The picture is too large"
	NotAPicture Trouble = "This is not a picture"
	Damaged     Trouble = "The picture is damaged"
	TooSlow     Trouble = "The picture took too long"
)

// Error is why a picture cannot be shown.
type Error struct {
	Trouble Trouble
	Err     error // the cause; nil for none
}

func (e *Error) Error() string {
	if e.Err == nil {
		return string(e.Trouble)
	}
	return string(e.Trouble) + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Words returns the trouble without the cause.
func (e *Error) Words() string { return string(e.Trouble) }

// fetchError describes in our words why a picture was not fetched. If the caller
// cancelled, that error is returned as it is.
func fetchError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	trouble := NoAnswer
	var e *netsafe.Error
	errors.As(err, &e)
	switch {
	case e == nil:
	case e.Kind == netsafe.Refused:
		trouble = BadAddress
	case e.Kind == netsafe.TooLarge:
		trouble = TooLarge
	case e.Kind == netsafe.Offline:
		trouble = Offline
	case e.Kind == netsafe.Timeout:
		trouble = TooSlow
	case e.Kind == netsafe.Status && (e.Status == http.StatusNotFound || e.Status == http.StatusGone):
		trouble = NotFound
	}
	return &Error{trouble, err}
}
