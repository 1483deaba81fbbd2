package main

import (
	"testing"
	"time"

	"bowerbird/app/notesync"
)

func TestEachChangeOfARelayIsSaidOnce(t *testing.T) {
	now := time.Unix(1000, 0)
	state := func(change func(*notesync.RelayState)) notesync.RelayState {
		st := notesync.RelayState{URL: "wss://r", Phase: notesync.CatchingUp, Connected: true}
		change(&st)
		return st
	}
	up := state(func(*notesync.RelayState) {})
	lost := state(func(st *notesync.RelayState) {
		st.Phase, st.Trouble, st.Why, st.Connected = notesync.Connecting, notesync.Lost, "the connection was lost", false
	})
	left := state(func(st *notesync.RelayState) {
		st.Phase, st.Trouble, st.Why, st.Connected = notesync.Waiting, notesync.NobodyThere, "nothing answers at its address", false
	})
	limited := state(func(st *notesync.RelayState) {
		st.Phase, st.Trouble, st.Why, st.Again = notesync.Waiting, notesync.AskedTooMuch, "it asked for fewer requests", now.Add(10*time.Second)
	})
	slow := state(func(st *notesync.RelayState) { st.Slow, st.Answer = true, 6*time.Second })
	hangsUp := state(func(st *notesync.RelayState) { st.HangsUp = true })
	ended := state(func(st *notesync.RelayState) { st.Phase, st.Connected = notesync.Resting, false })
	lostAgain := lost
	lostAgain.HangsUp = true
	for name, tt := range map[string][]struct {
		st   notesync.RelayState
		want string
	}{
		"lost and back": {{up, "connected"}, {up, ""}, {lost, "the connection was lost; trying again"}, {lost, ""}, {up, "it answers again"}, {ended, ""}},
		"never there":   {{left, "nothing answers at its address; not trying again for now"}, {left, ""}, {up, "connected"}},
		"limited":       {{up, "connected"}, {limited, "it asked for fewer requests; asking again in 10s"}, {up, "it answers again"}},
		"slow":          {{up, "connected"}, {slow, "it is slow: 6 seconds per answer"}, {slow, ""}},
		"hanging up":    {{up, "connected"}, {hangsUp, "it closes the connection after each answer, so it is sent one request at a time"}, {lostAgain, ""}, {hangsUp, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			said := relayNews{}
			for i, step := range tt {
				want := step.want
				if want != "" {
					want = "wss://r: " + want
				}
				if got := said.line(step.st, now); got != want {
					t.Errorf("step %d: %q, want %q", i, got, want)
				}
			}
		})
	}
}

func TestAnEstimateNamesWhatItRestsOn(t *testing.T) {
	g := notesync.Progress{Stage: "notes", People: 3, Relays: 1, Windows: 6, Filled: 2, Left: 4*time.Minute + 10*time.Second, Limited: "wss://r", PerMinute: 19.7}
	const want = "fetching notes: 0 new notes, 2 of 6 parts, 3 people at 1 relay; about 4 minutes left: wss://r answers 20 requests per minute"
	if got := syncWords(g); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
