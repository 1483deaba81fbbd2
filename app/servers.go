package app

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/app/models"
	"bowerbird/netsafe"
	"bowerbird/tools"
)

// SettingsKeeper has the settings, and saves what is changed in them; an App is one.
type SettingsKeeper interface {
	Settings() config.Settings
	SaveSettings(change func(*config.Settings)) error
}

// NewMCP returns the connections to the MCP servers in the settings. What a server offers is
// noted there when it is first seen.
func NewMCP(settings SettingsKeeper, secrets *models.Registry, logger *slog.Logger) *client.Pool {
	return client.New(client.Options{
		Servers: func(ctx context.Context) []client.Server {
			return mcpServers(ctx, settings.Settings(), secrets, logger)
		},
		Changed: func(server string, prints map[string]string) []string {
			return changedTools(settings, server, prints, logger)
		},
		HTTP: netsafe.ForServer, Logger: logger,
	})
}

// mcpServers returns the servers that are on, with their secrets.
func mcpServers(ctx context.Context, settings config.Settings, secrets *models.Registry, logger *slog.Logger) []client.Server {
	var all []client.Server
	for name, m := range settings.MCP {
		if m.Off {
			continue
		}
		secret := func(what string) string {
			s, err := secrets.Secret(ctx, MCPSecret(name, what))
			if err != nil {
				logger.Warn("a secret of an MCP server cannot be read", "server", name, "secret", what, "error", err.Error())
			}
			return s.Reveal()
		}
		s := client.Server{Name: name, Command: m.Command, Args: m.Args, Folder: m.Folder, URL: m.URL, Env: map[string]string{}}
		for _, v := range m.Env {
			s.Env[v] = secret(v)
		}
		if m.Token {
			s.Token = secret(MCPToken)
		}
		all = append(all, s)
	}
	return all
}

// MCPToken names the bearer token among a server's secrets.
const MCPToken = "token"

// MCPSecret is the name under which a secret of an MCP server is kept.
func MCPSecret(server, what string) string { return "mcp:" + server + "/" + what }

// changedTools notes the tools that are new, and returns those that are not what the user
// saw.
func changedTools(settings SettingsKeeper, server string, prints map[string]string, logger *slog.Logger) []string {
	var changed []string
	fresh := false
	seen := settings.Settings().MCP[server].Tools
	for name, print := range prints {
		switch {
		case seen[name].Seen == "":
			fresh = true
		case seen[name].Seen != print:
			changed = append(changed, name)
		}
	}
	if !fresh {
		return changed
	}
	err := settings.SaveSettings(func(s *config.Settings) {
		m, there := s.MCP[server]
		if !there {
			return
		}
		if m.Tools == nil {
			m.Tools = make(map[string]config.MCPTool)
		}
		for name, print := range prints {
			if t := m.Tools[name]; t.Seen == "" {
				t.Seen = print
				m.Tools[name] = t
			}
		}
		s.MCP[server] = m
	})
	if err != nil {
		// Unnoted, a tool could change unseen: those that are not noted are not offered.
		logger.Error("the tools of an MCP server cannot be noted", "server", server, "error", err.Error())
		for name := range prints {
			if seen[name].Seen == "" {
				changed = append(changed, name)
			}
		}
	}
	return changed
}

// permission returns what the user allowed a tool of an MCP server.
func (a *App) permission(spec tools.Spec) agent.Permission {
	server, ok := strings.CutPrefix(spec.Source, "mcp:")
	if !ok {
		return agent.AskEach
	}
	for name, t := range a.Settings().MCP[server].Tools {
		if client.ModelName(server, name) == spec.Name {
			return agent.Permission(max(0, slices.Index([]string{config.AllowAsk, config.AllowClean, config.AllowFree}, t.Allow)))
		}
	}
	return agent.AskEach
}
