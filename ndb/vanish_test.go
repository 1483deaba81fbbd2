package ndb

import "testing"

func TestARequestToVanishCountsWhereItIsMadeToTheRelayThatSentIt(t *testing.T) {
	ada, eve := newPerson(1), newPerson(2)
	old, later, hers := ada.signs(t, 1, testNow-100, "old"), ada.signs(t, 1, testNow-10, "later"), eve.signs(t, 1, testNow-100, "hers")
	bye := ada.signs(t, 62, testNow-50, "bye", Tag{"relay", "wss://Relay.example/"})
	deletion := ada.signs(t, 5, testNow-20, "", Tag{"e", bye.ID.String()})
	s, _ := openTest(t)
	from := func(relay string, events ...*Event) {
		t.Helper()
		if _, err := s.Put(t.Context(), Batch{Events: events, Relay: relay}); err != nil {
			t.Fatal(err)
		}
	}
	texts := func() (got string) {
		for _, e := range query(t, s, Filter{Kinds: []uint16{1, 62}}) {
			got += e.Content + " "
		}
		return got
	}
	from("wss://relay.example", old, later, hers)
	from("wss://other.example", bye)
	if got := texts(); got != "later bye hers old " && got != "later bye old hers " {
		t.Errorf("%q after a request that was made to another relay than the one it came from", got)
	}
	from("wss://relay.example", bye, deletion)
	if got := texts(); got != "later bye hers " {
		t.Errorf("%q after the request came from the relay it is made to", got)
	}
	from("wss://other.example", old)
	if got := texts(); got != "later bye hers " {
		t.Errorf("%q: what vanished came again", got)
	}
}
