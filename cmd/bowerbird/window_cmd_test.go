package main

import (
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
