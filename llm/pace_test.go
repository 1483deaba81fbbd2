package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"bowerbird/llm"
)

// endless is a body that goes on as long as it is read, and counts what was taken.
type endless struct{ taken int }

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for {
		piece := fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%08d\"}}]}\n\n", e.taken)
		if n+len(piece) > len(p) {
			return n, nil
		}
		n += copy(p[n:], piece)
		e.taken++
	}
}

func (e *endless) Close() error { return nil }

// RoundTrip answers with itself.
func (e *endless) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(e), ContentLength: -1, Request: r,
	}, nil
}

// Row 002-51: who reads an answer slowly slows it down. Nothing runs ahead of the reader
// but what one read of the connection brings, and the reader's time is no silence of the
// server's.
func TestASlowReaderSlowsTheAnswerDownAndIsNotTakenForASilentServer(t *testing.T) {
	body := &endless{}
	clock := newFakeClock()
	row, _ := llm.FindProvider("custom")
	c, err := llm.New(llm.Options{
		Provider: row, Model: "m", BaseURL: "http://127.0.0.1:1", HTTP: &http.Client{Transport: body}, Tries: -1, Clock: clock,
	})
	if err != nil {
		t.Fatal(err)
	}
	const ahead = 4096 // pieces of 60 bytes: what a few buffers hold
	read := 0
	for e, err := range c.Stream(t.Context(), question()) {
		if err != nil {
			t.Fatalf("after %d pieces: %v", read, err)
		}
		if want := fmt.Sprintf("%08d", read); e.Delta != want {
			t.Fatalf("piece %d is %q", read, e.Delta)
		}
		if read++; body.taken-read > ahead {
			t.Fatalf("%d pieces were taken from the server, and %d read", body.taken, read)
		}
		clock.advance(time.Hour)
		if read == 20_000 {
			break
		}
	}
	if read != 20_000 {
		t.Errorf("%d pieces were read", read)
	}
	taken := body.taken
	if taken-read > ahead {
		t.Errorf("%d pieces were taken for %d", taken, read)
	}
}
