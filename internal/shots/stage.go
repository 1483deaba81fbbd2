package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"golang.org/x/text/language"

	"bowerbird/app"
	"bowerbird/app/config"
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

// take draws a screen into a file. Its data lie where a user's do.
func take(ctx context.Context, sh shot, mode theme.Mode, file string) (err error) {
	places := config.Locate("", "")
	defer func() { err = errors.Join(err, app.RemoveData(places)) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	settings := config.Settings{}
	settings.Appearance.Mode, settings.Appearance.Text = string(mode), sh.text
	if sh.model != nil {
		server := httptest.NewServer(sh.model.server())
		defer server.Close()
		defer server.CloseClientConnections()
		settings.Assistant = config.Assistant{Model: "custom:qwen3:8b", BaseURL: server.URL + "/v1"}
	}
	desktop := test.NewApp()
	defer desktop.Quit()
	s := &stage{ctx: ctx, posts: make(chan func(), 10_000)}
	if err := s.open(desktop, sh, settings, places); err != nil {
		return err
	}
	s.shell.Start(ctx)
	if err := s.draw(sh, file); err != nil {
		return err
	}
	stop()
	if s.opened != nil {
		return s.opened.Close()
	}
	return nil
}

// open makes the window for a shot, with its data at places.
func (s *stage) open(desktop fyne.App, sh shot, settings config.Settings, places config.Places) (err error) {
	s.shell, err = shell.New(desktop, shell.Options{
		Open: func(ctx context.Context, sample bool, settings app.Settings) (*app.App, error) {
			if sh.fails != nil {
				return nil, sh.fails
			}
			a, err := app.Open(ctx, s.options(sh, sample, settings, places))
			s.opened = a
			return a, err
		},
		Settings: settings, Sample: !sh.own, Version: "0.1.0", Language: language.English,
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
func (s *stage) options(sh shot, sample bool, settings app.Settings, places config.Places) app.Options {
	ids := 0
	opt := app.Options{
		Places: places, Settings: settings, Sample: sample, Zone: time.UTC,
		Now: s.now, Getenv: func(string) string { return "" },
		NewID: func() string { ids++; return fmt.Sprintf("shot-%05d", ids) },
	}
	if sh.model != nil {
		opt.Tools = append(opt.Tools, publishTool())
	}
	return opt
}

// draw goes to the screen of a shot and saves what it looks like.
func (s *stage) draw(sh shot, file string) error {
	if !sh.own && sh.fails == nil {
		if err := s.wait("chat.entry"); err != nil {
			return err
		}
	}
	if err := sh.do(s); err != nil {
		return err
	}
	if err := s.rest(); err != nil {
		return err
	}
	return s.save(file)
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
