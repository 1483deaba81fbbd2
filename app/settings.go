package app

import (
	"context"
	"reflect"

	"bowerbird/app/config"
)

// Places returns where the data lie that are open: those of the sample while it is
// read.
func (a *App) Places() config.Places {
	if a.opt.Sample {
		return a.opt.Places.ForSample()
	}
	return a.opt.Places
}

// Sample reports whether the built-in sample is open.
func (a *App) Sample() bool { return a.opt.Sample }

// Settings returns what the user has chosen. Changing the copy changes nothing:
// see SaveSettings.
func (a *App) Settings() config.Settings {
	a.settingsMu.Lock()
	defer a.settingsMu.Unlock()
	return a.opt.Settings.Clone()
}

// SaveSettings lets change alter the settings and saves them; what cannot be saved
// is not changed. The settings hold from then on, also for what is asked and
// fetched. The file is read anew before, so that an entry that was written into it
// meanwhile stays, by another Bowerbird too; a file that cannot be understood is not overwritten, and
// settings that make no sense are not saved. change must not call back into the
// App, and may be called when nothing is saved after.
func (a *App) SaveSettings(change func(*config.Settings)) error {
	a.saving.Lock()
	defer a.saving.Unlock()
	before := a.Settings()
	next, err := config.Update(a.opt.Places.Settings, a.Settings(), change)
	if err != nil {
		return err
	}
	a.settingsMu.Lock()
	a.opt.Settings = next
	a.settingsMu.Unlock()
	// A larger budget wants fetched again what a smaller one let go of.
	if !reflect.DeepEqual(before.Sync, next.Sync) || before.Storage != next.Storage {
		a.live.BeginAnew()
	}
	if next.Digest.Daily && (!before.Digest.Daily || before.Digest.At != next.Digest.At) {
		return a.digestAskedFor(context.Background())
	}
	return nil
}

// syncSettings returns where notes come from, as the user has it.
func (a *App) syncSettings() config.Sync { return a.Settings().Sync }
