package client

import (
	"context"
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
	maxPages     = maxTools         // of their list
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
	calls   map[string]*running // that run, by their progress token
	counter int
}

func newServer(p *Pool, conf Server) *server {
	ctx, cancel := context.WithCancel(p.ctx)
	s := &server{
		pool: p, conf: conf, cancel: cancel, done: make(chan struct{}), again: make(chan struct{}, 1),
		state: Starting, calls: make(map[string]*running),
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
		s.set(Waiting, s.why(err))
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
		text = clean.Line(s.withoutSecrets(err.Error()), 300)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.log); n > 0 {
		text += " (it wrote: " + clean.Cut(s.log[n-1], 200) + ")"
	}
	return text
}

// withoutSecrets removes from a text what follows the ? of the server's URL: some take a
// token there.
func (s *server) withoutSecrets(text string) string {
	if _, query, there := strings.Cut(s.conf.URL, "?"); there && query != "" {
		text = strings.ReplaceAll(text, query, "…")
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
	// No roots, no sampling: a server learns nothing about the user's files or models, and it
	// may lead them to no web page.
	session, err := sdk.NewClient(
		&sdk.Implementation{Name: "bowerbird", Title: "Bowerbird", Version: "1"}, // one is required; which is not their business
		&sdk.ClientOptions{
			Capabilities:           &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}},
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.readAgain() },
			//lint:ignore SA1019 servers of older versions of the protocol send it
			LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
				s.note(clean.Cut(fmt.Sprint(r.Params.Data), 4000))
			},
			ElicitationHandler:          s.elicit,
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { s.progress(r.Params) },
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
		if seen[page.NextCursor] || len(found) > maxTools || len(seen) >= maxPages {
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
