package app

import (
	"bytes"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

// TestOnlyTheProjectsLatestWordOnReleasesCounts has a relay serve what it may: a forged
// release, one by somebody else, an old one, one from the future, and later a replay of one
// that was taken back.
func TestOnlyTheProjectsLatestWordOnReleasesCounts(t *testing.T) {
	c := newCircle("ada")
	project, thief, now := testkit.NewKey("the project's releases"), testkit.NewKey("thief"), time.Now()
	release := func(k testkit.Key, version string, ago time.Duration) []byte {
		return k.Event(t, releaseKind, now.Add(-ago).Unix(), "", []string{"d", releaseName + version})
	}
	takenBack := release(project, "0.9.0", 3*time.Hour)
	forged := bytes.Replace(release(project, "7.0.1", time.Hour), []byte("7.0.1"), []byte("7.0.2"), 1)
	relays := func(events ...[]byte) string { return testkit.StartGoRelay(t, testkit.GoRelayOptions{}, events...).URL }
	look := func(days int, version string, places config.Places, url string, change func(*App)) string {
		t.Helper()
		a := c.reading(t, places, url)
		defer closeApp(t, a)
		a.opt.Updates = Updates{Version: version, Key: pubKey(t, project.PubKey)}
		a.opt.Now = func() time.Time { return now.Add(time.Duration(days) * 24 * time.Hour) }
		if change != nil {
			change(a)
		}
		found, err := a.Update(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if found != a.NewVersion() {
			t.Errorf("%q was found and %q is shown", found, a.NewVersion())
		}
		return found
	}
	nothing := relays()
	all := relays(forged, release(thief, "8.0.0", time.Hour), release(project, "0.3.0", time.Hour), takenBack,
		release(project, "9.0.0", -time.Hour), release(project, "six", time.Minute),
		project.Event(t, releaseKind, now.Unix(), "", []string{"d", "another.program@6.0.0"}),
		project.Event(t, 1, now.Unix(), "", []string{"d", releaseName + "5.0.0"}))
	fresh := func() config.Places { return config.Locate(t.TempDir(), "") }

	places := fresh()
	if got := look(0, "0.2.0", places, all, nil); got != "0.3.0" {
		t.Errorf("found %q, want the project's newest word", got)
	}
	if got := look(0, "0.2.0", places, relays(release(project, "0.4.0", 0)), nil); got != "0.3.0" {
		t.Errorf("asked again on the same day, %q came", got)
	}
	if got := look(1, "0.2.0", places, relays(takenBack), nil); got != "0.3.0" {
		t.Errorf("a replay made it %q", got)
	}
	if got := look(2, "0.2.0", places, relays(release(project, "0.4.0", 0)), nil); got != "0.4.0" {
		t.Errorf("two days later %q is known", got)
	}
	if got := look(2, "0.4.0", places, nothing, nil); got != "" {
		t.Errorf("after the update %q is offered", got)
	}
	for what, change := range map[string]func(*App){
		"without a key":       func(a *App) { a.opt.Updates.Key = nostr.PubKey{} },
		"of a distribution":   func(a *App) { a.opt.Updates.PackagedBy = "Debian" },
		"switched off":        func(a *App) { a.opt.Settings.Updates.Off = true },
		"of no known version": func(a *App) { a.opt.Updates.Version = "dev" },
	} {
		if got := look(0, "0.2.0", fresh(), all, change); got != "" {
			t.Errorf("%s: %q", what, got)
		}
	}
	for _, version := range []string{"0.3.0", "0.3.1", "0.10.0", "1.0.0"} {
		if got := look(0, version, fresh(), all, nil); got != "" {
			t.Errorf("%s is offered %s", version, got)
		}
	}
}

func TestHowOneReleaseIsHeard(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	for _, tc := range []struct {
		at   int64
		d    string
		want string
	}{
		{500, releaseName + "1.2.3", "1.2.3"},
		{100, releaseName + "1.2.3", "0.1.0"}, // as old as what was heard
		{99, releaseName + "1.2.3", "0.1.0"},
		{1_000_000 + 60, releaseName + "1.2.3", "1.2.3"},
		{1_000_000 + 3600, releaseName + "1.2.3", "0.1.0"},
		{500, releaseName + "1.2", "0.1.0"},
		{500, releaseName + "1.2.3-rc1", "0.1.0"},
		{500, releaseName + "1.2.99999999999", "0.1.0"},
		{500, "1.2.3", "0.1.0"},
	} {
		r := release{Version: "0.1.0", At: 100}
		r.learn(&nostr.Event{CreatedAt: tc.at, Tags: nostr.Tags{{"d", tc.d}}}, now)
		if r.Version != tc.want {
			t.Errorf("%s of %d: %s, want %s", tc.d, tc.at, r.Version, tc.want)
		}
	}
}
