package llm

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"bowerbird/netsafe"
)

// Provider is what is particular to a provider. Providers are data: no code depends on a
// provider's name.
type Provider struct {
	Name    string // the first part of a model id: "openai"
	Title   string // as shown to the user: "OpenAI"
	BaseURL string // "" if the user must set it
	// KeyEnv names the environment variables that may hold a key, in order.
	KeyEnv []string
	// KeyHeader is the header for the key; "" is Authorization with "Bearer ".
	KeyHeader string
	// NeedsKey means that no request succeeds without a key.
	NeedsKey bool

	// Cloud is the host to which the server passes requests to models whose names end in
	// "cloud"; "" if there is none.
	Cloud string
	// AlwaysTools means that all models take tools.
	AlwaysTools bool
	// CacheLeast is the minimum number of tokens at the beginning of a request that are
	// cached, so that the next request costs less; some models need more. 0: not known to be
	// cached, or not reported.
	CacheLeast int

	// UsualWindow is the window, in tokens, to ask for with each request unless another is
	// set; 0 if the server does not let a request set it.
	UsualWindow int

	// windows are for models whose list does not report them.
	windows []namedWindow

	speaks    family            // nil: chat completions
	second    family            // another one that its server supports, for models that refuse the first
	headers   map[string]string // sent with every request
	listQuery string            // the query string for the list of models
	facts     []factSource

	echo      []string // members that must be sent back with their message
	instead   standIns // for such members in messages of other providers
	ids       idRule
	schemas   schemaRule
	behind    []behind // for models that other providers answer
	maxTokens string   // the member that limits an answer; "" is max_tokens
	parallel  bool     // parallel calls must be asked for
	noChoice  bool     // tool_choice is ignored, so that "none" means sending no tools
	noUsage   bool     // stream_options is refused
	costs     bool     // usage contains the cost in US dollars on request
	marks     string   // the beginning of the names of models that need cache marks
}

// namedWindow is the window, in input tokens, of models whose names begin with prefix.
type namedWindow struct {
	prefix string
	tokens int
}

// behind is what another provider takes, which answers for models whose names begin with
// prefix.
type behind struct {
	prefix  string
	schemas schemaRule
}

// schemaRule returns what schemas a model's tools may have.
func (p Provider) schemaRule(model string) schemaRule {
	for _, b := range p.behind {
		if strings.HasPrefix(model, b.prefix) {
			return b.schemas
		}
	}
	return p.schemas
}

// Window returns the window of a model, in tokens, if it follows from the name; otherwise 0.
func (p Provider) Window(model string) int {
	for _, w := range p.windows {
		if strings.HasPrefix(model, w.prefix) {
			return w.tokens
		}
	}
	return 0
}

// idRule is which ids of calls a provider accepts.
type idRule uint8

const (
	idsKept  idRule = iota // any, at most 64 bytes
	idsNine                // nine letters and digits
	idsForty               // at most 40 bytes
	idsPlain               // letters, digits, _ and -, at most 64
)

// The members that must be sent back to some providers unchanged.
const (
	echoReasoning = "reasoning_content"
	echoDetails   = "reasoning_details"
	echoExtra     = "extra_content"
)

// Providers returns all known providers, in the order in which to offer them.
func Providers() []Provider {
	return []Provider{
		{
			Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.com/v1", NeedsKey: true,
			KeyEnv: []string{"OPENAI_API_KEY"}, ids: idsForty, maxTokens: "max_completion_tokens",
			second: responsesFamily{}, AlwaysTools: true, CacheLeast: 1024,
			windows: []namedWindow{
				{"gpt-5-chat", 128_000},
				{"gpt-5", 272_000},
				{"gpt-4.1", 1_047_576},
				{"gpt-4o", 128_000},
				{"chatgpt-4o", 128_000},
				{"gpt-4-turbo", 128_000},
				{"gpt-3.5-turbo", 16_385},
				{"o1", 128_000},
				{"o3", 200_000},
				{"o4-mini", 200_000},
			},
		},
		{
			Name: "anthropic", Title: "Anthropic", BaseURL: "https://api.anthropic.com/v1", NeedsKey: true,
			KeyEnv: []string{"ANTHROPIC_API_KEY"}, KeyHeader: "X-Api-Key", speaks: anthropicFamily{},
			headers: map[string]string{"Anthropic-Version": "2023-06-01"}, listQuery: "limit=1000", AlwaysTools: true,
			CacheLeast: 1024, schemas: schemasAnthropic,
			windows: []namedWindow{{"claude-", 200_000}},
		},
		{
			Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1", NeedsKey: true,
			KeyEnv: []string{"OPENROUTER_API_KEY"}, echo: []string{echoDetails, echoReasoning, echoExtra},
			costs: true, marks: "anthropic/", CacheLeast: 1024,
			behind: []behind{{"anthropic/", schemasAnthropic}, {"google/gemini", schemasGemini}},
		},
		{
			Name: "gemini", Title: "Google Gemini", NeedsKey: true,
			BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
			KeyEnv:  []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, echo: []string{echoExtra},
			facts: []factSource{geminiModel()}, CacheLeast: 1024, schemas: schemasGemini,
			instead: standIns{
				call:   json.RawMessage(`{"google":{"thought_signature":"skip_thought_signature_validator"}}`),
				before: []string{"gemini-1", "gemini-2", "gemma"},
			},
		},
		{
			Name: "groq", Title: "Groq", BaseURL: "https://api.groq.com/openai/v1", NeedsKey: true,
			KeyEnv: []string{"GROQ_API_KEY"}, CacheLeast: 1024,
		},
		{
			Name: "mistral", Title: "Mistral", BaseURL: "https://api.mistral.ai/v1", NeedsKey: true,
			KeyEnv: []string{"MISTRAL_API_KEY"}, ids: idsNine, noUsage: true,
		},
		{
			Name: "deepseek", Title: "DeepSeek", BaseURL: "https://api.deepseek.com/v1", NeedsKey: true,
			KeyEnv: []string{"DEEPSEEK_API_KEY"}, echo: []string{echoReasoning},
			instead: standIns{reasoning: true}, CacheLeast: 64,
		},
		{
			Name: "together", Title: "Together", BaseURL: "https://api.together.xyz/v1", NeedsKey: true,
			KeyEnv: []string{"TOGETHER_API_KEY"},
		},
		{
			Name: "ollama", Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1",
			KeyEnv: []string{"OLLAMA_API_KEY"}, noChoice: true,
			speaks: ollamaFamily{}, second: chatFamily{}, // all that some gateways in front of it support
			facts: []factSource{ollamaShow()}, Cloud: "ollama.com", UsualWindow: ollamaWindow,
		},
		{
			Name: "lmstudio", Title: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1",
			KeyEnv: []string{"LMSTUDIO_API_KEY"}, facts: []factSource{lmStudioModels()},
		},
		{
			Name: "llamacpp", Title: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1",
			KeyEnv: []string{"LLAMA_API_KEY"}, echo: []string{echoReasoning}, parallel: true,
			facts: []factSource{llamaProps()},
		},
		{
			Name: "vllm", Title: "vLLM", BaseURL: "http://127.0.0.1:8000/v1",
			KeyEnv: []string{"VLLM_API_KEY"}, echo: []string{echoReasoning},
		},
		{
			Name: "custom", Title: "another server",
			KeyEnv: []string{"BOWERBIRD_API_KEY"}, echo: []string{echoReasoning, echoDetails, echoExtra},
			parallel: true, facts: []factSource{llamaProps(), lmStudioModels()},
		},
	}
}

// FindProvider returns the provider with a name.
func FindProvider(name string) (Provider, bool) {
	all := Providers()
	if i := slices.IndexFunc(all, func(p Provider) bool { return p.Name == name }); i >= 0 {
		return all[i], true
	}
	return Provider{}, false
}

// CacheAsked reports whether the provider caches the beginning of requests only if asked to
// (see [Options].NoCaching).
func (p Provider) CacheAsked(model string) bool {
	_, always := p.speaks.(anthropicFamily)
	return always || p.marks != "" && strings.HasPrefix(model, p.marks)
}

// PassesOn returns the host to which the provider's server on this computer passes requests
// to a model, judging by its name; "" if it answers them itself.
func (p Provider) PassesOn(model string) string {
	if strings.HasSuffix(model, "-cloud") || strings.HasSuffix(model, ":cloud") {
		return p.Cloud
	}
	return ""
}

// ParseModelID splits a model id of the form "provider:model" at its first colon, so that
// "openrouter:openai/gpt-5:free" keeps its tag.
func ParseModelID(id string) (provider, model string, err error) {
	provider, model, found := strings.Cut(strings.TrimSpace(id), ":")
	if !found || provider == "" || model == "" {
		return "", "", fmt.Errorf("%q names no model: want PROVIDER:MODEL", id)
	}
	return provider, model, nil
}

// parseBase parses the address of a server as people write it: with or without trailing
// slashes, with the whole path of an endpoint, or as a host, which means its /v1.
func parseBase(address string) (*url.URL, error) {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("read base URL %q: want http:// or https:// with a host", redactURL(address))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("read base URL of %s: no user, query or fragment may stand in it; a key has its own place", u.Host)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	for _, endpoint := range []string{"/chat/completions", "/messages", "/responses"} {
		u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, endpoint), "/")
	}
	if u.Path == "" {
		u.Path = "/v1"
	}
	u.RawPath = ""
	return u, nil
}

// redactURL removes what may be a password.
func redactURL(address string) string {
	if i := strings.LastIndex(address, "@"); i >= 0 {
		return "…" + address[i:]
	}
	return address
}

func onThisComputer(u *url.URL) bool { return netsafe.OnThisComputer(u.Hostname()) }

// OnThisComputer reports whether the server at an address runs on this computer.
func OnThisComputer(address string) bool {
	u, err := parseBase(address)
	return err == nil && onThisComputer(u)
}

// family is the API of a family of providers: how a request is written, how its answer is
// read, and what can be learned from a refusal. The files of a family begin with its name.
// Keys, redirects, limits on silence, retries and errors are the same for all: see
// [Client] and [attempt].
type family interface {
	// request returns where a request goes, and the body to send there as JSON.
	request(c *Client, req *Request, set settings) (to *url.URL, body any)
	// decoder returns a decoder for one answer.
	decoder() decoder
	// tagged reports whether text may contain reasoning between tags, because servers of
	// this family do not always separate it.
	tagged() bool
	// learn changes the settings according to what the server refused. It reports false if
	// there is nothing to learn, or nothing new.
	learn(s *settings, e *Error, row Provider, sent []byte) bool
	// wrote reports whether a recorded answer is in this family's format, given the type of
	// its first event ("" if it has none).
	wrote(first string) bool
}

// decoder reads the events of one answer, in order. It returns an error for an event that
// it cannot read at all.
type decoder func(sseEvent) (chunk, error)

// families returns all families, the default first.
func families() []family {
	return []family{chatFamily{}, anthropicFamily{}, responsesFamily{}, ollamaFamily{}}
}

func (p Provider) family(s settings) family {
	switch {
	case s.second && p.second != nil:
		return p.second
	case p.speaks != nil:
		return p.speaks
	}
	return families()[0]
}

// chunk is what one event adds to an answer.
type chunk struct {
	text, reasoning, refusal string
	whole                    bool // text, reasoning and calls are everything so far, not only what is new
	calls                    []callDelta
	beside                   []callDelta       // calls of other choices, used if this one has none but ends with calls
	details                  []json.RawMessage // reasoning_details
	reasoningContent         bool              // reasoning is from reasoning_content
	thought                  bool              // text is marked as reasoning
	finish, nativeFinish     string
	model                    string
	usage                    json.RawMessage
	echo                     func() members // returns, after the last event, what must be sent back
	done                     bool           // the answer is over
	err                      *Error
}

// callDelta is a piece of a call.
type callDelta struct {
	index    int
	hasIndex bool
	id, name string
	args     string
	argsJSON bool // args was a JSON value, not a string that holds JSON: it is complete
	extra    json.RawMessage
}
