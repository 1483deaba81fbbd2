package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// DefaultModel is the model that answers if none is chosen.
const DefaultModel = "builtin:digest"

// The limits of the assistant's settings.
const (
	MostSteps       = 50 // of a turn
	MostIdleMinutes = 7 * 24 * 60
	MostPrompt      = 16 << 10 // bytes
	MostTemperature = 2.0
	LeastContext    = 1 << 10  // tokens
	MostContext     = 16 << 20 // tokens
	MostAnswer      = 1 << 20  // tokens
	MostPrice       = 10_000.0 // US dollars per million tokens
)

// Assistant configures which model answers, and how.
type Assistant struct {
	Model   string `toml:"model,omitempty"`    // "provider:name"; "" is DefaultModel
	BaseURL string `toml:"base_url,omitempty"` // of Model's provider, instead of its own
	// LocalOnly allows no text to go to a model on another computer.
	LocalOnly bool `toml:"local_only,omitempty"`
	Steps     int  `toml:"steps,omitempty"`      // model calls of a turn at most; 0: the usual
	PlainText bool `toml:"plain_text,omitempty"` // answers without tables and charts
	// NoPromptCaching means that no provider is asked to cache the beginning of requests.
	NoPromptCaching bool `toml:"no_prompt_caching,omitempty"`
	// ForgetChats keeps chats only until the program ends.
	ForgetChats bool `toml:"forget_chats,omitempty"`
	// IdleMinutes is after how long without a question the model is again sent who is
	// asking and when; 0: never.
	IdleMinutes int    `toml:"idle_minutes,omitempty"`
	Prompt      string `toml:"prompt,omitempty"` // sent to every model after the system prompt
}

// ModelOptions are the user's choices for a model, or for all of a provider's. The zero
// value leaves everything to the provider.
type ModelOptions struct {
	BaseURL     string   `toml:"base_url,omitempty"`    // of a provider only: where its server is
	Context     int      `toml:"context,omitempty"`     // window in tokens; 0: as the server reports it
	Format      string   `toml:"format,omitempty"`      // how tools are offered: FormatNative, FormatNone, or the name of a text format; "": chosen by what is known
	Tools       string   `toml:"tools,omitempty"`       // how the model gets to know tools, instead of Tools.Strategy
	Temperature *float64 `toml:"temperature,omitempty"` // nil: the provider's default
	MaxTokens   int      `toml:"max_tokens,omitempty"`  // of an answer; 0: the provider's default
	Effort      string   `toml:"effort,omitempty"`      // of reasoning: "low", "none", …; "": the provider's default
	Prompt      string   `toml:"prompt,omitempty"`      // instead of Assistant.Prompt
	// What a million tokens cost in US dollars: input, output, and input from the
	// provider's cache; nil: as the server reports it. 0 means free.
	PriceIn     *float64 `toml:"price_in,omitempty"`
	PriceOut    *float64 `toml:"price_out,omitempty"`
	PriceCached *float64 `toml:"price_cached,omitempty"`
}

// The formats besides the text formats: tools are offered natively, or not at all.
const (
	FormatNative = "native"
	FormatNone   = "none"
)

// Formats returns the values of ModelOptions.Format, except "". The text formats come
// last, under their names in llm/textcall.
func Formats() []string {
	return []string{FormatNative, FormatNone, "hermes", "mistral", "pythonic", "json"}
}

// ModelID returns the chosen model, or the default one.
func (a Assistant) ModelID() string { return cmp.Or(a.Model, DefaultModel) }

// OptionsOf returns the options that apply to a model, "provider:name": each entry is the
// model's own, or else its provider's.
func (s Settings) OptionsOf(id string) ModelOptions {
	provider, _, _ := strings.Cut(id, ":")
	of, own := s.Models[provider], s.Models[id]
	if id == provider {
		own = ModelOptions{}
	}
	return ModelOptions{
		BaseURL: of.BaseURL,
		Context: cmp.Or(own.Context, of.Context), Format: cmp.Or(own.Format, of.Format),
		Tools:       cmp.Or(own.Tools, of.Tools, s.Tools.Strategy),
		Temperature: cmp.Or(own.Temperature, of.Temperature), MaxTokens: cmp.Or(own.MaxTokens, of.MaxTokens),
		Effort: cmp.Or(own.Effort, of.Effort), Prompt: cmp.Or(own.Prompt, of.Prompt, s.Assistant.Prompt),
		PriceIn: cmp.Or(own.PriceIn, of.PriceIn), PriceOut: cmp.Or(own.PriceOut, of.PriceOut), PriceCached: cmp.Or(own.PriceCached, of.PriceCached),
	}
}

// SetOptions sets the options of a model, "provider:name", or of a provider; the zero
// value removes them. Copies of s stay as they are.
func (s *Settings) SetOptions(id string, o ModelOptions) {
	s.Tools = s.Tools.clone()
	s.Models = maps.Clone(s.Models)
	if o == (ModelOptions{}) {
		delete(s.Models, id)
		return
	}
	if s.Models == nil {
		s.Models = map[string]ModelOptions{}
	}
	s.Models[id] = o
}

// Clone returns a copy that shares nothing with s.
func (s Settings) Clone() Settings {
	s.Sync.Relays = slices.Clone(s.Sync.Relays)
	s.Sync.Without = slices.Clone(s.Sync.Without)
	s.Sync.Indexers = slices.Clone(s.Sync.Indexers)
	s.Tools = s.Tools.clone()
	s.Models = maps.Clone(s.Models)
	for id, o := range s.Models {
		for _, figure := range []**float64{&o.Temperature, &o.PriceIn, &o.PriceOut, &o.PriceCached} {
			if *figure != nil {
				own := **figure
				*figure = &own
			}
		}
		s.Models[id] = o
	}
	s.MCP = maps.Clone(s.MCP)
	for name, server := range s.MCP {
		s.MCP[name] = server.clone()
	}
	return s
}

// checkAssistant returns what is wrong with an entry about models.
func (s Settings) checkAssistant() error {
	type figure struct {
		entry       string
		value       int
		least, most int
	}
	figures := []figure{
		{"assistant.steps", s.Assistant.Steps, 1, MostSteps},
		{"assistant.idle_minutes", s.Assistant.IdleMinutes, 1, MostIdleMinutes},
		{"assistant.prompt (its length in bytes)", len(s.Assistant.Prompt), 0, MostPrompt},
	}
	for _, id := range slices.Sorted(maps.Keys(s.Models)) {
		o, entry := s.Models[id], fmt.Sprintf("models.%q.", id)
		if _, name, _ := strings.Cut(id, ":"); name != "" && o.BaseURL != "" {
			return fmt.Errorf("entry %sbase_url is of no effect: an address is a provider's; write it under models.%s", entry, strings.TrimSuffix(id, ":"+name))
		}
		if o.Format != "" && !slices.Contains(Formats(), o.Format) {
			return fmt.Errorf("entry %sformat is %q; want one of %q", entry, o.Format, Formats())
		}
		if err := knownStrategy(entry+"tools", o.Tools); err != nil {
			return err
		}
		if t := o.Temperature; t != nil && !(*t >= 0 && *t <= MostTemperature) {
			return fmt.Errorf("entry %stemperature is %v; want 0 to %v", entry, *t, MostTemperature)
		}
		for name, price := range map[string]*float64{"price_in": o.PriceIn, "price_out": o.PriceOut, "price_cached": o.PriceCached} {
			if price != nil && !(*price >= 0 && *price <= MostPrice) {
				return fmt.Errorf("entry %s%s is %v; want US dollars for a million tokens, 0 to %v", entry, name, *price, MostPrice)
			}
		}
		figures = append(figures,
			figure{entry + "context", o.Context, LeastContext, MostContext},
			figure{entry + "max_tokens", o.MaxTokens, 1, MostAnswer},
			figure{entry + "prompt (its length in bytes)", len(o.Prompt), 0, MostPrompt},
		)
	}
	for _, f := range figures {
		if f.value != 0 && (f.value < f.least || f.value > f.most) {
			return fmt.Errorf("entry %s is %d; want %d to %d, or leave it out", f.entry, f.value, f.least, f.most)
		}
	}
	return nil
}
