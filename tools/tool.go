// Package tools is what the model can do: one file a tool, beside the text that
// describes it. Arguments are Go structs, from which the schemas come; results
// are typed.
//
// It promises that arguments reach a tool only as its schema has them, that a
// wrong call is answered by an *ArgumentError the model can correct itself by,
// and that what must never reach a model (private messages, drafts, mute lists,
// muted people, expired and future-dated notes) is in no answer. Text of notes
// and names goes out as JSON strings only: it is data, never markup.
//
// It knows no window, no network and no model provider, and its tools write
// nothing: who may run what is decided by the caller, from Spec.Effect.
package tools

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Effect is the worst that a tool can do. It decides whether a person is asked
// (design: the gate); a model's words never do.
type Effect uint8

// The effects, from harmless to worst. Only None is never asked about.
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
	switch e {
	case None:
		return "none"
	case Local:
		return "local"
	case Network:
		return "network"
	case Publishes:
		return "publishes"
	case Spends:
		return "spends"
	case Deletes:
		return "deletes"
	}
	return "unknown"
}

// Tool is one thing that the model can do. Make one with New.
type Tool interface {
	Spec() Spec
	// Call checks the arguments against the schema and runs the tool. Errors are
	// *ArgumentError (the model can correct itself), or say what went wrong; they
	// may quote a stranger's name and taint a chat like results do. The Result's
	// dynamic type is the tool's result struct, by value.
	Call(ctx context.Context, env *Env, args json.RawMessage) (Result, error)
}

// Checker is a Tool that can tell without running whether it takes arguments, so
// that nobody is asked to approve a call that can only fail. The tools that New
// makes are Checkers. Its errors are those of Call.
type Checker interface {
	Check(args json.RawMessage) error
}

// Mender is a Tool that can tell how it reads arguments, so that what a person approves
// is what the tool is given, and not a writing of it that can be read in two ways:
// members that stand there twice, numbers in quotes, letters as code points. The tools
// that New makes are Menders. Its errors are those of Call.
type Mender interface {
	// Mend returns the arguments as the tool reads them; mended again they stay the same.
	Mend(args json.RawMessage) (json.RawMessage, error)
}

// Spec describes a tool.
type Spec struct {
	Name        string          // [a-z][a-z0-9_]*, at most 64 bytes
	Description string          // for the model, from the .md file beside the tool
	Schema      json.RawMessage // JSON Schema 2020-12 of the arguments
	Effect      Effect
	Tainting    bool // its results hold text by others than the user
	// Tags say what the tool is like, in any words, to choose tools by: trimmed, sorted,
	// each once. The gate does not read them: Effect alone decides who is asked.
	Tags []string
}

// Tags that have a meaning here. The first three are those of MCP.
const (
	TagReadOnly    = "read-only"   // New gives it to what has the effect None
	TagDestructive = "destructive" // and this to what Deletes
	TagIdempotent  = "idempotent"  // calling it again changes nothing more
	TagRich        = "rich"        // shows more than text: see Assistant.PlainText of the settings
)

// Result is what a tool answered. It marshals to the tool's full JSON answer.
type Result interface {
	// ForModel returns the answer as a model reads it: JSON of at most limit
	// bytes (at least MinForModel), ids as 16 hex digits, contents cut evenly to
	// what fits, and a cursor or a count of what was left out.
	ForModel(limit int) string
}

// Env is what a tool may see. One Env serves one turn.
type Env struct {
	Store *ndb.Store
	Me    nostr.PubKey // the reader; zero when nobody is chosen
	Open  nostr.PubKey // the profile that is open; zero when none
	// Scope is the context of calls that give none and name no author: "home", "any"
	// or "profile"; "" is home for who follows somebody, else any.
	Scope string
	Now   func() time.Time
	Zone  *time.Location
	// LastVisit is when the user was last here; zero when unknown.
	LastVisit time.Time
	// Evidence tells what is known of how complete an author's notes are; nil where no
	// more is than what the store's ledger has.
	Evidence func(ctx context.Context, author nostr.PubKey) (coverage.Evidence, error)
	// Offered, when set, names the tools of the turn, for error messages.
	Offered []string
	// Presented collects the notes shown in this turn, in order, so that ^1 has
	// one meaning for the whole turn.
	Presented *Presented
	// Kept, when set, spares the calls of a turn what those before have read.
	Kept *Kept
	// Random is where random bytes come from; nil: crypto/rand.
	Random io.Reader
	// Logger is where a tool may log; see Log.
	Logger *slog.Logger
	// Timeout bounds one read of the store; zero means DefaultTimeout.
	Timeout time.Duration
}

// DefaultTimeout is how long a tool may read the store.
const DefaultTimeout = 2 * time.Second

// Log returns where a tool may log what it met, never what strangers or the user
// wrote. It is never nil.
func (env *Env) Log() *slog.Logger {
	if env.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return env.Logger
}

// zone is where "yesterday" begins.
func (env *Env) zone() *time.Location {
	if env.Zone == nil {
		return time.UTC
	}
	return env.Zone
}

// now is the time of the call, in the user's zone.
func (env *Env) now() time.Time { return env.Now().In(env.zone()) }

// bounded gives ctx the time that one tool call has.
func (env *Env) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	d := env.Timeout
	if d <= 0 {
		d = DefaultTimeout
	}
	return context.WithTimeout(ctx, d)
}
