package ndb

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const childProbe = "NDB_TEST_PROBE_DIR"

// probeInChild runs Probe in a process of its own, as the program does.
func probeInChild(ctx context.Context, dir string) (report CheckReport, err error) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childProbe+"="+dir)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil { // it crashed
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return CheckReport{Bad: []string{"looking at it crashed: " + line}, BadCount: 1}, nil
	}
	return report, json.Unmarshal(out, &report)
}

func probeAndTell(dir string) error {
	report, err := Probe(context.Background(), dir, false, nil)
	if err != nil {
		return err
	}
	out, err := json.Marshal(report)
	fmt.Println(string(out))
	return err
}

// startTalkingChild starts the test binary with a variable that says what it does,
// and gives its lines and what it reads.
func startTalkingChild(t *testing.T, env string) (*exec.Cmd, *bufio.Scanner, io.WriteCloser) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env)
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out), in
}

// children are what the test binary can do as a child, by the variable that asks.
var children = map[string]func(value string) error{childProbe: probeAndTell}
