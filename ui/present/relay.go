package present

import (
	"time"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// RelayPage is all that is shown of one relay.
type RelayPage struct {
	RelayRow
	Why    []string // why it is asked, in whole sentences
	Said   string   // what it said to its state, in its own words; "" for nothing
	People []PersonReach
	Last   []RelayEvent
	Heard  []RelayEvent // what it said for people to read
	Sent   string       // how much it sent; "" for nothing
	Can    struct{ Try, Remove bool }
}

// RelayEvent is a line of what a relay sent.
type RelayEvent struct {
	ID   nostr.ID // zero for what it said
	Who  string
	Text string
	When string
}

// relayText is how many characters of a note or notice a line shows.
const relayText = 120

// Relay words the details of a relay. name returns the name of a person.
func (w Words) Relay(d live.RelayDetails, now time.Time, name func(nostr.PubKey) string) RelayPage {
	p := RelayPage{RelayRow: w.relayRow(d.RelayState, now), Why: w.relayWhy(d.RelayState)}
	if d.Said != "" {
		p.Said = Isolate(clean.Line(d.Said, relayText))
	}
	if d.Events > 0 {
		p.Sent = w.say("{{.N}} notes and lists, {{.Size}}, since the program started.", "N", w.Number(d.Events), "Size", w.Bytes(d.Bytes))
	}
	for _, person := range d.For {
		p.People = append(p.People, w.reach(person, now))
	}
	for _, e := range d.Last {
		p.Last = append(p.Last, RelayEvent{ID: e.ID, Who: name(e.PubKey), Text: w.glimpse(e), When: w.Ago(time.Unix(e.CreatedAt, 0), now)})
	}
	for _, n := range d.Notices {
		p.Heard = append(p.Heard, RelayEvent{Text: clean.Line(n.Text, relayText), When: w.Ago(n.At, now)})
	}
	p.Can.Try = d.Phase == notesync.Waiting || d.Phase == notesync.Connecting
	p.Can.Remove = d.Notes || d.Added
	return p
}

// relayWhy words why a relay is asked, and what makes it slow.
func (w Words) relayWhy(r live.RelayState) (why []string) {
	if r.Added {
		why = append(why, w.say("You added it: it is asked for everybody."))
	}
	if r.Write {
		why = append(why, w.say("Your own relay list says that you write there."))
	}
	if r.Inbox {
		why = append(why, w.say("Others send there what is addressed to you."))
	}
	if r.Notes && r.People > 0 && !r.Added {
		why = append(why, w.count(r.People,
			"It is asked for the notes of one person who writes there or cannot be found elsewhere.",
			"It is asked for the notes of {{.N}} people who write there or cannot be found elsewhere."))
	}
	if len(why) == 0 {
		why = append(why, w.say("It is asked for names and where people write, not for notes."))
	}
	if r.Slow {
		why = append(why, w.say("It is slow: answers take {{.N}} s.", "N", int(r.Answer.Seconds()+0.5)))
	}
	if r.PerMinute > 0 {
		why = append(why, w.limits(r.URL, r.PerMinute, r.Left))
	}
	return why
}

// glimpse words an event in a line.
func (w Words) glimpse(e *nostr.Event) string {
	switch e.Kind {
	case 6, 16:
		return w.say("reposted a note")
	case kindArticle:
		if title, ok := e.Tags.Value("title"); ok {
			return Isolate(clean.Line(title, relayText))
		}
		return w.say("Untitled")
	}
	if kind := w.kind(e.Kind); kind != "" {
		return kind
	}
	return Isolate(clean.Line(e.Content, relayText))
}
