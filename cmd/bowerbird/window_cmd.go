package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"github.com/godbus/dbus/v5"

	"bowerbird/app"
	"bowerbird/app/autostart"
	"bowerbird/app/config"
	"bowerbird/app/instance"
	"bowerbird/app/upkeep"
	"bowerbird/assets"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/shell"
)

// appID identifies the program to the desktop, as in FyneApp.toml.
const appID = "social.bowerbird.desktop"

// errNoDisplay says what to do without a display.
var errNoDisplay = errors.New(`there is no display to open a window on. To try the sample notes in a terminal:
  bowerbird --sample ask "What did I miss since yesterday?"
"bowerbird --help" lists all commands`)

// haveDisplay reports whether a window can be opened. Only systems with X11 or Wayland may
// be without a display.
func haveDisplay(goos string, getenv func(string) string) bool {
	switch goos {
	case "windows", "darwin":
		return true
	}
	return getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
}

// openWindow runs the window until it is closed, or raises the one that is open. args is a
// link to open, or empty.
func (p *program) openWindow(ctx context.Context, args []string) error {
	logger, err := p.logger()
	if err != nil {
		return err
	}
	// Somebody who starts from a desktop sees no terminal: the window shows the error.
	settings, settingsErr := p.loadSettings()
	var link *nostr.Code
	if len(args) > 0 {
		code, err := nostr.ParseLink(args[0])
		if err != nil {
			return err
		}
		link = &code
	}
	places := p.places()
	if p.sample || settings.Window.Sample {
		places = places.ForSample()
	}
	switch found, err := instance.Hand(ctx, places.Data, strings.Join(args, "")); {
	case found && err == nil:
		return nil
	case err != nil: // the window that opens now names the other's process, and says what to do
		p.say("%v", err)
	}
	if !haveDisplay(runtime.GOOS, os.Getenv) {
		return errNoDisplay
	}
	boundMemory(ctx, os.Getenv)
	tag, err := speak(settings.Appearance.Language)
	if err != nil {
		return fmt.Errorf("translations: %w", err)
	}
	log.SetOutput(&graphics{Writer: log.Writer(), fail: p.endWithoutWindow(os.Exit)})
	desktop := newDesktop()
	login, err := p.login(os.Executable, os.Getenv)
	if err != nil {
		return err
	}
	window, err := shell.New(desktop, shell.Options{
		Open: func(ctx context.Context, sample bool, set config.Settings, preparing func(app.Preparation, int, int)) (a *app.App, err error) {
			err = p.whileInUse(ctx, commandWait, func() error {
				a, err = app.Open(ctx, app.Options{
					Places: p.places(), Settings: set, Access: app.WriteOrRead, Window: true, Sample: sample, Logger: logger, AllowPrivate: p.allowPrivate, Examine: examiner(),
					Preparing: preparing, Updates: updates(),
				})
				return err
			})
			return a, err
		},
		Remove: func(sampleOnly bool) error {
			if sampleOnly {
				return upkeep.RemoveSample(p.places())
			}
			return upkeep.RemoveData(p.places())
		},
		Repair: func(ctx context.Context) ([]upkeep.Repaired, error) {
			return upkeep.RepairStores(ctx, p.places(), upkeep.CheckOptions{Examine: examiner()})
		},
		Restore: func(ctx context.Context) (time.Time, error) {
			b, err := upkeep.RestoreNewest(ctx, p.places(), time.Now())
			return b.Day, err
		},
		Settings: settings, SettingsErr: settingsErr, LoadSettings: p.loadSettings,
		Language: tag, Speak: speak, Sample: p.sample, Version: version, Wait: waitForStarts, Link: link,
		Login: login, Tray: haveTray, Background: p.background,
		DumpWidgets: p.dumpWidgets, Logger: logger,
	})
	if err != nil {
		return err
	}
	return window.Run(ctx)
}

// login is how the program is started when the user logs in: with the same data.
func (p *program) login(executable func() (string, error), getenv func(string) string) (autostart.Entry, error) {
	self, err := executable()
	if image := getenv("APPIMAGE"); image != "" { // self is a folder that ends with the program
		self = image
	}
	command := []string{self, "--background"}
	for _, flag := range []struct{ name, path string }{{"--data", p.data}, {"--config", p.settings}} {
		if flag.path != "" && err == nil {
			var path string
			path, err = filepath.Abs(flag.path)
			command = append(command, flag.name, path)
		}
	}
	return autostart.Entry{ID: appID, Name: "Bowerbird", Command: command}, err
}

// haveTray reports whether the desktop shows icons of programs in a tray.
func haveTray() bool {
	switch runtime.GOOS {
	case "windows", "darwin":
		return true
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		return false // looking for a bus would start one
	}
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return false
	}
	defer func() { _ = bus.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var has bool
	err = bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&has)
	return err == nil && has
}

// releaseKey is the project's public key for releases, an npub; "": nothing is looked for.
const releaseKey = ""

// packagedBy is the distribution that packages this program and delivers its updates. It is
// set by the linker (-X main.packagedBy=Debian).
var packagedBy string

func updates() app.Updates {
	code, _ := nostr.ParseCode(releaseKey) // a test sees to it that it is one
	return app.Updates{Version: version, Key: code.PubKey, PackagedBy: packagedBy}
}

// newDesktop makes Fyne's app. It gets its ID afterwards: one that is made with an ID
// writes a file of preferences at its end, which nobody uses, and while it does, reads it
// half written and logs an error.
func newDesktop() fyne.App {
	icon := fyne.NewStaticResource("bowerbird.png", assets.Icon)
	desktop := fyneapp.NewWithID("")
	fyneapp.SetMetadata(fyne.AppMetadata{ID: appID, Name: "Bowerbird", Version: version, Icon: icon})
	desktop.SetIcon(icon)
	return desktop
}

// windowGCPercent is how much the heap may grow, in percent, before it is collected. A
// quarter of Go's default saves some 80 MB for a window that stays open all day, for 2 % of
// the time during heavy use.
const windowGCPercent = 25

// restEvery is how often to check whether the window is idle.
const restEvery = time.Minute

// boundMemory keeps the window's memory small until ctx ends, unless the user has set GOGC.
func boundMemory(ctx context.Context, getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(windowGCPercent)
	go func() {
		ticks := time.NewTicker(restEvery)
		defer ticks.Stop()
		for r := (rest{}); ; {
			select {
			case <-ticks.C:
			case <-ctx.Done():
				return
			}
			if r.begins(allocated()) {
				debug.FreeOSMemory()
			}
		}
	}()
}

// rest detects when a window becomes idle after use. Then the memory that Go keeps for
// later is returned to the system.
type rest struct {
	last  uint64 // bytes allocated until the last check
	using bool
}

// restBytes is more than an idle window allocates within restEvery: up to 20 MB were
// measured, and twenty times as much during use.
const restBytes = 48 << 20

// begins takes the number of bytes allocated since the start, and reports whether the
// window has just become idle.
func (r *rest) begins(allocated uint64) bool {
	used := allocated-r.last > restBytes
	r.last = allocated
	begins := r.using && !used
	r.using = used
	return begins
}

// allocated returns the number of bytes allocated since the start.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
