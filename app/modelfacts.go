package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"bowerbird/app/config"
	"bowerbird/llm"
)

// ModelFacts are what is known of a model.
type ModelFacts struct {
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

// ModelFacts returns what is known of a model, without asking anybody. An empty
// choice is that of the settings.
func (a *App) ModelFacts(choice ModelChoice) ModelFacts {
	choice = a.settle(choice)
	if choice.ID == config.DefaultModel {
		return ModelFacts{ID: choice.ID, ContextFrom: llm.FromDefault, FormatFrom: llm.FromDefault, Price: &llm.Price{}, PriceFrom: llm.FromDefault}
	}
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return ModelFacts{ID: choice.ID, ContextFrom: llm.FromDefault, FormatFrom: llm.FromDefault, PriceFrom: llm.FromDefault}
	}
	row, base, err := server(providerName, choice.BaseURL)
	if err != nil { // nobody can be asked, and nothing can have been learned
		row, base = llm.Provider{Name: providerName}, ""
	}
	return a.modelFacts(choice.ID, row, newModelAt(base, name))
}

func (a *App) modelFacts(id string, row llm.Provider, m modelAt) ModelFacts {
	own := a.Settings().OptionsOf(id)
	h := a.models.told(m)
	if h.Asked.IsZero() {
		h.Listed = a.models.listed(m)
	}
	out := ModelFacts{ID: id}
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

	refuses, noTools := a.models.learned.Refused(m.server, m.model)
	out.Refuses = refuses
	says, from := firstKnown("", known[llm.Says]{h.Told.Tools, llm.FromServer}, known[llm.Says]{h.Listed.Tools, llm.FromList})
	out.Format, out.FormatFrom = llm.ChooseFormat(llm.FormatFacts{
		Wanted: own.Format, Refused: noTools, Says: says, SaysFrom: from, Always: row.AlwaysTools, Model: m.model,
	})
	out.Price, out.PriceFrom = firstKnown(nil, known[*llm.Price]{h.Told.Price, llm.FromServer}, known[*llm.Price]{h.Listed.Price, llm.FromList})
	if out.Price == nil && llm.OnThisComputer(m.server) && a.passesOn(row, m) == "" {
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

// known is something that is known, unless it is zero.
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
// returns all that is known then. The error may be one of a model: see FailureOf;
// what was known before is returned with it.
func (a *App) AskFacts(ctx context.Context, choice ModelChoice) (ModelFacts, error) {
	choice = a.settle(choice)
	if choice.ID == config.DefaultModel {
		return a.ModelFacts(choice), nil
	}
	client, err := a.server(ctx, choice)
	if err != nil {
		return a.ModelFacts(choice), err
	}
	own, list, err := client.Facts(ctx)
	if err == nil {
		of := modelAt{client.Address(), client.Info().Name}
		// A server that told nothing this once takes nothing back: what it passes on to
		// another one must not count as kept here because it was busy.
		if row, _ := llm.FindProvider(client.Info().Provider); own == (llm.Facts{}) && row.BaseURL != "" {
			own = a.models.told(of).Told
		}
		if list != nil {
			a.models.keepList(of.server, list, a.opt.Now())
		}
		a.models.tell(of, own, llm.Listed(list, of.model), a.opt.Now())
	}
	return a.ModelFacts(choice), err
}

// ForgetFacts forgets what was learned of a model and what its server told, so that
// it is found out anew.
func (a *App) ForgetFacts(choice ModelChoice) {
	choice = a.settle(choice)
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return
	}
	_, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return
	}
	a.models.forget(newModelAt(base, name))
	a.clients.forget(providerName, name)
}

// findOutLimit is how long a question waits for what a server tells of its model.
const findOutLimit = 4 * time.Second

// findOut asks about a model before it is asked a question, where that is due. Without
// an answer the question is asked all the same, with what is known.
func (a *App) findOut(ctx context.Context, choice ModelChoice) {
	choice = a.settle(choice)
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil || choice.ID == config.DefaultModel {
		return
	}
	_, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return
	}
	of := newModelAt(base, name)
	if !a.models.due(of, a.opt.Now()) {
		return
	}
	limited, cancel := context.WithTimeout(ctx, findOutLimit)
	defer cancel()
	if _, err = a.AskFacts(limited, choice); err != nil {
		a.opt.Logger.Info("a server told nothing of its model", "model", choice.ID, "error", err)
	}
	if ctx.Err() != nil { // the user stopped it; the next question is to find out
		return
	}
	// Not where the user can mend it before the next question.
	var e *llm.Error
	if err == nil || errors.As(err, &e) && e.Kind != llm.KindOffline && e.Kind != llm.KindAuth {
		a.models.wasAsked(of)
	}
}
