package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

// program is one installation of the built program, with a data folder of its own.
type program struct {
	bin  string
	data string
	env  []string
}

// result is what a run left behind.
type result struct {
	code     int
	out, err string
}

// installed returns a fresh installation. It builds the program unless `make e2e`
// has said where it is.
func installed(t *testing.T) *program {
	t.Helper()
	bin := os.Getenv("BOWERBIRD_BIN")
	if bin == "" {
		bin = filepath.Join(t.TempDir(), "bowerbird")
		cmd := exec.Command("go", "build", "-o", bin, "./cmd/bowerbird")
		cmd.Dir = testkit.Root(t)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building: %v\n%s", err, out)
		}
	}
	return &program{bin: bin, data: t.TempDir()}
}

// start begins a run; the caller waits for it.
func (p *program) start(ctx context.Context, stdin string, args ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	cmd = exec.CommandContext(ctx, p.bin, append([]string{"--data", p.data}, args...)...)
	// No keyring of the machine's, no key of its environment.
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.data, "TZ=UTC"}, p.env...)
	cmd.Stdin = strings.NewReader(stdin)
	out, errOut = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, errOut
	return cmd, out, errOut
}

// run runs a command to its end, which must come within two minutes.
func (p *program) run(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd, out, errOut := p.start(ctx, stdin, args...)
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s", args, err, errOut)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// must is run for a command that has to succeed.
func (p *program) must(t *testing.T, args ...string) result {
	t.Helper()
	r := p.run(t, "", args...)
	if r.code != 0 {
		t.Fatalf("%v: exit %d\n%s", args, r.code, r.err)
	}
	return r
}

// events returns the ids that a filter finds in the store.
func (p *program) events(t *testing.T, filter string) map[nostr.ID]bool {
	t.Helper()
	ids := map[nostr.ID]bool{}
	for line := range strings.Lines(p.must(t, "req", filter).out) {
		e, err := nostr.ParseEvent([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		ids[e.ID] = true
	}
	return ids
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// summary is what sync --json prints.
type summary struct {
	People, Complete, Partly, Unreachable, Stored int
	Relays                                        []struct {
		URL, State, Error string
		Events            int
	}
}
