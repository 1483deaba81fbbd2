package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/assets"
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

// openWindow runs the window until it is closed.
func (p *program) openWindow(ctx context.Context) error {
	if !haveDisplay(runtime.GOOS, os.Getenv) {
		return errNoDisplay
	}
	logger, err := p.logger()
	if err != nil {
		return err
	}
	// Somebody who starts from a desktop sees no terminal: the window shows the error.
	settings, settingsErr := p.loadSettings()
	boundMemory(ctx, os.Getenv)
	tag, err := speak(settings.Appearance.Language)
	if err != nil {
		return fmt.Errorf("translations: %w", err)
	}
	fyneapp.SetMetadata(fyne.AppMetadata{
		ID: appID, Name: "Bowerbird", Version: version,
		Icon: fyne.NewStaticResource("bowerbird.png", assets.Icon),
	})
	desktop := fyneapp.NewWithID(appID)
	desktop.SetIcon(fyne.NewStaticResource("bowerbird.png", assets.Icon))
	window, err := shell.New(desktop, shell.Options{
		Open: func(ctx context.Context, sample bool, set config.Settings, preparing func(app.Preparation, int, int)) (*app.App, error) {
			return app.Open(ctx, app.Options{
				Places: p.places(), Settings: set, Access: app.WriteOrRead, Window: true, Sample: sample, Logger: logger, AllowPrivate: p.allowPrivate, Examine: examiner(),
				Preparing: preparing,
			})
		},
		Remove: p.remove,
		Repair: func(ctx context.Context) ([]upkeep.Repaired, error) {
			return upkeep.RepairStores(ctx, p.places(), upkeep.CheckOptions{Examine: examiner()})
		},
		Restore: func(ctx context.Context) (time.Time, error) {
			b, err := upkeep.RestoreNewest(ctx, p.places(), time.Now())
			return b.Day, err
		},
		Settings: settings, SettingsErr: settingsErr, LoadSettings: p.loadSettings,
		Language: tag, Sample: p.sample, Version: version,
		DumpWidgets: p.dumpWidgets, Logger: logger,
	})
	if err != nil {
		return err
	}
	return window.Run(ctx)
}

// remove deletes the user's data, or only the sample.
func (p *program) remove(sampleOnly bool) error {
	if sampleOnly {
		return upkeep.RemoveSample(p.places())
	}
	return upkeep.RemoveData(p.places())
}
