package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// How long is waited after a session ended that could fetch nothing: twice as long
// each time, and up to a quarter less, so that not all who lost the same relay come
// back at once.
const (
	liveWaitFirst = 5 * time.Second
	liveWaitMost  = 5 * time.Minute
	// liveRefresh is how often it is looked up whom the reader follows and where
	// they write.
	liveRefresh = time.Hour
)

// errRestart ends a session for one with other settings or another reader.
var errRestart = errors.New("the settings changed")

func (l *Live) run(ctx context.Context) {
	if l.opt.Sample {
		l.change(func(s *liveState) { s.rest(StageSample) })
		return
	}
	l.recallSync(ctx)
	for wait := liveWaitFirst; ctx.Err() == nil; {
		// What is changed from here on ends the wait, also when it comes before that.
		kick := l.Anew()
		if l.opt.Me() == (nostr.PubKey{}) {
			l.change(func(s *liveState) { s.rest(StageNobody) })
			waitFor(ctx, -1, kick)
			continue
		}
		reached, err := l.runSession(ctx)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errRestart) || reached {
			wait = liveWaitFirst
		}
		if errors.Is(err, errRestart) {
			continue
		}
		pause := shortened(wait, rand.Float64())
		l.opt.Logger.Info("nothing can be fetched", "error", err, "again in", pause)
		l.change(func(s *liveState) { s.fail(troubleOf(err), err, l.opt.Now().Add(pause)) })
		waitFor(ctx, pause, kick)
		wait = min(2*wait, liveWaitMost)
	}
}

// Anew returns what Retry and its like close.
func (l *Live) Anew() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kick
}

// waitFor waits for d, for ever when that is negative, or until kick is closed.
func waitFor(ctx context.Context, d time.Duration, kick <-chan struct{}) {
	var over <-chan time.Time
	if d >= 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-over:
	case <-kick:
	case <-ctx.Done():
	}
}

// shortened takes up to a quarter off a wait; share is 0 to 1.
func shortened(wait time.Duration, share float64) time.Duration {
	return wait - time.Duration(share*float64(wait)/4)
}

func (l *Live) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.kick)
	l.kick = make(chan struct{})
}

// BeginAnew ends the session that runs, if one does, for another.
func (l *Live) BeginAnew() {
	l.mu.Lock()
	restart := l.restart
	l.mu.Unlock()
	if restart != nil {
		restart(errRestart)
	}
	l.wake()
}

// runSession fetches until ctx ends, something is in the way, or BeginAnew. It
// reports whether any relay was reached.
func (l *Live) runSession(ctx context.Context) (reached bool, err error) {
	if err := l.roomToSync(); err != nil {
		return false, err
	}
	ctx, progress, cancel := l.whileRoom(ctx, l.progress)
	defer cancel(nil)
	// Whatever changes from here on ends this session.
	l.change(func(*liveState) { l.restart = cancel })
	me := l.opt.Me()
	opt := l.options(ctx, me)
	opt.Progress = progress
	session := notesync.New(opt)
	synced, _ := l.Synced(ctx) // where it cannot be read, the first sync is told of again
	first := !slices.Contains(synced, me)
	l.change(func(s *liveState) {
		l.session = session
		s.begin(me, first, opt.Days)
	})
	l.opt.Syncing.Store(true)
	_, err = session.Run(ctx)
	l.opt.Syncing.Store(false)
	if cause := context.Cause(ctx); errors.Is(cause, errRestart) || errors.Is(cause, ndb.ErrNoSpace) {
		err = cause
	}
	heard, failed := session.Heard(), failedOf(session.Relays())
	l.change(func(s *liveState) {
		l.session, l.restart, l.failed = nil, nil, failed
		reached = s.reached
		if s.stage == StageLive && heard.After(s.lastSync) {
			s.lastSync = heard
		}
	})
	ctx = context.WithoutCancel(ctx)
	if keepErr := errors.Join(l.opt.Upkeep.KeepOwn(ctx), l.saveSync(ctx)); keepErr != nil {
		l.opt.Logger.Warn("after fetching", "error", keepErr)
	}
	return reached, err
}

func (l *Live) options(ctx context.Context, me nostr.PubKey) notesync.Options {
	settings := l.syncSettings()
	opt := notesync.Options{
		Store: l.opt.Notes, Client: l.client(), Me: me,
		Base: settings.Relays, Indexers: settings.Indexers, Never: settings.Without,
		Days: l.opt.Upkeep.DaysToFetch(), Refresh: liveRefresh,
		Now: l.opt.Now, Sleep: l.opt.Sleep, Logger: l.opt.Logger,
	}
	asking := context.WithoutCancel(ctx) // the summary is made after the end
	opt.From = func() (feed, inbox int64) { return l.opt.Upkeep.KeptFrom(asking) }
	if settings.OnlyOwn {
		opt.Only = l.OwnRelays(ctx) // never nil: with none, nobody is asked
	}
	return opt
}

func (l *Live) client() *netsafe.Client {
	return netsafe.New(netsafe.Policy{AllowPrivate: l.opt.AllowPrivate})
}

// progress takes a session's progress up. It is called at each stored batch, so
// that the state of relays is told in time as well.
func (l *Live) progress(p notesync.Progress) {
	var finished bool
	var me nostr.PubKey // another may be chosen by now
	l.change(func(s *liveState) {
		was := s.first
		s.advance(p, l.opt.Now())
		finished, me = was && !s.first, s.me
	})
	l.opt.Syncing.Store(Stage(p.Stage) != StageLive)
	if finished {
		l.setSynced(me)
	}
	if Stage(p.Stage) == StageLive && l.opt.Upkeep.Mending().Pending() {
		if err := l.endMending(context.Background()); err != nil {
			l.opt.Logger.Warn("after fetching what was lost", "error", err)
		}
	}
}

// troubleOf says what a session's end means.
func troubleOf(err error) Trouble {
	switch {
	case errors.Is(err, notesync.ErrNoNetwork):
		return TroubleNet
	case errors.Is(err, notesync.ErrNoContacts):
		return TroubleList
	case errors.Is(err, notesync.ErrNobody):
		return TroubleEmpty
	case errors.Is(err, notesync.ErrNoRelays):
		return TroubleRelay
	}
	return TroubleStore
}

const (
	keySynced   = "synced" // whose first sync is done, hex
	keyLastSync = "last-sync"
)

// Synced returns those whose notes were fetched once to the end.
func (l *Live) Synced(ctx context.Context) (people []nostr.PubKey, err error) {
	err = l.opt.State.Load(ctx, keySynced, &people)
	return people, err
}

// mostSynced is of how many people it is remembered that they were read as.
const mostSynced = 50

func (l *Live) setSynced(me nostr.PubKey) {
	ctx := context.Background() // it must be kept also when the program is closed now
	people, err := l.Synced(ctx)
	if err == nil && !slices.Contains(people, me) {
		people = append(people, me)
		err = l.opt.State.Save(ctx, keySynced, people[max(0, len(people)-mostSynced):])
	}
	if err != nil {
		l.opt.Logger.Warn("remembering the first sync", "error", err)
	}
}

func (l *Live) recallSync(ctx context.Context) {
	var at int64
	if err := l.opt.State.Load(ctx, keyLastSync, &at); err == nil && at > 0 {
		l.change(func(s *liveState) { s.lastSync = time.Unix(at, 0) })
	}
}

func (l *Live) saveSync(ctx context.Context) error {
	at := l.Status().LastSync
	if at.IsZero() {
		return nil
	}
	return l.opt.State.Save(ctx, keyLastSync, at.Unix())
}

// endMending says what is fetched of what was lost, once a session is up to date.
func (l *Live) endMending(ctx context.Context) error {
	c, err := l.Coverage(ctx)
	if err != nil {
		return err
	}
	fetched, partly := c.Fetched()
	return l.opt.Upkeep.EndMending(ctx, fetched, partly)
}
