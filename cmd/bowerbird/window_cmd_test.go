package main

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

func TestAWindowNeedsADisplayOnlyWhereThereCanBeNone(t *testing.T) {
	for _, tc := range []struct {
		goos string
		env  map[string]string
		want bool
	}{
		{"linux", nil, false},
		{"linux", map[string]string{"DISPLAY": ":0"}, true},
		{"freebsd", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, true},
		{"windows", nil, true},
		{"darwin", nil, true},
	} {
		if got := haveDisplay(tc.goos, func(name string) string { return tc.env[name] }); got != tc.want {
			t.Errorf("%s %v: %v", tc.goos, tc.env, got)
		}
	}
}

func TestWithoutADisplayItSaysSoAndNamesAsk(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	r := bowerbird(t, "", "--data", t.TempDir())
	if r.code != exitFailed || !strings.Contains(r.err, "no display") || !strings.Contains(r.err, "ask") {
		t.Errorf("exit %d, %q", r.code, r.err)
	}
}

func TestTheDesktopKeepsNoPreferencesThatItWouldReadHalfWritten(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks where Fyne keeps them on Linux")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	desktop := newDesktop()
	desktop.Preferences().SetString("a", "b")
	if files, err := filepath.Glob(filepath.Join(home, "fyne", "*", "preferences.json")); err != nil || len(files) > 0 {
		t.Errorf("preferences are written to %q (%v)", files, err)
	}
	if desktop.UniqueID() != appID {
		t.Errorf("the desktop knows it as %q", desktop.UniqueID())
	}
}

func TestTheKeyOfReleasesIsOneOrNone(t *testing.T) {
	code, err := nostr.ParseCode(releaseKey)
	if releaseKey != "" && (err != nil || code.Prefix != nostr.CodePubKey) {
		t.Errorf("%q: %v", releaseKey, err)
	}
	if (updates().Key == nostr.PubKey{}) != (releaseKey == "") {
		t.Error("the window does not use it")
	}
}

// TestOnlyALinkIsTakenWithoutACommand holds what a browser may hand over.
func TestOnlyALinkIsTakenWithoutACommand(t *testing.T) {
	npub := nostr.PubKey{7}.Npub()
	for line, want := range map[string]string{
		"nostr:" + npub:                "",
		"WEB+NOSTR://" + npub:          "",
		"nostr:nsec1qqqqqqqqqq":        "secret key",
		"nostr:" + npub + " nostr:abc": "one link at a time",
		"nostr:abc":                    "cannot be opened",
		npub:                           "no command",
		"https://example.com":          "no command",
	} {
		err := linkOrNothing(newRoot(&program{}), strings.Fields(line))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
		if err != nil && exitCode(err) != exitUsage {
			t.Errorf("%s: exit %d", line, exitCode(err))
		}
	}
}

func TestAtLoginTheProgramStartsWithTheSameData(t *testing.T) {
	self := func() (string, error) { return "/opt/bowerbird", nil }
	none := func(string) string { return "" }
	here, err := filepath.Abs("some data")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		p      program
		getenv func(string) string
		want   []string
	}{
		{program{}, none, []string{"/opt/bowerbird", "--background"}},
		{program{data: "some data"}, none, []string{"/opt/bowerbird", "--background", "--data", here}},
		{program{settings: here}, none, []string{"/opt/bowerbird", "--background", "--config", here}},
		{program{}, func(string) string { return "/home/ada/Bowerbird.AppImage" }, []string{"/home/ada/Bowerbird.AppImage", "--background"}},
	} {
		e, err := tc.p.login(self, tc.getenv)
		if err != nil || !slices.Equal(e.Command, tc.want) {
			t.Errorf("%q, %v, want %q", e.Command, err, tc.want)
		}
	}
}
