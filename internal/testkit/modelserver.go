package testkit

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Reply is one scripted answer of a ModelServer. The zero value is status 200,
// Content-Type text/event-stream and an empty body.
type Reply struct {
	Status int         // 0: 200
	Header http.Header // on top of the Content-Type, which it may replace
	Body   string
	// Chunks holds the sizes, in bytes, of the pieces that the body is written and
	// flushed in; the last size stands for all further pieces. Empty: one piece.
	Chunks []int
	// Gate, when set, is received from before each piece; closing it opens it for
	// good. So a test decides when a piece leaves, without waiting for a clock.
	Gate <-chan struct{}
	// Abort ends the connection after the body without ending the response, as a
	// server does that dies.
	Abort bool
	// Hang keeps the response open after the body until the client leaves.
	Hang bool
}

// SSE returns a Reply whose body sends each piece of JSON as one event, and then
// [DONE].
func SSE(events ...string) Reply {
	var body []byte
	for _, e := range append(slices.Clone(events), "[DONE]") {
		body = append(body, "data: "+e+"\n\n"...)
	}
	return Reply{Body: string(body)}
}

// Received is a request that a ModelServer got.
type Received struct {
	Method string
	URL    *url.URL
	Host   string
	Header http.Header
	Body   []byte
}

// ModelServer answers requests with scripted replies, in the order in which they
// were queued, and keeps what it was asked. A request beyond the script is
// answered with 500 and fails the test. What is asked about its models, before a
// question to one of them, has a script of its own, beyond which there is nothing:
// see About.
type ModelServer struct {
	*httptest.Server

	t        testing.TB
	mu       sync.Mutex
	script   []Reply
	received []Received
	about    []Reply
	asked    []Received
	left     chan struct{}
}

// NewModelServer starts a server on loopback, which ends with the test.
func NewModelServer(t testing.TB, script ...Reply) *ModelServer {
	t.Helper()
	s := &ModelServer{t: t, script: script, left: make(chan struct{}, 1024)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// Queue adds replies to the script.
func (s *ModelServer) Queue(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// About adds replies to what is asked about models: every GET, and Ollama's show. A
// server without any says 404, as one that reports nothing.
func (s *ModelServer) About(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.about = append(s.about, replies...)
}

// Asked returns what was asked about models so far.
func (s *ModelServer) Asked() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Received returns the requests so far.
func (s *ModelServer) Received() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// Left receives a value for each client that went away before its question or its
// answer ended.
func (s *ModelServer) Left() <-chan struct{} { return s.left }

// ServeHTTP answers with the next reply of the script.
func (s *ModelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil { // it was stopped in the middle of a long question
		s.left <- struct{}{}
		return
	}
	reply, ok := s.next(Received{Method: r.Method, URL: r.URL, Host: r.Host, Header: r.Header, Body: body})
	if !ok {
		s.t.Errorf("model server: %s %s is beyond the script", r.Method, r.URL)
		http.Error(w, "beyond the script", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
	if !reply.write(w, r) {
		s.left <- struct{}{}
		return
	}
	if reply.Hang {
		flush(w)
		<-r.Context().Done()
		s.left <- struct{}{}
	}
	if reply.Abort {
		flush(w)
		panic(http.ErrAbortHandler)
	}
}

func (s *ModelServer) next(r Received) (Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet || strings.HasSuffix(r.URL.Path, "/api/show") {
		s.asked = append(s.asked, r)
		if len(s.about) == 0 {
			return Reply{Status: http.StatusNotFound, Body: "404 page not found"}, true
		}
		reply := s.about[0]
		s.about = s.about[1:]
		return reply, true
	}
	s.received = append(s.received, r)
	if len(s.script) == 0 {
		return Reply{}, false
	}
	reply := s.script[0]
	s.script = s.script[1:]
	return reply, true
}

// write sends the body in its pieces; it reports whether the client took them all.
func (r Reply) write(w http.ResponseWriter, req *http.Request) bool {
	rest := r.Body
	for i := 0; len(rest) > 0; i++ {
		if r.Gate != nil {
			select {
			case <-r.Gate:
			case <-req.Context().Done():
				return false
			}
		}
		n := len(rest)
		if len(r.Chunks) > 0 {
			n = min(n, max(1, r.Chunks[min(i, len(r.Chunks)-1)]))
		}
		if _, err := io.WriteString(w, rest[:n]); err != nil {
			return false
		}
		if n < len(rest) {
			flush(w)
		}
		rest = rest[n:]
	}
	return true
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
