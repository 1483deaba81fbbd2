package present

import "testing"

func TestALineOfSourcesNamesPeopleAndNotTheirCodes(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ada", "Ada Lindqvist")
	said := "Did you see it, nostr:" + key(t, "ada").Npub() + "?"
	e := w.put("bob", 1, 1, said)
	card, err := NoteCard(t.Context(), w.r.Store, e.ID)
	if err != nil || card.Text != "Did you see it, @Ada Lindqvist?" {
		t.Errorf("the card says %q, %v", card.Text, err)
	}
	found, err := StoreNotes{w.r.Store}.FindNote(t.Context(), e.ID)
	if err != nil || found.Spoken != card.Text || found.Text != said {
		t.Errorf("the source says %q of %q, %v", found.Spoken, found.Text, err)
	}
}
