// Package client connects to the MCP servers that the user set up, and makes tools of what
// they offer.
//
//	pool := client.New(client.Options{Servers: servers})
//	defer pool.Close()
//	for _, t := range pool.Tools(ctx) {
//		offer(t)
//	}
//
// A server is a program of its own, or one on the network, and hostile until checked: its
// names and descriptions are cleaned, its schemas checked, its results cut, and all of them
// count as text by others. No shell runs a command, and a program gets nothing of our
// environment but what it needs to be found. A tool whose description or arguments changed
// since the user saw it is not offered until they have looked at it again.
//
// The package decides neither which tools a model is offered nor whether a call may be made.
package client

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"bowerbird/tools"
)

// Server is an MCP server as the user set it up: a command to run, or a URL.
type Server struct {
	Name    string
	Command string // a program, without a shell
	Args    []string
	Folder  string            // where Command runs; "" is the user's home
	Env     map[string]string // of Command, beside PATH
	URL     string            // of streamable HTTP
	Token   string            // sent to URL as a bearer token; "" for none
}

// Options configure a [Pool]. Servers is required.
type Options struct {
	// Servers returns the servers to be connected now.
	Servers func(context.Context) []Server
	// Changed notes the tools that a server offers, and returns the names of those whose
	// fingerprint is not the one that the user saw. Nil: none has changed.
	Changed func(server string, offered []ToolStatus) []string
	// HTTP returns the client for the server at a URL that the user typed.
	HTTP   func(base string) (*http.Client, error)
	Logger *slog.Logger // nil: nothing is logged

	sleep func(context.Context, time.Duration) error // for tests
}

// State is how a server is.
type State string

// The states.
const (
	Starting State = "starting"
	Ready    State = "ready"
	Waiting  State = "waiting" // before it is started again
	Failed   State = "failed"  // it is not started again by itself
)

// Status describes a server and its tools, in names and texts that are safe to show.
type Status struct {
	Server string
	State  State
	Error  string // why it is not ready
	Title  string // what it calls itself, with its version
	// Instructions are what it would like a model to read. No model does.
	Instructions string
	Tools        []ToolStatus // sorted by name
	Log          []string     // the last lines that it wrote, the oldest first
}

// ToolStatus describes a tool of a server.
type ToolStatus struct {
	Name        string // the server's own name for it
	As          string // what models call it
	Title       string
	Description string
	Schema      json.RawMessage // of its arguments
	Fingerprint string
	Reads       bool   // the server says that it changes nothing
	Changed     bool   // it is not offered, since it is not what the user saw
	Refused     string // why it cannot be offered; "" if it can
}

// Pool holds the connections. It may be used from any goroutine.
type Pool struct {
	opt    Options
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	closed  bool
	servers map[string]*server
}

// New returns a Pool that connects to nothing yet.
func New(opt Options) *Pool {
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.sleep == nil {
		opt.sleep = sleep
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Pool{opt: opt, ctx: ctx, cancel: cancel, servers: make(map[string]*server)}
}

// startWait is how long Tools waits for servers that are starting. Some fetch themselves
// from a package registry first.
const startWait = 15 * time.Second

// Tools starts the servers that are not connected, waits until each is ready or has failed,
// at most 15 s or until ctx ends, and returns the tools of those that are ready.
func (p *Pool) Tools(ctx context.Context) []tools.Tool {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	var all []tools.Tool
	for _, s := range p.sync(ctx) {
		s.settled(ctx)
		all = append(all, s.offered()...)
	}
	return all
}

// Status starts the servers as Tools does, without waiting, and describes them, sorted by
// name.
func (p *Pool) Status(ctx context.Context) []Status {
	var all []Status
	for _, s := range p.sync(ctx) {
		all = append(all, s.status())
	}
	return all
}

// Try waits until a server is ready or has failed, or ctx ends, and describes it; ok is
// false if there is no such server.
func (p *Pool) Try(ctx context.Context, name string) (_ Status, ok bool) {
	for _, s := range p.sync(ctx) {
		if s.conf.Name == name {
			s.settled(ctx)
			return s.status(), true
		}
	}
	return Status{}, false
}

// Restart starts a server anew, also one that has failed.
func (p *Pool) Restart(name string) {
	p.mu.Lock()
	s := p.servers[name]
	delete(p.servers, name)
	p.mu.Unlock()
	if s != nil {
		s.stop()
	}
}

// Refresh reads the tools of a server again, as after the user has looked at one.
func (p *Pool) Refresh(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.servers[name]; s != nil {
		s.readAgain()
	}
}

// Close ends all servers, and their children.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	for _, s := range p.servers {
		s.stop()
	}
}

// sync makes the connections those of the settings, and returns them sorted by name.
func (p *Pool) sync(ctx context.Context) []*server {
	want := p.opt.Servers(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	for name, s := range p.servers {
		if !slices.ContainsFunc(want, s.is) {
			delete(p.servers, name)
			go s.stop()
		}
	}
	var all []*server
	for _, conf := range want {
		s := p.servers[conf.Name]
		if s == nil {
			s = newServer(p, conf)
			p.servers[conf.Name] = s
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *server) int { return strings.Compare(a.conf.Name, b.conf.Name) })
	return all
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
