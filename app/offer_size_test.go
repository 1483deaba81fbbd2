package app

import (
	"fmt"
	"net/http"
	"testing"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
)

// With 510 tools of 30 servers, a model's server is still sent less than 20 kB at first.
func TestTheFirstRequestIsSmallHoweverManyToolsThereAre(t *testing.T) {
	const servers, each, most = 30, 17, 20_000
	server := testkit.NewModelServer(t, done)
	set := config.Settings{
		Tools: config.Tools{Strategy: "deferred"}, MCP: make(map[string]config.MCPServer),
		Models: map[string]config.ModelOptions{"custom:owl": {Context: 131072}},
	}
	for i := range servers {
		set.MCP[fmt.Sprint("post", i)] = config.MCPServer{URL: letterServer(t, each)}
	}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: set})
	answer, err := a.Ask(t.Context(), Question{Text: "Send a letter to house number 7", Model: models.Choice{ID: "custom:owl", BaseURL: server.URL}, Approver: &yes{}})
	if err != nil {
		t.Fatal(err)
	}
	for range answer.Events { //nolint:revive // only what was sent matters
	}
	known := 0
	for _, st := range a.MCP().Status(t.Context()) {
		known += len(st.Tools)
	}
	for _, r := range server.Received() {
		if r.Method != http.MethodPost {
			continue
		}
		t.Logf("%d bytes with %d tools", len(r.Body), known)
		if known != servers*each || len(r.Body) >= most {
			t.Errorf("%d bytes with %d tools, want less than %d with %d", len(r.Body), known, most, servers*each)
		}
		return
	}
	t.Error("nothing was sent")
}
