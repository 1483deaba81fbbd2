package ndb

import (
	"sync"

	"bowerbird/ndb/nostr"
)

// futureVersions are the versions of replaceables that are dated in the future,
// by the key of their winner, so that readers know when one takes over.
type futureVersions struct {
	mu       sync.RWMutex
	versions map[string][]winner
}

func newFutureVersions() *futureVersions {
	return &futureVersions{versions: make(map[string][]winner)}
}

func (f *futureVersions) add(key string, v winner) { f.versions[key] = append(f.versions[key], v) }

func (f *futureVersions) remove(key string, n uint32) {
	kept := f.versions[key][:0:0]
	for _, v := range f.versions[key] {
		if v.n != n {
			kept = append(kept, v)
		}
	}
	if f.versions[key] = kept; len(kept) == 0 {
		delete(f.versions, key)
	}
}

// apply makes the changes of one transaction together.
func (f *futureVersions) apply(changes []func(*futureVersions)) {
	if len(changes) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, change := range changes {
		change(f)
	}
}

// best returns the version that wins of those dated up to a time.
func (f *futureVersions) best(key string, until int64) (best winner, ok bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, v := range f.versions[key] {
		if v.created <= until && (!ok || nostr.Supersedes(v.created, v.id, best.created, best.id)) {
			best, ok = v, true
		}
	}
	return best, ok
}

// outdated reports whether a shown version has been overtaken by one whose time
// has come.
func (f *futureVersions) outdated(key string, e *nostr.Event, until int64) bool {
	best, ok := f.best(key, until)
	return ok && best.id != e.ID && nostr.Supersedes(best.created, best.id, e.CreatedAt, e.ID)
}

func (f *futureVersions) empty() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return len(f.versions) == 0
}
