package builtin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// A thread is told in the order in which it was written, and how many of its answers are
// not quoted is said.
func TestAThreadIsToldInOrderOfTimeAndWhatIsNotQuotedIsCounted(t *testing.T) {
	me, ann := named("me"), named("ann")
	at := noon.Unix() - 200_000
	people, events := []someone{ann}, []*nostr.Event{ann.event(t, 0, at, `{"name":"Annika"}`)}
	root := ann.event(t, 1, at, "The bridge at the mill opens on Saturday with a brass band from Skarholm.")
	events = append(events, root)
	for i, text := range []string{
		"I shall bring my old camera and two good friends along.",
		"A brass band on that bridge will shake the bolts loose before noon.",
		"Skarholm has two brass bands, which one of them comes to the mill?",
		"The mill road is closed on Saturday, so come by the river path.",
	} {
		who := named(fmt.Sprint("who", i))
		people = append(people, who)
		events = append(
			events, who.event(t, 0, at, fmt.Sprintf(`{"name":"Who%d"}`, i)),
			who.event(t, 1, at+int64(i+1)*3_000, text, noteTag(root, "root"), personTag(ann, t)),
			who.event(t, 1, at+int64(i+1)*3_000+60, "What a fine day that will be for all of us.", noteTag(root, "root"), personTag(ann, t)),
		)
	}
	events = append(
		events, follows(t, me, people...),
		ann.event(t, 1, at+100_000, "Correction: the bridge at the mill does not open on Saturday, the band is ill.", noteTag(root, "root")),
	)
	r := newReader(t, me.key(t), noon, events)
	for question, says := range map[string]string{
		"Show me the longest thread":                      "Not quoted: %d notes from the answers.",
		"Summarise this thread: " + root.ID.Note():        "Not quoted: %d notes from the answers.",
		"Fasse diesen Thread zusammen: " + root.ID.Note(): "Nicht zitiert: %d Notizen aus den Antworten.",
	} {
		a := r.ask(t, question)
		var times []int64
		for _, id := range a.notes {
			i := slices.IndexFunc(events, func(e *nostr.Event) bool { return e.ID.String() == id })
			times = append(times, events[i].CreatedAt)
		}
		if len(times) < 4 || !slices.IsSorted(times) {
			t.Errorf("%s: told in the order %v:\n%s", question, times, a)
		}
		if want := fmt.Sprintf(says, 10-len(times)); !strings.Contains(a.text, want) {
			t.Errorf("%s: %q is missing in\n%s", question, want, a)
		}
	}
}
