package app

import (
	"context"
	"iter"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb/nostr"
)

// The names under which the App remembers things.
const (
	keyPerson = "person" // whom the notes are read as, hex
	keyVisit  = "visit"
	keyDigest = "digest"
)

// visitGap is how long nothing must be asked until the next question opens a new
// visit: within a visit, "since I was last here" keeps meaning the one before.
const visitGap = 30 * time.Minute

// visit is when the user was here, in unix seconds.
type visit struct {
	Seen   int64 `json:"seen"`   // the latest sign of this visit
	Before int64 `json:"before"` // the end of the visit before; 0 for the first
}

// enter returns the visits after a sign of life at now. sitting is when the window
// was opened, zero in a terminal: a visit that ended before is one before this, also
// when it was a moment ago, as long as no earlier one is known.
func (v visit) enter(now, sitting time.Time) visit {
	seen := time.Unix(v.Seen, 0)
	if v.Seen != 0 && (now.Sub(seen) >= visitGap || v.Before == 0 && seen.Before(sitting.Truncate(time.Second))) {
		v.Before = v.Seen
	}
	v.Seen = now.Unix()
	return v
}

// Visit records that the user is here now and returns when they were last here
// before this visit; the zero time on the first one.
func (a *App) Visit(ctx context.Context) (time.Time, error) {
	a.visiting.Lock()
	defer a.visiting.Unlock()
	var v visit
	if err := a.state.Load(ctx, keyVisit, &v); err != nil {
		return time.Time{}, err
	}
	v = v.enter(a.opt.Now(), a.sitting)
	if err := a.state.Save(ctx, keyVisit, v); err != nil {
		return time.Time{}, err
	}
	return v.last(), nil
}

// LastVisit returns what Visit would, and records nothing.
func (a *App) LastVisit(ctx context.Context) (time.Time, error) {
	var v visit
	err := a.state.Load(ctx, keyVisit, &v)
	return v.enter(a.opt.Now(), a.sitting).last(), err
}

func (v visit) last() time.Time {
	if v.Before == 0 {
		return time.Time{}
	}
	return time.Unix(v.Before, 0)
}

// Since returns the mark from which news count: the end of the visit before this
// one, or when the user last said to be caught up, whichever is later. It is zero
// on the first visit.
func (a *App) Since(ctx context.Context) (time.Time, error) { return a.LastVisit(ctx) }

// CaughtUp moves the mark to now: the user has seen what there is.
func (a *App) CaughtUp(ctx context.Context) error {
	now := a.opt.Now().Unix()
	a.visiting.Lock()
	defer a.visiting.Unlock()
	return a.state.Save(ctx, keyVisit, visit{Seen: now, Before: now})
}

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
func (a *App) MarkSeen(ctx context.Context, ids ...nostr.ID) error {
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
		var ids []nostr.ID
		said := false
		for e := range events {
			switch e.Type {
			case agent.EventPresentNotes:
				if e.Notes == nil {
					break
				}
				for _, n := range e.Notes.Presented {
					if id, err := nostr.ParseID(n.NoteID); err == nil {
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

// ReadPlace is where somebody stopped reading a list of notes.
type ReadPlace struct {
	First ReadNote `json:"first"` // the newest note that stood in the list
	Top   ReadNote `json:"top"`   // the one at the upper edge
	// Above is how much of Top was above the edge, in points.
	Above float32 `json:"above"`
}

// ReadNote is a note of a list. Its time leads near where it stood once the note
// itself is gone.
type ReadNote struct {
	ID nostr.ID `json:"id"`
	At int64    `json:"at"` // unix seconds
}

// keyPlace is where the places of a list are kept, for each reader.
func (a *App) keyPlace(list string) string { return "place:" + list + ":" + a.Me().String() }

// ReadPlace returns where the reader stopped in a list; the zero value where they
// never did.
func (a *App) ReadPlace(ctx context.Context, list string) (ReadPlace, error) {
	var p ReadPlace
	err := a.state.Load(ctx, a.keyPlace(list), &p)
	return p, err
}

// KeepReadPlace remembers where the reader stands in a list.
func (a *App) KeepReadPlace(ctx context.Context, list string, p ReadPlace) error {
	return a.state.Save(ctx, a.keyPlace(list), p)
}
