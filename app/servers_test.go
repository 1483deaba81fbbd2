package app

import (
	"log/slog"
	"maps"
	"slices"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/app/mcp/setup"
	"bowerbird/tools"
)

// memory keeps settings without a file.
type memory struct {
	config.Settings
	fails error
}

func (m *memory) settings() config.Settings { return m.Settings.Clone() }

type keeper struct{ *memory }

func (k keeper) Settings() config.Settings { return k.settings() }

func (k keeper) SaveSettings(change func(*config.Settings)) error {
	if k.fails == nil {
		change(&k.memory.Settings)
	}
	return k.fails
}

// What was not there when the user looked is noted; what is no longer the same is off until
// they look again, also after the server takes the change back and makes it again.
func TestToolsThatChangeAreOff(t *testing.T) {
	k := keeper{&memory{Settings: config.Settings{MCP: map[string]config.MCPServer{"s": {Command: "x"}}}}}
	log, folder := slog.New(slog.DiscardHandler), t.TempDir()
	changed := func(prints map[string]string) []string {
		var offered []client.ToolStatus
		for name, print := range prints {
			offered = append(offered, client.ToolStatus{Name: name, Fingerprint: print})
		}
		return slices.Sorted(slices.Values(changedTools(k, setup.Memory{Folder: folder}, "s", offered, log)))
	}
	for _, step := range []struct {
		offers  map[string]string
		changed []string
	}{
		{map[string]string{"a": "1", "b": "1"}, nil},
		{map[string]string{"a": "1", "b": "2"}, []string{"b"}},
		{map[string]string{"a": "1", "b": "1", "c": "1"}, nil},
		{map[string]string{"a": "1"}, nil},
		{map[string]string{"b": "2", "c": "2", "d": "1"}, []string{"b", "c"}},
	} {
		if got := changed(step.offers); !slices.Equal(got, step.changed) {
			t.Errorf("%v: %v changed, want %v", step.offers, got, step.changed)
		}
	}
	if got := slices.Sorted(maps.Keys(k.settings().MCP["s"].Tools)); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Error(got)
	}
	k.fails = config.ErrNoKeyring
	if got := changed(map[string]string{"a": "1", "new": "1"}); !slices.Equal(got, []string{"new"}) {
		t.Errorf("a tool that cannot be noted is offered: %v", got)
	}
}

func TestPermissionsAreThoseOfTheSettings(t *testing.T) {
	a := &App{opt: Options{Settings: config.Settings{MCP: map[string]config.MCPServer{
		"s": {Command: "x", Tools: map[string]config.MCPTool{"a": {}, "b.c": {Allow: config.AllowClean}, "d": {Allow: config.AllowFree}}},
	}}}}
	for tool, want := range map[string]agent.Permission{"a": agent.AskEach, "b.c": agent.FreeClean, "d": agent.Free, "e": agent.AskEach} {
		if got := a.permission(tools.Spec{Name: client.ModelName("s", tool), Source: "mcp:s"}); got != want {
			t.Errorf("%s: %v, want %v", tool, got, want)
		}
		if got := a.permission(tools.Spec{Name: client.ModelName("s", tool), Source: "mcp:other"}); got != agent.AskEach {
			t.Errorf("%s of another server: %v", tool, got)
		}
		if got := a.permission(tools.Spec{Name: tool}); got != agent.AskEach {
			t.Errorf("our own %s: %v", tool, got)
		}
	}
}
