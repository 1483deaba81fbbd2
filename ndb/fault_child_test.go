package ndb

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
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
