// Package setup is what a user does with MCP servers before and beside calls: it takes them
// over from other programs' settings, checks what is typed, and remembers how their tools
// looked when they were seen.
//
//	entries, err := setup.Parse(text) // the "mcpServers" of another program
//	problems := entries[0].Check(taken)
//
// It connects to nothing and keeps no secrets.
package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"bowerbird/app/config"
	"bowerbird/ndb/clean"
)

// Token names the bearer token among a server's secrets; the others are named like the
// variables that they are the values of.
const Token = "token"

// Entry is a server that is to be set up.
type Entry struct {
	Name    string
	Server  config.MCPServer
	Secrets map[string]string // by [Token] or by the names in Server.Env
}

// Field is a part of an Entry that a user fills in.
type Field string

// The fields.
const (
	Name     Field = "name"
	Command  Field = "command"
	Address  Field = "address"
	Variable Field = "variable"
)

// Problem is what is wrong with a field.
type Problem uint8

// The problems.
const (
	None        Problem = iota
	Missing             // it is empty
	Taken               // there is a server of that name
	NotAName            // want up to 32 small letters, digits and hyphens
	NotAnURL            // want an address that begins with https:// or http://
	HasPassword         // the address holds a user name or password
	NoVariable          // a line is not NAME=value
)

// Check returns what is wrong with each field of an entry; nothing if it can be set up.
// taken reports whether there is a server of a name.
func (e Entry) Check(taken func(name string) bool) map[Field]Problem {
	found := make(map[Field]Problem)
	switch {
	case e.Name == "":
		found[Name] = Missing
	case !config.IsServerName(e.Name):
		found[Name] = NotAName
	case taken(e.Name):
		found[Name] = Taken
	}
	if e.Server.Command == "" && e.Server.URL == "" {
		found[Command], found[Address] = Missing, Missing
	}
	if e.Server.URL != "" {
		u, err := url.Parse(e.Server.URL)
		switch {
		case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
			found[Address] = NotAnURL
		case u.User != nil:
			found[Address] = HasPassword
		}
	}
	for _, name := range e.Server.Env {
		if !config.IsVariableName(name) || e.Secrets[name] == "" {
			found[Variable] = NoVariable
		}
	}
	return found
}

// Variables reads lines of the form NAME=value into the entry.
func (e *Entry) Variables(text string) {
	e.Server.Env, e.Secrets = nil, make(map[string]string)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !slices.Contains(e.Server.Env, name) {
			e.Server.Env = append(e.Server.Env, name)
		}
		e.Secrets[name] = strings.TrimSpace(value)
	}
}

// Words splits a line into arguments: at spaces, unless they are between quotation marks. A
// backslash means itself, as in paths on Windows.
func Words(line string) []string {
	var words []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range line {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case r == quote && quote != 0:
			quote = 0
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// The ways in which another program's settings cannot be taken over.
var (
	ErrNoJSON    = errors.New("not the whole JSON of a settings file")
	ErrNoServers = errors.New("it has no \"mcpServers\"")
)

// LineError is the line of a mistake in another program's settings. It is an [ErrNoJSON].
type LineError struct {
	Line int  // the first is 1
	Kind bool // it has a value of the wrong kind; else it is no JSON
}

func (e *LineError) Error() string {
	if e.Kind {
		return fmt.Sprintf("line %d has a value of the wrong kind", e.Line)
	}
	return fmt.Sprintf("line %d is not valid JSON: a comma or a quotation mark may be missing, or be one too many", e.Line)
}

// Unwrap returns [ErrNoJSON].
func (e *LineError) Unwrap() error { return ErrNoJSON }

// unreadable says where a text is wrong, unless its end is missing.
func unreadable(text []byte, err error) error {
	at := int64(len(text))
	syntax, isSyntax := errors.AsType[*json.SyntaxError](err)
	wrong, isKind := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case isSyntax:
		at = min(syntax.Offset, at)
	case isKind:
		at = min(wrong.Offset, at)
	}
	if len(bytes.TrimSpace(text[at:])) == 0 {
		return ErrNoJSON
	}
	return &LineError{1 + bytes.Count(text[:at], []byte("\n")), isKind}
}

// HeaderError is a header that a server would need and that cannot be sent.
type HeaderError struct{ Server, Header string }

func (e *HeaderError) Error() string {
	return fmt.Sprintf("server %q has the header %q; only \"Authorization: Bearer …\" is supported", e.Server, e.Header)
}

// Parse reads the "mcpServers" of another program's settings, or only what they hold. The
// entries are sorted by name and not checked.
func Parse(text []byte) ([]Entry, error) {
	type foreign struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
		Cwd     string            `json:"cwd"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	var other struct {
		Servers map[string]foreign `json:"mcpServers"`
		VSCode  map[string]foreign `json:"servers"` // what one program calls them
	}
	if err := json.Unmarshal(text, &other); err != nil {
		return nil, unreadable(text, err)
	}
	servers := other.Servers
	if len(servers) == 0 {
		servers = other.VSCode
	}
	if len(servers) == 0 {
		return nil, ErrNoServers
	}
	var all []Entry
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		o := servers[name]
		e := Entry{
			Name:    shortName(name),
			Server:  config.MCPServer{Command: o.Command, Args: o.Args, Folder: o.Cwd, URL: o.URL, Env: slices.Sorted(maps.Keys(o.Env))},
			Secrets: maps.Clone(o.Env),
		}
		for _, header := range slices.Sorted(maps.Keys(o.Headers)) {
			token, isToken := strings.CutPrefix(o.Headers[header], "Bearer ")
			if !strings.EqualFold(header, "Authorization") || !isToken {
				return nil, &HeaderError{clean.Line(name, 64), clean.Line(header, 64)}
			}
			e.Server.Token, e.Secrets = true, map[string]string{Token: token}
		}
		all = append(all, e)
	}
	return all, nil
}

// shortName makes a name of ours of another program's: small letters, digits, hyphens.
func shortName(name string) string {
	short := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return cmp.Or(strings.Trim(short[:min(len(short), 32)], "-"), "server")
}
