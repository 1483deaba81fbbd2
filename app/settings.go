package app

import (
	"context"
	"reflect"

	"bowerbird/app/config"
)

// Places returns where the open data is: that of the sample while it is open.
func (a *App) Places() config.Places {
	if a.opt.Sample {
		return a.opt.Places.ForSample()
	}
	return a.opt.Places
}

// Sample reports whether the built-in sample is open.
func (a *App) Sample() bool { return a.opt.Sample }

// Settings returns what the user has chosen. Changing the copy has no effect: see
// SaveSettings.
func (a *App) Settings() config.Settings {
	a.settingsMu.Lock()
	defer a.settingsMu.Unlock()
	return a.opt.Settings.Clone()
}

// SaveSettings lets change alter the settings and saves them; if they cannot be saved,
// nothing changes. The settings apply from then on, including to what is asked and
// fetched. The file is read again first, so that an entry written meanwhile, also by
// another Bowerbird, is kept; a file that cannot be understood is not overwritten, and
// invalid settings are not saved. change must not call back into the App, and may be
// called even if nothing is saved afterwards.
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
	// What a lower limit removed is fetched again under a higher one.
	if !reflect.DeepEqual(before.Sync, next.Sync) || before.Storage != next.Storage {
		a.live.BeginAnew()
	}
	if next.Digest.Daily && (!before.Digest.Daily || before.Digest.At != next.Digest.At) {
		return a.digestAskedFor(context.Background())
	}
	return nil
}
