package tools

import (
	"context"
	_ "embed"
	"fmt"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

//go:embed get_note.md
var getNoteDoc string

// GetNoteArgs are the arguments of get_note and get_thread.
type GetNoteArgs struct {
	NoteID string `json:"note_id" jsonschema:"hex, 16 hex digits, note1, nevent, naddr or a nostr: link"`
}

// NoteResult is the answer of get_note.
type NoteResult struct {
	Note   Note       `json:"note"`
	Tags   [][]string `json:"tags,omitempty"`
	SeenOn []string   `json:"seen_on,omitempty"`
}

func runGetNote(ctx context.Context, env *Env, a GetNoteArgs) (NoteResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	view, err := env.viewer(ctx)
	if err != nil {
		return NoteResult{}, err
	}
	e, err := env.note(ctx, view, "note_id", a.NoteID)
	if err != nil {
		return NoteResult{}, err
	}
	shown, err := env.noteViews(ctx, []*nostr.Event{e})
	if err != nil {
		return NoteResult{}, err
	}
	res := NoteResult{Note: shown[0]}
	for _, t := range e.Tags {
		res.Tags = append(res.Tags, t)
	}
	if res.SeenOn, err = env.Store.SeenOn(ctx, e.ID); err != nil {
		return NoteResult{}, fmt.Errorf("read where note %s was seen: %w", e.ID, err)
	}
	return res, nil
}

// ForModel implements Result. Tags come after the text, as far as there is space.
func (r NoteResult) ForModel(limit int) string {
	c := newCompactor([]Note{r.Note})
	return Fit(limit, len(r.Tags)+1, func(show, text int) any {
		out := struct {
			Note    compactNote `json:"note"`
			Tags    [][]string  `json:"tags,omitempty"`
			SeenOn  []string    `json:"seen_on,omitempty"`
			LeftOut int         `json:"tags_left_out,omitempty"`
		}{Note: c.note(0, text, true), LeftOut: len(r.Tags) + 1 - max(show, 1)}
		for _, tag := range r.Tags[:max(show-1, 0)] {
			short := make([]string, 0, len(tag))
			for _, item := range tag[:min(len(tag), 10)] {
				short = append(short, clip(clean.Text(item), 200))
			}
			out.Tags = append(out.Tags, short)
		}
		if text > leanText {
			for _, relay := range r.SeenOn[:min(len(r.SeenOn), 5)] {
				out.SeenOn = append(out.SeenOn, clip(relay, 100))
			}
		}
		return out
	})
}
