package tools

// SKELETON: types only; each moves to its tool's file.

import "encoding/json"

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
