// Package tools is what the model can do: one file a tool, beside the text that
// describes it. Arguments are Go structs, from which the schemas come; results
// are typed. It knows no window, no network and no model provider.
package tools

import (
	"context"
	"encoding/json"
	"time"

	"bowerbird/ndb"
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

// Tool is one thing that the model can do. Make one with New.
type Tool interface {
	Spec() Spec
	// Call checks the arguments against the schema and runs the tool. Errors are
	// *ArgumentError (the model can correct itself), or say what went wrong.
	Call(ctx context.Context, env *Env, args json.RawMessage) (Result, error)
}

// Spec describes a tool.
type Spec struct {
	Name        string          // [a-z_]+
	Description string          // for the model, from the .md file beside the tool
	Schema      json.RawMessage // JSON Schema 2020-12 of the arguments
	Effect      Effect
	Tainting    bool // its results hold text by others than the user
}

// Result is what a tool answered. It marshals to the tool's full JSON answer.
type Result interface {
	// ForModel returns the answer as a model reads it, at most limit bytes (at
	// least 512): ids as 16 hex digits, contents cut evenly to what fits, and a
	// cursor or a word about what was left out.
	ForModel(limit int) string
}

// Env is what a tool may see. One Env serves one turn.
type Env struct {
	Store *ndb.Store
	Me    ndb.PubKey // the reader; zero when nobody is chosen
	Open  ndb.PubKey // the profile that is open; zero when none
	Now   func() time.Time
	Zone  *time.Location
	// LastVisit is when the user was last here; zero when unknown.
	LastVisit time.Time
	// RelaysAsked tells which relays are asked for an author, for the coverage
	// statement; nil when unknown (then the ledger's own rows are used).
	RelaysAsked func(ndb.PubKey) []string
	// Offered, when set, names the tools of the turn, for error messages.
	Offered []string
	// Presented collects the notes shown in this turn, in order, so that ^1 has
	// one meaning for the whole turn.
	Presented *Presented
}

// Presented numbers the notes that a turn shows.
type Presented struct {
	IDs []ndb.ID // IDs[0] is ^1
}

// ArgumentError says what is wrong with a call's arguments, so that the model
// can correct itself.
type ArgumentError struct {
	Tool     string
	Path     string // "since", "note_ids[3]"
	Expected string
	Got      string
	Schema   json.RawMessage // the part that was broken
}

func (e *ArgumentError) Error() string {
	return e.Tool + ": " + e.Path + ": expected " + e.Expected + ", got " + e.Got
}
