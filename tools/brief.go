package tools

import (
	"encoding/json"
	"slices"
)

// Briefer is a Result that can summarise what it found without the content: what a saved
// chat keeps of a large result, and what the window shows of any. The members have the
// same names and meaning as in the full result; new ones replace what is left out. So a
// brief can be read from the JSON of either.
type Briefer interface {
	Brief() any
}

// QueryBrief is a QueryResult without its notes.
type QueryBrief struct {
	Scope        Scope           `json:"scope"`
	Total        int             `json:"total"`
	TotalAtLeast bool            `json:"total_at_least,omitempty"`
	Returned     int             `json:"returned"`
	Truncated    bool            `json:"truncated"`
	Notice       string          `json:"notice,omitempty"`
	Coverage     CoverageSummary `json:"coverage"`
	// Kinds counts the notes by kind; Authors are the distinct authors of everything but
	// reposts and reactions, by the first 8 digits of their keys, so that the pages of
	// one query can be counted together.
	Kinds   map[uint16]int `json:"kinds"`
	Authors []string       `json:"authors"`
	Own     bool           `json:"own,omitempty"`  // the account is one of Authors
	Name    string         `json:"name,omitempty"` // of the author, if there is only one
}

// authorDigits is how much of a key tells the people of one result apart.
const authorDigits = 8

// LeastBytes is the minimum length of the result as JSON.
func (r QueryResult) LeastBytes() int {
	const note = 150 // the names of its members alone
	return note * len(r.Notes)
}

// Brief implements Briefer.
func (r QueryResult) Brief() any {
	b := QueryBrief{
		Scope: r.Scope, Total: r.Total, TotalAtLeast: r.TotalAtLeast, Returned: r.Returned,
		Truncated: r.Truncated, Notice: r.Notice, Coverage: r.Coverage, Own: r.Own,
	}
	b.count(r.Notes)
	return b
}

// UnmarshalJSON reads a brief, or the full result.
func (b *QueryBrief) UnmarshalJSON(raw []byte) error {
	type brief QueryBrief
	var whole struct {
		*brief
		Notes []Note `json:"notes"`
	}
	whole.brief = (*brief)(b)
	if err := json.Unmarshal(raw, &whole); err != nil {
		return err
	}
	if whole.Notes != nil {
		b.count(whole.Notes)
	}
	return nil
}

// count sets what replaces the notes.
func (b *QueryBrief) count(notes []Note) {
	b.Kinds, b.Authors = map[uint16]int{}, []string{}
	for _, n := range notes {
		b.Kinds[n.NoteKind]++
		if !WithoutWords(n.NoteKind) && len(n.PubKey) >= authorDigits {
			b.Authors = append(b.Authors, n.PubKey[:authorDigits])
			b.Name = n.Name
		}
	}
	slices.Sort(b.Authors)
	if b.Authors = slices.Compact(b.Authors); len(b.Authors) != 1 {
		b.Name = ""
	}
}

// WithoutWords reports whether a kind is a wordless act on a note: a repost or a
// reaction.
func WithoutWords(kind uint16) bool { return kind == 6 || kind == 16 || kind == 7 }

// AggregateBrief is an AggregateResult without its groups.
type AggregateBrief struct {
	Scope     Scope  `json:"scope"`
	By        string `json:"by"`
	Total     int    `json:"total"`
	Truncated bool   `json:"truncated"`
}

// Brief implements Briefer.
func (r AggregateResult) Brief() any {
	return AggregateBrief{r.Scope, r.By, r.Total, r.Truncated}
}

// ThreadBrief is a ThreadResult without its notes.
type ThreadBrief struct {
	Root      string `json:"root"`
	Total     int    `json:"total"`
	Truncated bool   `json:"truncated"`
}

// Brief implements Briefer.
func (r ThreadResult) Brief() any { return ThreadBrief{r.Root, r.Total, r.Truncated} }

// Brief implements Briefer: the result, with a note without text.
func (r NoteResult) Brief() any {
	r.Note.Content, r.Tags, r.SeenOn = "", nil, nil
	r.Note.Truncated = true
	return r
}

// FindProfileBrief is a FindProfileResult with only the names of the first people.
type FindProfileBrief struct {
	People []PersonBrief `json:"people"`
	Found  int           `json:"found"` // in total
}

// PersonBrief is the person of a ProfileResult.
type PersonBrief struct {
	PubKey      string `json:"pubkey"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name,omitempty"`
}

// Brief implements Briefer.
func (r FindProfileResult) Brief() any {
	people := []PersonBrief{}
	for _, p := range r.People[:min(len(r.People), 10)] {
		people = append(people, PersonBrief{p.PubKey, p.Name, p.DisplayName})
	}
	return FindProfileBrief{people, len(r.People)}
}

// UnmarshalJSON reads a brief, or the full result.
func (b *FindProfileBrief) UnmarshalJSON(raw []byte) error {
	type brief FindProfileBrief
	if err := json.Unmarshal(raw, (*brief)(b)); err != nil {
		return err
	}
	b.Found = max(b.Found, len(b.People))
	return nil
}

// CoverageBrief is a CoverageResult without the people.
type CoverageBrief struct {
	Scope   Scope           `json:"scope"`
	Summary CoverageSummary `json:"summary"`
}

// Brief implements Briefer.
func (r CoverageResult) Brief() any { return CoverageBrief{r.Scope, r.Summary} }
