package feed

import (
	"testing"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

func TestTheRelaysThatWereTriedInVainAreNamed(t *testing.T) {
	w := present.Words{}
	at := func(trouble notesync.Trouble, names ...string) (all []live.RelayState) {
		for _, n := range names {
			all = append(all, live.RelayState{URL: "wss://" + n, Trouble: trouble})
		}
		return all
	}
	for want, relays := range map[string][]live.RelayState{
		"":                                  at(notesync.NoTrouble, "a.example"),
		"Tried without success: a.example.": append(at(notesync.Offline, "a.example"), at(notesync.NoTrouble, "b.example")...),
		"Tried without success: a.example, b.example, c.example, d.example and 2 more.": at(notesync.NoAnswer, "a.example", "b.example", "c.example", "d.example", "e.example", "f.example"),
	} {
		if got := triedWords(w, relays); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTryingAgainShowsThatItIsUnderWay(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	r := newRetry(t.Context(), st.env)
	r.button.Tapped(nil)
	if !r.button.Disabled() {
		t.Error("the button can be pressed while it is tried")
	}
	st.until("it can be tried again", func() bool { return !r.button.Disabled() })
}
