package llm

import (
	"context"
	"io"
	"net/url"
	"regexp"
	"strconv"
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

// Size is the size of a model in 1e9 parameters; 0 if unknown.
type Size struct {
	Params float64 // all parameters
	Active float64 // those used for one token, if fewer (mixture of experts)
}

// maxSizeName is how many bytes of a model's name are read.
const maxSizeName = 200

// SizeOf reads a model's size from its name: "qwen3:8b", "mixtral-8x7b", "Qwen3-30B-A3B",
// "gemma-3n-e4b", "smollm2:135m". A version ("llama3.1", "qwen2.5") is not a size. For
// "8x7b" it returns the product, which is a little too much, since experts share parameters.
func SizeOf(name string) Size {
	name = strings.ToLower(name[:min(len(name), maxSizeName)])
	name = name[strings.LastIndexByte(name, '/')+1:] // without the organisation
	if known := knownSize(name); known > 0 {
		return Size{Params: known}
	}
	var (
		s       Size
		experts bool // "17b-16e" gives the active parameters
		letters = regexp.MustCompile(`^(?:r|[a-z]{2,})?(\d+(?:\.\d+)?)([bt])$`)
		mixture = regexp.MustCompile(`^(\d+)x(\d+(?:\.\d+)?)b$`)
		special = regexp.MustCompile(`^([ae])(\d+(?:\.\d+)?)([bm])$`)
		small   = regexp.MustCompile(`^(\d{2,3})m$`)
		expert  = regexp.MustCompile(`^\d+e$`)
	)
	for _, token := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:@ ()[],+", r) }) {
		if m := mixture.FindStringSubmatch(token); m != nil {
			s.Params = max(s.Params, billions(m[1], 1)*billions(m[2], 1))
		} else if m := special.FindStringSubmatch(token); m != nil {
			size := billions(m[2], map[string]float64{"b": 1, "m": 1e-3}[m[3]])
			if m[1] == "a" {
				s.Active = size
			} else {
				s.Params = max(s.Params, size) // "effective": it needs the memory of this many
			}
		} else if m := letters.FindStringSubmatch(token); m != nil {
			s.Params = max(s.Params, billions(m[1], map[string]float64{"b": 1, "t": 1e3}[m[2]]))
		} else if m := small.FindStringSubmatch(token); m != nil && s.Params == 0 {
			if size := billions(m[1], 1e-3); size >= 0.02 { // less is a context window: "7b-1m"
				s.Params = size
			}
		}
		experts = experts || expert.MatchString(token)
	}
	if experts && s.Active == 0 {
		s = Size{Active: s.Params}
	}
	if s.Params > maxParams {
		s.Params = 0
	}
	if s.Active > maxParams || s.Params > 0 && s.Active >= s.Params {
		s.Active = 0
	}
	return s
}

const maxParams = 20_000

func billions(digits string, unit float64) float64 {
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0 // out of range
	}
	return n * unit
}

// knownSize returns the size of models whose usual names do not contain it.
func knownSize(name string) float64 {
	for _, m := range []struct {
		names  string
		params float64
	}{
		{"phi4-mini phi-4-mini phi3-mini phi-3-mini phi3.5 phi-3.5-mini", 3.8},
		{"phi4 phi-4", 14},
		{"mistral-nemo", 12},
	} {
		for _, known := range strings.Fields(m.names) {
			rest, found := strings.CutPrefix(name, known)
			if found && (rest == "" || rest == ":latest" || strings.HasPrefix(rest, "-instruct") || strings.HasPrefix(rest, "-reasoning")) {
				return m.params
			}
		}
	}
	return 0
}
