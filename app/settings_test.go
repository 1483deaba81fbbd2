package app

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/models"
)

func TestSettingsThatAreSavedHoldAtOnceAndAtTheNextStart(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places})
	err := a.SaveSettings(func(s *config.Settings) {
		s.Appearance = config.Appearance{Mode: config.ModeDark, Text: 125, Density: config.Compact, Language: "de"}
		s.Assistant.Model = "ollama:qwen3:8b"
		s.Sync.Days = 14
		s.Digest = config.Digest{Daily: true, At: "07:30"}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Models().State(t.Context(), models.Choice{}); got.ID != "ollama:qwen3:8b" || got.Host != "" {
		t.Errorf("the model is %+v", got)
	}
	if got := a.Settings().Sync.DaysBack(); got != 14 {
		t.Errorf("%d days", got)
	}
	read, err := config.Load(places.Settings)
	if err != nil || fmt.Sprint(read) != fmt.Sprint(a.Settings()) {
		t.Errorf("read %+v, %v; have %+v", read, err, a.Settings())
	}
}

func TestWhatWasWrittenIntoTheFileMeanwhileStays(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places})
	byHand := "[sync]\ndays = 9\n"
	if err := os.WriteFile(places.Settings, []byte(byHand), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Appearance.Mode = config.ModeLight }); err != nil {
		t.Fatal(err)
	}
	if got := a.Settings(); got.Sync.Days != 9 || got.Appearance.Mode != config.ModeLight {
		t.Errorf("%+v", got)
	}
}

func TestWhatWasWrittenIntoTheFileIsFetchedByFromTheNextSavingOn(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places})
	begun := 0
	save := func() {
		t.Helper()
		anew := a.Live().Anew()
		if err := a.SaveSettings(func(s *config.Settings) { s.Appearance.Mode = config.ModeLight }); err != nil {
			t.Fatal(err)
		}
		select {
		case <-anew:
			begun++
		default:
		}
	}
	save()
	if begun != 0 {
		t.Errorf("begun anew %d times although nothing that is fetched by changed", begun)
	}
	if err := os.WriteFile(places.Settings, []byte("[sync]\nwithout = [\"wss://noise.example\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	save()
	if begun != 1 {
		t.Errorf("begun anew %d times, want 1", begun)
	}
	save()
	if begun != 1 {
		t.Errorf("begun anew %d times, though it held already", begun)
	}
}

func TestAFileThatCannotBeUnderstoodIsNotOverwritten(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places})
	const broken = "[appearance]\nmood = \"blue\"\n"
	if err := os.WriteFile(places.Settings, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(a.Settings())
	if err := a.SaveSettings(func(s *config.Settings) { s.Appearance.Mode = config.ModeDark }); err == nil || !strings.Contains(err.Error(), "appearance.mood") {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(places.Settings); err != nil || string(after) != broken {
		t.Errorf("the file is %q, %v", after, err)
	}
	if fmt.Sprint(a.Settings()) != before {
		t.Errorf("the settings changed: %+v", a.Settings())
	}
}

func TestSettingsThatMakeNoSenseAreNotSaved(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places})
	for entry, change := range map[string]func(*config.Settings){
		"appearance.mode":     func(s *config.Settings) { s.Appearance.Mode = "blue" },
		"appearance.text":     func(s *config.Settings) { s.Appearance.Text = 700 },
		"appearance.density":  func(s *config.Settings) { s.Appearance.Density = "crowded" },
		"appearance.language": func(s *config.Settings) { s.Appearance.Language = "tlh" },
		"digest.at":           func(s *config.Settings) { s.Digest.At = "25:00" },
		"pictures.show":       func(s *config.Settings) { s.Pictures.Show = "all" },
		"window.width":        func(s *config.Settings) { s.Window.Width = -1 },
		"sync.days":           func(s *config.Settings) { s.Sync.Days = -1 },
	} {
		if err := a.SaveSettings(change); err == nil || !strings.Contains(err.Error(), entry) {
			t.Errorf("%s: error %v", entry, err)
		}
	}
	if _, err := os.Stat(places.Settings); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was written: %v", err)
	}
}

func TestManyWhoChangeSettingsLoseNothing(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), "")})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			err := a.SaveSettings(func(s *config.Settings) {
				s.Sync.Relays = append(s.Sync.Relays, fmt.Sprintf("wss://relay%d.example", i))
				s.Window.Width++
			})
			if err != nil {
				t.Error(err)
			}
			_ = a.Settings()
		})
	}
	all.Wait()
	if got := a.Settings(); len(got.Sync.Relays) != 20 || got.Window.Width != 20 {
		t.Errorf("%d relays, width %d", len(got.Sync.Relays), got.Window.Width)
	}
}

func TestCaughtUpMovesTheMarkAndAVisitKeepsIt(t *testing.T) {
	c := &clock{time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Now: c.time})
	since := func() time.Time {
		t.Helper()
		at, err := a.LastVisit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if _, err := a.Visit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !since().IsZero() {
		t.Errorf("the first visit has a mark: %v", since())
	}
	c.now = c.now.Add(5 * time.Minute)
	caught := c.now
	if err := a.CaughtUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{0, 10 * time.Minute, 10 * time.Minute} { // still that visit
		c.now = c.now.Add(wait)
		if _, err := a.Visit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !since().Equal(caught) {
			t.Errorf("%v after: the mark is %v, want %v", wait, since(), caught)
		}
	}
	end := c.now
	c.now = c.now.Add(9 * time.Hour)
	if !since().Equal(end) {
		t.Errorf("the next visit: the mark is %v, want %v", since(), end)
	}
}
