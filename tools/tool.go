// Package tools is what the model can do: one file per tool, beside the text that
// describes it. Arguments are Go structs, from which the schemas are made; results are
// typed.
//
//	tool, _ := tools.Builtin().Get("count")
//	result, err := tool.Call(ctx, env, json.RawMessage(`{"since":"24h"}`))
//
// Arguments reach a tool only as its schema permits, a wrong call is answered by an
// *ArgumentError that lets the model correct itself, and what must never reach a model
// (private messages, drafts, mute lists, muted people, expired and future-dated notes) is
// in no result. Text and names in notes are passed on as JSON strings only: data, never
// markup.
//
// The package knows no window, no network and no model provider, and its tools write
// nothing: the caller decides what may run, by Spec.Effect.
package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Effect is the worst that a tool can do. It decides whether the user is asked (the
// gate); a model's words never do.
type Effect uint8

// The effects, from harmless to worst. Only None never asks.
const (
	None      Effect = iota // reads local data
	Local                   // writes local data
	Network                 // reaches the network
	Publishes               // signs and publishes an event
	Spends                  // spends money
	Deletes                 // deletes data
)

// String names the effect, as the approval and the tools page show it.
func (e Effect) String() string {
	names := []string{"none", "local", "network", "publishes", "spends", "deletes"}
	if int(e) < len(names) {
		return names[e]
	}
	return "unknown"
}

// Tool is one thing that the model can do. Make one with New or FromSchema.
type Tool interface {
	Spec() Spec
	// Call checks the arguments against the schema and runs the tool. Errors are an
	// *ArgumentError (the model can correct itself), or say what went wrong; they may
	// quote a stranger's name and taint a chat as results do. The Result's dynamic type
	// is the tool's result struct, by value.
	Call(ctx context.Context, env *Env, args json.RawMessage) (Result, error)
}

// Normalizer is a [Tool] that can show how it reads arguments without running, so that
// nobody is asked to approve a call that can only fail, and what the user approves is
// exactly what the tool receives, not text that can be read in two ways: duplicate members,
// numbers in quotes, escaped letters. The tools that [New] makes are Normalizers. Its
// errors are those of Call.
type Normalizer interface {
	// Normalize returns the arguments as the tool reads them. Normalizing them again changes
	// nothing.
	Normalize(args json.RawMessage) (json.RawMessage, error)
}

// Wrapper is a [Tool] whose calls stand for calls of another tool. The agent unwraps them
// before anything is checked or approved, so that a tool is the same however it is called.
type Wrapper interface {
	// Unwrap returns the name and the arguments of the tool that is meant; ok is false if
	// the arguments name none, and then the call itself fails.
	Unwrap(args json.RawMessage) (name string, inner json.RawMessage, ok bool)
}

// Spec describes a tool.
type Spec struct {
	Name        string          // [a-z][a-z0-9_]*, at most 64 bytes; with a Source also capitals and hyphens
	Description string          // for the model, from the .md file beside the tool
	Schema      json.RawMessage // JSON Schema of the arguments: 2020-12, with a Source also draft-07
	Effect      Effect
	Tainting    bool // its results hold text by others than the user
	Rich        bool // shows more than text: see Assistant.PlainText of the settings
	// Category is what a tool of ours is about, such as "notes".
	Category string
	// Example is a call's arguments; Aliases are what else it is called, in any language.
	Example json.RawMessage
	Aliases []string
	// Source is whose tool it is: "" for ours, else "mcp:" and the name of the MCP server.
	Source string
	// Title names the tool for people; "" where Name or the window's own words do.
	Title string
	// Ordered means that a result depends on the calls before it in the turn: they never run
	// side by side, and outside a turn the tool makes no sense.
	Ordered bool
}

// Result is what a tool returned. It marshals to the tool's full JSON result.
type Result interface {
	// ForModel returns the result as a model reads it: JSON of at most limit bytes (at
	// least MinForModel), ids as 16 hex digits, contents cut evenly to what fits, and a
	// cursor or a count of what was left out.
	ForModel(limit int) string
}

// Env is what a tool may see. One Env serves one turn.
type Env struct {
	Store *ndb.Store
	Me    nostr.PubKey // the account; zero if there is none
	Open  nostr.PubKey // the profile that is open; zero when none
	// Scope is the context of calls that give none and name no author: "home", "any" or
	// "profile"; "" is home if the account follows somebody, else any.
	Scope string
	Now   func() time.Time
	Zone  *time.Location
	// LastVisit is when the user was last here; zero when unknown.
	LastVisit time.Time
	// Evidence returns what is known of how complete an author's notes are; if nil, only
	// the store's ledger is used.
	Evidence func(ctx context.Context, author nostr.PubKey) (coverage.Evidence, error)
	// Sample means that the notes are made up: no relay is asked for them, and all are here.
	Sample bool
	// Offered, if set, names the tools of the turn, for error messages.
	Offered []string
	// Presented collects the notes shown in this turn, in order, so that ^1 has
	// one meaning for the whole turn.
	Presented *Presented
	// Kept, if set, caches what earlier calls of a turn have read.
	Kept *Kept
	// Random is where random bytes come from; nil: crypto/rand.
	Random io.Reader
	// Timeout bounds one read of the store; zero means defaultTimeout.
	Timeout time.Duration
}

// defaultTimeout is how long a tool may read the store.
const defaultTimeout = 2 * time.Second

// zone is where "yesterday" begins.
func (env *Env) zone() *time.Location {
	return cmp.Or(env.Zone, time.UTC)
}

// now is the time of the call, in the user's zone.
func (env *Env) now() time.Time { return env.Now().In(env.zone()) }

// bounded gives ctx the time that one tool call has.
func (env *Env) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(env.Timeout, defaultTimeout))
}
