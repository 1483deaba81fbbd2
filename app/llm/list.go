package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
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
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	if refused := c.checkResponse(resp); refused != nil {
		return nil, refused
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModelList))
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	models, refused := readModels(body)
	if refused != nil {
		return nil, c.clean(refused)
	}
	return models, nil
}

// readModels reads the usual {"data":[{"id"}]}, a bare list (Together), and
// Ollama's {"models":[{"name"}]}.
func readModels(body []byte) ([]ModelInfo, *Error) {
	if said, ok := readServerError(body); ok {
		return nil, chunkError(said)
	}
	list := json.RawMessage(body)
	if isObject(body) {
		w := readMembers[struct {
			Data   json.RawMessage `json:"data"`
			Models json.RawMessage `json:"models"`
		}](body)
		list = w.Data
		if !present(list) {
			list = w.Models
		}
	}
	var entries []json.RawMessage
	if json.Unmarshal(list, &entries) != nil {
		return nil, &Error{Kind: KindNotFound, Message: "the server answered with no list of models; is the base URL right?"}
	}
	var models []ModelInfo
	for _, raw := range entries {
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		id, _ := text(firstPresent(m, "id", "name", "model"))
		if id == "" {
			continue
		}
		window, _ := number(firstPresent(m, "context_length", "context_window", "max_model_len", "max_context_length", "max_input_tokens"))
		models = append(models, ModelInfo{ID: id, Facts: Facts{Context: window}})
	}
	slices.SortFunc(models, func(a, b ModelInfo) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(models, func(a, b ModelInfo) bool { return a.ID == b.ID }), nil
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
