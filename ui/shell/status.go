package shell

import (
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// status is the line at the foot of the column and the main part: relays connected, last sync,
// notes and size. A click opens the relays.
type status struct {
	content     fyne.CanvasObject
	dot         *widgets.Dot
	relays      *widgets.Label
	age, stored *widgets.Label
}

func newStatus(open func()) *status {
	st := &status{
		dot:    widgets.NewDot(theme.Warn),
		relays: widgets.NewLabel("", theme.Small, theme.Muted),
		age:    widgets.NewLabel("", theme.Small, theme.Muted),
		stored: widgets.NewLabel("", theme.Small, theme.Muted),
	}
	row := newStatusRow(layout.Row(16, -1, st.dot, st.relays), st.age, st.stored)
	line := widgets.Named("status", widgets.NewTappable(layout.Pad(layout.Sides(0, theme.ColumnPadding), row), open))
	line.Tip = lang.L("Where your notes come from")
	st.content = line
	return st
}

// newStatusRow puts three parts side by side, the last at the right edge. Where they do not
// fit, the last is left out; if the others do not either, the second has a line of its own, or
// where it needs more than one, is left out too.
func newStatusRow(first fyne.CanvasObject, second *widgets.Label, last fyne.CanvasObject) fyne.CanvasObject {
	const gap = 16
	var row *layout.Arranged
	row = layout.NewArranged(60, func(width float32, put layout.Put) float32 {
		a, c := first.MinSize(), last.MinSize()
		b := second.MinSize()
		stacked := second.Text() != "" && a.Width+gap+b.Width > width && b.Width <= width
		height := max(a.Height, b.Height, c.Height)
		if stacked {
			height = a.Height + b.Height + 8
		}
		if put == nil {
			return height
		}
		widgets.SetVisible(second, stacked || a.Width+gap+b.Width <= width)
		widgets.SetVisible(last, a.Width+gap+b.Width+gap+c.Width <= width)
		high := row.Size().Height
		put(last, width-c.Width, (high-c.Height)/2, c.Width, c.Height)
		if stacked {
			y := (high - a.Height - b.Height) / 2
			put(first, 0, y, min(a.Width, width), a.Height)
			put(second, 0, y+a.Height, width, b.Height)
			return height
		}
		put(first, 0, (high-a.Height)/2, min(a.Width, width), a.Height)
		put(second, a.Width+gap, (high-b.Height)/2, b.Width, b.Height)
		return height
	}, first, second, last)
	return row
}

// statusWords is the text of the line.
type statusWords struct {
	dot                 fyne.ThemeColorName
	relays, age, stored string
}

// sayStatus words the state of the sync.
func sayStatus(words present.Words, st live.Status, sample bool, have held, now time.Time) statusWords {
	w := statusWords{dot: theme.Warn, stored: lang.N("{{.Notes}} items · {{.Size}}", have.notes, map[string]any{
		"Notes": words.Number(have.notes), "Size": words.Bytes(have.bytes),
	})}
	switch {
	case sample:
		w.dot, w.relays, w.age = theme.OK, lang.L("The sample"), lang.L("Made up; nothing is fetched or sent")
		if have.asks {
			w.age = lang.L("Made up; nothing is fetched")
		}
	case st.Offline:
		w.relays, w.age = lang.L("Offline"), lang.L("Showing what was stored {{.When}}", map[string]any{"When": words.Since(st.LastSync, now)})
		if have.notes == 0 {
			w.age = lang.L("No notes have been fetched yet")
		} else if st.LastSync.IsZero() { // the first sync has not ended
			w.age = lang.L("Showing what is stored")
		}
	case readsOnly(st):
		w.relays, w.age = lang.L("Read-only"), lang.L("The folder cannot be written")
		if errors.Is(st.Err, ndb.ErrNoSpace) {
			w.age = lang.L("The disk is full")
		}
	case st.Trouble != live.NoTrouble:
		w.relays, _ = words.FetchNotice(st, now)
	case st.Connected == 0:
		w.relays, w.age = lang.L("Connecting"), sayAge(words, st, have.coverage, now)
	default:
		w.dot, w.age = theme.OK, sayAge(words, st, have.coverage, now)
		w.relays = lang.L("{{.Connected}} of {{.Relays}} relays", map[string]any{"Connected": st.Connected, "Relays": st.Relays})
	}
	return w
}

// readsOnly reports whether the stores could only be opened for reading. The relays screen
// explains what follows from that.
func readsOnly(st live.Status) bool {
	_, opening := errors.AsType[*upkeep.StoreError](st.Err)
	return st.Trouble == live.TroubleStore && opening
}

// sayAge words how complete the notes are, in steps that do not change every second.
func sayAge(words present.Words, st live.Status, cov live.Coverage, now time.Time) string {
	switch {
	case st.First && st.People == 0:
		return lang.L("Looking for the people you follow")
	case st.Limited != "" && st.First:
		return lang.L("Getting notes: {{.Done}} of {{.People}} people, about {{.Left}} left", map[string]any{"Done": st.PeopleDone, "People": st.People, "Left": words.Duration(st.Left)})
	case st.First:
		return lang.L("Getting notes: {{.Done}} of {{.People}} people", map[string]any{"Done": st.PeopleDone, "People": st.People})
	case st.Connected > 0 && st.Recovery.Pending():
		return lang.L("Fetching again what was damaged")
	case st.Limited != "" && st.Connected > 0:
		return lang.L("Getting new notes, about {{.Left}} left", map[string]any{"Left": words.Duration(st.Left)})
	case st.Connected > 0 && (st.Stage == live.StageLists || st.Stage == live.StageProfiles || st.Stage == live.StageNotes):
		return lang.L("Getting new notes")
	case st.LastSync.IsZero() || len(cov.People) == 0:
		return ""
	}
	asFar := words.AsFarAs(cov.Asked)
	switch {
	case cov.Complete == 0:
		return lang.L("Not confirmed as complete for anybody")
	case cov.Complete < len(cov.People):
		return lang.L("Up to date for {{.Done}} of {{.N}} people, {{.AsFar}}", map[string]any{"Done": words.Number(cov.Complete), "N": words.Number(len(cov.People)), "AsFar": asFar})
	case now.Sub(st.LastSync) < time.Minute:
		return lang.L("Up to date, {{.AsFar}}", map[string]any{"AsFar": asFar})
	}
	return lang.L("Up to date {{.When}}, {{.AsFar}}", map[string]any{"When": words.Since(st.LastSync, now), "AsFar": asFar})
}

func (st *status) show(w statusWords) {
	st.dot.SetColor(w.dot)
	st.relays.SetText(w.relays)
	st.age.SetText(w.age)
	st.age.ID = "status.age=" + w.age // for the test that waits for it
	st.stored.SetText(w.stored)
	st.content.Refresh()
}

// statusPause is how often the status line is updated while nothing happens: "Up to date 3
// min ago" grows.
const statusPause = 20 * time.Second

// heldPause is how often the size of the store and the coverage are read at most. That
// walks the files of the store and the ledger, and while notes arrive something changes
// ten times a second. The first notes and the end of a stage are shown at once.
const heldPause = 10 * time.Second

// held is what is stored.
type held struct {
	notes    int // events of all kinds, reactions and profiles among them
	bytes    int64
	coverage live.Coverage // for whom it is complete
	asks     bool          // a model is asked, which may be elsewhere
}

func (s *Shell) readHeld(ses *session) (h held, err error) {
	if h.notes, h.bytes, err = ses.app.Notes().Size(ses.ctx); err != nil {
		return held{}, fmt.Errorf("reading the size of the store: %w", err)
	}
	if h.coverage, err = ses.app.Live().Coverage(ses.ctx); err != nil {
		return held{}, fmt.Errorf("reading for whom notes are complete: %w", err)
	}
	return h, nil
}

// followStatus keeps the status line up to date while the session lasts.
func (s *Shell) followStatus() {
	ses := s.session
	changed := make(chan struct{}, 1)
	stop := ses.app.Live().OnChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	go func() {
		defer stop()
		tick := time.NewTicker(statusPause)
		defer tick.Stop()
		var have held
		var looked time.Time
		var stage live.Stage // when it was looked up
		for {
			st := ses.app.Live().Status()
			if have.notes == 0 || st.Stage != stage || s.opt.Now().Sub(looked) >= heldPause {
				if now, err := s.readHeld(ses); err == nil {
					have = now
				} else if ses.ctx.Err() == nil {
					s.opt.Logger.Warn("the status line", "err", err)
				}
				looked, stage = s.opt.Now(), st.Stage
			}
			have.asks = ses.app.Settings().Assistant.ModelID() != config.DefaultModel
			words := sayStatus(s.words, st, ses.sample, have, s.opt.Now())
			s.do.Post("status", func() {
				if s.session == ses {
					s.status.show(words)
				}
			})
			select {
			case <-ses.ctx.Done():
				return
			case <-changed:
			case <-tick.C:
			}
		}
	}()
}
