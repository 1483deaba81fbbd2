package app

import (
	"context"
	"iter"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb/nostr"
)

// keyVisit is the name under which the visits are saved.
const keyVisit = "visit"

// visitGap is how long nothing must be asked until the next question begins a new visit:
// within a visit, "since I was last here" keeps its meaning.
const visitGap = 30 * time.Minute

// visit is when the user was here, in unix seconds.
type visit struct {
	Seen   int64 `json:"seen"`   // the latest sign of presence in this visit
	Before int64 `json:"before"` // the end of the visit before; 0 for the first
}

// enter returns the visits after a sign of presence at now. sitting is when the window
// was opened, zero in a terminal: a visit that ended before that counts as an earlier
// one, even if it ended a moment ago, as long as no earlier one is known.
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

// LastVisit returns what Visit would, without recording anything: the time from which notes
// count as new. It is when [App.CaughtUp] was called, if that was later.
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

// CaughtUp moves the mark to now: the user has seen what there is.
func (a *App) CaughtUp(ctx context.Context) error {
	now := a.opt.Now().Unix()
	a.visiting.Lock()
	defer a.visiting.Unlock()
	return a.state.Save(ctx, keyVisit, visit{Seen: now, Before: now})
}

// keySeen begins the names of the lists of notes that were shown; the key of the account
// follows.
const keySeen = "seen:"

// mostSeen is how many notes are remembered for an account; seenDigits is how much of an
// id is enough to tell notes apart.
const (
	mostSeen   = 4000
	seenDigits = 16
)

// MarkSeen records that notes were shown, so that a digest of unseen notes leaves them
// out.
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

// seen lists what was shown, the newest last.
func (a *App) seen(ctx context.Context) (list []string, err error) {
	err = a.state.Load(ctx, keySeen+a.myHex(), &list)
	return list, err
}

// marking marks the notes that an answer shows as seen once it has ended: an answer that
// was left, stopped, failed or empty does not count.
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
					// What is not recorded is shown again: no reason to fail an answer.
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
	First ReadNote `json:"first"` // the newest note in the list
	Top   ReadNote `json:"top"`   // the one at the top edge
	// Above is how much of Top was above the edge, in points.
	Above float32 `json:"above"`
}

// ReadNote is a note of a list. Its time leads to the right neighbourhood once the note
// itself is gone.
type ReadNote struct {
	ID nostr.ID `json:"id"`
	At int64    `json:"at"` // unix seconds
}

// keyPlace is the name under which the position in a list is saved, for each account.
func (a *App) keyPlace(list string) string { return "place:" + list + ":" + a.Me().String() }

// ReadPlace returns where the account stopped in a list; the zero value if it never did.
func (a *App) ReadPlace(ctx context.Context, list string) (ReadPlace, error) {
	var p ReadPlace
	err := a.state.Load(ctx, a.keyPlace(list), &p)
	return p, err
}

// KeepReadPlace saves the position in a list.
func (a *App) KeepReadPlace(ctx context.Context, list string, p ReadPlace) error {
	return a.state.Save(ctx, a.keyPlace(list), p)
}
