package shell

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app/live"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

func TestThePaletteFindsByTheBeginningsOfWords(t *testing.T) {
	list := []action{
		{name: "Settings"},
		{name: "Get new notes now", also: "refresh, sync"},
		{name: "New chat"},
		{name: "Hidden new thing", quiet: true},
	}
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", []string{"Settings", "Get new notes now", "New chat"}},
		{"sett", []string{"Settings"}},
		{"new", []string{"New chat", "Get new notes now"}},
		{"  NOTES get ", []string{"Get new notes now"}},
		{"sync", []string{"Get new notes now"}},
		{"ettings", nil},
	} {
		found := find(list, tc.text)
		if len(found) != len(tc.want) {
			t.Errorf("%q finds %d, want %q", tc.text, len(found), tc.want)
			continue
		}
		for i, a := range found {
			if a.name != tc.want[i] {
				t.Errorf("%q finds %q at %d, want %q", tc.text, a.name, i, tc.want[i])
			}
		}
	}
}

func TestAShortcutIsWrittenAsItStandsOnTheKeys(t *testing.T) {
	for _, tc := range []struct {
		key  fyne.KeyName
		mods fyne.KeyModifier
		want string
	}{
		{fyne.KeyK, fyne.KeyModifierControl, "Ctrl+K"},
		{fyne.KeyD, fyne.KeyModifierControl | fyne.KeyModifierShift, "Ctrl+Shift+D"},
		{fyne.KeyLeft, fyne.KeyModifierAlt, "Alt+Left arrow"},
		{fyne.KeyEqual, fyne.KeyModifierSuper, "Cmd++"},
		{fyne.KeyF5, 0, "F5"},
	} {
		if got := keyText(tc.key, tc.mods); got != tc.want {
			t.Errorf("%s, %v: %q, want %q", tc.key, tc.mods, got, tc.want)
		}
	}
}

func TestTheStatusLineSaysHowItStands(t *testing.T) {
	now := clock
	for _, tc := range []struct {
		name        string
		status      live.Status
		sample      bool
		notes       int // stored
		complete    int // people of ten
		dot         fyne.ThemeColorName
		relays, age string
	}{
		{"the sample", live.Status{}, true, 0, 9, theme.OK, "The sample", "Made up; nothing is fetched or sent"},
		{"offline before anything came", live.Status{Offline: true}, false, 0, 9, theme.Warn, "Offline", "No notes have been fetched yet"},
		{"offline in the first sync", live.Status{Offline: true}, false, 1, 9, theme.Warn, "Offline", "Showing what is stored"},
		{"offline just now", live.Status{Offline: true, LastSync: now.Add(-3 * time.Second)}, false, 1, 9, theme.Warn, "Offline", "Showing what was stored just now"},
		{"offline later", live.Status{Offline: true, LastSync: now.Add(-3 * time.Hour)}, false, 1, 9, theme.Warn, "Offline", "Showing what was stored 3 h ago"},
		{"a disk that is full", live.Status{Trouble: live.TroubleStore, First: true}, false, 0, 9, theme.Warn, "The notes cannot be kept: is the disk full?", ""},
		{"a disk too full to write", live.Status{Trouble: live.TroubleStore, Err: &upkeep.StoreError{Store: "notes", Err: ndb.ErrNoSpace}}, false, 0, 9, theme.Warn, "Read-only", "The disk is full"},
		{"no right to write", live.Status{Trouble: live.TroubleStore, Err: &upkeep.StoreError{Store: "notes", Err: ndb.ErrReadOnly}}, false, 0, 9, theme.Warn, "Read-only", "The folder cannot be written"},
		{"a loss made good", live.Status{Connected: 2, Relays: 4, Stage: live.StageNotes, Recovery: upkeep.Recovery{At: 1}}, false, 0, 9, theme.OK, "2 of 4 relays", "Fetching again what was damaged"},
		{"connecting", live.Status{Relays: 4}, false, 0, 9, theme.Warn, "Connecting", ""},
		{"before it knows of whom", live.Status{Connected: 2, Relays: 4, First: true}, false, 0, 9, theme.OK, "2 of 4 relays", "Looking for the people you follow"},
		{"the first sync", live.Status{Connected: 2, Relays: 4, First: true, People: 30, PeopleDone: 12}, false, 0, 9, theme.OK, "2 of 4 relays", "Getting notes: 12 of 30 people"},
		{"catching up", live.Status{Connected: 2, Relays: 4, Stage: live.StageNotes, LastSync: now.Add(-time.Second)}, false, 0, 9, theme.OK, "2 of 4 relays", "Getting new notes"},
		{"catching up with a relay that limits questions", live.Status{Connected: 2, Relays: 4, Stage: live.StageNotes, Limited: "wss://x", Left: 4 * time.Minute}, false, 0, 9, theme.OK, "2 of 4 relays", "Getting new notes, about 4 min left"},
		{"the first time at such a relay", live.Status{Connected: 2, Relays: 4, First: true, People: 30, PeopleDone: 12, Limited: "wss://x", Left: 4 * time.Minute}, false, 0, 9, theme.OK, "2 of 4 relays", "Getting notes: 12 of 30 people, about 4 min left"},
		{"up to date", live.Status{Connected: 4, Relays: 4, Stage: live.StageLive, LastSync: now.Add(-59 * time.Second)}, false, 0, 10, theme.OK, "4 of 4 relays", "Up to date, according to the 4 relays asked"},
		{"some time ago", live.Status{Connected: 4, Relays: 4, Stage: live.StageLive, LastSync: now.Add(-5 * time.Minute)}, false, 0, 10, theme.OK, "4 of 4 relays", "Up to date 5 min ago, according to the 4 relays asked"},
		{"a few are out of reach", live.Status{Connected: 4, Relays: 4, Stage: live.StageLive, LastSync: now}, false, 0, 9, theme.OK, "4 of 4 relays", "Up to date for 9 of 10 people, according to the 4 relays asked"},
		{"nobody is complete", live.Status{Connected: 4, Relays: 4, Stage: live.StageLive, LastSync: now}, false, 0, 0, theme.OK, "4 of 4 relays", "Not confirmed as complete for anybody"},
		{"long ago", live.Status{Relays: 4, LastSync: now.Add(-9 * 24 * time.Hour)}, false, 0, 10, theme.Warn, "Connecting", "Up to date 9 days ago, according to the 4 relays asked"},
		{"live, and hardly begun", live.Status{Connected: 1, Relays: 9, Stage: live.StageLive, LastSync: now}, false, 0, 4, theme.OK, "1 of 9 relays", "Up to date for 4 of 10 people, according to the 4 relays asked"},
	} {
		have := held{notes: tc.notes, coverage: live.Coverage{People: make([]live.PersonCoverage, 10), Complete: tc.complete, Asked: 4}}
		w := sayStatus(present.Words{}, tc.status, tc.sample, have, now)
		if w.dot != tc.dot || w.relays != tc.relays || w.age != tc.age {
			t.Errorf("%s: %+v", tc.name, w)
		}
	}
}

func TestTheSampleDoesNotSayThatNothingIsSentWhileAModelIsAsked(t *testing.T) {
	if w := sayStatus(present.Words{}, live.Status{}, true, held{asks: true}, time.Now()); w.age != "Made up; nothing is fetched" {
		t.Errorf("it says %q", w.age)
	}
}

func TestThePaletteShowsTheLineThatIsSelected(t *testing.T) {
	const most = 14
	for _, n := range []int{1, most, most + 1, 40} {
		for selected := range n {
			from := linesFrom(selected, n, most)
			if from < 0 || selected < from || selected >= from+most || from > max(0, n-most) {
				t.Errorf("of %d, with %d selected, the lines begin at %d", n, selected, from)
			}
		}
	}
}
