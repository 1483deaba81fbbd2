package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
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
	shell  *shell.Shell
	canvas fyne.Canvas
	posts  chan func()
	opened *app.App // nil until something is
}

// patience bounds each wait.
const patience = 30 * time.Second

// quiet is how long nothing must happen until a screen counts as drawn.
const quiet = 400 * time.Millisecond

// take draws a screen into a file.
func take(ctx context.Context, sh shot, mode theme.Mode, file string) (err error) {
	data, err := os.MkdirTemp("", "bowerbird-shots-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	settings := config.Settings{}
	settings.Appearance.Mode, settings.Appearance.Text = string(mode), sh.text
	if sh.name == "states" {
		server := httptest.NewServer(http.HandlerFunc(refuse))
		defer server.Close()
		settings.Assistant = config.Assistant{Model: "custom:model", BaseURL: server.URL + "/v1"}
	}
	desktop := test.NewApp()
	defer desktop.Quit()
	s, err := setStage(desktop, sh, settings, config.Locate(data, ""))
	if err != nil {
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

// setStage makes the window for a shot, with its data at places.
func setStage(desktop fyne.App, sh shot, settings config.Settings, places config.Places) (s *stage, err error) {
	s = &stage{posts: make(chan func(), 10_000)}
	s.shell, err = shell.New(desktop, shell.Options{
		Open: func(ctx context.Context, sample bool, settings app.Settings) (*app.App, error) {
			a, err := app.Open(ctx, app.Options{
				Places: places, Settings: settings, Sample: sample, Zone: time.UTC,
				Now: func() time.Time { return clock }, Getenv: func(string) string { return "" },
			})
			s.opened = a
			return a, err
		},
		Settings: settings, Sample: !sh.own, Version: "0.1.0", Language: language.English,
		Now: func() time.Time { return clock }, Do: dispatch.Window(func(f func()) { s.posts <- f }),
	})
	if err != nil {
		return nil, err
	}
	s.canvas = s.shell.Window().Canvas()
	s.shell.Window().Resize(sh.size)
	return s, nil
}

// draw goes to the screen of a shot and saves what it looks like.
func (s *stage) draw(sh shot, file string) error {
	first := "chat.entry"
	if sh.own {
		first = "welcome.sample"
	}
	if err := s.wait(first); err != nil {
		return err
	}
	if err := sh.do(s); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	return s.save(file)
}

func refuse(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = w.Write([]byte(`{"error":{"message":"Invalid API key"}}`)) // the client's matter
}

// settle runs what is posted until nothing is for a while.
func (s *stage) settle() error {
	deadline := time.After(patience)
	for {
		select {
		case f := <-s.posts:
			f()
		case <-time.After(quiet):
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
			return s.settle()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("there is no %s", name)
		}
		select {
		case f := <-s.posts:
			f()
		case <-time.After(50 * time.Millisecond):
		}
	}
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
	return s.settle()
}

func (s *stage) save(file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return png.Encode(f, s.canvas.Capture())
}
