package tools

// SKELETON: types only, for parallel work; each moves to its tool's file.

import (
	"encoding/json"
	"errors"

	"bowerbird/ndb"
)

var errSkeleton = errors.New("not built yet")

// Registry is the one list of tools: prompt, schemas, routing and gate all read it.
type Registry struct{}

// NewRegistry returns a registry of the given tools; names must be unique.
func NewRegistry(ts ...Tool) (*Registry, error) { return nil, errSkeleton }

// Builtin returns the registry of all built-in tools.
func Builtin() *Registry { return nil }

// All returns the tools, sorted by name.
func (r *Registry) All() []Tool { return nil }

// Get finds a tool by its exact name.
func (r *Registry) Get(name string) (Tool, bool) { return nil, false }

// Kinds reads one number or a list from JSON.
type Kinds []uint16

// When is a time as the model or the user writes it: unix seconds (a number or a
// text), RFC 3339, a date, or relative ("24h", "7d" ago). Empty: not given.
type When string

// QueryArgs are the arguments of query.
type QueryArgs struct {
	Context        string `json:"context,omitempty"` // home, profile, any
	Search         string `json:"search,omitempty"`
	Author         string `json:"author,omitempty"` // hex, npub, nprofile, NIP-05 or name
	Kind           Kinds  `json:"kind,omitempty"`
	Since          When   `json:"since,omitempty"` // unix (number or text), RFC 3339, relative; inclusive
	Until          When   `json:"until,omitempty"`
	Hashtag        string `json:"hashtag,omitempty"`
	IncludeReplies bool   `json:"include_replies,omitempty"`
	Limit          int    `json:"limit,omitempty"`
	Cursor         string `json:"cursor,omitempty"`
	Order          string `json:"order,omitempty"` // newest
}

// Scope is what an answer speaks of.
type Scope struct {
	Context string `json:"context"`
	Authors int    `json:"authors"`         // 0 for any
	Since   string `json:"since,omitempty"` // RFC 3339 with zone
	Until   string `json:"until,omitempty"`
}

// CoverageSummary counts people by how complete their notes are in a window.
type CoverageSummary struct {
	Complete    int    `json:"complete"`
	Partly      int    `json:"partly"`
	Unreachable int    `json:"unreachable"`    // nothing confirmed
	Note        string `json:"note,omitempty"` // in words, when something is missing or nothing was ever synced
}

// Note is a note as tools answer it.
type Note struct {
	NoteID        string `json:"note_id"`
	PubKey        string `json:"pubkey"`
	Name          string `json:"name"`
	Content       string `json:"content"`
	CreatedAt     string `json:"created_at"` // RFC 3339 with zone
	CreatedAtUnix int64  `json:"created_at_unix"`
	NoteKind      uint16 `json:"note_kind"`
	ReplyTo       string `json:"reply_to,omitempty"`
	Replies       int    `json:"replies"`
	Reactions     int    `json:"reactions"`
	Reposts       int    `json:"reposts"`
	ZapSats       int64  `json:"zap_sats"`
	Truncated     bool   `json:"truncated,omitempty"`

	// Event is the stored event behind the note, for typed readers.
	Event *ndb.Event `json:"-"`
}

// QueryResult is the answer of query.
type QueryResult struct {
	Scope     Scope           `json:"scope"`
	Total     int             `json:"total"`
	Returned  int             `json:"returned"`
	Truncated bool            `json:"truncated"`
	Cursor    string          `json:"cursor"`
	Coverage  CoverageSummary `json:"coverage"`
	Notes     []Note          `json:"notes"`
}

// PresentArgs are the arguments of present_notes: a list, or one string with commas.
type PresentArgs struct {
	NoteIDs StringList `json:"note_ids"`
}

// StringList reads a list of strings, or one string with commas, from JSON.
type StringList []string

// PresentedNote is one note that is shown; Index is its ^n.
type PresentedNote struct {
	Index  int    `json:"index"`
	NoteID string `json:"note_id"`
}

// PresentResult is the answer of present_notes.
type PresentResult struct {
	Presented []PresentedNote `json:"presented"`
	Missing   []string        `json:"missing"`
}

// GetNoteArgs are the arguments of get_note and get_thread.
type GetNoteArgs struct {
	NoteID string `json:"note_id"` // hex, 16-hex prefix, note1, nevent, naddr, nostr: uri
}

// NoteResult is the answer of get_note.
type NoteResult struct {
	Note   Note       `json:"note"`
	Tags   [][]string `json:"tags,omitempty"`
	SeenOn []string   `json:"seen_on,omitempty"`
}

// ThreadNote is one note of a thread, in reading order.
type ThreadNote struct {
	Depth   int  `json:"depth"`             // 0 for the root
	Missing bool `json:"missing,omitempty"` // referred to, but not in the store: only Note.NoteID is set
	Note    Note `json:"note"`
}

// ThreadResult is the answer of get_thread.
type ThreadResult struct {
	Root      string       `json:"root"`
	Total     int          `json:"total"`
	Truncated bool         `json:"truncated"`
	Notes     []ThreadNote `json:"notes"`
}

// GetProfileArgs are the arguments of get_profile.
type GetProfileArgs struct {
	Person string `json:"person"` // key in any form, NIP-05 or name
}

// ProfileResult is the answer of get_profile, and one hit of find_profile.
type ProfileResult struct {
	PubKey      string `json:"pubkey"`
	Npub        string `json:"npub"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name,omitempty"`
	NIP05       string `json:"nip05,omitempty"`
	About       string `json:"about,omitempty"`
	Website     string `json:"website,omitempty"`
	Followed    bool   `json:"followed"`
	Follows     int    `json:"follows,omitempty"` // how many they follow; get_profile only
	Notes       int    `json:"notes,omitempty"`   // kinds 1 and 30023 stored; get_profile only
}

// FindProfileArgs are the arguments of find_profile.
type FindProfileArgs struct {
	Name  string `json:"name"`
	Limit int    `json:"limit,omitempty"` // default 10, 1 to 50
}

// FindProfileResult is the answer of find_profile.
type FindProfileResult struct {
	People []ProfileResult `json:"people"`
}

// CountArgs are the arguments of count: query's filters.
type CountArgs struct {
	Context        string `json:"context,omitempty"`
	Search         string `json:"search,omitempty"`
	Author         string `json:"author,omitempty"`
	Kind           Kinds  `json:"kind,omitempty"`
	Since          When   `json:"since,omitempty"`
	Until          When   `json:"until,omitempty"`
	Hashtag        string `json:"hashtag,omitempty"`
	IncludeReplies bool   `json:"include_replies,omitempty"`
}

// CountResult is the answer of count.
type CountResult struct {
	Scope   Scope `json:"scope"`
	Count   int   `json:"count"`
	Authors int   `json:"authors"` // different people among the counted
}

// AggregateArgs are the arguments of aggregate.
type AggregateArgs struct {
	CountArgs
	By    string `json:"by"` // hour, day, week, author, hashtag, kind, term
	Zone  string `json:"zone,omitempty"`
	Limit int    `json:"limit,omitempty"` // buckets; default 48 of time, 20 else; at most 500
}

// AggregateBucket is one row of aggregate.
type AggregateBucket struct {
	Key     string `json:"key"`             // time as RFC 3339, hex pubkey, hashtag, kind or term
	Label   string `json:"label,omitempty"` // a person's name, a day's name
	Count   int    `json:"count"`
	Authors int    `json:"authors"`
	// For terms: how many notes of the whole store hold it, and of how many.
	StoreNotes int `json:"store_notes,omitempty"`
	StoreTotal int `json:"store_total,omitempty"`
}

// AggregateResult is the answer of aggregate.
type AggregateResult struct {
	Scope     Scope             `json:"scope"`
	By        string            `json:"by"`
	Total     int               `json:"total"`
	Buckets   []AggregateBucket `json:"buckets"`
	Truncated bool              `json:"truncated"`
}

// CoverageArgs are the arguments of coverage.
type CoverageArgs struct {
	Since When `json:"since,omitempty"`
	Until When `json:"until,omitempty"`
}

// PersonCoverage is how complete one person's notes are.
type PersonCoverage struct {
	PubKey string   `json:"pubkey"`
	Name   string   `json:"name"`
	State  string   `json:"state"`            // complete, partly, unreachable
	Relays []string `json:"relays,omitempty"` // that confirmed something
	From   string   `json:"from,omitempty"`   // the part confirmed
	To     string   `json:"to,omitempty"`
}

// CoverageResult is the answer of coverage.
type CoverageResult struct {
	Scope   Scope            `json:"scope"`
	Summary CoverageSummary  `json:"summary"`
	People  []PersonCoverage `json:"people"` // those not complete, at most 100
}

// Column is a table's column: a string, or {key,label}.
type Column struct {
	Key   string `json:"key"`
	Label string `json:"label,omitempty"`
}

// TableArgs are the arguments of render_table.
type TableArgs struct {
	Title   string                       `json:"title,omitempty"`
	Columns []Column                     `json:"columns"`
	Rows    []map[string]json.RawMessage `json:"rows"` // at most 500
}

// TableResult is what is drawn.
type TableResult struct {
	Title   string     `json:"title,omitempty"`
	Columns []Column   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Numeric []bool     `json:"numeric"` // a column's cells are numbers: right-align
}

// ChartArgs are the arguments of render_chart.
type ChartArgs struct {
	Title string          `json:"title,omitempty"`
	Spec  json.RawMessage `json:"spec"` // Vega-Lite v5 with inline values
}

// ChartResult is what is drawn: the chart, or the data as a table and why.
type ChartResult struct {
	Title   string          `json:"title,omitempty"`
	Spec    json.RawMessage `json:"spec,omitempty"` // as checked
	Refused string          `json:"refused,omitempty"`
	Table   *TableResult    `json:"table,omitempty"`
}
