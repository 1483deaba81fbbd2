package config

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
)

// MCPServer is a server of tools (Model Context Protocol) that the user set up: a command to
// run, or an address.
type MCPServer struct {
	Command string   `toml:"command,omitempty"` // a program; no shell runs it
	Args    []string `toml:"args,omitempty"`
	Folder  string   `toml:"folder,omitempty"` // where Command runs; "" is the user's home
	// Env names the variables that Command gets beside PATH. Their values are secrets.
	Env   []string `toml:"env,omitempty"`
	URL   string   `toml:"url,omitempty"`
	Token bool     `toml:"token,omitempty"` // a bearer token for URL is kept as a secret
	Off   bool     `toml:"off,omitempty"`
	// Tools holds what the user saw and allowed, by the server's name for a tool.
	Tools map[string]MCPTool `toml:"tools,omitempty"`
}

// MCPTool is a tool of a server as the user saw it.
type MCPTool struct {
	Seen  string `toml:"seen,omitempty"`  // its fingerprint then
	Allow string `toml:"allow,omitempty"` // AllowAsk, AllowClean or AllowFree; "" is AllowAsk
}

// What a tool of a server may do without a question.
const (
	AllowAsk   = "ask"   // nothing
	AllowClean = "clean" // run, while the chat holds only the user's own words
	AllowFree  = "free"  // run always; only a tool that reads
)

var (
	serverName   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// IsServerName reports whether a server can have a name.
func IsServerName(name string) bool { return serverName.MatchString(name) }

// IsVariableName reports whether an environment variable can have a name.
func IsVariableName(name string) bool { return variableName.MatchString(name) }

func (s Settings) checkMCP() error {
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if err := s.MCP[name].check(name); err != nil {
			return fmt.Errorf("entry mcp.%q: %w", name, err)
		}
	}
	return nil
}

func (m MCPServer) check(name string) error {
	if !serverName.MatchString(name) {
		return fmt.Errorf("%q is no name for a server; want up to 32 small letters, digits and hyphens", name)
	}
	if (m.Command == "") == (m.URL == "") {
		return fmt.Errorf("want either a command or a url")
	}
	if m.URL != "" {
		if u, err := url.Parse(m.URL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return fmt.Errorf("url is not an address that starts with https:// or http://")
		} else if u.User != nil {
			return fmt.Errorf("url holds a user name or password; keep a token as a secret: \"bowerbird mcp add --token\"")
		}
	}
	if m.URL == "" && m.Token {
		return fmt.Errorf("token is for servers with a url")
	}
	for _, v := range m.Env {
		if !variableName.MatchString(v) {
			return fmt.Errorf("env has %q, which is no name of a variable", v)
		}
	}
	for tool, t := range m.Tools {
		if !slices.Contains([]string{"", AllowAsk, AllowClean, AllowFree}, t.Allow) {
			return fmt.Errorf("tools.%q.allow is %q; want one of %q", tool, t.Allow, []string{AllowAsk, AllowClean, AllowFree})
		}
	}
	return nil
}

// clone copies what assignment would share.
func (m MCPServer) clone() MCPServer {
	m.Args, m.Env, m.Tools = slices.Clone(m.Args), slices.Clone(m.Env), maps.Clone(m.Tools)
	return m
}
