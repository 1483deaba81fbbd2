//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

// The first signal stops the program in good order. Who sends another one does not want
// to wait for that: here for an import to which nothing comes.
func TestASecondInterruptEndsTheProgramAtOnce(t *testing.T) {
	p := installed(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	cmd, _, errOut := p.start(t.Context(), "", "import", "-")
	cmd.Stdin = read
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	testkit.Eventually(t, "both stores are open", func() bool {
		_, err := os.Stat(filepath.Join(p.data, "own", "witness"))
		return err == nil
	})
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	testkit.Eventually(t, "it has ended", func() bool {
		_ = cmd.Process.Signal(os.Interrupt)
		return len(ended) > 0
	})
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %v: %s", cmd.ProcessState, errOut)
	}
}

// TestAnInterruptEndsATurnWithItsLastEventAndTellsTheShell: what was said until then
// is printed, the last event says that the turn was stopped, and the exit code is that of a
// program that an interrupt ended.
func TestAnInterruptEndsATurnWithItsLastEventAndTellsTheShell(t *testing.T) {
	for name, args := range map[string][]string{"events": {"--json"}, "text": nil} {
		t.Run(name, func(t *testing.T) {
			begun := testkit.SSE(chunk(`{"content":"I was about"}`, ""))
			begun.Body, _, _ = strings.Cut(begun.Body, "data: [DONE]")
			begun.Hang = true
			server := testkit.NewModelServer(t, begun)
			p := installed(t)
			cmd, out, errOut := p.start(t.Context(), "", append(args, "--sample", "ask", "What is new?", "--model", "custom:m", "--base-url", server.URL+"/v1")...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			testkit.Eventually(t, "the answer began", func() bool { return len(server.Received()) == 1 })
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit %d: %s", code, errOut)
			}
			if name == "text" {
				if !strings.Contains(errOut.String(), "stopped") {
					t.Errorf("it does not say that it was stopped: %s", errOut)
				}
				return
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			for _, line := range lines {
				decode[map[string]any](t, line)
			}
			last := decode[struct{ Type, Reason string }](t, lines[len(lines)-1])
			if last.Type != "finish" || last.Reason != "cancelled" {
				t.Errorf("the last event is %+v", last)
			}
		})
	}
}

func TestAskingWhileASyncRunsSaysWhatHelps(t *testing.T) {
	me, ada := testkit.NewKey("me"), testkit.NewKey("ada")
	now := time.Now().Unix()
	relay := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, me.Event(t, 3, now-100, "", []string{"p", ada.PubKey}), ada.Event(t, 1, now-3600, "hello"))
	p := installed(t)
	sync, _, _ := p.start(t.Context(), "", "sync", "--as", me.PubKey, "--relay", relay.URL, "--allow-private")
	if err := sync.Start(); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the sync asks", func() bool { return relay.Dials() > 0 })
	r := p.run(t, "", "ask", "What did I miss since yesterday?")
	pid := fmt.Sprint("process ", sync.Process.Pid)
	if r.code != 3 || !strings.Contains(r.err, pid) || !strings.Contains(r.err, "If it is a sync, you can stop it with Ctrl+C;\nit continues where it left off") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if strings.Contains(r.err, "/") {
		t.Errorf("it speaks of folders: %s", r.err)
	}
	if err := sync.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := sync.Wait(); err != nil {
		t.Errorf("the sync: %v", err)
	}
	p.must(t, "ask", "What did I miss since yesterday?")
}
