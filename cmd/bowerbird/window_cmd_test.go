package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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
