package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/present"
)

func (p *program) modelShowCmd() *cobra.Command {
	var choice models.Choice
	cmd := &cobra.Command{
		Use:   "show [PROVIDER:NAME]",
		Short: "Show a model's context window, tools, size and price",
		Args:  usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				choice.ID = args[0]
			}
			return p.showModel(cmd.Context(), choice)
		},
	}
	cmd.Flags().StringVar(&choice.BaseURL, "base-url", "", "`URL` of the model's server (default: the one in the settings, or the provider's own)")
	return cmd
}

func (p *program) showModel(ctx context.Context, choice models.Choice) error {
	settings, err := p.loadSettings()
	if err != nil {
		return err
	}
	opt := p.modelOptions(settings)
	opt.Remember = true
	known := models.New(opt)
	state := known.State(ctx, choice)
	facts, err := known.AskFacts(ctx, choice)
	if state.Obstacle == models.ModelUnknown {
		return err
	}
	if err != nil {
		p.say("the model's server could not be asked: %v", inWords(err))
	}
	if p.json {
		return p.printJSON(modelRow{
			ID: facts.ID, Host: state.Host, Obstacle: string(state.Obstacle), Context: facts.Context, ContextFrom: facts.ContextFrom, MostContext: facts.MostContext,
			Params: facts.Params, Format: facts.Format, FormatFrom: facts.FormatFrom, Price: facts.Price, PriceFrom: facts.PriceFrom, Refuses: facts.Refuses,
		})
	}
	where := "text is sent to " + state.Host
	switch {
	case state.Provider.ID == models.Builtin:
		where = "built in, no language model; sends nothing anywhere"
	case state.Host == "":
		where = "text stays on this computer"
	}
	say(p.out, "%s: %s", facts.ID, where)
	var words present.Words
	asked := present.Answered
	if err != nil {
		asked = present.Unanswered
	}
	for _, f := range words.Facts(facts, state, asked) {
		// The words of the window refer to its own settings.
		why := strings.ReplaceAll(f.Why, "If you know it, enter it under “Advanced”.",
			fmt.Sprintf("If you know it, set context under [models.%q] in the settings.", facts.ID))
		why = strings.ReplaceAll(why, "You can enter a price under “Advanced”.",
			fmt.Sprintf("If you know a price, set price_in and price_out, per million tokens, under [models.%q] in the settings.", facts.ID))
		say(p.out, "%-16s %s", f.What, clean.Line(f.Text, 300))
		if why != "" {
			say(p.out, "%-16s %s", "", clean.Line(why, 500))
		}
	}
	return nil
}

// modelRow is a model as model show --json prints it.
type modelRow struct {
	ID          string     `json:"id"`
	Host        string     `json:"host,omitempty"`         // where text is sent; none if it stays on this computer
	Obstacle    string     `json:"obstacle,omitempty"`     // what keeps it from answering
	Context     int        `json:"context,omitempty"`      // window in tokens, if known
	ContextFrom llm.Source `json:"context_from"`           // user, server, list, name, refusal or default
	MostContext int        `json:"most_context,omitempty"` // largest possible window, if the actual one is smaller
	Params      float64    `json:"params,omitempty"`       // 1e9 parameters
	Format      string     `json:"format,omitempty"`       // how tools are offered: native, none, or a text format
	FormatFrom  llm.Source `json:"format_from"`
	Price       *llm.Price `json:"price,omitempty"` // US dollars per million tokens
	PriceFrom   llm.Source `json:"price_from"`
	Refuses     []string   `json:"refuses,omitempty"` // fields of requests
}
