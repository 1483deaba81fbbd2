package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
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

func (p *program) modelKeyCmd() *cobra.Command {
	var baseURL string
	cmd := &cobra.Command{
		Use:   "key PROVIDER",
		Short: "Save an API key; an empty one removes it",
		Long: `Saves an API key in the system's keyring. It is sent only to the provider's
server.

Without a keyring, the key is saved in a password-protected file beside the
settings. Bowerbird asks for the password; scripts set ` + models.EnvKeysPassword + `.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name, _, _ := strings.Cut(args[0], ":"); name == models.Builtin {
				return usagef("%s needs no key", config.DefaultModel)
			}
			settings, err := p.loadSettings()
			if err != nil {
				return err
			}
			host, err := models.ServerHost(args[0], baseURL, settings)
			if err != nil {
				return usageError{err}
			}
			line, err := p.readHidden(fmt.Sprintf("API key for %s (not shown as you type): ", host))
			if err != nil {
				return fmt.Errorf("no key was entered: %w", err)
			}
			known := models.New(p.modelOptions(settings))
			if strings.TrimSpace(line) == "" {
				if err := known.RemoveKey(cmd.Context(), args[0], baseURL); err != nil {
					return err
				}
				p.say("Removed: no API key for %s is stored any more.", host)
				return nil
			}
			place, err := known.SetKey(cmd.Context(), args[0], baseURL, line)
			if place == models.KeyInMemory { // which ends with this command
				place, err = models.KeyInFile, p.openKeyFile(cmd.Context(), known, args[0])
			}
			switch {
			case err != nil:
				return err
			case place == models.KeyInFile:
				p.say("Saved in %s, protected by the password. The key is sent only to %s.", p.places().Keys, host)
			default:
				p.say("Saved in the keyring. The key is sent only to %s.", host)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&baseURL, "base-url", "", "`URL` of the server (default: the one in the settings, or the provider's own)")
	return cmd
}

// openKeyFile unlocks the key file, or makes it, and moves the keys entered before into it.
func (p *program) openKeyFile(ctx context.Context, known *models.Registry, provider string) error {
	state, err := known.KeyFile()
	if err != nil {
		return fmt.Errorf("%w; rename or remove it to start a new one", err)
	}
	password := os.Getenv(models.EnvKeysPassword)
	if password == "" && !p.atTerminal() {
		return noKeyringAdvice(cmp.Or(config.NewKeyring().Probe(ctx), config.ErrNoKeyring), provider)
	}
	if state == config.KeyFileLocked {
		if password == "" {
			if password, err = p.askKeysPassword(false); err != nil {
				return err
			}
		}
		return known.UnlockKeys(password)
	}
	if password == "" {
		p.say("This computer has no usable keyring, so the key is saved in a password-protected file.\nBowerbird asks for the password when it needs the key. Choose at least %d characters.", config.LeastPassword)
		if password, err = p.readHidden("New password (not shown as you type): "); err != nil {
			return err
		}
		again, err := p.readHidden("Repeat the password: ")
		if err != nil {
			return err
		}
		if again != password {
			return errors.New("the passwords do not match; nothing was saved")
		}
	}
	return known.CreateKeyFile(password)
}

// askKeysPassword asks for the password of the key file at the terminal.
func (p *program) askKeysPassword(again bool) (string, error) {
	if again {
		p.say("Wrong password.")
	}
	return p.readHidden("Password for the key file (not shown as you type): ")
}

// modelOptions configures models for use without a store.
func (p *program) modelOptions(settings config.Settings) models.Options {
	return models.Options{Places: p.places(), Settings: func() config.Settings { return settings }, KeysPassword: p.keysPassword}
}

// keysPassword is [app.Options].KeysPassword.
func (p *program) keysPassword(_ context.Context, again bool) (string, error) {
	if !p.atTerminal() {
		return "", fmt.Errorf("%w: set %s, or run this in a terminal", config.ErrKeysLocked, models.EnvKeysPassword)
	}
	return p.askKeysPassword(again)
}

// noKeyringAdvice adds to the error of a keyring where else a key can be stored.
func noKeyringAdvice(err error, provider string) error {
	advice := fmt.Sprintf("set %s to a password, and the key is saved in a file protected by it", models.EnvKeysPassword)
	if p, ok := llm.FindProvider(provider); ok && len(p.KeyEnv) > 0 {
		advice += ", or set " + p.KeyEnv[0]
		if p.BaseURL == "" {
			advice += " and " + models.EnvAPIHost
		}
		advice += " instead"
	}
	return fmt.Errorf("%w; %s", err, advice)
}

// atTerminal reports whether the user can be asked for a secret.
func (p *program) atTerminal() bool {
	f, ok := p.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// readHidden reads a line from a terminal without echo, or from a pipe.
func (p *program) readHidden(prompt string) (string, error) {
	if f, ok := p.in.(*os.File); ok && p.atTerminal() {
		// Before the prompt, so that what is typed or pasted early is not shown either.
		before, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(int(f.Fd()), before) }()
		line, err := term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{f, p.err}, "").ReadPassword(prompt)
		if errors.Is(err, io.EOF) { // Ctrl+C and Ctrl+D
			_, _ = io.WriteString(p.err, "\r\n")
			err = errors.New("stopped")
		}
		return line, err
	}
	line, err := bufio.NewReader(io.LimitReader(p.in, 64<<10)).ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
