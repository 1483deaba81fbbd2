package app

import (
	"slices"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"

	"github.com/nbd-wtf/go-nostr"
)

// TestAllSayWhichKindsAreLacking: the window, the coverage tool and the summary of a sync
// say the same of people whose relay gives reactions to members alone.
func TestAllSayWhichKindsAreLacking(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f nostr.Filter) string {
		if slices.Equal(f.Kinds, []int{7}) {
			return "auth-required: members alone"
		}
		return ""
	}}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	sum, err := a.Sync(t.Context(), SyncOptions{Once: true, AllowPrivate: true})
	if err != nil || sum.Complete != 0 || sum.Partly != 2 || !slices.Equal(sum.Relays[0].Lacking, []uint16{7}) {
		t.Errorf("%+v, %v", sum, err)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || cov.Complete != 0 || len(cov.People) != 2 {
		t.Fatalf("%+v, %v", cov, err)
	}
	for _, p := range cov.People {
		if p.State != ReachedPartly || p.Share != 1 || !slices.Equal(p.Lacking, []uint16{7}) {
			t.Errorf("%+v", p)
		}
	}
	env, err := a.Env(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := tools.Builtin().Get("coverage")
	res := tooltest.Call(t, tool, env, `{"since":"3d"}`).(tools.CoverageResult)
	if s := res.Summary; s.Complete != 0 || s.Partly != 2 || !slices.Equal(s.Lacking, []uint16{7}) || len(res.People) != 2 || !slices.Equal(res.People[0].Lacking, []uint16{7}) {
		t.Errorf("%+v", res)
	}
}
