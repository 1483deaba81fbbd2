// Command bowerbird is the program: the window by default, subcommands for the
// rest. What each subcommand prints, and each exit code, is a contract
// (docs/command-line.md).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"bowerbird/ndb"
)

// version is set by the build.
var version = "dev"

// Exit codes.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitUnusable = 3 // the store is in use or cannot be used
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// streams are what a command reads and writes: results on out, all else on err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	root := newRoot(&program{streams: std})
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errSaid) {
		fmt.Fprintf(std.err, "bowerbird: %v\n", err)
	}
	return exitCode(err)
}

// errSaid is joined to an error that has been shown already.
var errSaid = errors.New("said")

// usageError is a command line that cannot be carried out as written.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error) int {
	var (
		usage usageError
		inUse *ndb.InUseError
		newer *ndb.NewerError
	)
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &inUse), errors.As(err, &newer),
		errors.Is(err, ndb.ErrDamaged), errors.Is(err, ndb.ErrReadOnly), errors.Is(err, ndb.ErrNoSpace):
		return exitUnusable
	}
	return exitFailed
}
