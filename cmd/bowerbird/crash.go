package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"bowerbird/app/agent"
	"bowerbird/ndb/clean"
)

// Go itself reports a crash, on standard error, with whatever the fault had in memory; no
// code of a dying program can remove secrets from that. So the program starts itself a
// second time, to read what is written to the system's standard error and print it without
// them. The program's own messages do not go that way.

const crashName = "report-crash"

// guard has another process of this program print what is written to the system's standard
// error from now on. os.Stderr then bypasses it, for what is clean. With an error nothing
// has changed.
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
	go func() { _ = reporter.Wait() }() // it usually ends after this process
	around, err := redirectStderr(write)
	if err != nil {
		return err // the reporter ends too, without a writer
	}
	os.Stderr = around
	return nil
}

// crashCmd is what the program starts itself with to report crashes.
func (p *program) crashCmd() *cobra.Command {
	return &cobra.Command{
		Use:    crashName,
		Hidden: true,
		Args:   usageArgs(noArgs),
		RunE: func(*cobra.Command, []string) error {
			// It outlives the process that it reads from, whatever ends that.
			signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
			return reportCrash(p.in, p.err)
		},
	}
}

// mostCrashLines limits what is printed of a crash: the dump of a stack overflow repeats
// itself.
const mostCrashLines = 400

// reportCrash prints what it reads, without secrets, and at the end a crash, with what to
// do.
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
			return fmt.Errorf("reading what the program wrote: %w", err)
		}
	}
}

// readLine reads a line; of a long one, the first part.
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
	starts := []string{"panic: ", "fatal error: ", "runtime: ", "unexpected fault address", "SIG"}
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(line, start) })
}

const crashAdvice = `
bowerbird: the program crashed because of a bug.
Start it again: notes and chats are saved as they arrive, and an answer that was cut off can be continued.
If it crashes again, run "bowerbird check" to verify the stored data; "bowerbird check --repair" repairs it.
To report the bug, send the text below. Keys, the words and numbers that the program worked with, and everything but the host of each address have been removed.`

// What may be printed of a crash: names of functions and places in the code as they are; of
// everything else, which can hold anything, what is not secret.

var (
	// Lines of a stack: the place of a call, and a call with its arguments, which are
	// numbers and may be those of a key.
	stackPlace = regexp.MustCompile(`^\t(\S.*\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+)?$`)
	stackCall  = regexp.MustCompile(`^((?:created by )?[\w./*()%\-\[\]·…,]+)\([^()]*\)$`)
	stackMade  = regexp.MustCompile(`^created by [\w./*()%\-\[\]·…,]+(?: in goroutine \d+)?$`)
	stackHead  = regexp.MustCompile(`^goroutine \d+(?: gp=0x[0-9a-f]+ m=\S+(?: mp=0x[0-9a-f]+)?)? \[[\w ,().]+\]:$`)

	// In other text: an address, of which the host is kept, and anything long without
	// spaces.
	address = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.\-]*://)[^\s"'<>]*`)
	long    = regexp.MustCompile(`[A-Za-z0-9_+/=~.\-]{16,}`)
)

// mostCrashWords is the maximum length of a line of text, in bytes.
const mostCrashWords = 400

// cleanCrash returns what may be printed of a crash: text, and after the first head of a
// stack, stacks.
func cleanCrash(lines []string) string {
	var b strings.Builder
	stacks := false
	for _, line := range lines {
		stacks = stacks || stackHead.MatchString(line)
		if stacks {
			line = cleanStackLine(agent.NewRedactor().Text(line))
		} else {
			line = cleanCrashWords(line)
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func cleanStackLine(line string) string {
	if m := stackPlace.FindStringSubmatch(line); m != nil {
		parts := strings.Split(m[1], "/") // the first folders may name the user
		return "\t" + clean.Line(strings.Join(parts[max(0, len(parts)-3):], "/"), mostCrashWords) + ":" + m[2]
	}
	if m := stackCall.FindStringSubmatch(line); m != nil {
		return m[1] + "(...)"
	}
	if stackMade.MatchString(line) || stackHead.MatchString(line) {
		return line
	}
	return cleanCrashWords(line)
}

// cleanCrashWords removes from text whatever it may give away.
func cleanCrashWords(line string) string {
	line = agent.NewRedactor().Text(clean.Line(line, 0))
	line = address.ReplaceAllStringFunc(line, hostOnly)
	line = long.ReplaceAllStringFunc(line, func(word string) string {
		if !strings.ContainsAny(word, "0123456789") || strings.HasPrefix(word, "0x") && len(word) <= len("0x0123456789abcdef") {
			return word // ordinary words, and memory addresses
		}
		return "[removed]"
	})
	return clean.Line(line, mostCrashWords)
}

// hostOnly shortens an address to its scheme and host.
func hostOnly(a string) string {
	scheme, rest, _ := strings.Cut(a, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:] + "/…"
}
