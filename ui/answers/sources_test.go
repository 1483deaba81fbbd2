package answers

import (
	"testing"
	"time"

	"bowerbird/tools/tooltest"
)

func TestALineOfSourcesNamesPeopleAndNotTheirCodes(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada Lindqvist")
	said := "Did you see it, nostr:" + ada.Key.Npub() + "?"
	e := w.Person("bob", "Bob").Note(said, time.Minute)
	found, err := StoreNotes{w.Store}.FindNote(t.Context(), e.ID)
	if err != nil || found.Spoken != "Did you see it, @Ada Lindqvist?" || found.Text != said {
		t.Errorf("the source says %q of %q, %v", found.Spoken, found.Text, err)
	}
}
