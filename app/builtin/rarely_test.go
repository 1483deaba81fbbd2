package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/ndb/nostr"
)

// rarelyWorld has people who write once a month, four who write each day and talk about
// a dozen things today, and me with a note to answer.
func rarelyWorld(t *testing.T, quiet int) (me someone, mine *nostr.Event, people []someone, events []*nostr.Event) {
	const day = 86400
	at := noon.Unix()
	me = named("me")
	mine = me.event(t, 1, at-20*3600, "Which wood is best for the shelf of the cellar?")
	events = []*nostr.Event{mine}
	var often []someone
	for i := range 4 {
		who := named(fmt.Sprint("often", i))
		often = append(often, who)
		for d := range 50 {
			events = append(events, who.event(t, 1, at-int64(d+2)*day-int64(i), fmt.Sprintf("Day %d of my very regular diary of hens and weather, book %d.", d, i)))
		}
	}
	for i, news := range []string{
		"The ferry to Holm runs at night from Friday on, with room for two lorries.",
		"Astronomers at Wexcombe have named a comet after their cook, Bridget Sallow.",
		"The choir of Dunmarsh won in Riga and comes home on Sunday by train.",
		"Burglars took eleven clocks out of the museum in Thornbeck and left the gold.",
		"Frost killed the plum blossom at Ellenrow, four fifths of the harvest is gone.",
		"Line nine of the tramway ends at Galloway Hill from March, says the council.",
		"The library at Prior Street reopens after the flood with 4,000 dry books.",
		"Our baker Osric retires at 81, and his granddaughter takes over the oven.",
		"A keeper moves back into the lighthouse of Skarra, the first one since 1974.",
		"Ten-year-old Imogen Tarrant beat the master of Kelby at chess in 22 moves.",
		"The viaduct of Morrowby is closed, a crack runs through its third pillar.",
		"Somebody stole nine beehives in Ashgrove, with all the bees in them.",
	} {
		first := often[i%4].event(t, 1, at-int64(5000+i), news)
		events = append(events, first)
		for j, who := range often {
			events = append(events, who.event(t, 1, at-int64(4000+10*i+j), fmt.Sprintf("Thought so when I read the papers yesterday, page %d.", 12*i+j), []string{"e", first.ID.String(), "", "root"}))
		}
	}
	for i := range quiet {
		who := named(fmt.Sprint("quiet", i))
		people = append(people, who)
		events = append(events, who.event(t, 0, at-70*day, fmt.Sprintf(`{"name":"Quiet%d"}`, i)),
			who.event(t, 1, at-int64(20+i)*day, fmt.Sprintf("An early note about the orchard number %d and its pears.", i)))
	}
	return me, mine, people, append(events, follows(t, me, append(often, people...)...))
}

// What somebody rarely heard tells of their own life is quoted, not the word that they threw
// in last, nor what they answered to me.
func TestOfWhoIsRarelyHeardTheirOwnLifeIsTold(t *testing.T) {
	me, mine, people, events := rarelyWorld(t, 3)
	at := noon.Unix()
	for i, life := range []string{
		"Unterschrieben! Meine eigene Buchbinderei in Harlesand, ab Mai, mit Ofen.",
		"My knee gets a new joint in Brackwell on the ninth. Wish me luck.",
		"Mañana me mudo a Valdemora con dos gatos y un piano desafinado.",
	} {
		events = append(events, people[i].event(t, 1, at-9*3600-int64(i), life),
			people[i].event(t, 1, at-3600-int64(i), "larch, always larch", []string{"e", mine.ID.String(), "", "root"}, []string{"p", me.key(t).String()}))
	}
	r := newReader(t, me.key(t), noon, events)
	a := r.ask(t, "What did I miss in the last 24 hours?")
	checkQuotes(t, r, a)
	rare := section(t, a, builtin.Rarely)
	for _, want := range []string{"Unterschrieben! Meine eigene Buchbinderei", "My knee gets a new joint", "me mudo a Valdemora"} {
		if !strings.Contains(rare, want) {
			t.Errorf("%q is not in %q of\n%s", want, rare, a.text)
		}
	}
}

// Where there is room, what more of them wrote is told, and not only that they did.
func TestWhatThoseRarelyHeardWroteIsToldAsRoomGoes(t *testing.T) {
	me, _, people, events := rarelyWorld(t, 9)
	at := noon.Unix()
	for i, who := range people {
		events = append(events, who.event(t, 1, at-int64(i+1)*1800, fmt.Sprintf("We leave Port%c for Cape%c, the lorry comes at dawn and the canary travels in front.", 'a'+i, 'a'+i)))
	}
	r := newReader(t, me.key(t), noon, events)
	a := r.ask(t, "What did I miss in the last 24 hours?")
	checkQuotes(t, r, a)
	for i := range people {
		if want := fmt.Sprintf("We leave Port%c", 'a'+i); !strings.Contains(a.text, want) {
			t.Errorf("%q is not told:\n%s", want, a.text)
		}
	}
}

// How long somebody was silent is reckoned from what they wrote last, whatever of theirs is
// quoted.
func TestSilenceIsReckonedFromWhatSomebodyWroteLast(t *testing.T) {
	for name, tt := range map[string]struct {
		ago  int64 // in hours: another note of the time asked about
		want string
	}{
		"days ago":        {6 * 24, "(first in 5 days)"},
		"in the same day": {10, "(first in 19 days)"},
	} {
		t.Run(name, func(t *testing.T) {
			me, _, people, events := rarelyWorld(t, 1)
			at := noon.Unix()
			events = append(events, people[0].event(t, 1, at-tt.ago*3600, "good day to all of you"),
				people[0].event(t, 1, at-6*3600, "My knee gets a new joint in Brackwell on the ninth. Wish me luck."))
			r := newReader(t, me.key(t), noon, events)
			a := r.ask(t, "What did I miss in the last 7 days?")
			d, _ := builtin.ReadDigest(a.text)
			for _, s := range d.Sections {
				if s.Kind == builtin.Rarely && s.Items[0].Note == strings.Trim(tt.want, "()") {
					return
				}
			}
			t.Errorf("%s is missing in\n%s", tt.want, a.text)
		})
	}
}
