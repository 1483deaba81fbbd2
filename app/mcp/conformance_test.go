package mcp

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestConformance runs those of the official suite's scenarios that need no server made for
// them, with tools, resources and prompts of given names. The suite is
// @modelcontextprotocol/conformance of npm, for Node 22; it sends no token.
func TestConformance(t *testing.T) {
	suite := os.Getenv("BOWERBIRD_CONFORMANCE")
	if suite == "" {
		t.Skip("BOWERBIRD_CONFORMANCE is not set to the node_modules with @modelcontextprotocol/conformance")
	}
	server := httptest.NewServer(Server("token", Options{}).Handler)
	defer server.Close()
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // as a page on the network would have it
		r.Out.Header.Set("Authorization", "Bearer token")
	}})
	defer proxy.Close()
	for _, scenario := range []string{
		"server-initialize", "logging-set-level", "ping", "tools-list", "server-sse-polling", "server-sse-multiple-streams",
		"resources-list", "prompts-list", "dns-rebinding-protection",
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(suite, ".bin", "conformance"), "server", "--url", proxy.URL+"/mcp", "--scenario", scenario)
		cmd.Dir = t.TempDir()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", scenario, err, out)
		}
	}
}
