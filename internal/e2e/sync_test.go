package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
)

// feed are the kinds that a sync brings of the people followed, but for kind 5,
// which this relay, like others, does not pass on.
func feed() []uint16 { return []uint16{1, 6, 7, 11, 16, 20, 1068, 1111, 30023} }

// aWorld makes a world whose people are followed by its reader. They name no relays:
// those that a made-up world names lead nowhere, and whose own relays nobody asked is not
// complete.
func aWorld(t *testing.T, seed uint64, events int) *testworld.World {
	t.Helper()
	w, err := testworld.Make(testworld.Options{Now: time.Now(), Seed: seed, People: 60, Followed: 20, Events: events, Days: 5})
	if err != nil {
		t.Fatal(err)
	}
	w.Events = slices.DeleteFunc(w.Events, func(e *nostr.Event) bool { return e.Kind == 10002 })
	return w
}

// followed returns the reader and the people followed.
func followed(w *testworld.World) map[nostr.PubKey]bool {
	who := map[nostr.PubKey]bool{w.Me: true}
	for _, p := range w.People {
		if p.Followed {
			who[p.PubKey] = true
		}
	}
	return who
}

func everything(*nostr.Event) bool { return true }

func lines(events []*nostr.Event, keep func(*nostr.Event) bool) [][]byte {
	var out [][]byte
	for _, e := range events {
		if keep(e) {
			out = append(out, e.AppendJSON(nil))
		}
	}
	return out
}

// wanted returns the notes that must arrive: of the people followed, of the kinds
// of a feed, as far as a second store that imports everything keeps them.
func wanted(t *testing.T, w *testworld.World) map[nostr.ID]bool {
	t.Helper()
	all := installed(t)
	var in bytes.Buffer
	for _, line := range lines(w.Events, everything) {
		in.Write(append(line, '\n'))
	}
	if r := all.run(t, in.String(), "import", "-"); r.code != 0 {
		t.Fatal(r.err)
	}
	return all.events(t, authorsFilter(followed(w)))
}

func authorsFilter(who map[nostr.PubKey]bool) string {
	var keys, kinds []string
	for pk := range who {
		keys = append(keys, `"`+pk.String()+`"`)
	}
	for _, k := range feed() {
		kinds = append(kinds, fmt.Sprint(k))
	}
	return `{"authors":[` + strings.Join(keys, ",") + `],"kinds":[` + strings.Join(kinds, ",") + `]}`
}

func missing(want, have map[nostr.ID]bool) int {
	n := 0
	for id := range want {
		if !have[id] {
			n++
		}
	}
	return n
}

func TestASyncBringsAllNotesAndASecondNothing(t *testing.T) {
	w := aWorld(t, 11, 2500)
	relay := testkit.StartNPMRelay(t, 20)
	relay.Publish(t, lines(w.Events, everything)...)
	p := installed(t)
	sync := []string{"--json", "sync", "--as", w.Me.Npub(), "--relay", relay.URL, "--days", "10", "--once", "--allow-private"}

	s := decode[summary](t, p.must(t, sync...).out)
	if s.Complete != s.People || s.People != len(followed(w))-1 || s.Stored == 0 {
		t.Errorf("first sync: %+v", s)
	}
	want := wanted(t, w)
	if n := missing(want, p.events(t, authorsFilter(followed(w)))); n > 0 || len(want) < 300 {
		t.Errorf("%d of %d notes did not arrive", n, len(want))
	}
	if again := decode[summary](t, p.must(t, sync...).out); again.Stored != 0 {
		t.Errorf("a second sync stored %d", again.Stored)
	}
	ask := p.must(t, "ask", "What did I miss since yesterday?")
	if !strings.Contains(ask.out, "Sources") || !strings.Contains(ask.out, "Up to date") {
		t.Errorf("the digest after a sync:\n%s", ask.out)
	}
}

func TestNotesAreFetchedWhereTheirAuthorsSayTheyWrite(t *testing.T) {
	lists, notes := testkit.StartNPMRelay(t, 20), testkit.StartNPMRelay(t, 20)
	const people, each = 12, 40
	now := time.Now().Unix()
	me := testkit.NewKey("the reader")
	var follows [][]string
	for i := range people {
		author := testkit.NewKey(fmt.Sprint("author ", i))
		follows = append(follows, []string{"p", author.PubKey})
		lists.Publish(t,
			author.Event(t, 0, now-1000, fmt.Sprintf(`{"name":"author %d"}`, i)),
			author.Event(t, 10002, now-1000, "", []string{"r", notes.URL, "write"}))
		notes.Publish(t, author.Notes(t, each, now-40_000)...)
	}
	lists.Publish(t, me.Event(t, 3, now-1000, "", follows...))

	p := installed(t)
	settings := fmt.Sprintf("[sync]\nrelays = [%q]\nindexers = [%q]\n", lists.URL, lists.URL)
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	s := decode[summary](t, p.must(t, "--json", "sync", "--as", me.PubKey, "--once", "--allow-private").out)
	if s.People != people || s.Complete != s.People {
		t.Errorf("%+v", s)
	}
	if n := len(p.events(t, `{"kinds":[1]}`)); n != people*each {
		t.Errorf("%d of %d notes arrived", n, people*each)
	}
}

func TestARunThatIsKilledIsTakenUp(t *testing.T) {
	w := aWorld(t, 13, 4000)
	relay := testkit.StartNPMRelay(t, 5) // small pages: many chances to be killed in the middle
	relay.Publish(t, lines(w.Events, everything)...)
	p := installed(t)
	sync := []string{"--json", "sync", "--as", w.Me.Npub(), "--relay", relay.URL, "--days", "10", "--once", "--allow-private"}
	for i := range 4 {
		cmd, _, errOut := p.start(t.Context(), "", sync...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(120+i*90) * time.Millisecond)
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
		if i == 3 {
			t.Logf("the last run that was killed said: %s", errOut)
		}
	}
	if r := p.run(t, "", "--json", "check"); r.code != 0 {
		t.Fatalf("check after kills: exit %d, %s %s", r.code, r.out, r.err)
	}
	s := decode[summary](t, p.must(t, sync...).out)
	want := wanted(t, w)
	if n := missing(want, p.events(t, authorsFilter(followed(w)))); n > 0 || s.Complete != s.People {
		t.Errorf("%d of %d notes missing after the run that was let be; %+v", n, len(want), s)
	}
}

func TestARelayThatDiesIsNotCalledComplete(t *testing.T) {
	w := aWorld(t, 14, 4000)
	relay := testkit.StartNPMRelay(t, 5)
	relay.Publish(t, lines(w.Events, everything)...)
	p := installed(t)
	sync := []string{"--json", "sync", "--as", w.Me.Npub(), "--relay", relay.URL, "--days", "10", "--once", "--allow-private"}
	cmd, out, errOut := p.start(t.Context(), "", sync...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond)
	relay.Kill()
	_ = cmd.Wait()
	want := wanted(t, w)
	lost := missing(want, p.events(t, authorsFilter(followed(w))))
	t.Logf("%d of %d notes missing when the relay died", lost, len(want))
	if out.Len() > 0 {
		if s := decode[summary](t, out.String()); lost > 0 && s.People > 0 && s.Complete == s.People {
			t.Errorf("%d notes are missing, and all %d people are called complete", lost, s.People)
		}
	} else if errOut.Len() == 0 {
		t.Error("the run said nothing")
	}
	relay.Start(t)
	s := decode[summary](t, p.must(t, sync...).out)
	if n := missing(want, p.events(t, authorsFilter(followed(w)))); n > 0 || s.Complete != s.People {
		t.Errorf("%d of %d notes missing after the relay came back; %+v", n, len(want), s)
	}
}

// TestRealNotesAreSyncedFromARealRelay syncs the notes of real people, which are kept
// outside the project.
func TestRealNotesAreSyncedFromARealRelay(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	relay := testkit.StartNPMRelay(t, 100)
	relay.Publish(t, bytes.Split(bytes.TrimSpace(raw), []byte("\n"))...)
	p := installed(t)
	const me = "7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e"
	s := decode[summary](t, p.must(t, "--json", "sync", "--as", me, "--relay", relay.URL, "--days", "3650", "--once", "--allow-private").out)
	if s.People != 323 || s.Complete != 323 || s.Stored < 450 {
		t.Errorf("%+v", s)
	}
	ask := p.must(t, "ask", "what did the people I follow talk about since 2023?")
	if !strings.Contains(ask.out, "^1") || !strings.Contains(ask.out, "Up to date for all 323 people") {
		t.Errorf("the digest:\n%s", ask.out)
	}
}
