//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

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
