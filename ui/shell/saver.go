package shell

import (
	"slices"
	"sync"

	"bowerbird/app"
	"bowerbird/app/config"
)

// saver saves changes of the settings in the order in which they were made, away
// from the window's thread. What could not be saved is kept and goes with the next.
type saver struct {
	saving  sync.Mutex // one save at a time; held while the disk is written
	mu      sync.Mutex // guards unsaved, for moments
	unsaved []func(*config.Settings)
}

// add takes a change up. change is called once or more often, on any goroutine.
func (v *saver) add(change func(*config.Settings)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unsaved = append(v.unsaved, change)
}

// done reports whether all changes are saved.
func (v *saver) done() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.unsaved) == 0
}

// forget drops what is not saved.
func (v *saver) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unsaved = nil
}

// save saves all changes, and returns when they and those before are saved. It
// writes to the disk.
func (v *saver) save(to *app.App) error {
	v.saving.Lock()
	defer v.saving.Unlock()
	v.mu.Lock()
	changes := slices.Clone(v.unsaved)
	v.mu.Unlock()
	if len(changes) == 0 {
		return nil
	}
	err := to.SaveSettings(func(set *config.Settings) {
		for _, change := range changes {
			change(set)
		}
	})
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unsaved = slices.Clone(v.unsaved[min(len(changes), len(v.unsaved)):])
	return nil
}
