// Command bowerbird is the program: the window by default, subcommands for
// everything else. What each subcommand prints, and each exit code, is a contract
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
	_ "time/tzdata" // for systems without time zones

	"bowerbird/app/account"
	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	_ "bowerbird/cmd/bowerbird/locale" // before Fyne asks for the language
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// version is set by the linker.
var version = "dev"

// Exit codes.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitUnusable = 3   // the store is in use or cannot be used
	exitStopped  = 130 // an answer was stopped with Ctrl+C, as shells report it
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != crashName && os.Args[1] != examineName {
		_ = guard() // if no process can be started, Go's own report is printed
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// streams are what a command reads and writes: results to out, everything else to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	return (&program{streams: std, args: args}).run(ctx)
}

func (p *program) run(ctx context.Context) int {
	p.line = newProgressLine(p.err)
	defer p.line.wipe()
	out := &stickyWriter{out: wiper{p.out, p.line}}
	p.out, p.err = out, wiper{p.err, p.line}
	root := newRoot(p)
	root.SetArgs(p.args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("writing the result: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("stopped before it finished")
	}
	if !errors.Is(err, errSaid) {
		// Many errors quote what the user typed: a secret key must not be shown again, nor an
		// escape sequence take effect.
		text := clean.Text(agent.NewRedactor().Text(inWordsOfUse(err)))
		_, _ = fmt.Fprintf(p.err, "bowerbird: %s\n", text)
	}
	return exitCode(err)
}

// inWordsOfUse returns the text of an error; if the notes are in use, that of what has them
// open and what to do.
func inWordsOfUse(err error) string {
	inUse, ok := errors.AsType[*ndb.InUseError](err)
	if !ok {
		return err.Error()
	}
	who := "another Bowerbird"
	if inUse.PID != 0 {
		who += fmt.Sprintf(" (process %d)", inUse.PID)
	}
	return who + " has these notes open, and only one program can use them at a time.\n" +
		"If it is the window, close it. If it is a sync, you can stop it with Ctrl+C;\n" +
		"it continues where it left off when you start it again. Other commands end by themselves."
}

// stickyWriter keeps the first error, so that a command whose result could not be printed
// fails.
type stickyWriter struct {
	out io.Writer
	err error
}

func (w *stickyWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(p)
	w.err = err
	return n, err
}

// errSaid is joined to an error that was already shown.
var errSaid = errors.New("said")

// errStopped is the error of an answer that the user stopped.
var errStopped = errors.New("stopped")

// usageError is the error of a command line that cannot be carried out as written.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error) int {
	var (
		usage    usageError
		argument *config.ArgumentError
		store    *upkeep.StoreError
		inUse    *ndb.InUseError
		there    doneThere
	)
	switch {
	case errors.As(err, &there):
		return int(there)
	case errors.Is(err, errStopped):
		return exitStopped
	case errors.As(err, &usage), errors.As(err, &argument),
		errors.Is(err, account.ErrNotAKey), errors.Is(err, nostr.ErrSecretKey):
		return exitUsage
	case errors.As(err, &store), errors.As(err, &inUse), errors.Is(err, errNoFolder),
		errors.Is(err, ndb.ErrDamaged), errors.Is(err, ndb.ErrUnreadable), errors.Is(err, ndb.ErrReadOnly), errors.Is(err, ndb.ErrNoSpace):
		return exitUnusable
	}
	return exitFailed
}
