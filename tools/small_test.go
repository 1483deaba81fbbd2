package tools_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
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

func withTags(effect tools.Effect, tags ...string) tools.Tool {
	return tools.New("probe", "Probes.", effect, func(context.Context, *tools.Env, struct{}) (told, error) { return told{}, nil }, tools.Tagged(tags...))
}

// Row 002-45: tags are any words, trimmed; an empty one is refused.
func TestTagsAreTrimmedAndNoneIsEmpty(t *testing.T) {
	for _, tt := range []struct {
		effect tools.Effect
		tags   []string
		want   string
	}{
		{tools.None, nil, "read-only"},
		{tools.Deletes, nil, "destructive"},
		{tools.Publishes, nil, ""},
		{tools.None, []string{" weather ", "bread", "weather", tools.TagReadOnly}, "bread read-only weather"},
		{tools.Network, []string{"any words, also with spaces"}, "any words, also with spaces"},
	} {
		if got := strings.Join(withTags(tt.effect, tt.tags...).Spec().Tags, " "); got != tt.want {
			t.Errorf("%v %q: got %q, want %q", tt.effect, tt.tags, got, tt.want)
		}
	}
	for _, empty := range []string{"", " ", "\t\n"} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, "empty tag") {
					t.Errorf("%q was taken: %q", empty, said)
				}
			}()
			withTags(tools.None, "good", empty)
		}()
	}
	if _, err := tools.NewRegistry(foreign{withTags(tools.None), []string{"b", "a"}}); err == nil {
		t.Error("a registry took unsorted tags")
	}
	if _, err := tools.NewRegistry(foreign{withTags(tools.None), []string{" a"}}); err == nil {
		t.Error("a registry took an untrimmed tag")
	}
}

// foreign is a tool that New did not make.
type foreign struct {
	tools.Tool
	tags []string
}

func (f foreign) Spec() tools.Spec {
	s := f.Tool.Spec()
	s.Tags = f.tags
	return s
}

// Row 000-46: what shows more than text can be left out.
func TestToolsAreLeftOutByTheirTag(t *testing.T) {
	var names []string
	for _, tool := range tools.Builtin().Without(tools.TagRich) {
		names = append(names, tool.Spec().Name)
	}
	if len(names) != len(tools.Builtin().All())-2 || slices.Contains(names, "render_table") || slices.Contains(names, "render_chart") {
		t.Errorf("left are %v", names)
	}
}

// Row 002-33: what reaches a tool beside its arguments: who reads, a log, and an end.
func TestAToolHasTheAccountALogAndAnEnd(t *testing.T) {
	v := newVillage(t)
	var log bytes.Buffer
	env := v.Env()
	tool := tools.New("probe", "Probes.", tools.None, func(ctx context.Context, env *tools.Env, _ struct{}) (told, error) {
		env.Log().Info("probing", "me", env.Me.String())
		return told{env.Me.String()}, ctx.Err()
	})
	if res, err := tool.Call(t.Context(), env, nil); err != nil || res.(told).Text != v.me.Key.String() {
		t.Errorf("%+v, %v", res, err) // without a Logger, logging goes nowhere
	}
	env.Logger = slog.New(slog.NewTextHandler(&log, nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Call(ctx, env, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if !strings.Contains(log.String(), "probing") || !strings.Contains(log.String(), v.me.Key.String()) {
		t.Errorf("logged: %s", &log)
	}
}
