package tools

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// A note that answers nothing is in no muted thread, whatever ids the mute list names.
func TestANoteOfItsOwnIsInNoMutedThread(t *testing.T) {
	v := &viewer{threads: map[string]bool{nostr.ID{}.String(): true}}
	if v.muted(&nostr.Event{ID: nostr.ID{1}, Kind: 1}) {
		t.Error("it is muted")
	}
}

// The text of each of many thousand notes is folded once, not for each of many muted words.
func TestATextIsFoldedOnceForAllMutedWords(t *testing.T) {
	v := &viewer{}
	for i := range 50 {
		v.words = append(v.words, fmt.Sprintf("muted%d", i))
	}
	e := &nostr.Event{Kind: 1, Content: strings.Repeat("A Note ", 100)}
	if n := testing.AllocsPerRun(10, func() { v.muted(e) }); n >= float64(len(v.words)) {
		t.Errorf("%.0f allocations for one text", n)
	}
}
