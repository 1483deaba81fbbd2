package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"bowerbird/app"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"github.com/spf13/cobra"
)

// program is what all commands share: the streams and the global flags.
type program struct {
	streams
	args     []string // the command line
	line     *progressLine
	data     string
	settings string
	sample   bool
	json     bool
	logLevel string
	// inWindow is whether the window, if it has the notes open, carries out this command.
	inWindow bool
	// Of a command of another start that the window carries out: what it has open, and the
	// folder that paths are relative to.
	open *app.App
	dir  string
	// Of the window.
	dumpWidgets  string
	allowPrivate bool
	background   bool
}

const longHelp = `Bowerbird keeps your Nostr notes on this computer and tells you what you missed.

Without a command it opens the window. To use it in a terminal:

  bowerbird --sample ask "What did I miss since yesterday?"   # sample notes, offline
  bowerbird sync --as you@example.com --once   # fetch the last 3 days
  bowerbird ask "What did I miss since yesterday?"

KEY is an npub, an nprofile, a hex key or a NIP-05 name (you@example.com).
Times are unix seconds, RFC 3339, or relative (24h, 7d).

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the store is in use or unusable,
130 the answer was stopped.`

func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:           "bowerbird [LINK]",
		Short:         "Your Nostr notes, and what you missed",
		Long:          longHelp,
		Version:       version,
		Args:          linkOrNothing,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.openWindow(cmd.Context(), args)
		},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&p.data, "data", os.Getenv(config.EnvData), "folder for all data ($"+config.EnvData+"; default: the system's usual place)")
	flags.Lookup("data").DefValue = "" // the help must not show the value of the environment
	flags.StringVar(&p.settings, "config", "", "settings file")
	flags.BoolVar(&p.sample, "sample", false, "use the built-in sample notes, offline")
	flags.BoolVar(&p.json, "json", false, "print JSON")
	flags.StringVar(&p.logLevel, "log-level", "error", "how much to log on stderr: debug, info, warn, error")
	root.Flags().BoolVar(&p.allowPrivate, "allow-private", false, "let the window use ws:// relays and relays on this computer or network")
	root.Flags().BoolVar(&p.background, "background", false, "start without a window where the desktop has a tray")
	root.Flags().StringVar(&p.dumpWidgets, "dump-widgets", "", "file to write the positions of the widgets to, for tests")
	if err := root.Flags().MarkHidden("dump-widgets"); err != nil {
		panic(err) // the flag was defined in the line above
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if said, _, number := strings.Cut(err.Error(), ": strconv.ParseInt"); number {
			err = fmt.Errorf("%s: must be a whole number", said)
		}
		return usagef("%w; \"%s --help\" lists the flags", err, cmd.CommandPath())
	})
	root.SetHelpCommand(helpCmd(root))
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", fmt.Sprint("FlagUsagesWrapped ", defaultWidth)))
	root.AddCommand(
		p.importCmd(), p.exportCmd(), p.reqCmd(), p.searchCmd(), p.queryCmd(), p.toolCmd(), p.toolsCmd(), p.mcpCmd(), p.coverageCmd(),
		p.syncCmd(), p.askCmd(), p.chatsCmd(), p.modelCmd(), p.statsCmd(), p.checkCmd(), p.examineCmd(), p.crashCmd(), p.doctorCmd(), p.dataCmd(),
		p.backupCmd(), p.restoreCmd(), p.pruneCmd(), p.compactCmd(),
	)
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { p.inWindow = inWindow[withoutRoot(cmd)] }
	return root
}

// linkOrNothing takes what a browser hands over, a nostr: link. Anything else is a command
// that does not exist.
func linkOrNothing(cmd *cobra.Command, args []string) error {
	if scheme, _, ok := strings.Cut(strings.Join(args, " "), ":"); ok && (strings.EqualFold(scheme, "nostr") || strings.EqualFold(scheme, "web+nostr")) {
		if len(args) > 1 {
			return usagef("one link at a time")
		}
		if _, err := nostr.ParseLink(args[0]); err != nil {
			return usagef("this link cannot be opened: %w", err)
		}
		return nil
	}
	return usageArgs(cobra.NoArgs)(cmd, args)
}

func (p *program) places() config.Places { return config.Locate(p.data, p.settings) }

// windowFolder is where a window that has these notes open waits.
func (p *program) windowFolder() string {
	if p.sample {
		return p.places().ForSample().Data
	}
	return p.places().Data
}

// loadSettings reads the settings. A file named by --config must exist; the default one
// need not.
func (p *program) loadSettings() (config.Settings, error) {
	if p.open != nil {
		return p.open.Settings(), nil
	}
	file := p.places().Settings
	if p.settings != "" {
		f, err := openFile(file)
		if err != nil {
			return config.Settings{}, usagef("--config %s: %w", file, err)
		}
		_ = f.Close()
	}
	return config.Load(file)
}

func (p *program) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, usagef("--log-level %q: must be debug, info, warn or error", p.logLevel)
	}
	return slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: level})), nil
}

// width returns the width of the terminal that results go to; 0 if they go elsewhere.
func (p *program) width() int {
	to, ok := terminalOf(p.out)
	if !ok {
		return 0
	}
	if w, _ := to.size(); w >= 40 {
		return w
	}
	return defaultWidth
}

// errNoFolder is the error of a --data that is a file.
var errNoFolder = errors.New("this is a file; name a folder, which need not exist yet")

// withApp opens Bowerbird for one command and closes it afterwards.
func (p *program) withApp(ctx context.Context, access app.Access, as string, do func(*app.App) error) (err error) {
	if p.open != nil {
		return p.withOpen(ctx, as, do)
	}
	var a *app.App
	err = p.whileInUse(ctx, commandWait, func() error {
		a, err = p.openApp(ctx, access, as)
		if _, inUse := errors.AsType[*ndb.InUseError](err); inUse && p.inWindow {
			return p.besideWindow(ctx, err)
		}
		return err
	})
	if err != nil {
		return p.withWayOut(err)
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if m := a.Upkeep().Recovery(); m.Now {
		p.say("The stored notes were damaged. Everything readable was saved; the next sync fetches the other notes again.\nThe damaged files are in %s", m.Aside)
	}
	return withHint(do(a))
}

// openApp opens the stores for a command.
func (p *program) openApp(ctx context.Context, access app.Access, as string) (*app.App, error) {
	logger, err := p.logger()
	if err != nil {
		return nil, err
	}
	places := p.places()
	if info, err := os.Stat(places.Data); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("--data %s: %w", places.Data, errNoFolder)
	}
	settings, err := p.loadSettings()
	if err != nil {
		return nil, err
	}
	return app.Open(ctx, app.Options{
		Places: places, Settings: settings, Access: access, Sample: p.sample, As: as, Logger: logger, Examine: examiner(), Preparing: p.sayPreparing(),
		KeysPassword: p.keysPassword,
	})
}

// withHint adds to the error of a chat that does not exist how to find the others.
func withHint(err error) error {
	if errors.Is(err, chats.ErrNotFound) {
		err = fmt.Errorf("%w; \"bowerbird chats\" lists all chats with their IDs", err)
	}
	return err
}

// appCmd is a command that works on the open stores. A nil args takes no arguments.
func (p *program) appCmd(use, short string, access app.Access, args cobra.PositionalArgs, do func(ctx context.Context, a *app.App, args []string) error) *cobra.Command {
	if args == nil {
		args = noArgs
	}
	return &cobra.Command{
		Use: use, Short: short, Args: usageArgs(args),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withApp(cmd.Context(), access, "", func(a *app.App) error { return do(cmd.Context(), a, args) })
		},
	}
}

// sayPreparing returns what reports, in steps of 10%, the progress of what makes opening slow.
func (p *program) sayPreparing() func(what app.Preparation, done, of int) {
	next := map[app.Preparation]int{} // the next tenth to report; the files are read more than once
	return func(what app.Preparation, done, of int) {
		doing := "converting the stored notes to the format of this version"
		if what == app.SavingDamaged {
			doing = "the stored notes are damaged; saving everything readable"
		}
		if tenth := 10 * done / max(of, 1); tenth >= next[what] {
			next[what] = tenth + 1
			p.progress("%s: %d%%", doing, 10*tenth)
		}
	}
}

// printJSON writes one JSON value and a newline to out.
func (p *program) printJSON(v any) error {
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// print writes a result to out: v with --json, otherwise a line of text.
func (p *program) print(v any, format string, args ...any) error {
	if p.json {
		return p.printJSON(v)
	}
	say(p.out, format, args...)
	return nil
}

func (p *program) say(format string, args ...any) { say(p.err, format, args...) }

// say writes a line for a person; an error could only be reported the same way.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }

// usageArgs turns the error of an argument check into one of usage, which says in a few
// lines what is expected and where to read more.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && cmd.HasAvailableSubCommands() {
			return unknownCommand(cmd, args[0])
		}
		if err := check(cmd, args); err != nil {
			switch _, wanted, _ := strings.Cut(cmd.Use, " "); {
			case len(args) == 0:
				err = fmt.Errorf("%s needs %s", withoutRoot(cmd), wanted)
			case wanted != "":
				err = fmt.Errorf("%s takes %s, but %d arguments were given; put text with spaces in quotes", withoutRoot(cmd), wanted, len(args))
			}
			return usagef("%w\nUsage: %s\n\"%s --help\" explains more", err, cmd.UseLine(), cmd.CommandPath())
		}
		return nil
	}
}

// noArgs refuses arguments of a command that takes none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, but %q was given; the data folder is named with --data", withoutRoot(cmd), args[0])
}

// withoutRoot names a command in an error, which already begins with the program's name.
func withoutRoot(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// unknownCommand is the error for a name that no subcommand of cmd has.
func unknownCommand(cmd *cobra.Command, name string) error {
	has := "there is"
	if cmd.HasParent() {
		has = withoutRoot(cmd) + " has"
	}
	meant := ""
	cmd.SuggestionsMinimumDistance = max(1, min(2, len(name)/2))
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		meant = fmt.Sprintf("; did you mean \"%s\"?", strings.Join(like, "\" or \""))
	}
	return usagef("%s no command %q%s\n\"%s --help\" lists all commands", has, name, meant, cmd.CommandPath())
}

// openFile opens a file for reading. Its errors say what to do.
func openFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("no such file; check its path")
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("this is a folder; name a file in it")
	}
	return os.Open(name)
}

// helpCmd prints the help of a command. Cobra's own answers an unknown name with the whole
// list, and reports success.
func helpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does, and its flags",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
