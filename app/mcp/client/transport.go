package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is the largest message that a server may send, in bytes.
const maxMessage = 8 << 20

func (s *server) transport(ctx context.Context) (sdk.Transport, error) {
	if s.conf.URL == "" {
		return s.start(ctx)
	}
	c, err := s.pool.opt.HTTP(s.conf.URL)
	if err != nil {
		return nil, err
	}
	within := *c
	within.Transport = &door{next: c.Transport, server: s}
	return &sdk.StreamableClientTransport{Endpoint: s.conf.URL, HTTPClient: &within, MaxEventSize: maxMessage}, nil
}

// door is the way to a server on the network: it adds the token, and bounds what comes back.
// The client below it reaches one host only, and follows no redirect.
type door struct {
	next   http.RoundTripper
	server *server
}

// RoundTrip implements [http.RoundTripper].
func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	if token := d.server.conf.Token; token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := d.next.RoundTrip(r)
	if err == nil && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // the sdk bounds events
		resp.Body = &boundedBody{resp.Body, maxMessage, d.server}
	}
	return resp, err
}

// boundedBody is read no further than left.
type boundedBody struct {
	io.ReadCloser
	left   int
	server *server
}

// Read implements [io.Reader].
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		b.server.tooLong()
		return 0, errTooLong
	}
	return n, err
}

// start runs the server's command. Closing the transport, or the end of ctx, ends it and its
// children.
func (s *server) start(ctx context.Context) (sdk.Transport, error) {
	path, err := exec.LookPath(s.conf.Command)
	if err != nil {
		return nil, fmt.Errorf("the command %q was not found: install it, or name it with its full path", s.conf.Command)
	}
	cmd := exec.Command(path, s.conf.Args...)
	cmd.Env, cmd.Dir = s.environment(), s.conf.Folder
	if cmd.Dir == "" {
		cmd.Dir, _ = os.UserHomeDir()
	}
	cmd.Stderr = logWriter{s}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	family, err := startFamily(cmd)
	if err != nil {
		return nil, fmt.Errorf("start %q: %w", s.conf.Command, err)
	}
	p := &process{Writer: in, stdin: in, family: family, gone: make(chan struct{})}
	go func() {
		defer close(p.gone)
		_ = cmd.Wait() // how it ended is what it wrote last
		family.kill()
	}()
	context.AfterFunc(ctx, func() { _ = p.Close() })
	return &sdk.IOTransport{Reader: quiet(out, s), Writer: p, MaxLineLength: maxMessage}, nil
}

// environment is what the user set, and where programs are found.
func (s *server) environment() []string {
	env := []string{"PATH=" + os.Getenv("PATH")}
	for _, name := range neededToRun {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range s.conf.Env {
		env = append(env, name+"="+value)
	}
	return env
}

// process is a running command: what is written to it, and its end.
type process struct {
	io.Writer
	stdin  io.Closer
	family family
	gone   chan struct{}
}

// patience is how long a server has to end by itself, and again after it was asked to.
const patience = 2 * time.Second

// Close closes stdin, asks the server to end, and ends it.
func (p *process) Close() error {
	err := p.stdin.Close()
	for _, end := range []func(){p.family.ask, p.family.kill} {
		select {
		case <-p.gone:
			return nil
		case <-time.After(patience):
			end()
		}
	}
	return err
}

// logWriter takes what a server writes to stderr.
type logWriter struct{ s *server }

func (w logWriter) Write(p []byte) (int, error) {
	w.s.note(string(p))
	return len(p), nil
}

// quiet returns what a server writes to stdout without the lines that are no messages: some
// greet, or their launcher does.
func quiet(out io.Reader, s *server) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		lines := bufio.NewReaderSize(out, 64<<10)
		for {
			line, err := readLine(lines)
			trimmed := bytes.TrimSpace(line)
			switch {
			case len(line) > maxMessage:
				s.tooLong()
			case len(trimmed) == 0:
			case trimmed[0] == '{' || trimmed[0] == '[':
				if _, gone := w.Write(append(trimmed, '\n')); gone != nil {
					return
				}
			default:
				s.note(string(trimmed))
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
	}()
	return r
}

var errTooLong = fmt.Errorf("more than %d MB", maxMessage>>20)

// maxSkipped is how much of a message that is too long is skipped, in bytes. A server that
// goes on is ended.
const maxSkipped = 64 << 20

// readLine reads a line. One of more than maxMessage bytes is read to its end, and only its
// beginning is returned.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for skipped := 0; ; {
		part, err := r.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, part...)
		} else if skipped += len(part); skipped > maxSkipped {
			return line, errTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
