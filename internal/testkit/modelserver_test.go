package testkit

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestModelServerAnswersInTheOrderOfItsScriptAndKeepsTheRequests(t *testing.T) {
	s := NewModelServer(t, SSE(`{"a":1}`), Reply{Status: 429, Header: http.Header{"Retry-After": {"3"}}, Body: "later"})
	for i, want := range []struct {
		status int
		body   string
	}{{200, "data: {\"a\":1}\n\ndata: [DONE]\n\n"}, {429, "later"}} {
		resp, err := s.Client().Post(s.URL+"/v1/x", "text/plain", strings.NewReader("question"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != want.status || string(body) != want.body {
			t.Errorf("request %d: got %d %q (%v), want %d %q", i, resp.StatusCode, body, err, want.status, want.body)
		}
		resp.Body.Close()
	}
	if got := s.Received(); len(got) != 2 || string(got[1].Body) != "question" || got[1].URL.Path != "/v1/x" {
		t.Errorf("received %+v", got)
	}
}

func TestModelServerSendsOnePieceForEachTickOfTheGate(t *testing.T) {
	gate := make(chan struct{})
	s := NewModelServer(t, Reply{Body: "abcdef", Chunks: []int{1, 2}, Gate: gate})
	resp := make(chan *http.Response, 1)
	go func() {
		r, err := s.Client().Post(s.URL, "application/json", nil)
		if err != nil {
			t.Error(err)
		}
		resp <- r
	}()
	gate <- struct{}{}
	r := <-resp
	if r == nil {
		return
	}
	defer r.Body.Close()
	for _, want := range []string{"a", "bc", "de", "f"} {
		buf := make([]byte, 10)
		n, err := r.Body.Read(buf)
		if string(buf[:n]) != want {
			t.Errorf("read %q (%v), want %q", buf[:n], err, want)
		}
		if want != "f" {
			gate <- struct{}{}
		}
	}
}

func TestModelServerAbortsWithoutAnEndOfTheBody(t *testing.T) {
	s := NewModelServer(t, Reply{Body: "half", Abort: true})
	r, err := s.Client().Post(s.URL, "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if string(body) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v; want the half and an unexpected end", body, err)
	}
}

func TestModelServerTellsWhenTheClientLeaves(t *testing.T) {
	s := NewModelServer(t, Reply{Body: "x", Hang: true})
	r, err := s.Client().Post(s.URL, "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	Receive(t, "the end of the request", s.Left())
}

// A client that is stopped while it sends a long question is no fault of the test's.
func TestAClientThatLeavesInTheMiddleOfItsQuestionHasLeft(t *testing.T) {
	s := NewModelServer(t, Reply{Body: "fine"})
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	Receive(t, "the end of the request", s.Left())
	if got := s.Received(); len(got) != 0 {
		t.Errorf("received %+v", got)
	}
}
