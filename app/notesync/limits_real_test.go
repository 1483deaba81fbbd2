package notesync_test

import (
	"os"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

// TestKhatruThatLimitsQuestionsIsReadToTheEnd takes minutes, since khatru goes by the
// clock of this computer; with the clock of a test it is
// TestARelayThatLimitsQuestionsIsReadToTheEnd.
func TestKhatruThatLimitsQuestionsIsReadToTheEnd(t *testing.T) {
	if os.Getenv("BOWERBIRD_FAULTS") == "" {
		t.Skip("BOWERBIRD_FAULTS=full runs it: ten minutes")
	}
	for _, flag := range []string{"-sane", "-per-minute=20"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			c := crowded(t, 300, "ada", "ben", "cleo")
			server := testkit.StartKhatru(t, "-limit=8", "-tell", flag)
			server.Publish(t, c.lists...)
			server.Publish(t, c.notes...)
			s := openStore(t)
			opt := options(s, c.reader(t), server.URL)
			opt.Sleep = nil
			began := time.Now()
			sum := mustRun(t, opt)
			all := parse(t, c.notes)
			t.Logf("%d of %d notes, %d of %d people complete, %v: %+v", len(all)-missing(t, s, all), len(all), sum.Complete, sum.People, time.Since(began).Round(time.Second), sum.Relays)
			wantAll(t, s, all)
			if sum.Complete != sum.People {
				t.Errorf("%+v", sum)
			}
		})
	}
}
