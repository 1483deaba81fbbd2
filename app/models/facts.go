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
	Context      int    // window in tokens; 0 when it is not known; FromDefault: it is asked for
	ContextFrom  llm.Source
	MostContext  int     // what the model could take, where its server gives it less; 0 when not known
	Params       float64 // 1e9 parameters; 0 when not known
	ActiveParams float64 // those of them that take part in one token, where that is fewer; else 0
	// Format is how tools are told: config.FormatNative, the name of a text format,
	// or config.FormatNone. Empty for the built-in, which is told nothing.
	Format     string
	FormatFrom llm.Source
	Price      *llm.Price // nil when not known
	PriceFrom  llm.Source
	Refuses    []string // members of requests that the server was found to refuse, sorted
}

// Facts returns what is known of a model, without asking anybody. An empty
// choice is that of the settings.
func (r *Registry) Facts(choice Choice) Facts {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return Facts{ID: choice.ID, ContextFrom: llm.FromDefault, FormatFrom: llm.FromDefault, Price: &llm.Price{}, PriceFrom: llm.FromDefault}
	}
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return Facts{ID: choice.ID, ContextFrom: llm.FromDefault, FormatFrom: llm.FromDefault, PriceFrom: llm.FromDefault}
	}
	row, base, err := server(providerName, choice.BaseURL)
	if err != nil { // nobody can be asked, and nothing can have been learned
		row, base = llm.Provider{Name: providerName}, ""
	}
	return r.modelFacts(choice.ID, row, newModelAt(base, name))
}

func (r *Registry) modelFacts(id string, row llm.Provider, m modelAt) Facts {
	own := r.opt.Settings().OptionsOf(id)
	h := r.memory.told(m)
	if h.Asked.IsZero() {
		h.Listed = r.memory.listed(m)
	}
	out := Facts{ID: id}
	out.Context, out.ContextFrom = firstKnown(row.UsualWindow,
		known[int]{own.Context, llm.FromUser}, known[int]{h.Told.Context, llm.FromServer}, known[int]{h.Listed.Context, llm.FromList},
		known[int]{row.Window(m.model), llm.FromName})
	if most := h.Told.MostContext; most > 0 && out.Context > most {
		out.Context, out.ContextFrom = most, llm.FromServer // more it does not take, whoever wishes it
	}
	if out.MostContext = cmp.Or(h.Told.MostContext, h.Listed.MostContext); out.MostContext <= out.Context {
		out.MostContext = 0
	}

	named := llm.SizeOf(m.model)
	out.Params = cmp.Or(h.Told.Params, h.Listed.Params, named.Params)
	out.ActiveParams = named.Active

	refuses, noTools := r.memory.learned.Refused(m.server, m.model)
	out.Refuses = refuses
	says, from := firstKnown("", known[llm.Says]{h.Told.Tools, llm.FromServer}, known[llm.Says]{h.Listed.Tools, llm.FromList})
	out.Format, out.FormatFrom = llm.ChooseFormat(llm.FormatFacts{
		Wanted: own.Format, Refused: noTools, Says: says, SaysFrom: from, Always: row.AlwaysTools, Model: m.model,
	})
	out.Price, out.PriceFrom = firstKnown(nil, known[*llm.Price]{h.Told.Price, llm.FromServer}, known[*llm.Price]{h.Listed.Price, llm.FromList})
	if out.Price == nil && llm.OnThisComputer(m.server) && r.passesOn(row, m) == "" {
		out.Price = &llm.Price{}
	}
	if price, all := ownPrice(own, out.Price); all {
		out.Price, out.PriceFrom = price, llm.FromUser
	}
	return out
}

// ownPrice returns a model's price as the user set it, with what they left out as it is
// known otherwise. It reports whether they set any of it and the whole is known.
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

// Cost tells what an answer cost, as far as that is known. A price that the user set comes
// before what the server counts: they may pay somebody else for it.
func (f Facts) Cost(u llm.Usage) (float64, bool) {
	switch {
	case f.PriceFrom == llm.FromUser:
		return f.Price.Of(u), true
	case u.Cost != nil: // as the server counts it
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

// AskFacts asks a model's server for what is not known of the model, keeps it, and
// returns all that is known then. The error may be an *llm.Error;
// what was known before is returned with it.
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
		// A server that told nothing this once takes nothing back: what it passes on to
		// another one must not count as kept here because it was busy.
		if row, _ := llm.FindProvider(client.Info().Provider); own == (llm.Facts{}) && row.BaseURL != "" {
			own = r.memory.told(of).Told
		}
		if list != nil {
			r.memory.keepList(of.server, list, r.opt.Now())
		}
		r.memory.tell(of, own, llm.Listed(list, of.model), r.opt.Now())
	}
	return r.Facts(choice), err
}

// ForgetFacts forgets what was learned of a model and what its server told, so that
// it is found out anew.
func (r *Registry) ForgetFacts(choice Choice) {
	choice = r.Settled(choice)
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return
	}
	_, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return
	}
	r.memory.forget(newModelAt(base, name))
	r.clients.forget(providerName, name)
}

const findOutLimit = 4 * time.Second

// FindOut asks about a model before it is asked a question, where that is due. Without
// an answer the question is asked all the same, with what is known.
func (r *Registry) FindOut(ctx context.Context, choice Choice) {
	choice = r.Settled(choice)
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil || choice.ID == config.DefaultModel {
		return
	}
	_, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return
	}
	of := newModelAt(base, name)
	if !r.memory.due(of, r.opt.Now()) {
		return
	}
	limited, cancel := context.WithTimeout(ctx, findOutLimit)
	defer cancel()
	if _, err = r.AskFacts(limited, choice); err != nil {
		r.opt.Logger.Info("a server told nothing of its model", "model", choice.ID, "error", err)
	}
	if ctx.Err() != nil { // the user stopped it; the next question is to find out
		return
	}
	// Not where the user can mend it before the next question.
	var e *llm.Error
	if err == nil || errors.As(err, &e) && e.Kind != llm.KindOffline && e.Kind != llm.KindAuth {
		r.memory.wasAsked(of)
	}
}

// TextFormats returns the names of the formats in which a model can be told in the
// text how to call tools: values of ModelOptions.Format.
func TextFormats() []string {
	var names []string
	for _, f := range textcall.Formats() {
		if f.Write != nil {
			names = append(names, f.Name)
		}
	}
	return names
}
