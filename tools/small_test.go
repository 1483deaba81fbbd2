package tools_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// Row 002-44: the clock is the caller's.
func TestTheTimeIsToldInTheZoneAskedFor(t *testing.T) {
	w := tooltest.NewWorld(t) // Sunday noon in Berlin
	for args, want := range map[string]tools.CurrentTimeResult{
		`{}`:                          {Time: "2026-05-03T12:00:00+02:00", Unix: 1777802400, Weekday: "Sunday", Zone: "CEST"},
		`{"zone":""}`:                 {Time: "2026-05-03T12:00:00+02:00", Unix: 1777802400, Weekday: "Sunday", Zone: "CEST"},
		`{"zone":"Asia/Tokyo"}`:       {Time: "2026-05-03T19:00:00+09:00", Unix: 1777802400, Weekday: "Sunday", Zone: "Asia/Tokyo"},
		`{"zone":"Pacific/Auckland"}`: {Time: "2026-05-03T22:00:00+12:00", Unix: 1777802400, Weekday: "Sunday", Zone: "Pacific/Auckland"},
		`{"zone":"UTC"}`:              {Time: "2026-05-03T10:00:00Z", Unix: 1777802400, Weekday: "Sunday", Zone: "UTC"},
	} {
		if got := tooltest.Call(t, builtin(t, "current_time"), w.Env(), args); got != want {
			t.Errorf("%s: got %+v, want %+v", args, got, want)
		}
	}
	for _, args := range []string{`{"zone":"Tokyo"}`, `{"zone":"Local"}`, `{"zone":"../../etc/passwd"}`, `{"zone":"/etc/localtime"}`} {
		if err := fails(t, w, "current_time", args); !strings.Contains(err.Error(), "IANA name") {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// Row 002-44: so is chance.
func TestAUUIDIsMadeOfTheRandomBytesGiven(t *testing.T) {
	w := tooltest.NewWorld(t)
	env := w.Env()
	env.Random = bytes.NewReader(slices.Repeat([]byte{0xff}, 16))
	if got := tooltest.Call(t, builtin(t, "random_uuid"), env, `{}`).(tools.RandomUUIDResult).UUID; got != "ffffffff-ffff-4fff-bfff-ffffffffffff" {
		t.Errorf("got %s", got)
	}
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 100 {
		id := tooltest.Call(t, builtin(t, "random_uuid"), w.Env(), `{}`).(tools.RandomUUIDResult).UUID
		if seen[id] || !form.MatchString(id) {
			t.Errorf("%s is none, or came twice", id)
		}
		seen[id] = true
	}
	env.Random = iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, err := builtin(t, "random_uuid").Call(t.Context(), env, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("without random bytes: %v", err)
	}
}

// told is what a tool of the tests answers.
type told struct{ Text string }

func (r told) ForModel(int) string { return `{}` }

// Row 002-33: what reaches a tool beside its arguments: who reads, and an end.
func TestAToolHasTheAccountAndAnEnd(t *testing.T) {
	v := newVillage(t)
	tool := tools.New("probe", "Probes.", tools.None, func(ctx context.Context, env *tools.Env, _ struct{}) (told, error) {
		return told{env.Me.String()}, ctx.Err()
	})
	if res, err := tool.Call(t.Context(), v.Env(), nil); err != nil || res.(told).Text != v.me.Key.String() {
		t.Errorf("%+v, %v", res, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Call(ctx, v.Env(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
