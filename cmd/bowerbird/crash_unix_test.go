//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A terminal sends what its keys mean to all processes of a command, to the one that
// reports the crash too.
func TestAKeyThatEndsTheProgramDoesNotEndWhatReportsIt(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, crashingName, "at a key of the terminal")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	if line, err := lines.ReadString('\n'); line != "ready\n" { // by way of the reporter
		t.Fatalf("%q, %v", line, err)
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it crashed
	for _, want := range []string{"crashed because of a bug", "SIGQUIT", ".crashAs"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("%q is not said", want)
		}
	}
	if t.Failed() || strings.Contains(string(said), "reportCrash") {
		t.Errorf("said:\n%s", said)
	}
}
