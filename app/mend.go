package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb"
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

// openNotes opens the user's notes. Damaged ones are mended first: they can be fetched
// again, so nobody has to be asked.
func (a *App) openNotes(ctx context.Context, places config.Places, opt ndb.Options) (mended *ndb.SalvageReport, err error) {
	a.notes, err = ndb.Open(places.Notes, opt)
	if !errors.Is(err, ndb.ErrDamaged) || opt.ReadOnly || a.opt.Access == Read {
		return nil, err
	}
	a.opt.Logger.Warn("the stored notes are damaged, and are mended", "err", err)
	report, mendErr := ndb.Salvage(ctx, places.Notes, ndb.Options{Now: opt.Now, FreeSpace: opt.FreeSpace}, a.preparing(SavingDamaged))
	if mendErr != nil {
		return nil, errors.Join(err, mendErr)
	}
	a.notes, err = ndb.Open(places.Notes, opt)
	return &report, err
}

// beginMending keeps what a repair of the notes has told, or finds out how it stands
// with the last one.
func (a *App) beginMending(ctx context.Context, report *ndb.SalvageReport) error {
	var m Mending
	if report == nil || report.Whole() {
		err := a.loadState(ctx, keyMending, &m)
		a.mending.Store(&m)
		return err
	}
	m = Mending{
		At: a.opt.Now().Unix(), Aside: report.Aside, Lost: report.Lost, Unknown: report.Incomplete,
		From: report.LostFrom, To: report.LostTo,
	}
	var err error
	if m.Saved, err = a.countOf(ctx, m); err != nil {
		return err
	}
	return a.keepMending(ctx, m)
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
	n, err := a.notes.Count(ctx, ndb.QueryOptions{Hidden: true}, ndb.Filter{Since: &from, Until: &to})
	if err != nil {
		return 0, fmt.Errorf("counting what is there of the notes that were lost: %w", err)
	}
	return n, nil
}

// endMending is told when a sync has fetched all that it asks for.
func (a *App) endMending(ctx context.Context) error {
	m := a.Mending()
	if !m.Pending() {
		return nil
	}
	there, err := a.countOf(ctx, m)
	if err != nil {
		return err
	}
	m.Fetched, m.Missing = true, max(0, m.Lost-max(0, there-m.Saved))
	return a.keepMending(ctx, m)
}

// daysToFetch is how far back notes are fetched: as far as the settings say, and
// farther where older ones were lost.
func (a *App) daysToFetch() int {
	days := a.syncSettings().DaysBack()
	if m := a.Mending(); m.Pending() && m.From > 0 {
		days = max(days, int(a.opt.Now().Sub(time.Unix(m.From, 0))/(24*time.Hour))+1)
	}
	return days
}
