package llm

import (
	"net/http"
	"time"
)

// SentRequest is one request as it went to a model's server. It is for showing to
// the user, who may want to know what left the computer.
type SentRequest struct {
	Time     time.Time
	Provider string
	Model    string
	URL      string
	Header   http.Header // with keyHidden where the key was sent
	Body     []byte      // the bytes that were sent; not to be changed
	Try      int         // from 1; a request that failed may be tried again
}

// keyHidden stands in SentRequest.Header for a key.
const keyHidden = "…"

// Outcome is what became of a SentRequest.
type Outcome struct {
	Status int    // of the HTTP answer; 0 when none came
	Failed string // why none came, or why it was no answer; "" else
}

// showSent tells Options.Sent of a request that is about to go out. What is returned
// is to be called once with how it went.
func (x *exchange) showSent(r *http.Request) func(Outcome) {
	c := x.client
	if c.sent == nil {
		return func(Outcome) {}
	}
	header := r.Header.Clone()
	if c.keyFits(r) {
		for _, values := range header {
			for i := range values {
				values[i] = c.key.hide(values[i])
			}
		}
	}
	told := c.sent(r.Context(), SentRequest{
		Time: c.clock.Now(), Provider: c.row.Name, Model: c.model, URL: r.URL.String(),
		Header: header, Body: x.body, Try: x.try,
	})
	if told == nil {
		return func(Outcome) {}
	}
	return told
}
