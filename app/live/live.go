// Package live fetches the reader's notes: for as long as the program runs, once on demand,
// or single ones that are lacking; and says how complete they are, person by person and
// relay by relay.
//
//	l := live.New(live.Options{Notes: notes, Own: own, …})
//	defer l.OnChange(func() { draw(l.Status()) })()
//	l.Start()
//	defer l.Stop()
//
// Whom to ask for what is the business of notesync.
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

// ErrSample is the error of what would fetch, in the sample: it is made up, and
// nothing of it is anywhere else.
var ErrSample = errors.New("this is the sample; nothing is fetched for it")

// Stage is what a Live is doing.
type Stage string

// The stages. Those from StageLists to StageContext come in their order.
const (
	StageStopped  Stage = "stopped"  // not started, or stopped
	StageSample   Stage = "sample"   // the sample: nothing is fetched
	StageNobody   Stage = "nobody"   // nobody is chosen to read as
	StageLists    Stage = "lists"    // finding whom the reader follows
	StageProfiles Stage = "profiles" // fetching names and relay lists
	StageNotes    Stage = "notes"    // fetching notes, the newest first
	StageContext  Stage = "context"  // fetching what notes refer to
	StageLive     Stage = "live"     // up to date, and told of new notes
	StageWaiting  Stage = "waiting"  // something is in the way: see Status.Trouble and NextTry
)

// Trouble is why nothing can be fetched at this time.
type Trouble string

// The troubles.
const (
	NoTrouble    Trouble = ""
	TroubleNet   Trouble = "offline"     // no relay could be reached
	TroubleList  Trouble = "no list"     // no relay knows whom the reader follows
	TroubleEmpty Trouble = "nobody"      // the reader follows nobody
	TroubleRelay Trouble = "no relay"    // there is no relay to ask: none is permitted or named
	TroubleStore Trouble = "cannot keep" // the disk or the store fails; Status.Err says how
)

// Status is how it stands with fetching notes: one moment's picture.
type Status struct {
	Stage     Stage
	Trouble   Trouble
	Err       error          // the cause of Trouble; nil for none. For logs and details.
	Offline   bool           // no relay is connected, though it was tried
	Connected int            // relays connected now
	Relays    int            // relays asked, those connected among them; 0 until that is known
	LastSync  time.Time      // when notes were last known to be complete up to then; zero for never
	NextTry   time.Time      // when it is tried again while Stage is StageWaiting
	Stored    int            // events that were new since Start
	Days      int            // how far back is fetched
	Mending   upkeep.Mending // what became of notes that were found damaged

	// First says that this person's notes are fetched for the first time; People
	// and PeopleDone then are how far that is, Share is the same as a part of 1.
	// None of them goes back while the first sync lasts.
	First              bool
	People, PeopleDone int
	Share              float64
	Left               time.Duration // estimate, steady; 0 while there is none

	// Limited is the relay that takes the longest of those that limit how often they
	// are asked, PerMinute how many questions it answers; Left then is by that pace.
	Limited   string
	PerMinute float64
}

// Options are what a Live works with. What has no default is required.
type Options struct {
	Notes, Own   *ndb.Store
	State        *state.Store
	Upkeep       *upkeep.Keeper // runs as long as the Live does
	Settings     func() config.Settings
	Save         func(change func(*config.Settings)) error // of the settings
	Now          func() time.Time
	Zone         *time.Location
	Logger       *slog.Logger
	Sample       bool         // the stores are those of the sample: nothing is fetched
	CannotWrite  error        // why nothing can be kept; nil where it can
	AllowPrivate bool         // ws:// and relays on this computer or network
	Syncing      *atomic.Bool // is set while notes are being fetched

	Me      func() nostr.PubKey                                         // whom the notes are read as
	SetMe   func(me nostr.PubKey)                                       // changes it
	ReadAs  func(ctx context.Context, me nostr.PubKey) error            // and remembers it
	Resolve func(ctx context.Context, text string) (account.Key, error) // reads a key in any form

	FreeSpace    func() (int64, error)                            // of the disk on which the notes are
	Addresses    func() string                                    // of this computer in its networks; default: those that it has
	NetworkEvery time.Duration                                    // how often Addresses is asked; default: ten seconds
	Sleep        func(ctx context.Context, d time.Duration) error // default: by the clock
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

// Live fetches the reader's notes for as long as the program runs. All of its
// methods may be called from any goroutine; none but Stop waits for the network.
type Live struct {
	opt Options

	life   sync.Mutex // held while starting and stopping
	cancel context.CancelFunc
	done   chan struct{} // closed when all that Start began has ended
	today  todayCount

	mu        sync.Mutex // guards all below
	state     liveState
	session   *notesync.Session     // nil between two
	failed    []notesync.RelayState // by the session before; see failedOf
	restart   context.CancelCauseFunc
	kick      chan struct{} // closed to end a wait of the loop
	listeners map[int]func()
	nextID    int
	telling   bool // a call of the listeners is on its way
	untold    bool // something changed since it began
}

// Start begins to fetch, and goes on until Stop. In the sample, and while nobody
// is chosen, nothing is fetched, but what is stored is looked after all the same.
// A second Start does nothing.
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

// Stop ends fetching and returns when nothing runs any more, after about a second.
// All that came is stored; the next Start goes on from there.
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

// Status returns how it stands.
func (l *Live) Status() Status {
	l.mu.Lock()
	s, session := l.state.status(l.opt.Now()), l.session
	l.mu.Unlock()
	s.Mending = l.opt.Upkeep.Mending()
	if s.Stage == StageLive && s.Connected > 0 && session != nil {
		if heard := session.Heard(); heard.After(s.LastSync) {
			s.LastSync = heard // a quiet hour is up to date too
		}
	}
	return s
}

const changeEvery = 100 * time.Millisecond

// OnChange calls changed after the Status or a relay's state has changed: soon,
// but at most ten times a second, on a goroutine of its own, never two calls at
// one time. The listener asks for what it wants to know. cancel ends it; a call
// may still be under way then.
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
	if l.telling {
		l.untold = true
		return
	}
	l.telling = true
	time.AfterFunc(changeEvery, l.tell)
}

func (l *Live) tell() {
	l.mu.Lock()
	l.untold = false
	calls := slices.Collect(maps.Values(l.listeners))
	l.mu.Unlock()
	for _, changed := range calls {
		changed()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.telling = l.untold
	if l.untold {
		time.AfterFunc(changeEvery, l.tell)
	}
}

// sweepEvery is how often the stores are looked after: notes that expire go, and
// notes whose time has come appear.
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

// networkEvery is how often it is looked whether the network has changed. Asking for
// the addresses costs some 50 microseconds.
const networkEvery = 10 * time.Second

// watchNetwork asks everything again when this computer gets other addresses: when a
// cable, a wireless network or a VPN came. What waits for minutes after the network
// was lost goes on then, and need not be told.
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

// addresses names those of this computer in the networks that it is in; "" for none.
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

// LeastFree is how much of the disk must be free for notes to be fetched: twice what
// the store needs to write at all, so that what is the user's own can still be kept
// when fetching has stopped.
const LeastFree = 512 << 20

// roomToSync returns ndb.ErrNoSpace when too little of the disk is free to fetch more,
// or why nothing can be kept at all.
func (l *Live) roomToSync() error {
	if l.opt.CannotWrite != nil {
		return l.opt.CannotWrite
	}
	free, err := l.opt.FreeSpace()
	if err != nil || free >= LeastFree { // where it cannot be told, the store's own bound holds
		return nil
	}
	return fmt.Errorf("%w: %d MB are left; fetching stops below %d MB and goes on when there is more", ndb.ErrNoSpace, free>>20, LeastFree>>20)
}

// whileRoom returns a context that ends when the disk fills up, and a Progress that
// looks at each stored batch whether it does; then is called first.
func (l *Live) whileRoom(ctx context.Context, then func(notesync.Progress)) (context.Context, func(notesync.Progress), context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, func(p notesync.Progress) {
		if then != nil {
			then(p)
		}
		if err := l.roomToSync(); err != nil {
			cancel(err)
		}
	}, cancel
}
