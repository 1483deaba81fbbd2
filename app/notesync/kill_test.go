package notesync_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

// syncProcess is set in the process that is only a sync: reader, relay and folder.
const syncProcess = "BOWERBIRD_TEST_SYNC"

// TestSyncProcess is no test: it is the process that the next one kills.
func TestSyncProcess(t *testing.T) {
	what := strings.Fields(os.Getenv(syncProcess))
	if len(what) != 3 {
		t.Skip("only for the test that kills it")
	}
	s, err := ndb.Open(what[2], ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := notesync.Run(context.Background(), options(s, pubKey(t, what[0]), what[1])); err != nil {
		t.Fatal(err)
	}
}

func TestAProcessKilledAnywhereLeavesATrueLedger(t *testing.T) {
	t.Parallel()
	w := smallWorld(t, 8)
	now := time.Now().Unix()
	want := feedOf(t, w.Events, followed(w), now-10*24*3600, now)
	spoken := referredTo(want, w.Events)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 10}, asJSON(w.Events)...)
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(9, 9))
	for range 6 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSyncProcess$")
		cmd.Env = append(os.Environ(), syncProcess+"="+w.Me.String()+" "+server.URL+" "+dir)
		asked := len(server.REQs()) + 1 + rng.IntN(30)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for over := false; !over && len(server.REQs()) < asked; {
			select {
			case err := <-ended:
				ended <- err
				over = true
			case <-time.After(time.Millisecond):
			}
		}
		_ = cmd.Process.Kill() // it may have ended by itself
		<-ended

		s, err := ndb.Open(dir, ndb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wantTrue(t, s, server.URL, want)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ndb.Open(dir, ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if sum := mustRun(t, options(s, w.Me, server.URL)); sum.Complete != 12 {
		t.Errorf("%+v after the last run, want all 12 complete", sum)
	}
	wantAll(t, s, want)
	wantAll(t, s, spoken)
}
