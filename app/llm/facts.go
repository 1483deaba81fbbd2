package llm

import (
	"context"
	"net/url"
	"strings"
)

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

// Facts are what a server told of a model. What it did not tell is zero.
type Facts struct {
	Context     int     `json:"context,omitempty"`      // window in tokens
	MostContext int     `json:"most_context,omitempty"` // what the model could take, where its server gives it less
	Tools       Says    `json:"tools,omitempty"`        // whether it takes tools
	Params      float64 `json:"params,omitempty"`       // 1e9 parameters
	Price       *Price  `json:"price,omitempty"`
}

// Facts asks the server what it tells of the model: in answer to a question about it,
// and in its list. Errors are *Error.
func (c *Client) Facts(ctx context.Context) (own, listed Facts, err error) {
	models, err := c.List(ctx)
	if err != nil {
		return Facts{}, Facts{}, err
	}
	for _, m := range models {
		if m.ID == c.model {
			listed = m.Facts
		}
	}
	return Facts{}, listed, nil
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
