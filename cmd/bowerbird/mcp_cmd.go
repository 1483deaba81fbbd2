package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/instance"
	"bowerbird/app/mcp"
	"bowerbird/ndb"
)

func (p *program) mcpCmd() *cobra.Command {
	var as string
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
			return mcp.Serve(cmd.Context(), p.in, p.out, mcp.Options{
				Version: version,
				Call: func(ctx context.Context, name string, args json.RawMessage, limit int) (json.RawMessage, error) {
					return p.readTool(ctx, as, instance.ToolCall{Name: name, Arguments: args, Limit: limit})
				},
				Words: func(err error) string { return agent.NewRedactor().Text(inWordsOfUse(err)) },
			})
		},
	}
	asFlag(cmd, &as)
	cmd.AddCommand(p.mcpAddCmd(), p.mcpListCmd(), p.mcpTestCmd(), p.mcpAllowCmd(), p.mcpRemoveCmd())
	return cmd
}

// readTool calls a tool that only reads, and returns its result as JSON. If the window has
// the notes open, the window calls it, as the person it shows.
func (p *program) readTool(ctx context.Context, as string, call instance.ToolCall) (result json.RawMessage, err error) {
	err = p.withApp(ctx, app.Read, as, func(a *app.App) error {
		var err error
		result, err = a.ToolJSON(ctx, call.Name, call.Arguments, call.Limit)
		return err
	})
	if _, inUse := errors.AsType[*ndb.InUseError](err); inUse && as == "" {
		places := p.places()
		if p.sample {
			places = places.ForSample()
		}
		if found, theirs, callErr := instance.CallTool(ctx, places.Data, call); found {
			result, err = theirs, callErr
		}
	}
	return result, toolError(call.Name, err)
}
