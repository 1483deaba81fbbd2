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
	if s.conf.Token != "" {
		withToken := *c
		withToken.Transport = bearer{c.Transport, s.conf.Token}
		c = &withToken
	}
	return &sdk.StreamableClientTransport{Endpoint: s.conf.URL, HTTPClient: c, MaxEventSize: maxMessage}, nil
}

// bearer adds a token. The client below it reaches one host only.
type bearer struct {
	next  http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
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
			if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
				if _, gone := w.Write(append(trimmed, '\n')); gone != nil {
					return
				}
			} else if len(trimmed) > 0 {
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

var errTooLong = fmt.Errorf("a message of more than %d MB", maxMessage>>20)

// readLine reads a line of at most maxMessage bytes.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxMessage {
			return nil, errTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
