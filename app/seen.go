package app

import (
	"context"
	"iter"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/ndb"
)

// keySeen begins the names of the lists of notes that somebody was shown; the reader's
// key follows.
const keySeen = "seen:"

// mostSeen is how many notes are remembered of a reader; seenDigits is how much of an
// id is enough to tell notes apart.
const (
	mostSeen   = 4000
	seenDigits = 16
)

// MarkSeen remembers that the reader was shown notes, so that a digest of what is not
// seen leaves them out.
func (a *App) MarkSeen(ctx context.Context, ids ...ndb.ID) error {
	if len(ids) == 0 {
		return nil
	}
	a.visiting.Lock()
	defer a.visiting.Unlock()
	list, err := a.seen(ctx)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(list))
	for _, id := range list {
		known[id] = true
	}
	for _, id := range ids {
		if short := id.String()[:seenDigits]; !known[short] {
			known[short] = true
			list = append(list, short)
		}
	}
	return a.state.Save(ctx, keySeen+a.myHex(), list[max(0, len(list)-mostSeen):])
}

// seen lists what the reader was shown, the newest last.
func (a *App) seen(ctx context.Context) (list []string, err error) {
	err = a.state.Load(ctx, keySeen+a.myHex(), &list)
	return list, err
}

// marking marks the notes that an answer shows as seen, when it has come to its end: one
// that was left, was stopped, failed or said nothing has not told of them.
func (a *App) marking(ctx context.Context, events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		var ids []ndb.ID
		said := false
		for e := range events {
			switch e.Type {
			case agent.EventPresentNotes:
				if e.Notes == nil {
					break
				}
				for _, n := range e.Notes.Presented {
					if id, err := ndb.ParseID(n.NoteID); err == nil {
						ids = append(ids, id)
					}
				}
			case agent.EventText:
				said = said || strings.TrimSpace(e.Delta) != ""
			case agent.EventFinish:
				if said && e.Finish != agent.FinishCancelled && e.Finish != agent.FinishError {
					// What cannot be remembered is told again: no reason to fail an answer.
					_ = a.MarkSeen(context.WithoutCancel(ctx), ids...)
				}
			}
			if !yield(e) {
				return
			}
		}
	}
}
