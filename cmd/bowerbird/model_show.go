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
		Short: "what is known of a model: its window, tools, size, price",
		Args:  usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				choice.ID = args[0]
			}
			return p.showModel(cmd.Context(), choice)
		},
	}
	cmd.Flags().StringVar(&choice.BaseURL, "base-url", "", "address of the model's server (default: that of the settings, or the provider's own)")
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
		p.say("its server could not be asked: %v", inWords(err))
	}
	if p.json {
		return p.printJSON(shownModel(facts, state))
	}
	say(p.out, "%s: %s", facts.ID, whereWords(state))
	var words present.Words
	asked := present.Answered
	if err != nil {
		asked = present.Unanswered
	}
	for _, f := range words.Facts(facts, state, asked) {
		// What the window says of its own settings is said here of the file.
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

func whereWords(s models.State) string {
	switch {
	case s.Provider.ID == models.Builtin:
		return "built in, no language model; nothing is sent anywhere"
	case s.Host == "":
		return "text stays on this computer"
	}
	return "text is sent to " + s.Host
}

// modelRow is a model as model show --json prints it.
type modelRow struct {
	ID          string     `json:"id"`
	Host        string     `json:"host,omitempty"`         // where text is sent; none for this computer
	Obstacle    string     `json:"obstacle,omitempty"`     // what keeps it from answering
	Context     int        `json:"context,omitempty"`      // window in tokens, where it is known
	ContextFrom llm.Source `json:"context_from"`           // user, server, list, name, refusal or default
	MostContext int        `json:"most_context,omitempty"` // what it could have, where it has less
	Params      float64    `json:"params,omitempty"`       // 1e9 parameters
	Format      string     `json:"format,omitempty"`       // how tools are told: native, none, or a text format
	FormatFrom  llm.Source `json:"format_from"`
	Price       *llm.Price `json:"price,omitempty"` // US dollars per million tokens
	PriceFrom   llm.Source `json:"price_from"`
	Refuses     []string   `json:"refuses,omitempty"` // members of requests
}

func shownModel(f models.Facts, s models.State) modelRow {
	return modelRow{
		ID: f.ID, Host: s.Host, Obstacle: string(s.Obstacle), Context: f.Context, ContextFrom: f.ContextFrom, MostContext: f.MostContext,
		Params: f.Params, Format: f.Format, FormatFrom: f.FormatFrom, Price: f.Price, PriceFrom: f.PriceFrom, Refuses: f.Refuses,
	}
}
