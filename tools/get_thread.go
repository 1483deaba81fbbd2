package tools

import (
	"context"
	_ "embed"

	"bowerbird/ndb/nostr"
)

//go:embed get_thread.md
var getThreadDoc string

// ThreadNote is one note of a thread, in reading order.
type ThreadNote struct {
	Depth   int  `json:"depth"`             // 0 for the root
	Missing bool `json:"missing,omitempty"` // referred to, but not shown: only Note.NoteID is set
	Note    Note `json:"note"`
}

// ThreadResult is the answer of get_thread.
type ThreadResult struct {
	Root      string       `json:"root"`
	Total     int          `json:"total"`     // notes, without the missing ones
	Truncated bool         `json:"truncated"` // the thread is longer than what was read
	Notes     []ThreadNote `json:"notes"`
}

func runGetThread(ctx context.Context, env *Env, a GetNoteArgs) (ThreadResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	view, err := env.viewer(ctx)
	if err != nil {
		return ThreadResult{}, err
	}
	e, err := env.note(ctx, view, "note_id", a.NoteID)
	if err != nil {
		return ThreadResult{}, err
	}
	th := &thread{env: env, view: view, notes: map[nostr.ID]*nostr.Event{}, parents: map[nostr.ID]nostr.ID{}}
	if err := th.read(ctx, e); err != nil {
		return ThreadResult{}, err
	}
	rows := th.cut(th.rows())
	res := ThreadResult{Root: th.root.String(), Truncated: th.truncated, Notes: []ThreadNote{}}
	var events []*nostr.Event
	for _, row := range rows {
		if row.event != nil {
			events = append(events, row.event)
		}
	}
	shown, err := env.noteViews(ctx, events)
	if err != nil {
		return ThreadResult{}, err
	}
	res.Total = len(shown)
	for _, row := range rows {
		out := ThreadNote{Depth: row.depth, Missing: row.event == nil, Note: Note{NoteID: row.id.String()}}
		if row.event != nil {
			out.Note, shown = shown[0], shown[1:]
		}
		res.Notes = append(res.Notes, out)
	}
	return res, nil
}

// ForModel implements Result.
func (r ThreadResult) ForModel(limit int) string {
	type row struct {
		Depth   int  `json:"depth"`
		Missing bool `json:"missing,omitempty"`
		compactNote
	}
	notes := make([]Note, len(r.Notes))
	for i, n := range r.Notes {
		notes[i] = n.Note
	}
	c := newCompactor(notes)
	return Fit(limit, len(notes), func(show, text int) any {
		rows := make([]row, 0, show)
		for i := range show {
			rows = append(rows, row{r.Notes[i].Depth, r.Notes[i].Missing, c.note(i, text, false)})
		}
		return struct {
			Root      string `json:"root"`
			Total     int    `json:"total"`
			LeftOut   int    `json:"left_out,omitempty"`
			Truncated bool   `json:"truncated"`
			Notes     []row  `json:"notes"`
		}{shortID(r.Root), r.Total, len(notes) - show, r.Truncated, rows}
	})
}
