package upkeep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/examine"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// StoreCheck is what the check of one store found.
type StoreCheck struct {
	Store  string // "notes", "own data"
	Report ndb.CheckReport
}

// Repaired is the outcome of repairing one store.
type Repaired struct {
	Store  string // "notes", "own data"
	Report ndb.SalvageReport
}

// CheckOptions configure CheckStores and RepairStores. The zero value is ready to use.
type CheckOptions struct {
	Examine  examine.Func // default: in this process
	Now      func() time.Time
	Progress func(store string, done, of int) // may be nil
}

// StoreError says why a store cannot be opened: it is in use, damaged, too new, or in a
// place that does not permit it.
type StoreError struct {
	Store string // "notes", "own data", "sample"
	Err   error
}

func (e *StoreError) Error() string { return e.Store + ": " + e.Err.Error() }

// Unwrap returns the cause, one of ndb.Open's errors.
func (e *StoreError) Unwrap() error { return e.Err }

// storesOf names the stores of a place, first the one that relays can supply again.
func storesOf(places config.Places) []struct{ name, dir string } {
	return []struct{ name, dir string }{{"notes", places.Notes}, {"own data", places.Own}}
}

// CheckStores reads the stores of a place completely and reports what is wrong with each.
// It changes nothing. It refuses while they are open (*ndb.InUseError).
func CheckStores(ctx context.Context, places config.Places, opt CheckOptions) ([]StoreCheck, error) {
	var checks []StoreCheck
	for _, store := range storesOf(places) {
		report, err := opt.look(ctx, store.name, store.dir, true)
		if err != nil {
			return checks, &StoreError{store.name, err}
		}
		checks = append(checks, StoreCheck{store.name, report})
	}
	return checks, nil
}

// RepairStores repairs the damaged stores of a place (ndb.Salvage) and leaves the others
// alone. It refuses while they are open.
func RepairStores(ctx context.Context, places config.Places, opt CheckOptions) ([]Repaired, error) {
	var repaired []Repaired
	for _, store := range storesOf(places) {
		report, err := opt.look(ctx, store.name, store.dir, true)
		if err != nil {
			return repaired, &StoreError{store.name, err}
		}
		if report.BadCount == 0 {
			continue
		}
		salvaged, err := ndb.Salvage(ctx, store.dir, ndb.Options{Now: opt.Now}, opt.progress(store.name))
		if err != nil {
			return repaired, &StoreError{store.name, err}
		}
		repaired = append(repaired, Repaired{store.name, salvaged})
	}
	return repaired, nil
}

func (opt CheckOptions) progress(store string) func(done, of int) {
	return func(done, of int) {
		if opt.Progress != nil {
			opt.Progress(store, done, of)
		}
	}
}

func (opt CheckOptions) look(ctx context.Context, store, dir string, full bool) (ndb.CheckReport, error) {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return ndb.CheckReport{}, nil
	}
	release, err := ndb.HoldForReading(dir)
	if err != nil {
		return ndb.CheckReport{}, err
	}
	defer func() { _ = release() }() // a lock that is released late does no harm
	if opt.Examine == nil {
		return ndb.Probe(ctx, dir, full, opt.progress(store))
	}
	return opt.Examine(ctx, dir, full, opt.progress(store))
}

// Recovery is what became of stored notes that were found damaged: what could be read was
// saved, and the rest is fetched again. The zero value is none.
type Recovery struct {
	At    int64  `json:"at"`    // when, unix seconds
	Aside string `json:"aside"` // where the damaged files are
	Lost  int    `json:"lost"`  // events that were stored and could not be read
	// Unknown means that more may have been lost than Lost counts.
	Unknown bool `json:"unknown,omitempty"`
	// From and To are the dates of the oldest and newest of the lost events whose time is
	// known, unix seconds; 0 if none is.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Saved is how many events of that time could be read.
	Saved int `json:"saved"`
	// Fetched means that a sync has asked for all of that time again. Missing is then
	// roughly how many of Lost no relay had.
	Fetched bool `json:"fetched"`
	Missing int  `json:"missing,omitempty"`
	Now     bool `json:"-"` // it was done by this run of the program
}

// Pending reports whether lost notes are still to be fetched.
func (m Recovery) Pending() bool { return m.At != 0 && !m.Fetched }

const keyRecovery = "mending" // as earlier versions of the program saved it

// Recovery returns what became of the notes that were last found damaged.
func (k *Keeper) Recovery() Recovery { return *k.recovery.Load() }

// Recoverable reports whether notes are to be repaired without asking, since they can be
// fetched again. Damage of which a crash is the only evidence does not qualify.
func Recoverable(err error) bool {
	return errors.Is(err, ndb.ErrDamaged) && !errors.Is(err, ndb.ErrCrash)
}

// Recover makes a new store of what can be read of damaged notes. The report must reach a
// Keeper: see [Keeper.Recovered].
func Recover(ctx context.Context, dir string, opt ndb.Options, damage error, progress func(done, of int)) (ndb.SalvageReport, error) {
	opt.Logger.Warn("the stored notes are damaged; saving what can be read", "err", damage)
	report, err := ndb.Salvage(ctx, dir, ndb.Options{Now: opt.Now, FreeSpace: opt.FreeSpace}, progress)
	if err != nil {
		err = fmt.Errorf("%w; saving what can be read failed: %w", damage, err)
	}
	return report, err
}

// Recovered saves the outcome of repairing the notes.
func (k *Keeper) Recovered(ctx context.Context, report ndb.SalvageReport) error {
	if report.Whole() {
		return nil
	}
	m := k.Recovery()
	if !m.Pending() {
		m = Recovery{}
	}
	m.At, m.Aside, m.Now = k.opt.Now().Unix(), report.Aside, true
	m.Lost += report.Lost
	m.Unknown = m.Unknown || report.Incomplete
	if report.LostTo > 0 {
		m.To = max(m.To, report.LostTo)
		if m.From == 0 || report.LostFrom < m.From {
			m.From = report.LostFrom
		}
	}
	var err error
	if m.Saved, err = k.countOf(ctx, m); err != nil {
		return err
	}
	return k.saveRecovery(ctx, m)
}

func (k *Keeper) saveRecovery(ctx context.Context, m Recovery) error {
	k.recovery.Store(&m)
	return k.opt.State.Save(ctx, keyRecovery, m)
}

// countOf counts the events of the time in which some were lost.
func (k *Keeper) countOf(ctx context.Context, m Recovery) (int, error) {
	from, to := m.From, m.To
	if to == 0 {
		to = m.At
	}
	n, err := k.opt.Notes.Count(ctx, ndb.QueryOptions{Hidden: true}, nostr.Filter{Since: &from, Until: &to})
	if err != nil {
		return 0, fmt.Errorf("counting what is there of the notes that were lost: %w", err)
	}
	return n, nil
}

// EndRecovery is called when a sync has fetched everything it asks for. Lost notes are
// still missing as long as there are people for whom an answering relay has confirmed
// only part of the time, or nobody's notes are complete.
func (k *Keeper) EndRecovery(ctx context.Context, fetched, partly int) error {
	m := k.Recovery()
	if !m.Pending() || fetched == 0 || partly > 0 {
		return nil
	}
	there, err := k.countOf(ctx, m)
	if err != nil {
		return err
	}
	m.Fetched, m.Missing = true, max(0, m.Lost-max(0, there-m.Saved))
	return k.saveRecovery(ctx, m)
}

// DaysToFetch is how many days back notes are fetched: as the settings say, or further if
// older ones were lost.
func (k *Keeper) DaysToFetch() int {
	days := k.opt.Settings().Sync.DaysBack()
	if m := k.Recovery(); m.Pending() && m.From > 0 {
		lost := int(k.opt.Now().Sub(time.Unix(m.From, 0))/(24*time.Hour)) + 1
		days = max(days, min(lost, config.MostDays))
	}
	return days
}
