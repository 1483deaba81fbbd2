package present

import "testing"

func TestALineOfSourcesNamesPeopleAndNotTheirCodes(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ada", "Ada Lindqvist")
	said := "Did you see it, nostr:" + key(t, "ada").Npub() + "?"
	e := w.put("bob", 1, 1, said)
	found, err := StoreNotes{w.r.Store}.FindNote(t.Context(), e.ID)
	if err != nil || found.Spoken != "Did you see it, @Ada Lindqvist?" || found.Text != said {
		t.Errorf("the source says %q of %q, %v", found.Spoken, found.Text, err)
	}
}
