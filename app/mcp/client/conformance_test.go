package client

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"bowerbird/netsafe"
	"bowerbird/tools"
)

// conform is the client that the conformance suite starts with the address of its server: it
// calls each tool once, and answers each question with what the form has filled in.
func conform(address string) error {
	p := New(Options{
		Servers: func(context.Context) []Server { return []Server{{Name: "suite", URL: address}} },
		HTTP:    netsafe.ForServer,
	})
	defer p.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ctx = tools.WithCaller(ctx, tools.Caller{Ask: func(_ context.Context, q tools.Question) (tools.Reply, error) {
		filled := make(map[string][]string)
		for _, f := range q.Fields {
			filled[f.Name] = f.Default
		}
		return q.Accept(filled)
	}})
	if st, _ := p.Try(ctx, "suite"); st.State != Ready {
		return fmt.Errorf("%+v", st)
	}
	for _, tool := range p.Tools(ctx) {
		if _, err := tool.Call(ctx, nil, []byte(`{"a":5,"b":3}`)); err != nil {
			fmt.Fprintln(os.Stderr, tool.Spec().Name, err)
		}
	}
	return nil
}

// TestConformance runs the official suite's scenarios that do not sign in (OAuth), which is
// not supported. The suite is @modelcontextprotocol/conformance of npm, for Node 22.
func TestConformance(t *testing.T) {
	suite := os.Getenv("BOWERBIRD_CONFORMANCE")
	if suite == "" {
		t.Skip("BOWERBIRD_CONFORMANCE is not set to the node_modules with @modelcontextprotocol/conformance")
	}
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range []string{"initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(suite, ".bin", "conformance"), "client", "--command", me, "--scenario", scenario)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), behaviour+"=conforms")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", scenario, err, out)
		}
	}
}
