package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/instance"
	"bowerbird/app/mcp"
	"bowerbird/ndb"
)

func (p *program) mcpCmd() *cobra.Command {
	var as, address string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let another program's assistant read your notes, or use its tools here (MCP)",
		Long: `Lets the assistant of another program, such as Claude Desktop, read your notes
by the Model Context Protocol. That program starts this command and talks to it
on stdin and stdout. It can read what the assistant here can read, and changes
nothing. What it reads goes to its model, and so to that model's provider. The
window may be open meanwhile.

Most programs take this line in their settings:

  {"mcpServers": {"bowerbird": {"command": "bowerbird", "args": ["mcp"]}}}`,
		Example: `  bowerbird mcp                                      # your notes
  bowerbird --sample mcp                             # the sample notes, to try it`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			shared := newSharedApp(func(ctx context.Context) (*app.App, error) {
				a, err := p.openApp(ctx, app.Read, as)
				return a, p.withWayOut(err)
			})
			settings, err := p.loadSettings()
			if err != nil {
				return err
			}
			opt := mcp.Options{
				Version: version,
				Off:     settings.Tools.Unserved,
				Call: func(ctx context.Context, name string, args json.RawMessage, limit int) (json.RawMessage, error) {
					// A tool may have been turned off since the host connected.
					if now, err := p.loadSettings(); err != nil || slices.Contains(now.Tools.Unserved, name) {
						return nil, cmp.Or(err, fmt.Errorf("%s is turned off in the settings of Bowerbird", name))
					}
					return p.readTool(ctx, shared, as, instance.ToolCall{Name: name, Arguments: args, Limit: limit})
				},
				Words: func(err error) string { return agent.NewRedactor().Text(inWordsOfUse(err)) },
			}
			if address != "" {
				return p.serveHTTP(cmd.Context(), address, opt)
			}
			return mcp.Serve(cmd.Context(), p.in, p.out, opt)
		},
	}
	asFlag(cmd, &as)
	cmd.Flags().StringVar(&address, "http", "", "listen on this `ADDRESS` of this computer, such as localhost:3001, instead of stdin")
	cmd.AddCommand(&cobra.Command{
		Use: "token", Short: "Print the token that programs need for mcp --http", Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			token, err := hostToken(cmd.Context())
			if err != nil {
				return err
			}
			return p.print(map[string]string{"token": token.Reveal()}, "%s", token.Reveal())
		},
	})
	cmd.AddCommand(p.mcpAddCmd(), p.mcpListCmd(), p.mcpTestCmd(), p.mcpAllowCmd(), p.mcpRemoveCmd())
	return cmd
}

// envHostToken holds the token on computers without a keyring.
const envHostToken = "BOWERBIRD_MCP_TOKEN"

// hostToken returns the token of "mcp --http", which is made the first time.
func hostToken(ctx context.Context) (config.Secret, error) {
	if token := config.NewSecret(os.Getenv(envHostToken)); !token.IsZero() {
		return token, nil
	}
	token, err := config.NewKeyring().HostToken(ctx, rand.Text)
	if errors.Is(err, config.ErrNoKeyring) {
		err = fmt.Errorf("%w; set %s to a long random text instead", err, envHostToken)
	}
	return token, err
}

// serveHTTP answers hosts until ctx ends.
func (p *program) serveHTTP(ctx context.Context, address string, opt mcp.Options) error {
	token, err := hostToken(ctx)
	if err != nil {
		return err
	}
	listener, err := mcp.Listen(address)
	if err != nil {
		return usagef("--http %w", err)
	}
	p.say("listening on http://%s/mcp; \"bowerbird mcp token\" prints the token that programs need", listener.Addr())
	server := mcp.Server(token.Reveal(), opt)
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !mcp.Closed(err) {
		return err
	}
	return nil
}

// readTool calls a tool that only reads, and returns its result as JSON. If the window has
// the notes open, the window calls it, as the person it shows.
func (p *program) readTool(ctx context.Context, shared *sharedApp, as string, call instance.ToolCall) (result json.RawMessage, err error) {
	err = p.whileInUse(ctx, hostWait, func() error {
		err := shared.use(ctx, func(a *app.App) (err error) {
			result, err = a.ToolJSON(ctx, call.Name, call.Arguments, call.Limit)
			return err
		})
		if _, inUse := errors.AsType[*ndb.InUseError](err); !inUse || as != "" {
			return err
		}
		found, theirs, callErr := instance.CallTool(ctx, p.windowFolder(), call)
		if found {
			result, err = theirs, callErr
		}
		return err
	})
	return result, toolError(call.Name, err)
}
