package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ModelInfo is a model in a server's list.
type ModelInfo struct {
	ID    string `json:"id"` // for Options.Model
	Facts        // from the list
}

const (
	maxModelList = 16 << 20 // bytes
	listLimit    = 20 * time.Second
)

// List returns the server's models, sorted by id. The error is an [*Error].
func (c *Client) List(ctx context.Context) ([]ModelInfo, error) {
	address := c.base.JoinPath("models")
	address.RawQuery = c.row.listQuery
	body, err := c.fetch(ctx, address, nil, c.row.KeyHeader, maxModelList, listLimit)
	if err != nil {
		return nil, err
	}
	models, refused := readModels(body)
	if refused != nil {
		return nil, c.clean(refused)
	}
	return models, nil
}

// TestResult is the result of [Client.Test].
type TestResult struct {
	Text   string        // the answer
	Tools  bool          // the model called the tool
	First  time.Duration // until the first event
	Length time.Duration // until the end
}

// Test asks the model to call a tool that does nothing, which costs a few tokens. If the
// server refuses tools, it is asked again without them. The error is an [*Error].
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
	if e, ok := errors.AsType[*Error](err); ok && e.Kind == KindNoTools {
		req = &Request{Messages: []Message{{Role: User, Text: "This is a test. Answer with the word pong."}}}
		return c.test(ctx, req)
	}
	return result, err
}

func (c *Client) test(ctx context.Context, req *Request) (*TestResult, error) {
	start := c.opt.Clock.Now()
	var result TestResult
	for e, err := range c.Stream(ctx, req) {
		if err != nil {
			return nil, err
		}
		if result.First == 0 {
			result.First = c.opt.Clock.Now().Sub(start)
		}
		switch e.Type {
		case EventText:
			result.Text += e.Delta
		case EventRetrying:
			result.Text = ""
		case EventToolCall:
			result.Tools = result.Tools || e.Call.Invalid == "" && e.Call.Name == "ping"
		}
	}
	result.Length = c.opt.Clock.Now().Sub(start)
	return &result, nil
}

// The limits of a list.
const (
	maxModels    = 20_000
	maxModelName = 500 // bytes
)

// readModels reads the usual {"data":[{"id"}]}, a bare list (Together), and Ollama's
// {"models":[{"name"}]}.
func readModels(body []byte) ([]ModelInfo, *Error) {
	if said, ok := readServerError(body); ok {
		return nil, chunkError(said)
	}
	list := json.RawMessage(body)
	if w := membersOf(body); w != nil {
		list = firstPresent(w, "data", "models")
	}
	entries, ok := listEntries(list, maxModels)
	if !ok {
		return nil, &Error{Kind: KindNotFound, Message: "the server answered with no list of models; is the base URL right?"}
	}
	var models []ModelInfo
	for _, raw := range entries {
		m := membersOf(raw)
		id, _ := text(firstPresent(m, "id", "name", "model"))
		if id == "" || len(id) > maxModelName {
			continue
		}
		models = append(models, ModelInfo{ID: id, Facts: listedFacts(m).believed()})
	}
	slices.SortFunc(models, func(a, b ModelInfo) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(models, func(a, b ModelInfo) bool { return a.ID == b.ID }), nil
}

// listEntries returns at most the first entries of a JSON array, none for null, and reports
// false for anything else. It does not decode the whole array: one of nothing but zeros
// would take a hundred times its length in memory.
func listEntries(list json.RawMessage, most int) ([]json.RawMessage, bool) {
	decoder := json.NewDecoder(bytes.NewReader(list))
	first, err := decoder.Token()
	if err != nil || first != nil && first != json.Delim('[') {
		return nil, false
	}
	var entries []json.RawMessage
	for first != nil && decoder.More() && len(entries) < most {
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			return nil, false
		}
		entries = append(entries, raw)
	}
	if len(entries) < most && first != nil {
		if _, err := decoder.Token(); err != nil { // the end of the array
			return nil, false
		}
	}
	return entries, true
}

func listedFacts(m members) Facts {
	var f Facts
	f.Context, _ = number(firstPresent(m, "context_length", "context_window", "max_model_len", "max_context_length", "max_input_tokens", "inputTokenLimit"))
	// OpenRouter's context_length is that of the best server; the first choice may have less.
	if top, ok := number(membersOf(m["top_provider"])["context_length"]); ok && top > 0 && top < f.Context {
		f.Context = top
	}
	meta := membersOf(m["meta"]) // llama.cpp
	f.MostContext, _ = number(meta["n_ctx_train"])
	f.Params = inBillions(meta["n_params"])
	f.Tools = listedTools(m)
	f.Price = listedPrice(membersOf(m["pricing"]))
	return f
}

// listedTools returns whether a model takes tools: OpenRouter lists the parameters of each
// model, Mistral its capabilities.
func listedTools(m members) Says {
	var parameters []string
	if json.Unmarshal(m["supported_parameters"], &parameters) == nil && len(parameters) > 0 {
		return says(slices.Contains(parameters, "tools"))
	}
	if calls := scalar(membersOf(m["capabilities"])["function_calling"]); calls == "true" || calls == "false" {
		return says(calls == "true")
	}
	return ""
}

func says(yes bool) Says {
	if yes {
		return SaysYes
	}
	return SaysNo
}

// listedPrice reads prices: OpenRouter's are strings and per token, Together's per million.
func listedPrice(m members) *Price {
	unit := 1e6
	input, output := firstPresent(m, "prompt"), firstPresent(m, "completion")
	if !present(input) {
		unit, input, output = 1, m["input"], m["output"]
	}
	in, hasIn := dollars(input)
	out, hasOut := dollars(output)
	if !hasIn || !hasOut {
		return nil
	}
	cached, _ := dollars(firstPresent(m, "input_cache_read", "cached_input"))
	written, _ := dollars(m["input_cache_write"])
	return &Price{Input: in * unit, Output: out * unit, CachedInput: cached * unit, CacheWrite: written * unit}
}

func dollars(raw json.RawMessage) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(scalar(raw)), 64)
	return n, err == nil
}

// inBillions reads a number of parameters, also in the form "8.2B", in 1e9.
func inBillions(raw json.RawMessage) float64 {
	s := strings.ToUpper(strings.TrimSpace(scalar(raw)))
	unit := 1e-9
	for suffix, u := range map[string]float64{"T": 1e3, "B": 1, "M": 1e-3, "K": 1e-6} {
		if rest, found := strings.CutSuffix(s, suffix); found {
			s, unit = rest, u
			break
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return n * unit
}
