package llm

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A server's list often says nothing of a model but its name. Some servers tell more
// beside the API that is spoken; tellers say where. They are asked at the same host,
// with the same key, and what they answer is a stranger's word.

type teller struct {
	path      func(model string) string // beside the API
	ask       func(model string) []byte // what to post; nil: a GET
	keyHeader string                    // as in Provider, where it is another one there
	read      func(answer []byte, model string) Facts
}

const (
	maxTold   = 8 << 20         // bytes
	tellLimit = 5 * time.Second // for one place
)

// Facts asks the server what it tells of the model, and for its list where that may
// tell more; see Listed. The error is an *Error, where nothing was told.
func (c *Client) Facts(ctx context.Context) (own Facts, list []ModelInfo, err error) {
	if c.row.BaseURL != "" { // which kind of server it is, is known
		if own = c.tellers(ctx); own != (Facts{}) {
			return own, nil, nil
		}
	}
	list, err = c.List(ctx)
	if c.row.BaseURL == "" && Listed(list, c.model).Context == 0 {
		if own = c.tellers(ctx); own != (Facts{}) {
			err = nil
		}
	}
	return own, list, err
}

// Listed returns what a list tells of a model.
func Listed(list []ModelInfo, model string) Facts {
	for _, m := range list {
		if m.ID == model || strings.TrimPrefix(m.ID, "models/") == model { // Gemini's list has the prefix
			return m.Facts
		}
	}
	return Facts{}
}

func (c *Client) tellers(ctx context.Context) Facts {
	for _, t := range c.row.tells {
		if told, err := c.told(ctx, t); err == nil && told != (Facts{}) {
			return told
		}
		if ctx.Err() != nil {
			break
		}
	}
	return Facts{}
}

func (c *Client) told(ctx context.Context, t teller) (Facts, error) {
	a := asked{to: c.beside(t.path(c.model)), keyHeader: t.keyHeader, most: maxTold, limit: tellLimit}
	if t.ask != nil {
		a.body = t.ask(c.model)
	}
	answer, err := c.fetch(ctx, a)
	if err != nil {
		return Facts{}, err
	}
	return t.read(answer, c.model).believed(), nil
}

type asked struct {
	to        *url.URL
	body      []byte // to post; nil: a GET
	keyHeader string // as in Provider
	most      int64  // bytes of the answer
	limit     time.Duration
}

func (c *Client) fetch(ctx context.Context, a asked) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := c.opt.Clock.AfterFunc(a.limit, func() {
		cancel(&Error{Kind: KindTimeout, Message: c.base.Host + " did not tell of its models in time"})
	})
	defer limit.Stop()
	method := http.MethodGet
	if a.body != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, a.to.String(), bytes.NewReader(a.body))
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	r.Header.Set("Accept", "application/json")
	if a.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	c.sign(r, a.keyHeader)
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	if refused := c.checkResponse(resp); refused != nil {
		return nil, refused
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, a.most))
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	return body, nil
}

// Address returns where the server is, the same for all ways of writing it.
func (c *Client) Address() string { return c.base.String() }

// CleanAddress returns an address of a server as Client.Address does; "" for what is
// none.
func CleanAddress(address string) string {
	base, err := parseBase(address)
	if err != nil {
		return ""
	}
	return base.String()
}

// beside returns the address of something else on the same server, where it stands
// beside the API that is spoken: its path without the last part that names that.
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

// Source says by what something is known of a model.
type Source string

// The sources.
const (
	FromUser    Source = "user"    // the user set it
	FromServer  Source = "server"  // the server said it, asked about this model
	FromList    Source = "list"    // the server's list of models says it
	FromName    Source = "name"    // the model's name tells it
	FromRefusal Source = "refusal" // the server refused the other
	FromDefault Source = "default" // nobody said anything
)

// Facts are what a server told of a model. What it did not tell, or what cannot be
// true, is zero.
type Facts struct {
	Context     int     `json:"context,omitempty"`      // window in tokens
	MostContext int     `json:"most_context,omitempty"` // what the model could take: as much as Context, or more
	Tools       Says    `json:"tools,omitempty"`        // whether it takes tools
	Params      float64 `json:"params,omitempty"`       // 1e9 parameters
	Price       *Price  `json:"price,omitempty"`
	Elsewhere   bool    `json:"elsewhere,omitempty"` // the server passes what is asked on to another one
}

// What a model can be like. What a server says beyond it is not believed.
const (
	leastWindow = 1 << 10  // tokens
	mostWindow  = 16 << 20 // tokens
	leastParams = 1e-3     // 1e9 parameters
	mostCost    = 1e5      // US dollars per million tokens
)

func (f Facts) believed() Facts {
	for _, n := range []*int{&f.Context, &f.MostContext} {
		if *n < leastWindow || *n > mostWindow {
			*n = 0
		}
	}
	if f.MostContext < f.Context {
		f.MostContext = 0
	}
	if !(f.Params >= leastParams && f.Params <= mostBillions) {
		f.Params = 0
	}
	if f.Price != nil && !f.Price.believable() {
		f.Price = nil
	}
	return f
}
