package app

import (
	"testing"

	"bowerbird/app/notesync"
)

func TestRelaysThatWereTriedInVainAreToldUntilTheNextTry(t *testing.T) {
	at := func(url string, trouble notesync.Trouble) notesync.RelayState {
		return notesync.RelayState{URL: url, Trouble: trouble, Phase: notesync.Resting}
	}
	some := failedOf([]notesync.RelayState{at("a", notesync.NoTrouble), at("b", notesync.NameUnknown), at("c", notesync.Stopped)})
	if len(some) != 1 || some[0].URL != "b" || some[0].Trouble != notesync.NameUnknown || some[0].Phase != notesync.Waiting {
		t.Errorf("of three relays told is %+v", some)
	}
	all := failedOf([]notesync.RelayState{at("a", notesync.NameUnknown), at("b", notesync.NameUnknown)})
	if len(all) != 2 || all[0].Trouble != notesync.Offline || all[1].Trouble != notesync.Offline {
		t.Errorf("without a network told is %+v", all)
	}
}
