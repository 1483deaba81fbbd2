package present

import (
	"time"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// count words a number: one is the text for 1, many the text for others, with {{.N}} for
// the number.
func (w Words) count(n int, one, many string) string {
	if n == 1 {
		return w.say(one)
	}
	return w.say(many, "N", w.Number(n))
}

// Since says when t was: "just now", "20 s ago", "2 min ago", "yesterday", "9 days
// ago", and the date from a month on; "never" for the zero time.
func (w Words) Since(t, now time.Time) string {
	if t.IsZero() {
		return w.say("never")
	}
	t = t.In(now.Location())
	d, days := now.Sub(t), dayNumber(now)-dayNumber(t)
	switch {
	case d < 10*time.Second:
		return w.say("just now")
	case d < time.Minute:
		return w.say("{{.N}} s ago", "N", int(d/time.Second)/10*10)
	case d < time.Hour:
		return w.say("{{.N}} min ago", "N", int(d/time.Minute))
	case days == 0 || d < 12*time.Hour:
		return w.say("{{.N}} h ago", "N", int(d/time.Hour))
	case days == 1:
		return w.say("yesterday")
	case days <= 31:
		return w.say("{{.N}} days ago", "N", days)
	}
	return w.Date(t, now)
}

// in words how soon something is: "in 20 s", "in 2 min".
func (w Words) in(d time.Duration) string {
	return w.say("in {{.Time}}", "Time", w.Duration(d))
}

// Duration says a length of time: "20 s", "2 min", "3 h".
func (w Words) Duration(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return w.say("{{.N}} s", "N", max(1, int((d+time.Second-1)/time.Second)))
	case d < 90*time.Minute:
		return w.say("{{.N}} min", "N", int((d+time.Minute/2)/time.Minute))
	}
	return w.say("{{.N}} h", "N", int((d+time.Hour/2)/time.Hour))
}

// relayState words the state of a relay.
func (w Words) relayState(r live.RelayState, now time.Time) (string, Tone) {
	switch r.Phase {
	case notesync.Following, notesync.CatchingUp, notesync.Reached:
		if !r.Notes && !r.Added {
			return w.say("Being asked for names"), ToneGood
		}
		switch {
		case r.Phase == notesync.CatchingUp && r.Left > 0:
			return w.say("Catching up, about {{.Left}} left", "Left", w.Duration(r.Left)), ToneGood
		case r.Phase == notesync.CatchingUp:
			return w.say("Catching up, {{.N}} %", "N", int(r.Share*100)), ToneGood
		case r.Slow:
			return w.say("Slow to answer"), ToneGood
		case r.Phase == notesync.Reached:
			return w.say("Connected"), ToneGood
		}
		return w.say("Live"), ToneGood
	case notesync.Connecting:
		if r.Trouble == notesync.NoTrouble {
			return w.say("Connecting"), ToneNone
		}
	case notesync.Resting:
		if !r.Notes && !r.Added {
			return w.say("Asked when names are looked up"), ToneNone
		}
		return w.say("Not asked now"), ToneNone
	}
	text, tone := w.relayTrouble(r.Trouble)
	if again := r.Again.Sub(now); again > 0 && tone == ToneWarn && waits(r.Trouble) {
		text = w.say("{{.Trouble}}, again {{.When}}", "Trouble", text, "When", w.in(again))
	}
	return text, tone
}

// limits words how often a relay may be asked, and how long the rest will take.
func (w Words) limits(url string, perMinute float64, left time.Duration) string {
	times := w.Number(max(2, int(perMinute+0.5)))
	if left == 0 {
		return w.say("{{.Relay}} allows {{.N}} requests a minute.", "Relay", url, "N", times)
	}
	return w.say("{{.Relay}} allows {{.N}} requests a minute; about {{.Left}} left.", "Relay", url, "N", times, "Left", w.Duration(left))
}

// waits reports whether a problem may pass with time.
func waits(t notesync.Trouble) bool { return t != notesync.WantsLogin && t != notesync.NotForAll }

// RelayTrouble words a problem of a relay; "" for none.
func (w Words) RelayTrouble(t notesync.Trouble) string {
	if t == notesync.NoTrouble {
		return ""
	}
	text, _ := w.relayTrouble(t)
	return text
}

// relayTroubles word the problems of relays; amber ones may pass.
var relayTroubles = map[notesync.Trouble]struct {
	text string
	tone Tone
}{
	notesync.NameUnknown:  {"Name not found", ToneBad},
	notesync.BadTLS:       {"Certificate not valid", ToneBad},
	notesync.NotPermitted: {"Address not permitted", ToneBad},
	notesync.NoRelay:      {"Not a relay", ToneBad},
	notesync.TurnedAway:   {"Refuses connections", ToneBad},
	notesync.SendsJunk:    {"Sends invalid data", ToneBad},
	notesync.SendsTooMuch: {"Sends more than requested", ToneBad},
	notesync.TooLong:      {"Our requests are too long for it", ToneBad},
	notesync.Offline:      {"This computer is offline", ToneWarn},
	notesync.NobodyThere:  {"No answer", ToneWarn},
	notesync.NoAnswer:     {"No answer", ToneWarn},
	notesync.WantsLogin:   {"Requires you to sign in", ToneWarn},
	notesync.NotForAll:    {"For members only", ToneWarn},
	notesync.AskedTooMuch: {"Limits requests", ToneWarn},
	notesync.Refuses:      {"Refuses to answer", ToneWarn},
	notesync.Lost:         {"Connection lost", ToneWarn},
	notesync.NoTrouble:    {"Waiting", ToneNone},
	notesync.Stopped:      {"Waiting", ToneNone},
}

func (w Words) relayTrouble(t notesync.Trouble) (string, Tone) {
	if row, known := relayTroubles[t]; known {
		return w.say(row.text), row.tone
	}
	return w.say("Does not work"), ToneWarn
}

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
