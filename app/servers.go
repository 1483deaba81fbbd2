package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/app/mcp/setup"
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
// noted there when it is first seen, and in memory how it looked.
func NewMCP(settings SettingsKeeper, secrets *models.Registry, memory setup.Memory, logger *slog.Logger) *client.Pool {
	return client.New(client.Options{
		Servers: func(ctx context.Context) []client.Server {
			return mcpServers(ctx, settings.Settings(), secrets, logger)
		},
		Changed: func(server string, offered []client.ToolStatus) []string {
			return changedTools(settings, memory, server, offered, logger)
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
const MCPToken = setup.Token

// MCPSecret is the name under which a secret of an MCP server is kept.
func MCPSecret(server, what string) string { return "mcp:" + server + "/" + what }

// changedTools notes the tools that are new, and returns those that are not what the user
// saw.
func changedTools(settings SettingsKeeper, memory setup.Memory, server string, offered []client.ToolStatus, logger *slog.Logger) []string {
	var changed []string
	var fresh []client.ToolStatus
	seen := settings.Settings().MCP[server].Tools
	for _, t := range offered {
		switch seen[t.Name].Seen {
		case "":
			fresh = append(fresh, t)
		case t.Fingerprint:
		default:
			changed = append(changed, t.Name)
		}
	}
	if len(fresh) == 0 {
		return changed
	}
	if err := memory.Note(server, time.Now(), fresh...); err != nil {
		logger.Warn("how the tools of an MCP server look cannot be kept", "server", server, "error", err.Error())
	}
	err := settings.SaveSettings(func(s *config.Settings) {
		for _, t := range fresh {
			noteTool(s, server, t.Name, func(m *config.MCPTool) {
				if m.Seen == "" {
					m.Seen = t.Fingerprint
				}
			})
		}
	})
	if err != nil {
		// Unnoted, a tool could change unseen: those that are not noted are not offered.
		logger.Error("the tools of an MCP server cannot be noted", "server", server, "error", err.Error())
		for _, t := range fresh {
			changed = append(changed, t.Name)
		}
	}
	return changed
}

// noteTool changes what is noted of a tool, if its server is set up.
func noteTool(s *config.Settings, server, tool string, change func(*config.MCPTool)) {
	m, there := s.MCP[server]
	if !there {
		return
	}
	if m.Tools == nil {
		m.Tools = make(map[string]config.MCPTool)
	}
	t := m.Tools[tool]
	change(&t)
	m.Tools[tool], s.MCP[server] = t, m
}

// AllowTool notes that the user looked at a tool and what it may do from now on.
func AllowTool(s *config.Settings, server string, tool client.ToolStatus, allow string) {
	if allow == config.AllowAsk {
		allow = ""
	}
	noteTool(s, server, tool.Name, func(m *config.MCPTool) { *m = config.MCPTool{Seen: tool.Fingerprint, Allow: allow} })
}

// MCPMemory returns what is kept of how tools of MCP servers looked.
func (a *App) MCPMemory() setup.Memory { return setup.Memory{Folder: a.Places().Tools} }

// AcceptTool allows a tool that has changed to be called again, asking each time.
func (a *App) AcceptTool(server string, tool client.ToolStatus) error {
	if err := a.MCPMemory().Note(server, a.Now(), tool); err != nil {
		return err
	}
	if err := a.SaveSettings(func(s *config.Settings) { AllowTool(s, server, tool, config.AllowAsk) }); err != nil {
		return err
	}
	a.servers.Refresh(server)
	return nil
}

// TryServer connects to a server that is not set up yet, or not any more, and describes it.
func (a *App) TryServer(ctx context.Context, e setup.Entry) client.Status {
	s := client.Server{
		Name: e.Name, Command: e.Server.Command, Args: e.Server.Args, Folder: e.Server.Folder, URL: e.Server.URL,
		Env: map[string]string{}, Token: e.Secrets[MCPToken],
	}
	for _, v := range e.Server.Env {
		s.Env[v] = e.Secrets[v]
	}
	pool := client.New(client.Options{Servers: func(context.Context) []client.Server { return []client.Server{s} }, HTTP: netsafe.ForServer, Logger: a.opt.Logger})
	defer pool.Close()
	st, _ := pool.Try(ctx, e.Name)
	return st
}

// AddServer keeps a server's secrets and sets it up. The secrets come first: a server is
// never set up without them. ErrKeyInMemory means that they could not be saved.
func AddServer(ctx context.Context, settings SettingsKeeper, secrets *models.Registry, e setup.Entry) error {
	tried := settings.Settings()
	set := func(s *config.Settings) {
		if s.MCP == nil {
			s.MCP = make(map[string]config.MCPServer)
		}
		s.MCP[e.Name] = e.Server
	}
	set(&tried)
	if err := tried.Check(); err != nil {
		return err
	}
	for what, value := range e.Secrets {
		if place, err := secrets.SetSecret(ctx, MCPSecret(e.Name, what), value); err != nil {
			return fmt.Errorf("%s of MCP server %s: %w", what, e.Name, err)
		} else if place == models.KeyInMemory {
			return ErrKeyInMemory
		}
	}
	return settings.SaveSettings(set)
}

// ErrKeyInMemory means that there is no keyring, and that the key file is not open.
var ErrKeyInMemory = errors.New("there is no keyring to keep it in, and the key file is not open")

// RemoveServer removes a server with its secrets.
func RemoveServer(ctx context.Context, settings SettingsKeeper, secrets *models.Registry, memory setup.Memory, name string) error {
	m := settings.Settings().MCP[name]
	kept := m.Env
	if m.Token {
		kept = []string{MCPToken}
	}
	for _, what := range kept {
		if err := secrets.RemoveSecret(ctx, MCPSecret(name, what)); err != nil {
			return err
		}
	}
	memory.Forget(name)
	return settings.SaveSettings(func(s *config.Settings) { delete(s.MCP, name) })
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
