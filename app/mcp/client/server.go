package client

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// The limits of a server.
const (
	maxTools     = 1000             // that are read of one server
	refreshEvery = time.Minute      // how often the list of tools is read again
	listWait     = 30 * time.Second // for the list of tools
	callWait     = 2 * time.Minute  // for the result of a call
	maxRestarts  = 5                // after 1, 2, 4, 8 and 16 s
	steady       = 30 * time.Second // a server that ran for so long starts counting anew
	maxLog       = 200              // lines
)

// server is one connection, kept by a goroutine.
type server struct {
	pool   *Pool
	conf   Server
	cancel context.CancelFunc
	done   chan struct{} // closed when the goroutine has ended
	again  chan struct{} // the list of tools is to be read again

	mu      sync.Mutex
	news    *sync.Cond // state
	state   State
	failure string
	title   string
	advice  string
	session *sdk.ClientSession
	tools   []tools.Tool
	listed  []ToolStatus
	log     []string
}

func newServer(p *Pool, conf Server) *server {
	ctx, cancel := context.WithCancel(p.ctx)
	s := &server{
		pool: p, conf: conf, cancel: cancel, done: make(chan struct{}), again: make(chan struct{}, 1),
		state: Starting,
	}
	s.news = sync.NewCond(&s.mu)
	go s.keep(ctx)
	return s
}

// is reports whether conf is what this connection was made for.
func (s *server) is(conf Server) bool { return reflect.DeepEqual(s.conf, conf) }

func (s *server) stop() {
	s.cancel()
	<-s.done
}

// keep connects, and connects again after 1, 2, 4, 8 and 16 s when the server has gone.
func (s *server) keep(ctx context.Context) {
	defer close(s.done)
	for restarts := 0; ; restarts++ {
		since := time.Now()
		err := s.connected(ctx)
		if ctx.Err() != nil {
			s.set(Failed, "stopped")
			return
		}
		if time.Since(since) >= steady {
			restarts = 0
		}
		if restarts == maxRestarts {
			s.set(Failed, fmt.Sprintf("%s; it was started %d times in vain", s.why(err), restarts+1))
			return
		}
		wait := time.Second << restarts
		s.set(Waiting, fmt.Sprintf("%s; it is started again after %v", s.why(err), wait))
		if s.pool.opt.sleep(ctx, wait) != nil {
			s.set(Failed, "stopped")
			return
		}
		s.set(Starting, "")
	}
}

// why describes an error, with what the server itself wrote last.
func (s *server) why(err error) string {
	text := "it ended"
	if err != nil {
		text = clean.Line(err.Error(), 300)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.log); n > 0 {
		text += " (it wrote: " + clean.Cut(s.log[n-1], 200) + ")"
	}
	return text
}

// connected serves one connection until it ends.
func (s *server) connected(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	transport, err := s.transport(ctx)
	if err != nil {
		return err
	}
	begin, stop := context.WithTimeout(ctx, listWait)
	defer stop()
	// No roots, no sampling: a server learns nothing about the user's files or models.
	session, err := sdk.NewClient(
		&sdk.Implementation{Name: "bowerbird", Title: "Bowerbird", Version: s.pool.opt.Version},
		&sdk.ClientOptions{
			Capabilities:           &sdk.ClientCapabilities{},
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.readAgain() },
		},
	).Connect(begin, transport, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	defer session.Close()
	defer s.set(Starting, "")
	if err := s.greet(begin, session); err != nil {
		return err
	}
	s.set(Ready, "")
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-s.again:
		case <-tick.C:
		}
		listing, stop := context.WithTimeout(ctx, listWait)
		if err := s.list(listing, session); err != nil {
			s.note("the list of tools could not be read: " + err.Error())
		}
		stop()
	}
}

func (s *server) readAgain() {
	select {
	case s.again <- struct{}{}:
	default: // it is about to be
	}
}

// greet reads who the server is and what it offers.
func (s *server) greet(ctx context.Context, session *sdk.ClientSession) error {
	s.mu.Lock()
	s.session, s.title, s.advice = session, "", ""
	if r := session.InitializeResult(); r != nil {
		s.advice = clean.Text(clean.Cut(r.Instructions, 4000))
		if r.ServerInfo != nil {
			s.title = clean.Line(strings.TrimSpace(firstOf(r.ServerInfo.Title, r.ServerInfo.Name)+" "+r.ServerInfo.Version), 80)
		}
	}
	s.mu.Unlock()
	return s.list(ctx, session)
}

// list reads the tools; after an error they stay as they were.
func (s *server) list(ctx context.Context, session *sdk.ClientSession) error {
	var found []*sdk.Tool
	params, seen := &sdk.ListToolsParams{}, map[string]bool{}
	for {
		page, err := session.ListTools(ctx, params)
		if err != nil {
			return err
		}
		found = append(found, page.Tools...)
		if page.NextCursor == "" {
			break
		}
		if seen[page.NextCursor] || len(found) > maxTools {
			s.note(fmt.Sprintf("only the first %d tools were read", min(len(found), maxTools)))
			break
		}
		seen[page.NextCursor] = true
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	s.take(found[:min(len(found), maxTools)])
	return nil
}

// take makes tools of what the server offers.
func (s *server) take(found []*sdk.Tool) {
	var made []tools.Tool
	var listed []ToolStatus
	taken := make(map[string]bool)
	for _, t := range found {
		tool, st := s.tool(t)
		if taken[st.As] {
			st.Refused = "another tool of this server has the same name"
		}
		taken[st.As] = true
		made, listed = append(made, tool), append(listed, st)
	}
	var changed []string
	if s.pool.opt.Changed != nil {
		changed = s.pool.opt.Changed(s.conf.Name, listed)
	}
	usable := made[:0]
	for i, t := range made {
		listed[i].Changed = slices.Contains(changed, listed[i].Name)
		if !listed[i].Changed && listed[i].Refused == "" {
			usable = append(usable, t)
		}
	}
	made = usable
	slices.SortFunc(listed, func(a, b ToolStatus) int { return strings.Compare(a.Name, b.Name) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools, s.listed = made, listed
}

// call runs a tool on the server, if it still is what it was when the call was allowed.
func (s *server) call(ctx context.Context, name, print string, args any) (tools.Result, error) {
	s.mu.Lock()
	session, state, failure := s.session, s.state, s.failure
	same := slices.ContainsFunc(s.listed, func(t ToolStatus) bool { return t.Fingerprint == print && !t.Changed })
	s.mu.Unlock()
	if state != Ready {
		return nil, fmt.Errorf("the MCP server %q is not running: %s", s.conf.Name, firstOf(failure, "it is starting; call again"))
	}
	if !same {
		return nil, fmt.Errorf("not run: the MCP server %q has changed this tool meanwhile, or taken it back; the user has to look at it first", s.conf.Name)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, callWait, fmt.Errorf("the MCP server %q did not answer within %v", s.conf.Name, callWait))
	defer cancel()
	res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, errors.New(clean.Text(clean.Cut(err.Error(), 1000)))
	}
	return result(s.conf.Name, res)
}

func (s *server) set(state State, failure string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.failure = state, failure
	if state != Ready {
		s.tools = nil // what is listed stays, for the user to see
	}
	s.news.Broadcast()
}

// settled waits until the server is ready or does not start, or ctx ends.
func (s *server) settled(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.news.Broadcast()
	})
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.state == Starting && ctx.Err() == nil {
		s.news.Wait()
	}
}

func (s *server) offered() []tools.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{
		Server: s.conf.Name, State: s.state, Error: s.failure, Title: s.title, Instructions: s.advice,
		Tools: slices.Clone(s.listed), Log: slices.Clone(s.log),
	}
}

// note adds lines to the server's log.
func (s *server) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		s.log = append(s.log, clean.Line(line, 500))
	}
	s.log = s.log[max(0, len(s.log)-maxLog):]
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
