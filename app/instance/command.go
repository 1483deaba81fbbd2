package instance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// run begins the line that sends a [Command].
const run = "run"

// longestInput is how much of its input a command can read, in bytes.
const longestInput = 1 << 20

// endWait is how long a command may still write once the window ends it.
const endWait = 2 * time.Second

// ErrCutOff is returned if the window closed before a command was done.
var ErrCutOff = errors.New("the window was closed before this was done")

// Command is a command line for the window to carry out, as if it had been started where
// the other start was.
type Command struct {
	Args     []string `json:"args"`
	Dir      string   `json:"dir"`      // of relative paths
	Settings string   `json:"settings"` // the settings file
	// Out and Err are the sizes of the terminals that the streams go to.
	Out Size `json:"out,omitzero"`
	Err Size `json:"err,omitzero"`
}

// Size is that of a terminal, in cells; the zero value is no terminal.
type Size struct {
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run carries out a command and returns its exit code. It reports false, having written
// nothing, if the command cannot be carried out in a window, for example because it needs
// the store for itself. ctx ends if the user stops the command.
type Run = func(ctx context.Context, c Command, s Streams) (code int, ok bool)

// fromWindow is one message while a command runs: one of its fields, or none for "begun".
type fromWindow struct {
	Out     []byte `json:"out,omitempty"`
	Err     []byte `json:"err,omitempty"`
	Input   bool   `json:"input,omitempty"` // a line of it is needed
	Code    *int   `json:"code,omitempty"`  // it is done
	Refused bool   `json:"refused,omitempty"`
}

// toWindow is one message of the other start: what was asked for of its input, or Stop.
type toWindow struct {
	Input []byte `json:"input,omitempty"` // empty: there is no more
	Stop  bool   `json:"stop,omitempty"`
}

// runs carries out a command for another start, whose messages from reads.
func (w *waiter) runs(ctx context.Context, c net.Conn, from *bufio.Reader, raw string) {
	closing := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var command Command
	if w.window.Run == nil || json.Unmarshal([]byte(raw), &command) != nil || c.SetDeadline(time.Time{}) != nil {
		_ = json.NewEncoder(c).Encode(fromWindow{Refused: true})
		return
	}
	// Somebody who reads no further, such as a pager, must not keep the window from closing.
	defer context.AfterFunc(closing, func() { _ = c.SetDeadline(time.Now().Add(endWait)) })()
	far := &farEnd{enc: json.NewEncoder(c), lines: make(chan []byte), gone: ctx.Done()}
	_ = far.send(fromWindow{})
	go func() { // until the connection is closed
		defer cancel()
		far.receive(json.NewDecoder(from))
	}()
	code, ok := w.window.Run(ctx, command, Streams{In: far, Out: farWriter{far, false}, Err: farWriter{far, true}})
	_ = far.send(fromWindow{Code: &code, Refused: !ok})
}

// farEnd is the other start, whose command is carried out here.
type farEnd struct {
	mu    sync.Mutex // held while a message is written
	enc   *json.Encoder
	lines chan []byte // of its input
	gone  <-chan struct{}
	rest  []byte // of the last line; read by one goroutine at a time
}

func (f *farEnd) send(m fromWindow) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.enc.Encode(m)
}

// receive returns when the other start stops the command or has gone.
func (f *farEnd) receive(dec *json.Decoder) {
	for {
		var m toWindow
		if dec.Decode(&m) != nil || m.Stop {
			return
		}
		select {
		case f.lines <- m.Input:
		case <-f.gone:
			return
		}
	}
}

// Read asks the other start for a line of its input.
func (f *farEnd) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if err := f.send(fromWindow{Input: true}); err != nil {
			return 0, err
		}
		select {
		case f.rest = <-f.lines:
		case <-f.gone:
		}
		if len(f.rest) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// farWriter is one of the two streams of a farEnd.
type farWriter struct {
	to     *farEnd
	errors bool
}

func (w farWriter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	m := fromWindow{Out: p}
	if w.errors {
		m = fromWindow{Err: p}
	}
	if err := w.to.send(m); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Carry has the window of a data folder carry out a command, with the streams of this start.
// found is false, and nothing was written, if there is no window or it does not carry out
// this command; err is then nil. When ctx ends, the command is stopped, and Carry returns
// what it still writes and its exit code.
func Carry(ctx context.Context, data string, c Command, s Streams) (found bool, code int, err error) {
	line, err := json.Marshal(c)
	if err != nil {
		return true, 0, err
	}
	conn, err := dial(ctx, data)
	if err != nil {
		return false, 0, nil
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(answerWait)); err != nil {
		return true, 0, err
	}
	if _, err := io.WriteString(conn, run+" "+string(line)+"\n"); err != nil {
		return true, 0, ErrNoAnswer
	}
	var (
		dec  = json.NewDecoder(conn)
		enc  = json.NewEncoder(conn)
		mu   sync.Mutex // held while enc is used
		send = func(m toWindow) {
			mu.Lock()
			defer mu.Unlock()
			_ = enc.Encode(m) // if the window is gone, its answer is missing too
		}
		in = bufio.NewReader(io.LimitReader(s.In, longestInput))
	)
	for begun := false; ; begun = true {
		var m fromWindow
		switch err := dec.Decode(&m); {
		case err != nil && !begun:
			return true, 0, ErrNoAnswer
		case err != nil:
			return true, 0, ErrCutOff
		case m.Refused:
			return false, 0, nil
		case m.Code != nil:
			return true, *m.Code, nil
		}
		if !begun {
			if err := conn.SetDeadline(time.Time{}); err != nil {
				return true, 0, err
			}
			defer context.AfterFunc(ctx, func() {
				_ = conn.SetDeadline(time.Now().Add(answerWait))
				send(toWindow{Stop: true})
			})()
		}
		if m.Input {
			go func() { // a read from a terminal cannot be cancelled
				line, _ := in.ReadBytes('\n')
				send(toWindow{Input: line})
			}()
		}
		to, text := s.Out, m.Out
		if len(m.Err) > 0 {
			to, text = s.Err, m.Err
		}
		if len(text) == 0 {
			continue
		}
		if _, err := to.Write(text); err != nil {
			return true, 0, err
		}
	}
}
