package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// SyncOptions configure Sync; zero fields fall back to the settings.
type SyncOptions struct {
	As           string   // the account from now on, in any form of a key
	Authors      []string // fetched instead of the people followed
	Relays       []string // only these
	Days         int
	Once         bool
	AllowPrivate bool // ws:// and relays on this computer or network
	Progress     func(notesync.Progress)
}

// CheckRelays returns an error for the first relay, named here or in the settings, that
// cannot be asked.
func (o SyncOptions) CheckRelays(settings config.Sync) error {
	for _, url := range slices.Concat(o.Relays, settings.Relays) {
		if _, err := relay.ParseURL(url, netsafe.Policy{AllowPrivate: o.AllowPrivate}); err != nil {
			return config.Argumentf("relay", "%w", err)
		}
	}
	return nil
}

// Sync fetches notes. The person named by As becomes the account if their contact list is
// found. The summary is valid even with an error.
func (l *Live) Sync(ctx context.Context, o SyncOptions) (summary notesync.Summary, err error) {
	if l.opt.Sample {
		return notesync.Summary{}, errors.New("the sample is made up and has nothing to fetch; leave --sample out")
	}
	var hints []string
	if o.As != "" {
		key, err := l.opt.Resolve(ctx, o.As)
		if err != nil {
			return notesync.Summary{}, err
		}
		before := l.opt.Me()
		l.opt.SetMe(key.PubKey)
		defer func() { err = errors.Join(err, l.settleReader(ctx, before)) }()
		hints = key.Relays
	}
	authors, more, err := l.resolveAll(ctx, o.Authors)
	if err != nil {
		return notesync.Summary{}, err
	}
	if l.opt.Me() == (nostr.PubKey{}) && len(authors) == 0 {
		return notesync.Summary{}, account.ErrNobodyChosen
	}
	client, settings := netsafe.New(netsafe.Policy{AllowPrivate: o.AllowPrivate}), l.syncSettings()
	if err := o.CheckRelays(settings); err != nil {
		return notesync.Summary{}, err
	}
	opt := l.options(ctx, l.opt.Me())
	opt.Client, opt.Authors, opt.Once = client, authors, o.Once
	opt.Base = slices.Concat(settings.Relays, hints, more)
	if o.Days > 0 { // an explicit number of days includes what was pruned
		opt.Days, opt.From = o.Days, nil
	}
	if len(o.Relays) > 0 { // an explicit relay is asked even if it was removed
		opt.Only, opt.Never = o.Relays, nil
	}
	if o.Once || len(authors) > 0 {
		opt.Refresh = 0 // no lists to look up again
	}
	if err := l.canStore(); err != nil {
		return notesync.Summary{}, err
	}
	l.opt.Syncing.Store(true)
	defer l.opt.Syncing.Store(false)
	running, progress, cancel := l.whileSpace(ctx, o.Progress)
	defer cancel(nil)
	opt.Progress = progress
	summary, err = notesync.Run(running, opt)
	if cause := context.Cause(running); errors.Is(cause, ndb.ErrNoSpace) {
		err = cause
	}
	ctx = context.WithoutCancel(ctx)
	if whole := o.Once && o.Days <= 0 && len(o.Authors) == 0 && len(o.Relays) == 0; err == nil && whole {
		err = l.opt.Upkeep.EndRecovery(ctx, summary.Complete+summary.ButKinds, summary.Partly-summary.ButKinds)
	}
	return summary, errors.Join(err, l.opt.Upkeep.KeepOwn(ctx))
}

// settleReader saves the new account if its contact list was found; otherwise the previous
// one stays, since a mistyped key has none.
func (l *Live) settleReader(ctx context.Context, before nostr.PubKey) error {
	ctx = context.WithoutCancel(ctx)
	_, err := l.opt.Notes.Contacts(ctx, l.opt.Me())
	if errors.Is(err, ndb.ErrNotFound) {
		l.opt.SetMe(before)
		return nil
	}
	if err != nil {
		return err
	}
	return l.opt.ReadAs(ctx, l.opt.Me())
}

func (l *Live) resolveAll(ctx context.Context, texts []string) (pks []nostr.PubKey, hints []string, err error) {
	for _, text := range texts {
		var key account.Key
		if key, err = l.opt.Resolve(ctx, text); err != nil {
			return nil, nil, err
		}
		pks = append(pks, key.PubKey)
		hints = append(hints, key.Relays...)
	}
	return pks, hints, nil
}

// How long to wait after a session that could fetch nothing: twice as long each time, and
// up to a quarter less, so that computers that lost the same relay do not return at once.
const (
	liveWaitFirst = 5 * time.Second
	liveWaitMost  = 5 * time.Minute
	// liveRefresh is how often to look up whom the account follows and where they write.
	liveRefresh = time.Hour
)

// errRestart ends a session for one with other settings or another account.
var errRestart = errors.New("the settings changed")

func (l *Live) run(ctx context.Context) {
	if l.opt.Sample {
		l.change(func(s *liveState) { s.rest(StageSample) })
		return
	}
	l.recallSync(ctx)
	for wait := liveWaitFirst; ctx.Err() == nil; {
		// Any change from here on ends the wait, even if it comes before the wait.
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

// Anew returns a channel that the next Retry, RetryRelay, RetryPeople or BeginAnew closes.
func (l *Live) Anew() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kick
}

// waitFor waits for d, or for ever if d is negative, or until kick is closed.
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

// shortened takes up to a quarter off a wait; share is from 0 to 1.
func shortened(wait time.Duration, share float64) time.Duration {
	return wait - time.Duration(share*float64(wait)/4)
}

func (l *Live) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.kick)
	l.kick = make(chan struct{})
}

// BeginAnew ends the current session, if any, in favour of a new one.
func (l *Live) BeginAnew() {
	l.mu.Lock()
	restart := l.restart
	l.mu.Unlock()
	if restart != nil {
		restart(errRestart)
	}
	l.wake()
}

// runSession fetches until ctx ends, something goes wrong, or BeginAnew is called. It
// reports whether any relay was reached.
func (l *Live) runSession(ctx context.Context) (reached bool, err error) {
	if err := l.canStore(); err != nil {
		return false, err
	}
	ctx, progress, cancel := l.whileSpace(ctx, l.progress)
	defer cancel(nil)
	// Any change from here on ends this session.
	l.change(func(*liveState) { l.restart = cancel })
	me := l.opt.Me()
	opt := l.options(ctx, me)
	opt.Progress = progress
	session := notesync.New(opt)
	synced, _ := l.Synced(ctx) // if it cannot be read, this counts as the first sync
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
		opt.Only = l.OwnRelays(ctx) // not nil: without own relays, nobody is asked
	}
	return opt
}

func (l *Live) client() *netsafe.Client {
	return netsafe.New(netsafe.Policy{AllowPrivate: l.opt.AllowPrivate})
}

// progress receives a session's progress, at each stored batch.
func (l *Live) progress(p notesync.Progress) {
	var finished bool
	var me nostr.PubKey // the account may have changed by now
	l.change(func(s *liveState) {
		was := s.first
		s.advance(p, l.opt.Now())
		finished, me = was && !s.first, s.me
	})
	l.opt.Syncing.Store(Stage(p.Stage) != StageLive)
	if finished {
		l.setSynced(me)
	}
	if Stage(p.Stage) == StageLive && l.opt.Upkeep.Recovery().Pending() {
		if err := l.endRecovery(context.Background()); err != nil {
			l.opt.Logger.Warn("after fetching what was lost", "error", err)
		}
	}
}

// troubleOf classifies the error of a session.
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
	keySynced   = "synced" // accounts whose first sync is done, hex
	keyLastSync = "last-sync"
)

// Synced returns the accounts whose first sync is done.
func (l *Live) Synced(ctx context.Context) (people []nostr.PubKey, err error) {
	err = l.opt.State.Load(ctx, keySynced, &people)
	return people, err
}

// mostSynced is how many accounts are remembered.
const mostSynced = 50

func (l *Live) setSynced(me nostr.PubKey) {
	ctx := context.Background() // it must be saved even if the program is closing
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

// endRecovery reports to the Keeper what was fetched of lost notes, once a session is up to
// date.
func (l *Live) endRecovery(ctx context.Context) error {
	c, err := l.Coverage(ctx)
	if err != nil {
		return err
	}
	fetched, partly := c.Fetched()
	return l.opt.Upkeep.EndRecovery(ctx, fetched, partly)
}
