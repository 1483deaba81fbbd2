package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/app/mcp/setup"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
)

// testWait is how long "mcp test" waits. Some servers fetch themselves at their first start.
const testWait = 2 * time.Minute

// settingsFile reads and writes the settings, beside a window too.
type settingsFile struct {
	file string
	now  config.Settings
}

// Settings implements [app.SettingsKeeper].
func (f *settingsFile) Settings() config.Settings { return f.now.Clone() }

// SaveSettings implements [app.SettingsKeeper].
func (f *settingsFile) SaveSettings(change func(*config.Settings)) error {
	next, err := config.Update(f.file, f.now, change)
	if err == nil {
		f.now = next
	}
	return err
}

func (p *program) toolMemory() setup.Memory { return setup.Memory{Folder: p.places().Tools} }

func (p *program) settingsFile() (*settingsFile, error) {
	settings, err := p.loadSettings()
	return &settingsFile{p.places().Settings, settings}, err
}

// settingsWith returns the settings, which have a server of that name.
func (p *program) settingsWith(server string) (*settingsFile, error) {
	f, err := p.settingsFile()
	if err != nil {
		return nil, err
	}
	known := slices.Sorted(maps.Keys(f.now.MCP))
	switch {
	case slices.Contains(known, server):
		return f, nil
	case len(known) == 0:
		return nil, usagef("there is no MCP server %q: none is set up; \"bowerbird mcp add\" sets one up", server)
	}
	return nil, usagef("there is no MCP server %q; there are %s", server, strings.Join(known, ", "))
}

// connect connects to a server and returns what it is and offers.
func (p *program) connect(ctx context.Context, f app.SettingsKeeper, server string) client.Status {
	known := models.New(p.modelOptions(f.Settings()))
	defer known.Close()
	pool := app.NewMCP(f, known, p.toolMemory(), slog.New(slog.DiscardHandler))
	defer pool.Close()
	ctx, cancel := context.WithTimeout(ctx, testWait)
	defer cancel()
	st, _ := pool.Try(ctx, server)
	return st
}

func (p *program) mcpAddCmd() *cobra.Command {
	var m config.MCPServer
	var from string
	cmd := &cobra.Command{
		Use:   "add NAME [-- COMMAND [ARGS...]]",
		Short: "Connect an MCP server, whose tools the assistant may then use",
		Long: `Connects an MCP server: a program that offers tools, such as files or a
calendar, or one on the network. The assistant can then use its tools. Bowerbird
asks before each call, unless "mcp allow" says otherwise.

The program is run without a shell. It gets PATH and the variables named with
--env, whose values are asked for and kept in the keyring.

--json reads the "mcpServers" of another program's settings file (- for stdin)
and adds all servers in it.`,
		Example: `  bowerbird mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  bowerbird mcp add weather --env API_KEY -- uvx mcp-weather
  bowerbird mcp add team --url https://mcp.example.com/mcp --token
  bowerbird mcp add --json claude_desktop_config.json`,
		Args: usageArgs(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.settingsFile()
			if err != nil {
				return err
			}
			if from != "" {
				if len(args) > 0 {
					return usagef("--json takes names and commands from the file; leave %q out", args[0])
				}
				return p.importServers(cmd.Context(), f, from)
			}
			if len(args) == 0 || cmd.ArgsLenAtDash() == 0 {
				return usagef("name the server: \"bowerbird mcp add NAME -- COMMAND\"")
			}
			name, command := args[0], args[1:]
			if len(command) > 0 {
				m.Command, m.Args = command[0], command[1:]
			}
			secrets := make(map[string]string)
			for _, v := range m.Env {
				if secrets[v], err = p.readHidden(fmt.Sprintf("Value of %s for %s (not shown as you type): ", v, name)); err != nil {
					return fmt.Errorf("no value was entered: %w", err)
				}
			}
			if m.Token {
				if secrets[app.MCPToken], err = p.readHidden(fmt.Sprintf("Token for %s (not shown as you type): ", m.URL)); err != nil {
					return fmt.Errorf("no token was entered: %w", err)
				}
			}
			return p.addServer(cmd.Context(), f, setup.Entry{Name: name, Server: m, Secrets: secrets})
		},
	}
	cmd.Flags().StringVar(&m.URL, "url", "", "`URL` of a server on the network, instead of a command")
	cmd.Flags().BoolVar(&m.Token, "token", false, "ask for a token, which is sent to the URL only")
	cmd.Flags().StringSliceVar(&m.Env, "env", nil, "`NAMES` of variables that the command gets; their values are asked for")
	cmd.Flags().StringVar(&m.Folder, "folder", "", "`FOLDER` where the command runs (default: your home)")
	cmd.Flags().StringVar(&from, "json", "", "read \"mcpServers\" from a `FILE`")
	return cmd
}

// addServer saves a server and its secrets.
func (p *program) addServer(ctx context.Context, f *settingsFile, e setup.Entry) error {
	if _, there := f.now.MCP[e.Name]; there {
		return usagef("there is already an MCP server %q; \"bowerbird mcp remove %s\" removes it", e.Name, e.Name)
	}
	tried := f.Settings()
	tried.MCP = map[string]config.MCPServer{e.Name: e.Server}
	if err := tried.Check(); err != nil {
		return usageError{err}
	}
	known := models.New(p.modelOptions(f.now))
	defer known.Close()
	err := app.AddServer(ctx, f, known, e)
	if errors.Is(err, app.ErrKeyInMemory) {
		if err = p.openKeyFile(ctx, known, e.Name); err == nil {
			err = app.AddServer(ctx, f, known, e)
		}
	}
	if err != nil {
		return err
	}
	p.say("Added %s. \"bowerbird mcp test %s\" shows its tools.", e.Name, e.Name)
	return nil
}

// maxServersFile is how much of another program's settings is read, in bytes.
const maxServersFile = 1 << 20

// importServers adds the servers of another program's settings.
func (p *program) importServers(ctx context.Context, f *settingsFile, from string) error {
	in := p.in
	if from != "-" {
		file, err := openFile(from)
		if err != nil {
			return fmt.Errorf("mcp add --json %s: %w", from, err)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxServersFile))
	if err != nil {
		return fmt.Errorf("mcp add --json %s: %w", from, err)
	}
	entries, err := setup.Parse(text)
	if err != nil {
		return usagef("mcp add --json %s: %w", from, err)
	}
	for _, e := range entries {
		if err := p.addServer(ctx, f, e); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) mcpListCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the MCP servers that are set up",
		Args:  usageArgs(noArgs),
		RunE: func(*cobra.Command, []string) error {
			f, err := p.settingsFile()
			if err != nil {
				return err
			}
			if p.json {
				return p.printJSON(map[string]any{"servers": f.now.MCP})
			}
			if len(f.now.MCP) == 0 {
				p.say("No MCP server is set up. \"bowerbird mcp add --help\" says how.")
				return nil
			}
			table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
			for _, name := range slices.Sorted(maps.Keys(f.now.MCP)) {
				m := f.now.MCP[name]
				state := "on"
				if m.Off {
					state = "off"
				}
				say(table, "%s\t%s\t%s", name, state, clean.Line(cmp.Or(m.URL, strings.Join(append([]string{m.Command}, m.Args...), " ")), 100))
			}
			return table.Flush()
		},
	}
}

func (p *program) mcpTestCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "test NAME",
		Short: "Connect to an MCP server and show its tools",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.settingsWith(args[0])
			if err != nil {
				return err
			}
			m := f.now.MCP[args[0]]
			m.Off = false // to be tested all the same
			one := f.Settings()
			one.MCP = map[string]config.MCPServer{args[0]: m}
			st := p.connect(cmd.Context(), &testedServer{settingsFile: f, one: one}, args[0])
			if st.State != client.Ready {
				return fmt.Errorf("MCP server %s: %s", args[0], cmp.Or(st.Error, fmt.Sprintf("it did not answer within %v", testWait)))
			}
			if p.json {
				return p.printJSON(st)
			}
			p.showServer(f.now.MCP[args[0]], st)
			return nil
		},
	}
}

// testedServer has settings with one server, and saves into those with all.
type testedServer struct {
	*settingsFile
	one config.Settings
}

func (t *testedServer) Settings() config.Settings { return t.one.Clone() }

func (p *program) showServer(m config.MCPServer, st client.Status) {
	say(p.out, "%s: %d tools", cmp.Or(st.Title, st.Server), len(st.Tools))
	for _, t := range st.Tools {
		may := map[string]string{config.AllowClean: "runs while a chat holds only your own words", config.AllowFree: "runs without asking"}[m.Tools[t.Name].Allow]
		switch {
		case t.Refused != "":
			may = "cannot be used: " + t.Refused
		case t.Changed:
			may = fmt.Sprintf("changed since you saw it, so it is off; \"bowerbird mcp allow %s %s ask\" turns it on", st.Server, t.Name)
		case may == "":
			may = "asks each time"
		}
		does := ""
		if t.Reads {
			does = ", says that it only reads"
		}
		first, _, _ := strings.Cut(t.Description, "\n")
		say(p.out, "\n%s (%s%s)\n  %s", t.Name, may, does, clean.Cut(first, 200))
	}
}

func (p *program) mcpAllowCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "allow NAME TOOL ask|clean|free",
		Short: "Say whether a tool of an MCP server may run without asking",
		Long: `Says whether a tool may run without asking you:

  ask    never; this is the default
  clean  while the chat holds only your own words
  free   always: a note that is read in the chat can make the model call the tool
         with anything the model has seen. Only a tool that declares that it
         changes nothing can be allowed this.

A tool whose description changes afterwards is off until this is said again.`,
		Args: usageArgs(cobra.ExactArgs(3)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, tool, allow := args[0], args[1], args[2]
			if !slices.Contains([]string{config.AllowAsk, config.AllowClean, config.AllowFree}, allow) {
				return usagef("%q: want ask, clean or free", allow)
			}
			f, err := p.settingsWith(name)
			if err != nil {
				return err
			}
			st := p.connect(cmd.Context(), f, name)
			i := slices.IndexFunc(st.Tools, func(t client.ToolStatus) bool { return t.Name == tool })
			switch {
			case st.State != client.Ready:
				return fmt.Errorf("MCP server %s: %s", name, cmp.Or(st.Error, "it is off"))
			case i < 0:
				return usagef("MCP server %s has no tool %q; \"bowerbird mcp test %s\" lists them", name, clean.Line(tool, 64), name)
			case allow == config.AllowFree && !st.Tools[i].Reads:
				return usagef("%s does not declare that it changes nothing, so it cannot be free", tool)
			}
			if err := p.toolMemory().Note(name, time.Now(), st.Tools[i]); err != nil {
				return err
			}
			if err := f.SaveSettings(func(s *config.Settings) { app.AllowTool(s, name, st.Tools[i], allow) }); err != nil {
				return err
			}
			p.say("%s: %s\n  %s", tool, allow, st.Tools[i].Description)
			return nil
		},
	}
}

func (p *program) mcpRemoveCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove an MCP server and its secrets",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.settingsWith(args[0])
			if err != nil {
				return err
			}
			known := models.New(p.modelOptions(f.now))
			defer known.Close()
			if err := app.RemoveServer(cmd.Context(), f, known, p.toolMemory(), args[0]); err != nil {
				return err
			}
			p.say("Removed %s.", args[0])
			return nil
		},
	}
}
