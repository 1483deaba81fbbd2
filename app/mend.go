package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Mending is what became of stored notes that were found damaged: what could be read
// was saved, and the rest is fetched again. The zero value is none.
type Mending struct {
	At    int64  `json:"at"`    // when, unix seconds
	Aside string `json:"aside"` // where the damaged files lie
	Lost  int    `json:"lost"`  // events that were stored and could not be read
	// Unknown says that more may have been lost than Lost tells.
	Unknown bool `json:"unknown,omitempty"`
	// From and To are the oldest and newest of the lost events whose time is known, unix
	// seconds; 0 when none is.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Saved is how many events of that time could be read.
	Saved int `json:"saved"`
	// Fetched says that a sync has asked for all of that time again. Missing is then
	// about how many of Lost no relay gave.
	Fetched bool `json:"fetched"`
	Missing int  `json:"missing,omitempty"`
	Now     bool `json:"-"` // it was done by this run of the program
}

// Pending reports whether lost notes are still to be fetched.
func (m Mending) Pending() bool { return m.At != 0 && !m.Fetched }

const keyMending = "mending"

// Mending returns what became of notes that were found damaged last.
func (a *App) Mending() Mending {
	if m := a.mending.Load(); m != nil {
		return *m
	}
	return Mending{}
}

// mendable reports whether notes are to be mended without asking anybody: they can be
// fetched again. What is shown by a crash alone is not.
func mendable(err error) bool {
	return errors.Is(err, ndb.ErrDamaged) && !errors.Is(err, ndb.ErrCrash)
}

// mend makes new notes of what can be read of damaged ones, opens them, and keeps what
// it came to.
func (a *App) mend(ctx context.Context, dir string, opt ndb.Options, damage error) error {
	a.opt.Logger.Warn("the stored notes are damaged, and are mended", "err", damage)
	report, err := ndb.Salvage(ctx, dir, ndb.Options{Now: opt.Now, FreeSpace: opt.FreeSpace}, a.preparing(SavingDamaged))
	if err != nil {
		return fmt.Errorf("%w; saving what can be read failed: %w", damage, err)
	}
	if a.notes, err = ndb.Open(dir, opt); err != nil || report.Whole() {
		return err
	}
	var m Mending
	if err := a.loadState(ctx, keyMending, &m); err != nil {
		return err
	}
	if !m.Pending() {
		m = Mending{}
	}
	m.At, m.Aside, m.Now = a.opt.Now().Unix(), report.Aside, true
	m.Lost += report.Lost
	m.Unknown = m.Unknown || report.Incomplete
	if report.LostTo > 0 {
		m.To = max(m.To, report.LostTo)
		if m.From == 0 || report.LostFrom < m.From {
			m.From = report.LostFrom
		}
	}
	if m.Saved, err = a.countOf(ctx, m); err != nil {
		return err
	}
	return a.keepMending(ctx, m)
}

// recallMending finds out how it stands with the last mending.
func (a *App) recallMending(ctx context.Context) error {
	if a.mending.Load() != nil {
		return nil
	}
	var m Mending
	err := a.loadState(ctx, keyMending, &m)
	a.mending.Store(&m)
	return err
}

func (a *App) keepMending(ctx context.Context, m Mending) error {
	a.mending.Store(&m)
	return a.saveState(ctx, keyMending, m)
}

// countOf counts the events of the time in which some were lost.
func (a *App) countOf(ctx context.Context, m Mending) (int, error) {
	from, to := m.From, m.To
	if to == 0 {
		to = m.At
	}
	n, err := a.notes.Count(ctx, ndb.QueryOptions{Hidden: true}, nostr.Filter{Since: &from, Until: &to})
	if err != nil {
		return 0, fmt.Errorf("counting what is there of the notes that were lost: %w", err)
	}
	return n, nil
}

// endMending is told when a sync has fetched all that it asks for. Lost notes are still
// to be fetched as long as there are people of whom a relay that answers has confirmed a
// part of the time alone, or nobody's notes are complete.
func (a *App) endMending(ctx context.Context, fetched, partly int) error {
	m := a.Mending()
	if !m.Pending() || fetched == 0 || partly > 0 {
		return nil
	}
	there, err := a.countOf(ctx, m)
	if err != nil {
		return err
	}
	m.Fetched, m.Missing = true, max(0, m.Lost-max(0, there-m.Saved))
	return a.keepMending(ctx, m)
}

// endMending is App.endMending for a session that is up to date.
func (l *Live) endMending(ctx context.Context) error {
	c, err := l.Coverage(ctx)
	if err != nil {
		return err
	}
	fetched, partly := 0, 0
	for _, p := range c.People {
		if p.Whole() { // what the relays leave out, or nobody asks for, no waiting brings
			fetched++
		} else if p.State == coverage.Partly {
			partly++
		}
	}
	return l.app.endMending(ctx, fetched, partly)
}

// daysToFetch is how far back notes are fetched: as far as the settings say, and
// farther where older ones were lost.
func (a *App) daysToFetch() int {
	days := a.syncSettings().DaysBack()
	if m := a.Mending(); m.Pending() && m.From > 0 {
		lost := int(a.opt.Now().Sub(time.Unix(m.From, 0))/(24*time.Hour)) + 1
		days = max(days, min(lost, config.MostDays))
	}
	return days
}
