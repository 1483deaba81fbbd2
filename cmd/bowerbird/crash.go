package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// A crash is told by Go itself, on the standard error, with whatever the fault had in
// its hands. No code of a program that dies so can cut secrets out of that. So the
// program starts itself a second time, to read what the system's own standard error
// gets, and to print it without them. What the program has to say by itself does not go
// that way.

const crashName = "report-crash"

// guard has another process of this program print what is written to the standard error
// of the system, from now on. Os.Stderr is then a way around it, for what is clean. With
// an error nothing has changed.
func guard() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = write.Close() }() // the standard error is a copy
	reporter := exec.Command(self, crashName)
	reporter.Stdin, reporter.Stderr = read, os.Stderr
	err = reporter.Start()
	_ = read.Close()
	if err != nil {
		return err
	}
	go func() { _ = reporter.Wait() }() // it ends after this process, as a rule
	around, err := redirectStderr(write)
	if err != nil {
		return err // and the reporter ends, since nobody writes to it
	}
	os.Stderr = around
	return nil
}

// guarded reports whether a command line is one that a crash is reported of: not one
// that this program gives itself.
func guarded(args []string) bool {
	return !slices.Contains([]string{crashName, examineName}, slices.Concat(args, []string{""})[0])
}

// crashCmd is what the program starts itself with to report crashes.
func (p *program) crashCmd() *cobra.Command {
	return &cobra.Command{
		Use:    crashName,
		Hidden: true,
		Args:   usageArgs(noArgs),
		RunE: func(*cobra.Command, []string) error {
			// It lives as long as what it reads from, whatever ends that one.
			signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
			return reportCrash(p.in, p.err)
		},
	}
}

// mostCrashLines is how much of a crash is printed. What the dump of a stack that was
// too deep repeats is of no use.
const mostCrashLines = 400

// reportCrash passes on what it reads, without secrets, until there is a crash, which it
// prints at its end, with what to do.
func reportCrash(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var crash []string
	for {
		line, err := readLine(lines)
		switch {
		case len(crash) > 0 && len(crash) < mostCrashLines, len(crash) == 0 && beginsCrash(line):
			crash = append(crash, line)
		case len(crash) == 0 && line != "":
			say(out, "%s", cleanCrashWords(line))
		}
		if err != nil {
			if len(crash) > 0 {
				say(out, "%s\n\n%s", crashAdvice, cleanCrash(crash))
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read what the program wrote: %w", err)
		}
	}
}

// readLine reads a line, of which it keeps the first part if it is long.
func readLine(r *bufio.Reader) (string, error) {
	line, more, err := r.ReadLine()
	kept := string(line)
	for more && err == nil {
		_, more, err = r.ReadLine()
	}
	return kept, err
}

// beginsCrash reports whether a line is the first of what Go writes when it gives up.
func beginsCrash(line string) bool {
	for _, start := range []string{"panic: ", "fatal error: ", "runtime: ", "unexpected fault address", "SIG"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// crashAdvice says what to do.
const crashAdvice = `
bowerbird: the program had to stop because of a fault of its own.
Start it again: notes and chats are saved as they come, and an answer that was cut off can go on.
If it stops again, run "bowerbird check", which finds out whether what is stored is sound; with --repair it mends it.
To report the fault, send on what follows. Keys, the words and numbers that the program worked with, and all but the hosts of addresses are cut out of it.`
