package tools

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"sync"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

//go:embed present_notes.md
var presentNotesDoc string

// maxPresented is how many ids one call may have.
const maxPresented = 200

// PresentArgs are the arguments of present_notes: a list, or one string with commas.
type PresentArgs struct {
	NoteIDs StringList `json:"note_ids" jsonschema:"a list, or one text with commas; hex, 16 hex digits, note1, nevent, naddr"`
}

// PresentedNote is one note that is shown; Index is its ^n.
type PresentedNote struct {
	Index  int    `json:"index"`
	NoteID string `json:"note_id"`
}

// PresentResult is the answer of present_notes.
type PresentResult struct {
	Presented []PresentedNote `json:"presented"`
	Missing   []string        `json:"missing"` // as given, cut to 80 characters
}

// Presented numbers the notes that a turn shows. Calls may run concurrently; IDs is read
// when none does.
type Presented struct {
	IDs []nostr.ID // IDs[0] is ^1

	mu sync.Mutex
}

// Again numbers notes as they were numbered before, in a turn that is continued. Notes
// out of sequence, and invalid ids, are left out.
func (p *Presented) Again(before PresentResult) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range before.Presented {
		if id, err := nostr.ParseID(n.NoteID); err == nil && n.Index == len(p.IDs)+1 {
			p.IDs = append(p.IDs, id)
		}
	}
}

// All returns what IDs holds now. A call that its turn did not wait for may still add to
// it.
func (p *Presented) All() []nostr.ID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.IDs)
}

// add numbers notes, in their order, known ones by their old numbers. The notes of one
// call are numbered together, so that concurrent calls do not mix.
func (p *Presented) add(ids []nostr.ID) []PresentedNote {
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := make([]PresentedNote, 0, len(ids))
	for _, id := range ids {
		i := slices.Index(p.IDs, id)
		if i < 0 {
			i = len(p.IDs)
			p.IDs = append(p.IDs, id)
		}
		shown = append(shown, PresentedNote{Index: i + 1, NoteID: id.String()})
	}
	return shown
}

func runPresentNotes(ctx context.Context, env *Env, a PresentArgs) (PresentResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	res := PresentResult{Presented: []PresentedNote{}, Missing: []string{}}
	if n := len(a.NoteIDs); n == 0 || n > maxPresented {
		return res, wrongValue("note_ids", "1 to 200 ids", count(n, "id", "ids"))
	}
	view, err := env.viewer(ctx)
	if err != nil {
		return res, err
	}
	book := env.Presented
	if book == nil {
		book = &Presented{}
	}
	var found []nostr.ID
	for _, text := range a.NoteIDs {
		e, err := env.note(ctx, view, "note_ids", text)
		var bad *ArgumentError
		switch {
		case errors.Is(err, errNotShown) || errors.As(err, &bad):
			res.Missing = append(res.Missing, shownID(text))
			continue
		case err != nil:
			return res, err
		}
		if !slices.Contains(found, e.ID) {
			found = append(found, e.ID)
		}
	}
	res.Presented = book.add(found)
	return res, nil
}

// shownID repeats an id that was not found, but never a private key.
func shownID(text string) string {
	if isSecret(text) {
		return "(a private key)"
	}
	return clip(clean.Line(text, 80), 80)
}

// ForModel implements Result.
func (r PresentResult) ForModel(limit int) string {
	return Fit(limit, len(r.Presented)+len(r.Missing), func(show, _ int) any {
		out := struct {
			PresentResult
			LeftOut int `json:"left_out,omitempty"`
		}{PresentResult{[]PresentedNote{}, []string{}}, len(r.Presented) + len(r.Missing) - show}
		for _, p := range r.Presented[:min(show, len(r.Presented))] {
			out.Presented = append(out.Presented, PresentedNote{p.Index, shortID(p.NoteID)})
		}
		out.Missing = append(out.Missing, r.Missing[:max(show-len(r.Presented), 0)]...)
		return out
	})
}
