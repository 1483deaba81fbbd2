package relays

import (
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/theme"
)

// held is a dispatcher that does nothing until it is told to.
type held struct {
	dispatch.Dispatcher
	waiting []func() func()
}

func (h *held) Go(work func() func()) { h.waiting = append(h.waiting, work) }

func (h *held) answer() {
	for len(h.waiting) > 0 {
		work := h.waiting[0]
		h.waiting = h.waiting[1:]
		if show := work(); show != nil {
			show()
		}
	}
}

// slow makes everything wait for answer.
func (o *opened) slow() *held {
	h := &held{Dispatcher: o.env.Do}
	o.env.Do = h
	return h
}

func TestWhatWasCancelledIsNotAdded(t *testing.T) {
	for name, leave := range map[string]func(o *opened){
		"the button":    func(o *opened) { o.press(t, "relays.address.cancel") },
		"the cross":     func(o *opened) { o.press(t, "relays.close") },
		"Escape":        func(o *opened) { o.closeDialog() },
		"another text":  func(o *opened) { o.typeInto(t, "relays.address", "other.example") },
		"screen closed": func(o *opened) { o.Close() },
	} {
		o := open(t, picture(), theme.Light, 1, wide)
		o.press(t, "relays.add")
		o.typeInto(t, "relays.address", "slip.example")
		late := o.slow()
		o.press(t, "relays.address.add")
		leave(o)
		late.answer()
		if len(o.source.calls) > 0 {
			t.Errorf("%s: %v", name, o.source.calls)
		}
	}
}

func TestAnAddressThatWasChangedMeanwhileIsTriedAnew(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	o.press(t, "relays.add")
	o.typeInto(t, "relays.address", "slip.example")
	late := o.slow()
	o.press(t, "relays.address.add")
	o.typeInto(t, "relays.address", "meant.example")
	o.press(t, "relays.address.add")
	late.answer()
	o.did(t, "add meant.example")
}

func TestDetailsThatComeLateOpenOverNothingElse(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	late := o.slow()
	o.press(t, "relay:wss://slow.example")
	o.Hidden()
	late.answer()
	if o.window.Canvas().Overlays().Top() != nil {
		t.Error("they opened although the screen was left")
	}
	o.Shown()
	o.press(t, "relay:wss://slow.example")
	o.press(t, "relays.add")
	late.answer()
	if o.find("relays.address") == nil {
		t.Error("they took the place of the form")
	}
	o.closeDialog()
	o.press(t, "relay:wss://slow.example")
	late.answer()
	if o.find("relays.note:01000000") == nil {
		t.Error("they do not open at all")
	}
}

func TestARemovedRelayComesBackByUndoAndFromTheList(t *testing.T) {
	s := picture()
	s.at.Removed = []string{"wss://noise.example", "wss://" + strings.Repeat("long.", 30) + "example"}
	o := open(t, s, theme.Light, 1, wide)
	o.press(t, "relays.action:wss://gone.example")
	o.nav.undo()
	o.did(t, "remove wss://gone.example", "restore wss://gone.example", "toast Relay is no longer asked. Its notes stay.")
	o.press(t, "relays.removed")
	if width := o.window.Canvas().Overlays().Top().MinSize().Width; width > wide.Width {
		t.Errorf("the list is %v wide", width)
	}
	o.press(t, "relays.restore:wss://noise.example")
	o.did(t, "restore wss://noise.example", "toast Relay is asked again.")
	s.at.Removed = nil
	o.load(t.Context())
	if o.find("relays.removed") != nil {
		t.Error("an empty list is offered")
	}
}

func TestTheWordsKeepUpWithTheClock(t *testing.T) {
	s := picture()
	s.at.Relays[3].Again = now.Add(30 * time.Second)
	o := open(t, s, theme.Light, 1, wide)
	words := func() string {
		return o.page.table.rows["wss://slow.example"].is.State + ", " + o.page.table.rows["wss://relay.one"].is.LastSync
	}
	before := words()
	s.later = 20 * time.Second
	o.tick()
	if after := words(); !strings.Contains(after, "10 s") || strings.Contains(before, "in 10 s") || !strings.HasSuffix(after, "30 s ago") {
		t.Errorf("%q, 20 s later %q", before, after)
	}
	if s.at.Relays[3].Trouble != notesync.NoAnswer {
		t.Error("the state itself was changed")
	}
	o.Hidden()
	s.later = time.Hour
	shown := words()
	o.tick()
	if words() != shown {
		t.Error("it is drawn while it is out of sight")
	}
}
