package models

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/llm/textcall"
)

// Facts are what is known of a model.
type Facts struct {
	ID           string // "provider:name"
	Context      int    // window in tokens; 0 if unknown; if FromDefault, requests ask for it
	ContextFrom  llm.Source
	MostContext  int     // largest possible window, if its server grants less; 0 if unknown
	Params       float64 // 1e9 parameters; 0 if unknown
	ActiveParams float64 // of Params, those used for one token, if that is fewer; otherwise 0
	// Format is how tools are offered: config.FormatNative, the name of a text format, or
	// config.FormatNone. Empty for the built-in model, which is sent nothing.
	Format     string
	FormatFrom llm.Source
	Price      *llm.Price // nil if unknown
	PriceFrom  llm.Source
	Refuses    []string // request fields that the server was found to refuse, sorted
}

// Facts returns what is known of a model without asking its server. An empty choice is that
// of the settings.
func (r *Registry) Facts(choice Choice) Facts {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return Facts{ID: choice.ID, ContextFrom: llm.FromDefault, FormatFrom: llm.FromDefault, Price: &llm.Price{}, PriceFrom: llm.FromDefault}
	}
	t, err := choice.target()
	if err != nil && t.at.model == "" {
		return Facts{ID: choice.ID, ContextFrom: llm.FromDefault, FormatFrom: llm.FromDefault, PriceFrom: llm.FromDefault}
	}
	return r.modelFacts(choice.ID, t)
}

func (r *Registry) modelFacts(id string, t target) Facts {
	own := r.opt.Settings().OptionsOf(id)
	saved := r.memory.model(t.at)
	if saved.Asked.IsZero() {
		saved.Listed = r.memory.listed(t.at)
	}
	out := Facts{ID: id}
	out.Context, out.ContextFrom = firstKnown(t.provider.UsualWindow,
		known[int]{own.Context, llm.FromUser}, known[int]{saved.Own.Context, llm.FromServer}, known[int]{saved.Listed.Context, llm.FromList},
		known[int]{t.provider.Window(t.at.model), llm.FromName})
	if most := saved.Own.MostContext; most > 0 && out.Context > most {
		out.Context, out.ContextFrom = most, llm.FromServer // a setting cannot exceed what the server takes
	}
	if out.MostContext = cmp.Or(saved.Own.MostContext, saved.Listed.MostContext); out.MostContext <= out.Context {
		out.MostContext = 0
	}

	named := llm.SizeOf(t.at.model)
	out.Params = cmp.Or(saved.Own.Params, saved.Listed.Params, named.Params)
	out.ActiveParams = named.Active

	refuses, noTools := r.memory.learned.Refused(t.at.server, t.at.model)
	out.Refuses = refuses
	says, from := firstKnown("", known[llm.Says]{saved.Own.Tools, llm.FromServer}, known[llm.Says]{saved.Listed.Tools, llm.FromList})
	out.Format, out.FormatFrom = llm.ChooseFormat(llm.FormatFacts{
		Wanted: own.Format, Refused: noTools, Says: says, SaysFrom: from, Always: t.provider.AlwaysTools, Model: t.at.model,
	})
	out.Price, out.PriceFrom = firstKnown(nil, known[*llm.Price]{saved.Own.Price, llm.FromServer}, known[*llm.Price]{saved.Listed.Price, llm.FromList})
	if out.Price == nil && r.staysHere(t) {
		out.Price = &llm.Price{}
	}
	if price, all := ownPrice(own, out.Price); all {
		out.Price, out.PriceFrom = price, llm.FromUser
	}
	return out
}

// ownPrice returns a model's price as the user set it, completed by what is known
// otherwise. It reports whether they set any part and the price is complete.
func ownPrice(own config.ModelOptions, otherwise *llm.Price) (*llm.Price, bool) {
	if own.PriceIn == nil && own.PriceOut == nil && own.PriceCached == nil {
		return nil, false
	}
	if otherwise == nil && (own.PriceIn == nil || own.PriceOut == nil) {
		return nil, false
	}
	var p llm.Price
	if otherwise != nil {
		p = *otherwise
	}
	for set, of := range map[*float64]*float64{&p.Input: own.PriceIn, &p.Output: own.PriceOut, &p.CachedInput: own.PriceCached} {
		if of != nil {
			*set = *of
		}
	}
	if own.PriceCached != nil {
		p.CachedFree = *own.PriceCached == 0
	}
	return &p, true
}

// Cost returns what an answer cost in US dollars, and whether that is known. A price that
// the user set takes precedence over the cost that the server reports: they may be paying
// somebody else.
func (f Facts) Cost(u llm.Usage) (float64, bool) {
	switch {
	case f.PriceFrom == llm.FromUser:
		return f.Price.Of(u), true
	case u.Cost != nil:
		return *u.Cost, true
	case f.Price != nil:
		return f.Price.Of(u), true
	}
	return 0, false
}

type known[T comparable] struct {
	value T
	from  llm.Source
}

func firstKnown[T comparable](otherwise T, all ...known[T]) (T, llm.Source) {
	i := slices.IndexFunc(all, func(k known[T]) bool { return k.value != *new(T) })
	if i < 0 {
		return otherwise, llm.FromDefault
	}
	return all[i].value, all[i].from
}

// AskFacts asks a model's server about the model, saves the answer, and returns all that is
// known then; beside an error, what was known before. The error may be an [*llm.Error].
func (r *Registry) AskFacts(ctx context.Context, choice Choice) (Facts, error) {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return r.Facts(choice), nil
	}
	client, err := r.Client(ctx, choice)
	if err != nil {
		return r.Facts(choice), err
	}
	own, list, err := client.Facts(ctx)
	if err == nil {
		of := modelAt{client.Address(), client.Info().Name}
		// A server that reports nothing this time does not take back what it reported before:
		// a model that it passes on to another server must not count as local because the
		// server was busy.
		if p, _ := llm.FindProvider(client.Info().Provider); own == (llm.Facts{}) && p.BaseURL != "" {
			own = r.memory.model(of).Own
		}
		if list != nil {
			r.memory.keepList(of.server, list, r.opt.Now())
		}
		r.memory.keepModel(of, own, llm.Listed(list, of.model), r.opt.Now())
	}
	return r.Facts(choice), err
}

// ForgetFacts forgets what was learned about a model and what its server reported, so that
// the server is asked again.
func (r *Registry) ForgetFacts(choice Choice) {
	t, err := r.Settled(choice).target()
	if err != nil {
		return
	}
	r.memory.forget(t.at)
	r.clients.forget(t.provider.Name, t.at.model)
}

const findOutLimit = 4 * time.Second

// FindOut asks a model's server about the model, for four seconds at most, if that is due
// before the next question. If it does not answer, the question is sent with what is known.
func (r *Registry) FindOut(ctx context.Context, choice Choice) {
	choice = r.Settled(choice)
	t, err := choice.target()
	if err != nil || !r.memory.due(t.at, r.opt.Now()) {
		return
	}
	limited, cancel := context.WithTimeout(ctx, findOutLimit)
	defer cancel()
	if _, err = r.AskFacts(limited, choice); err != nil {
		r.opt.Logger.Info("a server reported nothing about its model", "model", choice.ID, "error", err)
	}
	if ctx.Err() != nil { // stopped by the user: still due
		return
	}
	// Still due if the user can change the outcome before the next question.
	var e *llm.Error
	if err == nil || errors.As(err, &e) && e.Kind != llm.KindOffline && e.Kind != llm.KindAuth {
		r.memory.wasAsked(t.at)
	}
}

// TextFormats returns the names of the formats in which tools are offered in the text of
// the prompt: values of [config.ModelOptions].Format.
func TextFormats() []string {
	var names []string
	for _, f := range textcall.Formats() {
		if f.Write != nil {
			names = append(names, f.Name)
		}
	}
	return names
}
