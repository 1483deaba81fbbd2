package upkeep

import (
	"context"
	"errors"
	"os"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/examine"
	"bowerbird/ndb"
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
