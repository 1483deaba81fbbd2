package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"golang.org/x/text/language"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/shell"
	"bowerbird/ui/theme"
)

// stage is a window without a display. What is posted to the window's thread runs
// on the caller's goroutine, while it waits.
type stage struct {
	ctx    context.Context
	shell  *shell.Shell
	canvas fyne.Canvas
	posts  chan func()
	opened *app.App     // nil until something is
	world  *world       // nil in the sample
	passed atomic.Int64 // time since the clock, in nanoseconds
}

// now is what the window takes the time for.
func (s *stage) now() time.Time { return clock.Add(time.Duration(s.passed.Load())) }

// pass lets time pass at once.
func (s *stage) pass(d time.Duration) { s.passed.Add(int64(d)) }

// patience bounds each wait.
const patience = 30 * time.Second

// quiet is how long nothing must happen until a screen counts as drawn.
const quiet = 400 * time.Millisecond

// take draws the pictures of a shot into a folder. Its data lie where a user's do.
func take(ctx context.Context, sh shot, mode theme.Mode, out string) (err error) {
	places := config.Locate("", "")
	defer func() { err = errors.Join(err, upkeep.RemoveData(places)) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &stage{ctx: ctx, posts: make(chan func(), 10_000)}
	settings, err := s.begin(sh)
	if err != nil {
		return err
	}
	settings.Appearance.Mode, settings.Appearance.Text = string(mode), sh.text
	if sh.model != nil {
		server := httptest.NewServer(sh.model.server())
		defer server.Close()
		defer server.CloseClientConnections()
		settings.Assistant = config.Assistant{Model: "custom:qwen3:8b", BaseURL: server.URL + "/v1"}
	}
	desktop := test.NewApp()
	defer desktop.Quit()
	if err := s.open(desktop, sh, settings, places); err != nil {
		return err
	}
	s.shell.Start(ctx)
	err = s.waitToBegin(sh)
	for _, f := range sh.frames() {
		if err == nil {
			err = s.draw(f, filepath.Join(out, fmt.Sprintf("%s-%s.png", f.name, mode)))
		}
	}
	stop()
	if s.opened != nil {
		err = errors.Join(err, s.opened.Close())
	}
	return err
}

// begin puts the world of a shot on the relays and returns the settings that lead to
// it.
func (s *stage) begin(sh shot) (config.Settings, error) {
	if sh.relays == nil {
		return config.Settings{}, nil
	}
	w, err := newWorld()
	if err != nil {
		return config.Settings{}, err
	}
	s.world = w
	sh.relays(w)
	n, err := internet(w)
	if err != nil {
		return config.Settings{}, err
	}
	n.connect(w.hosts())
	settings := w.settings()
	if sh.own {
		settings.Person = config.Person{}
	}
	return settings, nil
}

// open makes the window for a shot, with its data at places.
func (s *stage) open(desktop fyne.App, sh shot, settings config.Settings, places config.Places) (err error) {
	s.shell, err = shell.New(desktop, shell.Options{
		Open: func(ctx context.Context, sample bool, settings config.Settings, _ func(app.Preparation, int, int)) (*app.App, error) {
			if sh.fails != nil {
				return nil, sh.fails
			}
			a, err := app.Open(ctx, s.options(sh, sample, settings, places))
			s.opened = a
			return a, err
		},
		Settings: settings, Sample: !sh.own && sh.relays == nil, Version: "0.1.0", Language: language.English,
		Now: s.now, Do: dispatch.Window(func(f func()) { s.posts <- f }),
	})
	if err != nil {
		return err
	}
	s.canvas = s.shell.Window().Canvas()
	if sh.size.IsZero() {
		sh.size = full
	}
	s.shell.Window().Resize(sh.size)
	return nil
}

// options open what a shot shows. Nothing in them is by chance.
func (s *stage) options(sh shot, sample bool, settings config.Settings, places config.Places) app.Options {
	ids := 0
	opt := app.Options{
		Places: places, Settings: settings, Sample: sample, Zone: time.UTC,
		Now: s.now, Getenv: func(string) string { return "" },
		AllowPrivate: sh.relays != nil, // they stand in this process
		NewID:        func() string { ids++; return fmt.Sprintf("shot-%05d", ids) },
	}
	if sh.model != nil {
		opt.Tools = append(opt.Tools, publishTool())
	}
	return opt
}

// waitToBegin waits until there is something to begin with.
func (s *stage) waitToBegin(sh shot) error {
	if sh.own || sh.fails != nil {
		return nil
	}
	return s.wait("chat.entry")
}

// draw goes to what a frame shows and saves what it looks like. Where that fails it
// saves what is there instead.
func (s *stage) draw(f frame, file string) error {
	err := f.do(s)
	if err == nil {
		err = s.rest()
	}
	if err = errors.Join(err, s.save(file)); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Println(file)
	return nil
}

// rest runs what is posted until nothing is for a while.
func (s *stage) rest() error { return s.quietFor(quiet) }

func (s *stage) quietFor(d time.Duration) error {
	deadline := time.After(patience)
	for {
		select {
		case f := <-s.posts:
			f()
		case <-time.After(d):
			return nil
		case <-deadline:
			return errors.New("the window does not come to rest")
		}
	}
}

// wait runs what is posted until a widget is there.
func (s *stage) wait(name string) error {
	deadline := time.Now().Add(patience)
	for {
		if _, ok := s.find(name); ok {
			return s.rest()
		}
		if time.Now().After(deadline) {
			var there []string
			for _, r := range shell.Dump(s.canvas) {
				there = append(there, r.Name)
			}
			return fmt.Errorf("there is no %s among %s", name, strings.Join(there, ", "))
		}
		select {
		case f := <-s.posts:
			f()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// write types into what has the keyboard.
func (s *stage) write(text string) error {
	focused := s.canvas.Focused()
	if focused == nil {
		return errors.New("nothing has the keyboard")
	}
	test.Type(focused, text)
	return s.rest()
}

func (s *stage) find(name string) (shell.Rect, bool) {
	prefix, any := strings.CutSuffix(name, "*")
	for _, r := range shell.Dump(s.canvas) {
		if r.Name == name || any && strings.HasPrefix(r.Name, prefix) {
			return r, true
		}
	}
	return shell.Rect{}, false
}

// tap clicks into the middle of a widget.
func (s *stage) tap(name string) error {
	if err := s.wait(name); err != nil {
		return err
	}
	r, _ := s.find(name)
	scale := s.canvas.Scale()
	test.TapCanvas(s.canvas, fyne.NewPos((float32(r.X)+float32(r.Width)/2)/scale, (float32(r.Y)+float32(r.Height)/2)/scale))
	return s.rest()
}

func (s *stage) save(file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return png.Encode(f, s.canvas.Capture())
}
