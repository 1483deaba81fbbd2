package app

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// Updates is how the program learns of newer versions of itself.
type Updates struct {
	Version string // of this program
	// Key is the project's public key, which signs an event for each release (kind 30063,
	// named "social.bowerbird.desktop@1.2.3"); zero: nothing is looked for.
	Key nostr.PubKey
	// PackagedBy is the distribution that this program came with; it delivers the next
	// versions, so nothing is looked for. "" for none.
	PackagedBy string
}

const (
	releaseKind   = 30063 // NIP-51 and NIP-82
	releaseName   = "social.bowerbird.desktop@"
	releasesMost  = 20
	updatesEvery  = 24 * time.Hour
	releasesAhead = 15 * time.Minute // that the clock of whoever made the release may be ahead
	keyUpdates    = "updates"
)

// release is what is known of releases.
type release struct {
	Asked   int64  `json:"asked"` // unix seconds
	Version string `json:"version,omitempty"`
	At      int64  `json:"at,omitempty"` // of its event, unix seconds
}

// LooksForUpdates reports whether the program looks for newer versions, unless the user has
// switched that off.
func (a *App) LooksForUpdates() bool {
	_, ok := numbersOf(a.opt.Updates.Version)
	return ok && a.opt.Updates.Key != (nostr.PubKey{}) && a.opt.Updates.PackagedBy == "" && !a.opt.Sample
}

// PackagedBy returns the distribution that delivers newer versions; "" for none.
func (a *App) PackagedBy() string { return a.opt.Updates.PackagedBy }

// NewVersion returns the newer version that Update found; "" for none.
func (a *App) NewVersion() string {
	if v := a.newVersion.Load(); v != nil {
		return *v
	}
	return ""
}

// Update asks the relays in use for a newer version, once a day at most, and returns it; ""
// if none is known. Nothing is ever downloaded.
func (a *App) Update(ctx context.Context) (version string, err error) {
	if !a.LooksForUpdates() || a.Settings().Updates.Off {
		a.newVersion.Store(nil)
		return "", nil
	}
	var known release
	if err := a.state.Load(ctx, keyUpdates, &known); err != nil {
		return "", err
	}
	now := a.opt.Now()
	if since := now.Sub(time.Unix(known.Asked, 0)); since < 0 || since >= updatesEvery {
		if err := a.live.FetchKind(ctx, a.opt.Updates.Key, releaseKind, releasesMost); err != nil {
			return "", err
		}
		known.Asked = now.Unix()
		for e, err := range a.notes.Query(ctx, ndb.QueryOptions{}, nostr.Filter{
			Authors: []nostr.PubKey{a.opt.Updates.Key}, Kinds: []uint16{releaseKind}, Limit: new(releasesMost),
		}) {
			if err != nil {
				return "", fmt.Errorf("reading the releases: %w", err)
			}
			known.learn(e, now)
		}
		if err := a.state.Save(ctx, keyUpdates, known); err != nil {
			return "", err
		}
	}
	if !isNewer(known.Version, a.opt.Updates.Version) {
		known.Version = ""
	}
	a.newVersion.Store(&known.Version)
	return known.Version, nil
}

// learn takes up what an event of the project says. The newest counts, even if the version
// is lower: the other was taken back. One that is older than what is known says nothing,
// nor does one from the future.
func (r *release) learn(e *nostr.Event, now time.Time) {
	d, _ := e.Tags.Value("d")
	version, ours := strings.CutPrefix(d, releaseName)
	_, ok := numbersOf(version)
	if !ours || !ok || e.CreatedAt <= r.At || e.CreatedAt > now.Add(releasesAhead).Unix() {
		return
	}
	r.Version, r.At = version, e.CreatedAt
}

// numbersOf reads a version of three numbers.
func numbersOf(version string) (n [3]int, ok bool) {
	parts := strings.Split(version, ".")
	if len(parts) != len(n) {
		return n, false
	}
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 16)
		if err != nil {
			return n, false
		}
		n[i] = int(v)
	}
	return n, true
}

func isNewer(version, than string) bool {
	a, ok := numbersOf(version)
	b, _ := numbersOf(than)
	return ok && cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2])) > 0
}
