// Package app puts Bowerbird together: the stores, the tools, the models, the sync and the
// saved chats, opened and closed once. It contains no user interface: the window and the
// command line are both built on it.
//
//	a, err := app.Open(ctx, app.Options{Places: config.Locate("", "")})
//	defer a.Close()
//	answer, err := a.Ask(ctx, app.Question{Text: "What is new?"})
//	for event := range answer.Events {
//		draw(event)
//	}
//
// Its larger parts are packages of their own: [App.Models] manages the models, [App.Live]
// fetches notes, [App.Upkeep] looks after the stores, [App.Chats] keeps conversations.
package app

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bowerbird/app/account"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/examine"
	"bowerbird/app/live"
	"bowerbird/app/mcp/client"
	"bowerbird/app/models"
	"bowerbird/app/pictures"
	"bowerbird/app/state"
	"bowerbird/app/upkeep"
	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Options configure an App. Places is required.
type Options struct {
	Places   config.Places
	Settings config.Settings
	Access   Access              // default Write
	Window   bool                // the App is open for as long as a window is
	Sample   bool                // work on the built-in sample instead of the user's notes
	As       string              // account for this run, in any form of a key; "" for the chosen one
	Now      func() time.Time    // default time.Now
	Zone     *time.Location      // default this computer's
	Logger   *slog.Logger        // default: discard
	Getenv   func(string) string // where API keys may be; default os.Getenv
	// KeysPassword asks the user for the password of the key file when a key in it is
	// needed; again: the previous answer was wrong. Nil: nobody is asked, and the key
	// stays locked (see UnlockKeys).
	KeysPassword func(ctx context.Context, again bool) (string, error)
	// Preparing receives the progress of whatever makes Open slow; may be nil. It ends
	// with Open's context, and the next Open continues it or begins again.
	Preparing func(what Preparation, done, of int)
	// Examine checks a store that was not closed, in a separate process; default: in this
	// one.
	Examine examine.Func
	// AllowPrivate permits Live relays on this computer and network, and ws://.
	AllowPrivate bool
	// Tools are offered to the model beside the built-in ones.
	Tools   []tools.Tool
	Updates Updates
	NewID   func() string // of chats and turns, never the same twice; default: random ones

	// For tests: where names are looked up, and how long to wait.
	web       account.Fetcher
	localBase func(provider string) string // where LocalServers looks
	sleep     func(context.Context, time.Duration) error
	clock     llm.Clock // of the requests to models; nil for the system's

	gigabyte  int64                           // of a storage limit; 0 for 1e9 bytes
	freeSpace func(dir string) (int64, error) // of the disk that holds a folder
}

// App is an open Bowerbird. Its methods may be called from any goroutine.
type App struct {
	opt   Options
	notes *ndb.Store
	own   *ndb.Store
	chats *chats.Store // in own
	tools *tools.Registry
	me    atomic.Pointer[nostr.PubKey] // see Me; another account may be chosen while a question is answered
	// cannotWrite is returned by CannotWrite.
	cannotWrite error
	// sitting is when the window was opened; zero in a terminal.
	sitting time.Time
	// syncing lets an answer say that notes are arriving while it is made.
	syncing atomic.Bool

	state      *state.Store
	upkeep     *upkeep.Keeper
	saving     sync.Mutex // held while settings are saved
	settingsMu sync.Mutex // guards opt.Settings, briefly
	visiting   sync.Mutex // guards the saved state of visits and digests
	models     *models.Registry
	redactor   *agent.Redactor // of the models, the chats and the log
	turns      turns           // see Ask

	picturesOnce sync.Once
	pictures     *pictures.Loader // see Pictures

	live    *live.Live
	servers *client.Pool // see MCP
	// strategies holds how each chat gets to know tools, by chat and model, as long as
	// a provider may have its requests in its cache.
	strategies sync.Map

	newVersion atomic.Pointer[string] // see NewVersion

	closeOnce sync.Once
	closed    error // what Close returns
}

// Open opens the stores and finds the account. Errors of the stores are those of
// ndb.Open.
func Open(ctx context.Context, opt Options) (*App, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Getenv == nil {
		opt.Getenv = os.Getenv
	}
	if opt.Zone == nil {
		opt.Zone = localZone(opt.Getenv)
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.freeSpace == nil {
		opt.freeSpace = ndb.FreeSpace
	}
	if opt.NewID == nil {
		opt.NewID = func() string { return strings.ToLower(rand.Text()) }
	}
	all, err := tools.NewRegistry(append(tools.BuiltinTools(), opt.Tools...)...)
	if err != nil {
		return nil, err
	}
	// A single redactor removes secrets from everything that leaves the program or is
	// kept.
	redactor := agent.NewRedactor()
	opt.Logger = slog.New(redactor.Handler(opt.Logger.Handler()))
	a := &App{opt: opt, tools: all, redactor: redactor}
	a.models = models.New(models.Options{
		Places: a.Places(), Settings: a.Settings, Getenv: opt.Getenv, Now: opt.Now, Logger: opt.Logger, Redactor: redactor,
		KeysPassword: opt.KeysPassword, Remember: true, LocalBase: opt.localBase, Clock: opt.clock,
	})
	a.servers = NewMCP(a, a.models, a.MCPMemory(), opt.Logger)
	if opt.Window {
		a.sitting = opt.Now()
	}
	var named account.Key
	if opt.As != "" { // before a store is opened, or even created, to no purpose
		if named, err = a.Resolve(ctx, opt.As); err != nil {
			return nil, err
		}
	}
	if err := a.openStores(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.findReader(ctx, named); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Close stops what runs in the background and closes the stores. Answers in progress end,
// and are kept as interrupted. It is safe on an App that did not open. A second caller
// waits until the first one's Close is done.
func (a *App) Close() error {
	a.closeOnce.Do(func() { a.closed = a.close() })
	return a.closed
}

func (a *App) close() error {
	a.turns.end()
	if a.live != nil {
		a.live.Stop()
	}
	a.Pictures().Close() // what it fetches would be written to a folder that is being removed
	a.turns.wait()
	a.servers.Close()
	a.models.Close()
	return a.closeStores()
}

// Notes returns the note store.
func (a *App) Notes() *ndb.Store { return a.notes }

// Own returns the store of the user's own data.
func (a *App) Own() *ndb.Store { return a.own }

// Live returns the part that fetches notes in the background; always the same.
func (a *App) Live() *live.Live { return a.live }

// Upkeep returns the part that looks after the stores.
func (a *App) Upkeep() *upkeep.Keeper { return a.upkeep }

// Models returns what is known of the models that can answer.
func (a *App) Models() *models.Registry { return a.models }

// MCP returns the connections to the MCP servers that the user set up. They are made when a
// question is asked that may need them.
func (a *App) MCP() *client.Pool { return a.servers }

// Tools returns the registry of built-in tools.
func (a *App) Tools() *tools.Registry { return a.tools }

// Me returns the account; zero if none is chosen.
func (a *App) Me() nostr.PubKey {
	if me := a.me.Load(); me != nil {
		return *me
	}
	return nostr.PubKey{}
}

// setMe also keeps older versions of this person's lists, which relays do not.
func (a *App) setMe(me nostr.PubKey) {
	a.me.Store(&me)
	for _, s := range []*ndb.Store{a.notes, a.own} {
		s.KeepVersionsOf(me)
	}
}

// Now returns the time, in the user's zone.
func (a *App) Now() time.Time { return a.opt.Now().In(a.opt.Zone) }

// localZone returns this computer's zone under its IANA name, which models know;
// time.Local if the name cannot be found.
func localZone(getenv func(string) string) *time.Location {
	name := strings.TrimPrefix(getenv("TZ"), ":")
	if name == "" {
		// Where there is no such link, as on Windows, the zone has no name.
		name, _ = os.Readlink("/etc/localtime")
	}
	if _, below, found := strings.Cut(name, "zoneinfo/"); found {
		name = below
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return time.Local
	}
	now := time.Now()
	_, here := now.Zone()
	if _, there := now.In(zone).Zone(); there != here {
		return time.Local
	}
	return zone
}

// Places returns where the open data is: that of the sample while it is open.
func (a *App) Places() config.Places {
	if a.opt.Sample {
		return a.opt.Places.ForSample()
	}
	return a.opt.Places
}

// Sample reports whether the built-in sample is open.
func (a *App) Sample() bool { return a.opt.Sample }

// Settings returns what the user has chosen. Changing the copy has no effect: see
// SaveSettings.
func (a *App) Settings() config.Settings {
	a.settingsMu.Lock()
	defer a.settingsMu.Unlock()
	return a.opt.Settings.Clone()
}

// SaveSettings lets change alter the settings and saves them; if they cannot be saved,
// nothing changes. The settings apply from then on, including to what is asked and
// fetched. The file is read again first, so that an entry written meanwhile, also by
// another Bowerbird, is kept; a file that cannot be understood is not overwritten, and
// invalid settings are not saved. change must not call back into the App, and may be
// called even if nothing is saved afterwards.
func (a *App) SaveSettings(change func(*config.Settings)) error {
	a.saving.Lock()
	defer a.saving.Unlock()
	before := a.Settings()
	next, err := config.Update(a.opt.Places.Settings, a.Settings(), change)
	if err != nil {
		return err
	}
	a.settingsMu.Lock()
	a.opt.Settings = next
	a.settingsMu.Unlock()
	// What a lower limit removed is fetched again under a higher one.
	if !reflect.DeepEqual(before.Sync, next.Sync) || before.Storage != next.Storage {
		a.live.BeginAnew()
	}
	if next.Digest.Daily && (!before.Digest.Daily || before.Digest.At != next.Digest.At) {
		return a.digestAskedFor(context.Background())
	}
	return nil
}
