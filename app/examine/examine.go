// Package examine checks stores in a separate process. Damaged files may crash the
// database, in one of its goroutines or by a signal, and nothing in the same process can
// prevent that: the program starts itself again with a hidden command, and if that
// crashes twice, the crash is a finding like any other.
//
//	look := examine.ByChild(program, "examine") // whose command calls Serve
//	report, err := look(ctx, dir, full, progress)
//
// What is checked, and that nothing is changed, is up to ndb.Probe.
package examine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"bowerbird/ndb"
)

// Func checks the store in a folder, thoroughly if full. The error means that nothing
// could be found out; damage is in the report. progress may be nil.
type Func func(ctx context.Context, dir string, full bool, progress func(done, of int)) (ndb.CheckReport, error)

// line is one line of the child's output: progress, and last the report or an error.
type line struct {
	Done   int              `json:"done,omitempty"`
	Of     int              `json:"of,omitempty"`
	Report *ndb.CheckReport `json:"report,omitempty"`
	Error  string           `json:"error,omitempty"`
	Kind   string           `json:"kind,omitempty"`
}

// kinds are the errors that a caller may want to distinguish.
var kinds = map[string]error{"no space": ndb.ErrNoSpace, "read only": ndb.ErrReadOnly, "unreadable": ndb.ErrUnreadable}

// Serve is the child's part: it checks a store and writes its findings to out as JSON
// Lines.
func Serve(ctx context.Context, out io.Writer, dir string, full bool) error {
	enc := json.NewEncoder(out)
	report, err := ndb.Probe(ctx, dir, full, func(done, of int) {
		_ = enc.Encode(line{Done: done, Of: of}) // nobody may be listening
	})
	if err == nil {
		return enc.Encode(line{Report: &report})
	}
	l := line{Error: err.Error()}
	for kind, of := range kinds {
		if errors.Is(err, of) {
			l.Kind = kind
		}
	}
	return enc.Encode(l)
}

// ErrKilled is returned if the child was ended from outside: by the system when memory
// ran short, by a person, by a virus scanner. That says nothing about the store.
var ErrKilled = errors.New("the process that looked at the store was ended from outside")

// tries is how often the child has to crash before that counts as damage.
const tries = 2

// ByChild returns a Func that starts a program with the given arguments, followed by
// "--full" or nothing, and the folder; the program must call Serve. If no process can be
// started, the store is checked in this one.
func ByChild(program string, args ...string) Func {
	return func(ctx context.Context, dir string, full bool, progress func(done, of int)) (ndb.CheckReport, error) {
		all := append([]string{}, args...)
		if full {
			all = append(all, "--full")
		}
		all = append(all, "--", dir)
		var crash ndb.CheckReport
		for range tries {
			cmd := exec.CommandContext(ctx, program, all...)
			var stderr opening
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				return ndb.Probe(ctx, dir, full, progress)
			}
			last := listen(out, progress)
			err = cmd.Wait()
			switch {
			case ctx.Err() != nil:
				return ndb.CheckReport{}, ctx.Err()
			case err == nil && last.Report != nil:
				return *last.Report, nil
			case err == nil && last.Error != "":
				return ndb.CheckReport{}, errorOf(last)
			case killed(cmd.ProcessState, stderr.first()):
				return ndb.CheckReport{}, ErrKilled
			}
			crash = crashed(err, stderr.first())
		}
		return crash, nil
	}
}

// killed reports whether a process was ended from outside. Windows has no signals: there,
// a process that is ended usually gets the exit code 1 and has written nothing.
func killed(state *os.ProcessState, said string) bool {
	if runtime.GOOS == "windows" {
		return state.ExitCode() == 1 && said == ""
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// listen reads the child's output and returns the last line.
func listen(out io.Reader, progress func(done, of int)) (last line) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		if last = l; l.Of > 0 && progress != nil {
			progress(l.Done, l.Of)
		}
	}
	_, _ = io.Copy(io.Discard, out) // otherwise a child that cannot write would never end
	return last
}

func errorOf(l line) error {
	if kind, ok := kinds[l.Kind]; ok {
		return childError{l.Error, kind}
	}
	return errors.New(l.Error)
}

// childError is an error of the child in its words, with its kind.
type childError struct {
	text string
	kind error
}

func (e childError) Error() string { return e.text }
func (e childError) Unwrap() error { return e.kind }

// crashed is the report on a child that did not finish.
func crashed(err error, said string) ndb.CheckReport {
	text := "looking at it ended the process that did so"
	if err != nil {
		text += " (" + err.Error() + ")"
	}
	if said != "" {
		text += ": " + said
	}
	return ndb.CheckReport{Bad: []string{text}, BadCount: 1, Crash: true}
}

// opening keeps the beginning of what is written, where a crash states its cause.
type opening struct{ text strings.Builder }

func (t *opening) Write(p []byte) (int, error) {
	const most = 2000
	t.text.Write(p[:min(len(p), most-min(most, t.text.Len()))])
	return len(p), nil
}

func (t *opening) first() string {
	line, _, _ := strings.Cut(strings.TrimSpace(t.text.String()), "\n")
	return line
}
