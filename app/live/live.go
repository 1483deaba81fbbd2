// Package live fetches the account's notes: continuously while the program runs, once on
// demand, or single missing ones. It reports how complete they are, person by person and
// relay by relay.
//
//	l := live.New(live.Options{Notes: notes, Own: own, …})
//	defer l.OnChange(func() { draw(l.Status()) })()
//	l.Start()
//	defer l.Stop()
//
// It leaves whom to ask for what to notesync.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/state"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// ErrSample is returned in the sample by whatever would fetch: its notes are made up and
// nowhere else.
var ErrSample = errors.New("this is the sample; nothing is fetched for it")

// Stage is what a Live is doing.
type Stage string

// The stages. Those from StageLists to StageContext come in their order.
const (
	StageStopped  Stage = "stopped"  // not started, or stopped
	StageSample   Stage = "sample"   // the sample: nothing is fetched
	StageNobody   Stage = "nobody"   // no account is chosen
	StageLists    Stage = "lists"    // finding whom the account follows
	StageProfiles Stage = "profiles" // fetching names and relay lists
	StageNotes    Stage = "notes"    // fetching notes, the newest first
	StageContext  Stage = "context"  // fetching what notes refer to
	StageLive     Stage = "live"     // up to date, with live subscriptions
	StageWaiting  Stage = "waiting"  // something went wrong: see Status.Trouble and NextTry
)

// Trouble is why nothing can be fetched at the moment.
type Trouble string

// The troubles.
const (
	NoTrouble    Trouble = ""
	TroubleNet   Trouble = "offline"     // no relay could be reached
	TroubleList  Trouble = "no list"     // no relay has the account's contact list
	TroubleEmpty Trouble = "nobody"      // the account follows nobody
	TroubleRelay Trouble = "no relay"    // no relay to ask: none is permitted or named
	TroubleStore Trouble = "cannot keep" // the disk or the store fails; see Status.Err
)

// Status is a snapshot of fetching.
type Status struct {
	Stage     Stage
	Trouble   Trouble
	Err       error           // the cause of Trouble, for logs and details; nil for none
	Offline   bool            // no relay is connected, though connecting was tried
	Connected int             // connected relays
	Relays    int             // relays asked, with the connected ones; 0 until that is known
	LastSync  time.Time       // up to when notes were last known to be complete; zero for never
	NextTry   time.Time       // the next attempt, if Stage is StageWaiting
	Days      int             // how many days back notes are fetched
	Recovery  upkeep.Recovery // of notes that were found damaged

	// First means that this account's notes are being fetched for the first time.
	// PeopleDone of People are then done, Share is the same as a part of 1. None of them
	// decreases during the first sync.
	First              bool
	People, PeopleDone int
	Share              float64
	Left               time.Duration // estimated, steadily; 0 while there is no estimate

	// Limited is the slowest of the relays that limit how often they are asked, PerMinute
	// how many questions it answers; Left is then computed from that.
	Limited   string
	PerMinute float64
}

// Options configure a Live. Everything without a default is required.
type Options struct {
	Notes, Own   *ndb.Store
	State        *state.Store
	Upkeep       *upkeep.Keeper // runs as long as the Live does
	Settings     func() config.Settings
	Save         func(change func(*config.Settings)) error // changes and saves the settings
	Now          func() time.Time
	Zone         *time.Location
	Logger       *slog.Logger
	Sample       bool         // the stores are those of the sample: nothing is fetched
	CannotWrite  error        // why nothing can be stored; nil if it can
	AllowPrivate bool         // ws:// and relays on this computer or network
	Syncing      *atomic.Bool // set while notes are being fetched

	Me      func() nostr.PubKey                                         // the account
	SetMe   func(me nostr.PubKey)                                       // changes it
	ReadAs  func(ctx context.Context, me nostr.PubKey) error            // changes and saves it
	Resolve func(ctx context.Context, text string) (account.Key, error) // parses a key in any form

	FreeSpace    func() (int64, error)                            // of the disk with the notes
	Addresses    func() string                                    // of this computer in its networks; default: the real ones
	NetworkEvery time.Duration                                    // how often to call Addresses; default: ten seconds
	Sleep        func(ctx context.Context, d time.Duration) error // default: time.Sleep, until ctx ends
}

// New returns a Live that is not started.
func New(o Options) *Live {
	if o.Addresses == nil {
		o.Addresses = addresses
	}
	if o.NetworkEvery == 0 {
		o.NetworkEvery = networkEvery
	}
	l := &Live{opt: o, listeners: map[int]func(){}, kick: make(chan struct{})}
	l.state.rest(l.restingStage())
	return l
}

// Live fetches the account's notes while the program runs. Its methods may be called from
// any goroutine; only Stop and the Fetch methods wait for the network.
type Live struct {
	opt Options

	life   sync.Mutex // held while starting and stopping
	cancel context.CancelFunc
	done   chan struct{} // closed when everything that Start began has ended
	today  todayCount

	mu        sync.Mutex // guards all below
	state     liveState
	session   *notesync.Session     // nil between two
	failed    []notesync.RelayState // by the previous session: see failedOf
	restart   context.CancelCauseFunc
	kick      chan struct{} // closed to end a wait of the loop
	listeners map[int]func()
	nextID    int
	notifying bool // a call of the listeners is due or under way
	stale     bool // something has changed since it began
}

// Start begins to fetch, until Stop. In the sample, and while no account is chosen, nothing
// is fetched, but the stores are still looked after. A second Start does nothing.
func (l *Live) Start() {
	l.life.Lock()
	defer l.life.Unlock()
	if l.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	l.cancel, l.done = cancel, done
	go func() {
		defer close(done)
		var wg sync.WaitGroup
		wg.Go(func() { l.run(ctx) })
		if l.opt.CannotWrite == nil {
			wg.Go(func() { l.sweep(ctx) })
			wg.Go(func() { l.opt.Upkeep.Run(ctx) })
		}
		if !l.opt.Sample {
			wg.Go(func() { l.watchNetwork(ctx) })
		}
		wg.Wait()
	}()
}

// Stop ends fetching and returns when everything has ended, after about a second. What
// arrived is stored; the next Start continues there.
func (l *Live) Stop() {
	l.life.Lock()
	defer l.life.Unlock()
	if l.cancel == nil {
		return
	}
	l.cancel()
	<-l.done
	l.cancel = nil
	l.change(func(s *liveState) { s.rest(l.restingStage()) })
}

func (l *Live) restingStage() Stage {
	if l.opt.Sample {
		return StageSample
	}
	return StageStopped
}

// Status returns the current status.
func (l *Live) Status() Status {
	l.mu.Lock()
	s, session := l.state.status(l.opt.Now()), l.session
	l.mu.Unlock()
	s.Recovery = l.opt.Upkeep.Recovery()
	if s.Stage == StageLive && s.Connected > 0 && session != nil {
		if heard := session.Heard(); heard.After(s.LastSync) {
			s.LastSync = heard // without new notes it is up to date too
		}
	}
	return s
}

const changeEvery = 100 * time.Millisecond

// OnChange calls changed soon after the Status or a relay's state has changed, at most ten
// times a second, in a separate goroutine, one call at a time. cancel ends that; a call may
// still be under way then.
func (l *Live) OnChange(changed func()) (cancel func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.nextID
	l.nextID++
	l.listeners[id] = changed
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.listeners, id)
	}
}

func (l *Live) change(how func(*liveState)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	how(&l.state)
	if l.notifying {
		l.stale = true
		return
	}
	l.notifying = true
	time.AfterFunc(changeEvery, l.notify)
}

func (l *Live) notify() {
	l.mu.Lock()
	l.stale = false
	calls := slices.Collect(maps.Values(l.listeners))
	l.mu.Unlock()
	for _, changed := range calls {
		changed()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notifying = l.stale
	if l.stale {
		time.AfterFunc(changeEvery, l.notify)
	}
}

// sweepEvery is how often expired notes are removed, and those whose time has come appear.
const sweepEvery = time.Minute

func (l *Live) sweep(ctx context.Context) {
	ticks := time.NewTicker(sweepEvery)
	defer ticks.Stop()
	for {
		if err := errors.Join(l.opt.Notes.Sweep(ctx), l.opt.Own.Sweep(ctx)); err != nil && ctx.Err() == nil {
			l.opt.Logger.Warn("sweeping the stores", "error", err)
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}

// networkEvery is how often to check whether the network has changed. Reading the addresses
// takes some 50 microseconds.
const networkEvery = 10 * time.Second

// watchNetwork retries everything when this computer gets other addresses, by a cable, a
// wireless network or a VPN, so that the user need not end long waits.
func (l *Live) watchNetwork(ctx context.Context) {
	opt := l.opt
	ticks := time.NewTicker(opt.NetworkEvery)
	defer ticks.Stop()
	for was := opt.Addresses(); ; {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
		now := opt.Addresses()
		if now != was && now != "" {
			opt.Logger.Info("the network has changed", "addresses", now)
			l.Retry()
		}
		was = now
	}
}

// addresses lists the addresses of this computer in its networks; "" for none.
func addresses() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	var names []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			names = append(names, a.String())
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// LeastFree is how many bytes of the disk must be free for notes to be fetched: twice what
// the store needs to write at all, so that the user's own data can still be saved when
// fetching has stopped.
const LeastFree = 512 << 20

// canStore returns [ndb.ErrNoSpace] if too little of the disk is free to fetch more, or why
// nothing can be stored at all.
func (l *Live) canStore() error {
	if l.opt.CannotWrite != nil {
		return l.opt.CannotWrite
	}
	free, err := l.opt.FreeSpace()
	if err != nil || free >= LeastFree { // if it is unknown, the limit of the store applies
		return nil
	}
	return fmt.Errorf("%w: %d MB are left; fetching stops below %d MB and goes on when there is more", ndb.ErrNoSpace, free>>20, LeastFree>>20)
}

// whileSpace returns a context that ends when the disk fills up, and a Progress that checks
// that at each stored batch, after calling then.
func (l *Live) whileSpace(ctx context.Context, then func(notesync.Progress)) (context.Context, func(notesync.Progress), context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, func(p notesync.Progress) {
		if then != nil {
			then(p)
		}
		if err := l.canStore(); err != nil {
			cancel(err)
		}
	}, cancel
}
