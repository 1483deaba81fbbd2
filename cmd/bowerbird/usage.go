package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

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
