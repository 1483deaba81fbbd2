package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// The program uses an MCP server's tools: its own, over the sample. What was allowed runs
// unasked, everything else is not run where nobody can be asked.
func TestToolsOfAnMCPServerAreUsed(t *testing.T) {
	call := func(id, name, args string) string {
		quoted, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return chunk(`{"role":"assistant","tool_calls":[{"index":0,"id":"`+id+`","type":"function","function":{"name":"`+name+`","arguments":`+string(quoted)+`}}]}`, "")
	}
	done := chunk(`{}`, "tool_calls")
	server := testkit.NewModelServer(t,
		testkit.SSE(call("c1", "mcp__notes__count", `{"kind":1}`), done),
		testkit.SSE(call("c2", "mcp__notes__get_profile", `{"person":"x"}`), done),
		testkit.SSE(chunk(`{"content":"All counted."}`, ""), chunk(`{}`, "stop")),
	)
	p := installed(t)
	p.must(t, "mcp", "add", "notes", "--", p.bin, "--data", t.TempDir(), "--sample", "mcp")
	if r := p.must(t, "mcp", "test", "notes"); !strings.Contains(r.out, "Bowerbird") || !strings.Contains(r.out, "count (asks each time, says that it only reads)") {
		t.Error(r.out)
	}
	p.must(t, "mcp", "allow", "notes", "count", "free")
	p.must(t, "tools", "strategy", "direct") // all are more than a fifth of what a model of unknown size reads
	r := p.must(t, "--sample", "--json", "ask", "How many notes?", "--model", "custom:m", "--base-url", server.URL+"/v1", "--approve", "never")
	if !strings.Contains(r.out, `"name":"mcp__notes__count","ms"`) || !strings.Contains(r.out, "nobody is here to give it") {
		t.Error(r.out)
	}
	got := server.Received()
	if len(got) != 3 {
		t.Fatalf("%d requests: %s", len(got), r.err)
	}
	if !strings.Contains(string(got[0].Body), `"mcp__notes__query"`) {
		t.Errorf("the first request lists no tool of the server: %s", got[0].Body)
	}
	if !strings.Contains(string(got[1].Body), `\"server\":\"notes\"`) {
		t.Errorf("the result did not reach the model: %s", got[1].Body)
	}
	p.must(t, "mcp", "remove", "notes")
	if r := p.must(t, "mcp", "list"); r.out != "" {
		t.Error(r.out)
	}
}

func TestTheServersOfAnotherProgramAreTakenOver(t *testing.T) {
	p := installed(t)
	const file = `{"theme":"dark","mcpServers":{"File System":{"command":"npx","args":["-y","server-filesystem","/tmp"]},"remote":{"url":"https://mcp.example.com/mcp"}}}`
	if r := p.run(t, file, "mcp", "add", "--json", "-"); r.code != 0 {
		t.Fatal(r.err)
	}
	if r := p.must(t, "mcp", "list"); !strings.Contains(r.out, "file-system  on  npx -y server-filesystem /tmp") || !strings.Contains(r.out, "https://mcp.example.com/mcp") {
		t.Error(r.out)
	}
	for args, why := range map[string]string{
		"mcp add":                                "name the server",
		"mcp add Bad_Name -- x":                  "small letters",
		"mcp add both --url https://a.test -- x": "either a command or a url",
		"mcp add none":                           "either a command or a url",
		"mcp add remote -- x":                    "already",
		"mcp test absent":                        "there are file-system, remote",
		"mcp remove absent":                      "there are file-system, remote",
		"mcp allow remote tool perhaps":          "want ask, clean or free",
	} {
		if r := p.run(t, "", strings.Fields(args)...); r.code != 2 || !strings.Contains(r.err, why) {
			t.Errorf("%s: exit %d, %s; want %s", args, r.code, r.err, why)
		}
	}
}
