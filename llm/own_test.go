package llm_test

import (
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// player answers requests with the body of a fixture in pieces of the given sizes,
// without a network; what a server does with them shows over HTTP alone.
type player struct {
	fixture
	sizes []int
}

func (p player) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, ContentLength: -1, Request: r,
		Body: io.NopCloser(&pieces{body: p.body, sizes: p.sizes, abort: p.abort}),
	}
	if p.http.Status > 0 {
		resp.StatusCode = p.http.Status
	}
	resp.Status = strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode)
	for name, value := range p.http.Headers {
		resp.Header.Set(name, value)
	}
	return resp, nil
}

// pieces hands out a body in pieces; the last size stands for all that follow.
type pieces struct {
	body  string
	sizes []int
	n     int
	abort bool // ends as a connection that broke
}

func (p *pieces) Read(into []byte) (int, error) {
	if p.body == "" {
		if p.abort {
			return 0, io.ErrUnexpectedEOF
		}
		return 0, io.EOF
	}
	size := p.sizes[min(p.n, len(p.sizes)-1)]
	p.n++
	n := copy(into, p.body[:min(size, len(p.body))])
	p.body = p.body[n:]
	return n, nil
}

// replay reads a fixture whole, byte by byte, and in random splits.
func (f fixture) replay(t *testing.T, random int) {
	t.Helper()
	if testing.Short() {
		random = min(random, 4)
	}
	row, _ := llm.FindProvider("custom")
	for _, sizes := range splits(len(f.body), random) {
		web := &http.Client{Transport: player{f, sizes}}
		c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: "http://127.0.0.1:1", HTTP: web, Tries: -1})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.check(llm.Collect(c.Stream(t.Context(), question()))); err != nil {
			t.Fatalf("in pieces of %v:\n%v", sizes[:min(len(sizes), 20)], err)
		}
	}
}

// overHTTP reads a fixture from a server that sends it whole and in random splits.
func (f fixture) overHTTP(t *testing.T, random int) {
	t.Helper()
	s := testkit.NewModelServer(t)
	c := newClient(t, s)
	for i, sizes := range splits(len(f.body), random) {
		if i == 1 {
			continue // byte by byte: it takes long and shows nothing that replay does not
		}
		s.Queue(f.reply(sizes...))
		if err := f.check(llm.Collect(c.Stream(t.Context(), question()))); err != nil {
			t.Fatalf("over HTTP, in pieces of %v:\n%v", sizes[:min(len(sizes), 20)], err)
		}
	}
}

func TestEveryFixtureOfOursIsReadRightInEverySplit(t *testing.T) {
	for _, f := range readFixtures(t, filepath.Join("testdata", "own")) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.replay(t, 100)
			f.overHTTP(t, 1)
		})
	}
}

// Row 001-3, with what real servers sent.
func TestEveryRecordedStreamIsReadRightInEverySplit(t *testing.T) {
	for _, f := range readFixtures(t, testkit.Shared(t, "fixtures", "streams-recorded")) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.replay(t, 100)
			f.overHTTP(t, 1)
		})
	}
}
