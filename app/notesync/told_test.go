package notesync_test

import (
	"fmt"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

// TestKhatruThatTellsItsLimitIsReadToTheEnd: of lists khatru gives one for each person
// and kind whatever limit was asked for, here more than twice as many.
func TestKhatruThatTellsItsLimitIsReadToTheEnd(t *testing.T) {
	me, people, held := crowd(t)
	for i := range people {
		held = append(held, testkit.NewKey(fmt.Sprint("person ", i)).Event(t, 10002, time.Now().Unix()-40*24*3600, ""))
	}
	server := testkit.StartKhatru(t, "-limit=40", "-tell")
	server.Publish(t, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	sum := mustRun(t, opt)
	if r := reportOf(t, sum, server.URL); sum.Complete != len(people) || r.State != "done" {
		t.Errorf("%+v", sum)
	}
}
