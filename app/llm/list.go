package llm

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// ModelInfo is one model that a server offers.
type ModelInfo struct {
	ID    string `json:"id"` // as Options.Model takes it
	Facts        // what the list tells of it
}

const (
	maxModelList = 16 << 20 // bytes
	listLimit    = 20 * time.Second
)

// List asks the server for its models, and returns them sorted by id. Errors are
// *Error.
func (c *Client) List(ctx context.Context) ([]ModelInfo, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := c.clock.AfterFunc(listLimit, func() {
		cancel(&Error{Kind: KindTimeout, Message: c.base.Host + " did not list its models in time"})
	})
	defer limit.Stop()

	address := c.base.JoinPath("models")
	address.RawQuery = c.row.listQuery
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	r.Header.Set("Accept", "application/json")
	c.sign(r)
	body, err := c.fetch(ctx, r, maxModelList)
	if err != nil {
		return nil, err
	}
	models, refused := readModels(body, c.clock.Now())
	if refused != nil {
		return nil, c.clean(refused)
	}
	return models, nil
}

// TestResult is what a first request showed of a model.
type TestResult struct {
	Text   string        // what it said
	Tools  bool          // it called the tool that it was asked to call
	Usage  *Usage        // nil when the server does not count
	First  time.Duration // until the first event
	Length time.Duration // until the end
}

// Test asks the model to call a tool that does nothing, and tells how that went.
// It costs a few tokens. A model that takes no tools is asked again without.
// Errors are *Error.
func (c *Client) Test(ctx context.Context) (*TestResult, error) {
	req := &Request{
		Messages: []Message{{Role: User, Text: "This is a test. Call the tool ping once, with word set to \"pong\"."}},
		Tools: []Tool{{
			Name:        "ping",
			Description: "Answers with the word.",
			Schema:      json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`),
		}},
	}
	result, err := c.test(ctx, req)
	var e *Error
	if errors.As(err, &e) && e.Kind == KindNoTools {
		req = &Request{Messages: []Message{{Role: User, Text: "This is a test. Answer with the word pong."}}}
		return c.test(ctx, req)
	}
	return result, err
}

func (c *Client) test(ctx context.Context, req *Request) (*TestResult, error) {
	start := c.clock.Now()
	var result TestResult
	for e, err := range c.Stream(ctx, req) {
		if err != nil {
			return nil, err
		}
		if result.First == 0 {
			result.First = c.clock.Now().Sub(start)
		}
		switch e.Type {
		case EventText:
			result.Text += e.Delta
		case EventRetrying:
			result.Text = ""
		case EventToolCall:
			result.Tools = result.Tools || e.Call.Invalid == "" && e.Call.Name == "ping"
		case EventUsage:
			result.Usage = e.Usage
		}
	}
	result.Length = c.clock.Now().Sub(start)
	return &result, nil
}
