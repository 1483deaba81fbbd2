package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

func (p *program) modelCmd() *cobra.Command {
	var help strings.Builder
	help.WriteString("Language models. A model is written PROVIDER:NAME, for example ollama:qwen3:8b.\n\nProviders:\n")
	for _, p := range llm.Providers() {
		where := strings.TrimPrefix(p.BaseURL, "https://")
		if where == "" {
			where = "OpenAI-compatible, at its --base-url"
		}
		fmt.Fprintf(&help, "  %-10s %s (%s)\n", p.Name, p.Title, where)
	}
	model := &cobra.Command{
		Use:   "model",
		Short: "List, show and test language models; save API keys",
		Long:  help.String(),
		Args:  usageArgs(noArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	model.AddCommand(p.modelReadCmd(), p.modelListCmd(), p.modelTestCmd(), p.modelShowCmd(), p.modelKeyCmd())
	return model
}

// maxRecorded is how much of a recorded answer is read, in bytes.
const maxRecorded = 64 << 20

func (p *program) modelReadCmd() *cobra.Command {
	var raw bool
	var names []string
	cmd := &cobra.Command{
		Use:   "read FILE",
		Short: "Parse a recorded model answer (- for stdin) and print it as JSON",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := p.in
			if args[0] != "-" {
				f, err := openFile(args[0])
				if err != nil {
					return fmt.Errorf("model read %s: %w", args[0], err)
				}
				defer func() { _ = f.Close() }()
				in = f
			}
			in = io.LimitReader(in, maxRecorded)
			if raw {
				text, err := io.ReadAll(in)
				if err != nil {
					return fmt.Errorf("reading %s: %w", args[0], err)
				}
				return p.printJSON(llm.ReadText(string(text), toolsNamed(names)...))
			}
			recorded, err := llm.ReadRecorded(cmd.Context(), in, toolsNamed(names)...)
			if err != nil {
				return err
			}
			return p.printJSON(recorded)
		},
	}
	cmd.Flags().BoolVar(&raw, "text", false, "FILE contains the text of an answer with tool calls, not a stream")
	cmd.Flags().StringSliceVar(&names, "tools", nil, "names of the tools offered to the model, separated by commas")
	return cmd
}

// toolsNamed returns tools by their names; of the program's own ones, with their arguments.
func toolsNamed(names []string) []llm.Tool {
	all := make([]llm.Tool, len(names))
	for i, name := range names {
		all[i].Name = name
		if ours, ok := tools.Builtin().Get(name); ok {
			all[i].Schema = ours.Spec().Schema
		}
	}
	return all
}

func (p *program) modelFlags(cmd *cobra.Command, choice *models.Choice) *cobra.Command {
	cmd.Flags().StringVar(&choice.ID, "model", "", "model, as `PROVIDER:NAME` (default: the model in the settings)")
	cmd.Flags().StringVar(&choice.BaseURL, "base-url", "", "`URL` of the model's server (default: the one in the settings, or the provider's own)")
	return cmd
}

func (p *program) modelListCmd() *cobra.Command {
	var choice models.Choice
	return p.modelFlags(&cobra.Command{
		Use:   "list",
		Short: "List the models on the server",
		Args:  usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withServer(cmd.Context(), choice, func(c *llm.Client) error {
				models, err := c.List(cmd.Context())
				if err != nil {
					return inWords(err)
				}
				if p.json {
					return p.printJSON(map[string]any{"models": models})
				}
				table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
				for _, m := range models {
					say(table, "%s:%s%s", c.Info().Provider, clean.Line(m.ID, 200), listed(m.Facts))
				}
				return table.Flush()
			})
		},
	}, &choice)
}

// listed formats what a server reports of a model in its list, as columns: window, price,
// tools. If it reports nothing of any, there are no columns.
func listed(f llm.Facts) string {
	if f == (llm.Facts{}) {
		return ""
	}
	window, price, tools := "", "", ""
	if f.Context > 0 {
		window = fmt.Sprintf("%d tokens", f.Context)
	}
	switch {
	case f.Price == nil:
	case f.Price.Free():
		price = "free"
	default:
		price = fmt.Sprintf("$%.4g in, $%.4g out per million", f.Price.Input, f.Price.Output)
	}
	if f.Tools == llm.SaysNo {
		tools = "no native tool calls"
	}
	return strings.TrimRight("\t"+window+"\t"+price+"\t"+tools, "\t")
}

func (p *program) modelTestCmd() *cobra.Command {
	var choice models.Choice
	return p.modelFlags(&cobra.Command{
		Use:   "test",
		Short: "Test whether the model answers and can use tools",
		Args:  usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withServer(cmd.Context(), choice, func(c *llm.Client) error {
				result, err := c.Test(cmd.Context())
				if err != nil {
					return inWords(err)
				}
				can := "and can use tools"
				if !result.Tools {
					can = "but did not call the tool that it was asked to call: it may not be able to read your notes"
				}
				return p.print(map[string]any{"tools": result.Tools, "text": result.Text, "seconds": result.Length.Seconds()},
					"%s:%s answers in %.1f s, %s", c.Info().Provider, c.Info().Name, result.Length.Seconds(), can)
			})
		},
	}, &choice)
}

// withServer runs do with the client of a model's server. It opens no store, so that it
// works beside an open window.
func (p *program) withServer(ctx context.Context, choice models.Choice, do func(*llm.Client) error) error {
	settings, err := p.loadSettings()
	if err != nil {
		return err
	}
	choice = choice.SettledBy(settings)
	if choice.ID == config.DefaultModel {
		return p.print(map[string]any{"model": config.DefaultModel, "builtin": true},
			"%s is built in: it needs no server and no key", config.DefaultModel)
	}
	client, err := models.New(p.modelOptions(settings)).Client(ctx, choice)
	if err != nil {
		return err
	}
	return do(client)
}
