package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/tools/offer"
)

func (p *program) toolsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Show the assistant's tools, those of MCP servers too, and which a model is sent",
		Example: `  bowerbird tools list
  bowerbird tools schema notes                       # of those about notes; mcp:NAME for a server
  bowerbird tools why --model ollama:qwen3:8b        # which tools that model is sent, and why
  bowerbird tools strategy discovery`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		p.toolsReadCmd("list", "List all tools, by what they are about or whose they are", p.toolsList),
		p.toolsReadCmd("schema", "Print what tools take, as JSON", p.toolsSchema),
		p.toolsWhyCmd(), p.toolsStrategyCmd(),
	)
	return cmd
}

// toolsReadCmd is a command about all tools, about one, or about those of one category.
func (p *program) toolsReadCmd(name, short string, show func([]tools.Spec) error) *cobra.Command {
	return &cobra.Command{
		Use: name + " [TOOL|CATEGORY]", Short: short, Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withApp(cmd.Context(), app.Read, "", func(a *app.App) error {
				var specs []tools.Spec
				for _, t := range a.Tools().All() {
					specs = append(specs, t.Spec())
				}
				for _, t := range app.ServerTools(cmd.Context(), a.MCP(), a.Settings()) {
					specs = append(specs, t.Spec)
				}
				specs, err := chosenTools(specs, args)
				if err != nil {
					return err
				}
				return show(specs)
			})
		},
	}
}

// chosenTools returns the tools that an argument names, sorted: one, or a category.
func chosenTools(specs []tools.Spec, args []string) ([]tools.Spec, error) {
	slices.SortFunc(specs, func(x, y tools.Spec) int { return strings.Compare(x.Name, y.Name) })
	if len(args) == 0 {
		return specs, nil
	}
	var categories []string
	for _, s := range specs {
		categories = append(categories, offer.Category(s))
	}
	chosen := slices.DeleteFunc(specs, func(s tools.Spec) bool { return s.Name != args[0] && offer.Category(s) != args[0] })
	if len(chosen) == 0 {
		slices.Sort(categories)
		return nil, usagef("no tool or category %q; the categories are %s", clean.Line(args[0], 64), strings.Join(slices.Compact(categories), ", "))
	}
	return chosen, nil
}

// toolRow is one tool as JSON.
type toolRow struct {
	Name        string          `json:"name"`
	Category    string          `json:"category"`
	Description string          `json:"description"`
	Effect      string          `json:"effect"`
	Example     json.RawMessage `json:"example,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
}

func toolRows(specs []tools.Spec) map[string][]toolRow {
	rows := []toolRow{}
	for _, s := range specs {
		rows = append(rows, toolRow{s.Name, offer.Category(s), s.Description, s.Effect.String(), s.Example, s.Schema})
	}
	return map[string][]toolRow{"tools": rows}
}

func (p *program) toolsSchema(specs []tools.Spec) error { return p.printJSON(toolRows(specs)) }

func (p *program) toolsList(specs []tools.Spec) error {
	if p.json {
		return p.printJSON(toolRows(specs))
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, s := range specs {
		first, _, _ := strings.Cut(s.Description, "\n")
		say(table, "%s\t%s\t%s", s.Name, offer.Category(s), clean.Cut(first, 80))
	}
	return table.Flush()
}

// whyRow is a decision as JSON.
type whyRow struct {
	Name    string `json:"name"`
	Offered bool   `json:"offered"`
	Reason  string `json:"reason"`
}

func (p *program) toolsWhyCmd() *cobra.Command {
	var model, baseURL string
	cmd := &cobra.Command{
		Use: "why [TOOL|CATEGORY]", Short: "Show which tools a model is sent, and why or why not",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withApp(cmd.Context(), app.Read, "", func(a *app.App) error {
				return p.toolsWhy(cmd.Context(), a, models.Choice{ID: model, BaseURL: baseURL}, args)
			})
		},
	}
	cmd.Flags().StringVar(&model, "model", "", "model, as `PROVIDER:NAME` (default: the model in the settings)")
	cmd.Flags().StringVar(&baseURL, "base-url", "", "`URL` of the model's server (default: the one in the settings, or the provider's own)")
	return cmd
}

func (p *program) toolsWhy(ctx context.Context, a *app.App, choice models.Choice, args []string) error {
	strategy, decisions, err := a.ToolPlan(ctx, choice)
	if err != nil {
		return err
	}
	var specs []tools.Spec
	byName := make(map[string]offer.Decision)
	for _, d := range decisions {
		specs, byName[d.Tool.Name] = append(specs, d.Tool), d
	}
	if specs, err = chosenTools(specs, args); err != nil {
		return err
	}
	rows := []whyRow{}
	for _, s := range specs {
		d := byName[s.Name]
		row := whyRow{s.Name, d.Offered, d.Reason.String()}
		if d.Detail != "" {
			row.Reason += ": " + clean.Line(d.Detail, 300)
		}
		rows = append(rows, row)
	}
	for _, name := range a.Settings().Tools.Off {
		if _, ok := byName[name]; !ok {
			p.say("tools.off in the settings names %q, and there is no such tool", clean.Line(name, 64))
		}
	}
	if p.json {
		return p.printJSON(map[string]any{"strategy": strategy, "tools": rows})
	}
	say(p.out, "strategy: %s", strategy)
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		say(table, "%s\t%s", r.Name, r.Reason)
	}
	return table.Flush()
}

func (p *program) toolsStrategyCmd() *cobra.Command {
	return &cobra.Command{
		Use: "strategy [" + strings.Join(config.Strategies(), "|") + "]", Short: "Show or set how models get to know tools",
		Long: `Shows or sets how models get to know tools:

  auto       direct while all tools fit the model; else deferred, or discovery if
             the built-in tools alone do not fit
  direct     each question is sent with all tools
  deferred   with the built-in tools; of the others those that fit the question
             are described, and the model can search for more
  discovery  with tools that find the others by category and by search
  routed     with tools that open one server, or one kind of built-in tools, at a
             time`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := p.settingsFile()
			if err != nil {
				return err
			}
			now := string(offer.Auto)
			switch {
			case len(args) == 1 && !slices.Contains(config.Strategies(), args[0]):
				return usagef("%q: want one of %s", args[0], strings.Join(config.Strategies(), ", "))
			case len(args) == 1:
				now = args[0]
				if err := f.SaveSettings(func(s *config.Settings) { s.Tools.Strategy = strings.TrimPrefix(now, string(offer.Auto)) }); err != nil {
					return fmt.Errorf("strategy: %w", err)
				}
			case f.now.Tools.Strategy != "":
				now = f.now.Tools.Strategy
			}
			return p.print(map[string]string{"strategy": now}, "%s", now)
		},
	}
}
