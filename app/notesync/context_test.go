package notesync_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// referredTo returns the events that others of a feed answer, quote or pass on and
// that are no part of it, but for those that their author took back.
func referredTo(feed, all []*nostr.Event) (out []*nostr.Event) {
	wanted := map[nostr.ID]bool{}
	for _, e := range feed {
		for _, id := range nostr.Quotes(e) {
			wanted[id] = true
		}
		if reply, ok := nostr.ReplyTo(e); ok {
			wanted[reply.Root], wanted[reply.Parent] = true, true
		}
		if hex, ok := e.Tags.Value("e"); ok && (e.Kind == 6 || e.Kind == 16) {
			if id, err := nostr.ParseID(hex); err == nil {
				wanted[id] = true
			}
		}
	}
	for _, e := range feed {
		delete(wanted, e.ID)
	}
	type taken struct {
		by nostr.PubKey
		id string
	}
	back := map[taken]bool{}
	for _, e := range all {
		for _, tag := range e.Tags {
			if e.Kind == 5 && len(tag) > 1 && tag[0] == "e" {
				back[taken{e.PubKey, tag[1]}] = true
			}
		}
	}
	for _, e := range all {
		if wanted[e.ID] && e.Kind != 5 && !back[taken{e.PubKey, e.ID.String()}] {
			out = append(out, e)
		}
	}
	return out
}

func TestWhatNotesOfAnEarlierRunReferToIsFetched(t *testing.T) {
	w := smallWorld(t, 11)
	now := time.Now().Unix()
	spoken := referredTo(feedOf(t, w.Events, followed(w), now-10*24*3600, now), w.Events)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 20}, asJSON(w.Events)...)
	for _, stored := range []int{20, 80, 140} {
		s := openStore(t)
		opt := options(s, w.Me, server.URL)
		ctx, cancel := context.WithCancel(t.Context())
		opt.Progress = func(p notesync.Progress) {
			if p.Stage == "notes" && p.Stored > stored {
				cancel()
			}
		}
		if _, err := notesync.Run(ctx, opt); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, want that it was stopped", err)
		}
		cancel()
		if missing(t, s, spoken) == 0 {
			t.Fatal("nothing was missing when it was stopped: the test has lost its meaning")
		}
		opt.Progress = nil
		mustRun(t, opt)
		wantAll(t, s, spoken)
	}
}

// quoted is a reader who follows ada, who speaks of strangers, beside the relay that
// those name as theirs.
type quoted struct {
	circle
	author, spoken, silent testkit.Key
	theirs                 *testkit.GoRelay
	events                 [][]byte
}

func newQuoted(t *testing.T) quoted {
	t.Helper()
	q := quoted{
		circle: newCircle(t, "ada"), theirs: testkit.StartGoRelay(t, testkit.GoRelayOptions{}),
		author: testkit.NewKey("author"), spoken: testkit.NewKey("spoken of"), silent: testkit.NewKey("nameless"),
	}
	now, ada := time.Now().Unix(), q.authors[0]
	parsed := parse(t, [][]byte{
		q.author.Event(t, 1, now-900, "I am passed on."),
		q.silent.Event(t, 1, now-800, "So am I, and nobody knows my name."),
	})
	q.events = append(append(q.lists, q.notes...), asJSON(parsed)...)
	for _, e := range parsed {
		q.events = append(q.events, ada.Event(t, 6, now-500, "", []string{"e", e.ID.String()}, []string{"p", e.PubKey.String()}))
	}
	q.events = append(q.events,
		ada.Event(t, 1, now-400, "Ask nostr:"+pubKey(t, q.spoken.PubKey).Npub()+" about it."),
		q.author.Event(t, 0, now-9000, `{"name":"author"}`), q.spoken.Event(t, 0, now-9000, `{"name":"spoken of"}`),
	)
	for _, k := range []testkit.Key{q.author, q.spoken, q.silent} {
		q.events = append(q.events, k.Event(t, 10002, now-9000, "", []string{"r", q.theirs.URL}))
	}
	return q
}

func nameOf(t *testing.T, s *ndb.Store, k testkit.Key) string {
	t.Helper()
	p, err := s.Profile(t.Context(), pubKey(t, k.PubKey))
	if err != nil {
		t.Fatal(err)
	}
	return p.Name
}

func TestThoseWhoAreQuotedOrSpokenOfGetTheirNames(t *testing.T) {
	q, s := newQuoted(t), openStore(t)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, q.events...)
	opt := options(s, q.reader(t))
	opt.Only, opt.Base = nil, []string{server.URL}
	mustRun(t, opt)
	for _, k := range []testkit.Key{q.author, q.spoken} {
		if nameOf(t, s, k) == "" {
			t.Errorf("%s has no name", k.PubKey)
		}
	}
	if n := q.theirs.Dials(); n > 0 {
		t.Errorf("the strangers' own relay was dialled %d times", n)
	}
}

func TestWhatNoRelayHasIsNotAskedForAtEveryStart(t *testing.T) {
	q, s := newQuoted(t), openStore(t)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, q.events...)
	opt := options(s, q.reader(t), server.URL)
	asked := func() (times int) {
		before := len(server.REQs())
		mustRun(t, opt)
		for _, f := range filters(t, server.REQs()[before:]) {
			for _, pk := range f.Authors {
				if pk == pubKey(t, q.silent.PubKey) {
					times++
				}
			}
		}
		return times
	}
	if asked() == 0 {
		t.Error("nobody was asked for a name")
	}
	if n := asked(); n > 0 {
		t.Errorf("asked again %d times at once", n)
	}
	opt.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	if asked() == 0 {
		t.Error("never asked again")
	}
}

func TestWhatALiveNoteRefersToIsFetchedSoon(t *testing.T) {
	q, s := newQuoted(t), openStore(t)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(q.lists, q.notes...)...)
	_, last, _ := running(t, options(s, q.reader(t), server.URL))
	testkit.Eventually(t, "it is up to date", func() bool { return last().Stage == "live" })
	server.Publish(q.events...)
	said := q.author.Event(t, 1, time.Now().Unix()-60, "New, and passed on.")
	note := parse(t, [][]byte{said})[0]
	server.Publish(said, q.authors[0].Event(t, 6, time.Now().Unix(), "", []string{"e", note.ID.String()}))
	testkit.Eventually(t, "what was passed on is there, with its author's name", func() bool {
		_, err := s.Event(t.Context(), note.ID)
		return err == nil && nameOf(t, s, q.author) != ""
	})
}
