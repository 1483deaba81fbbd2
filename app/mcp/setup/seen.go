package setup

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
)

// Seen is a tool as it looked when the user saw it.
type Seen struct {
	Fingerprint string          `json:"fingerprint"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Reads       bool            `json:"reads,omitempty"`
	At          time.Time       `json:"at"`
}

// Memory keeps what was seen in a folder, a file for each server. It is for showing what
// changed: whether something did, the fingerprints in the settings decide.
type Memory struct{ Folder string }

func (m Memory) file(server string) string { return filepath.Join(m.Folder, server+".json") }

// Of returns what was seen of a server's tools, by name. What cannot be read was not seen.
func (m Memory) Of(server string) map[string]Seen {
	seen := make(map[string]Seen)
	if raw, err := os.ReadFile(m.file(server)); err == nil {
		_ = json.Unmarshal(raw, &seen)
	}
	return seen
}

// Note keeps how tools look now.
func (m Memory) Note(server string, now time.Time, tools ...client.ToolStatus) error {
	seen := m.Of(server)
	for _, t := range tools {
		seen[t.Name] = Seen{t.Fingerprint, t.Title, t.Description, t.Schema, t.Reads, now}
	}
	raw, err := json.MarshalIndent(seen, "", " ")
	if err != nil {
		return err
	}
	return config.WriteFile(m.file(server), raw)
}

// Forget removes what was seen of a server.
func (m Memory) Forget(server string) { _ = os.Remove(m.file(server)) }

// Aspect is what can change of a tool.
type Aspect string

// The aspects.
const (
	Title       Aspect = "title"
	Description Aspect = "description"
	Arguments   Aspect = "arguments"
	Effect      Aspect = "effect" // whether it declares that it only reads: "true" or "false"
)

// Change is one difference, in texts that are safe to show.
type Change struct {
	Aspect   Aspect
	Old, New string
}

// Changes returns how a tool differs from what was seen. Nothing means that what differs
// cannot be shown, such as characters without a shape, or was not kept.
func Changes(seen Seen, now client.ToolStatus) []Change {
	yes := map[bool]string{true: "true", false: "false"}
	var all []Change
	for _, c := range []Change{
		{Title, seen.Title, now.Title},
		{Description, seen.Description, now.Description},
		{Arguments, indented(seen.Schema), indented(now.Schema)},
		{Effect, yes[seen.Reads], yes[now.Reads]},
	} {
		if c.Old != c.New {
			all = append(all, c)
		}
	}
	return all
}

func indented(schema json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, schema, "", "  ") != nil {
		return string(schema)
	}
	return b.String()
}
