package llm

import (
	"context"
	"io"
	"net/url"
	"strings"
	"time"
)

// factSource is a place where a server reports more about a model than in its list, which
// often holds nothing but names. It is on the same host, gets the same key, and its answers
// are not trusted.
type factSource struct {
	path      func(model string) string // next to the API: see [Client.beside]
	ask       func(model string) []byte // what to post; nil: a GET
	keyHeader string                    // as Provider.KeyHeader
	read      func(answer []byte, model string) Facts
}

const (
	maxFacts   = 8 << 20         // bytes
	factsLimit = 5 * time.Second // for one source
)

// Facts asks the server what it knows about the model, and for its list if that may hold
// more: see [Listed]. The error is an [*Error], and nil if own holds anything.
func (c *Client) Facts(ctx context.Context) (own Facts, list []ModelInfo, err error) {
	if c.row.BaseURL != "" { // the kind of server is known
		if own = c.sourceFacts(ctx); own != (Facts{}) {
			return own, nil, nil
		}
	}
	list, err = c.List(ctx)
	if c.row.BaseURL == "" && Listed(list, c.model).Context == 0 {
		if own = c.sourceFacts(ctx); own != (Facts{}) {
			err = nil
		}
	}
	return own, list, err
}

// Listed returns what a list says about a model.
func Listed(list []ModelInfo, model string) Facts {
	for _, m := range list {
		if m.ID == model || strings.TrimPrefix(m.ID, "models/") == model { // Gemini's list has the prefix
			return m.Facts
		}
	}
	return Facts{}
}

// sourceFacts returns the facts of the first source that has any.
func (c *Client) sourceFacts(ctx context.Context) Facts {
	for _, s := range c.row.facts {
		var body []byte
		if s.ask != nil {
			body = s.ask(c.model)
		}
		answer, err := c.fetch(ctx, c.beside(s.path(c.model)), body, s.keyHeader, maxFacts, factsLimit)
		if err != nil {
			continue
		}
		if facts := s.read(answer, c.model).believed(); facts != (Facts{}) {
			return facts
		}
	}
	return Facts{}
}

// fetch returns the body of an answer, of which it reads at most maxBytes, within limit. It
// posts body unless that is nil.
func (c *Client) fetch(ctx context.Context, from *url.URL, body []byte, keyHeader string, maxBytes int64, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := c.opt.Clock.AfterFunc(limit, func() {
		cancel(&Error{Kind: KindTimeout, Message: c.base.Host + " did not describe its models in time"})
	})
	defer timer.Stop()
	r, err := c.newRequest(ctx, from, body, "application/json", keyHeader)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	if refused := c.checkResponse(resp); refused != nil {
		return nil, refused
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes))
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	return answer, nil
}

// Address returns the address of the server, normalised.
func (c *Client) Address() string { return c.base.String() }

// CleanAddress normalises the address of a server as [Client.Address] does. It returns ""
// for text that is not an address.
func CleanAddress(address string) string {
	base, err := parseBase(address)
	if err != nil {
		return ""
	}
	return base.String()
}

// beside returns the address of something that the server offers next to the API in use:
// the base URL without the API's own last part.
func (c *Client) beside(path string) *url.URL {
	u := *c.base
	for _, end := range []string{"/v1", "/openai"} {
		u.Path = strings.TrimSuffix(u.Path, end)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u.JoinPath(path)
}

// Source is where a fact about a model comes from.
type Source string

// The sources.
const (
	FromUser    Source = "user"    // the user's settings
	FromServer  Source = "server"  // the server, asked about this model
	FromList    Source = "list"    // the server's list of models
	FromName    Source = "name"    // the model's name
	FromRefusal Source = "refusal" // the server refused the alternative
	FromDefault Source = "default" // nothing is known
)

// Facts are what a server reports about a model. What it does not report, or what cannot be
// true, is zero.
type Facts struct {
	Context     int     `json:"context,omitempty"`      // window in tokens
	MostContext int     `json:"most_context,omitempty"` // the largest window that the model supports, in tokens; 0 or at least Context
	Tools       Says    `json:"tools,omitempty"`        // whether it takes tools
	Params      float64 `json:"params,omitempty"`       // 1e9 parameters
	Price       *Price  `json:"price,omitempty"`
	Elsewhere   bool    `json:"elsewhere,omitempty"` // the server passes requests on to another one
}

// The limits of what is believed.
const (
	minWindow = 1 << 10  // tokens
	maxWindow = 16 << 20 // tokens
	minParams = 1e-3     // 1e9 parameters
	maxCost   = 1e5      // US dollars per million tokens
)

func (f Facts) believed() Facts {
	for _, n := range []*int{&f.Context, &f.MostContext} {
		if *n < minWindow || *n > maxWindow {
			*n = 0
		}
	}
	if f.MostContext < f.Context {
		f.MostContext = 0
	}
	if !(f.Params >= minParams && f.Params <= maxParams) {
		f.Params = 0
	}
	if f.Price != nil && !f.Price.believable() {
		f.Price = nil
	}
	return f
}
