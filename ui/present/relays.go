package present

import (
	"errors"
	"strings"
	"time"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Tone is how good or bad a state is. The words beside it say the same.
type Tone uint8

// The tones.
const (
	ToneNone Tone = iota // nothing to be said
	ToneGood
	ToneWarn
	ToneBad
)

// relayAction is what can be done about a relay from its row; 0 is nothing.
type relayAction uint8

// The actions.
const (
	TryRelay relayAction = iota + 1
	RemoveRelay
)

// RelaysAt is the state of the sync at one moment, of which a [RelayBoard] is made.
type RelaysAt struct {
	Status   live.Status
	Coverage live.Coverage
	Relays   []live.RelayState
	OnlyOwn  bool     // none but the user's own relays are asked
	Removed  []string // relays that are no longer asked
	Now      time.Time
}

// RelayBoard is the relays screen as plain values.
type RelayBoard struct {
	Title  string
	Text   string // how complete the notes are, or why nothing is fetched
	Notice string // what is in the way at this moment; "" for nothing
	Tone   Tone   // of the notice
	Retry  string // label of the button that asks the others again; "" for none
	All    string // label of the link to all people; "" for none

	People []PersonReach // not reached in full, at most mostReach
	More   string        // how many more there are; "" for none

	Rows    []RelayRow
	OnlyOwn bool
	Own     string // label of what changes OnlyOwn; "" where nothing is fetched
	OwnText string // what that does
	Removed string // label of the link to relays that are no longer asked; "" for none
	Fetches bool   // relays can be added
	Nobody  bool   // no account is chosen
}

// mostReach is how many people a RelayBoard names.
const mostReach = 5

// PersonReach is one person with how far their notes are here.
type PersonReach struct {
	PubKey nostr.PubKey
	Name   string
	Text   string  // "last reached yesterday", "64 % of it"
	Share  float64 // of the time, 0 to 1
}

// RelayRow is one line of the table.
type RelayRow struct {
	URL                     string
	Name, Use               string
	People, Today           string
	Answer, LastSync, State string
	Tone                    Tone
	Action                  relayAction
	ActionText              string // "" for none
}

// Relays words the relays screen.
func (w Words) Relays(at RelaysAt) RelayBoard {
	b := RelayBoard{OnlyOwn: at.OnlyOwn, Fetches: at.Status.Stage != live.StageSample, Nobody: at.Status.Stage == live.StageNobody}
	b.Title, b.Text = w.reachTitle(at)
	if !isOffline(at.Status) { // else the title says so
		b.Notice, b.Tone = w.FetchNotice(at.Status, at.Now)
	}
	if s := at.Status; s.Limited != "" && b.Notice == "" {
		left := s.Left
		if isFirst(s) {
			left = 0 // as is said above
		}
		b.Notice = w.limits(s.Limited, s.PerMinute, left)
	}
	if mended, tone := w.repairNotice(at.Status.Recovery, at.Now); mended != "" {
		b.Notice = strings.TrimSpace(b.Notice + " " + mended)
		if b.Tone == ToneNone {
			b.Tone = tone
		}
	}
	n := len(at.Coverage.People)
	// Nobody is named where that would be everybody, or too early.
	first := isFirst(at.Status) || at.Coverage.Complete == 0 || isOffline(at.Status)
	if n > 0 {
		b.All = w.say("Show everybody")
	}
	for _, p := range at.Coverage.People {
		if p.State != coverage.Complete && len(b.People) < mostReach && !first {
			b.People = append(b.People, w.reach(p, at.Now))
		}
	}
	if more := n - at.Coverage.Complete - len(b.People); more > 0 && !first {
		b.More = w.count(more, "and one more", "and {{.N}} more")
	}
	if !b.Fetches {
		return b
	}
	_, readsOnly := errors.AsType[*upkeep.StoreError](at.Status.Err) // until it is started again
	if (n > at.Coverage.Complete && !isFirst(at.Status) || at.Status.Offline) && !readsOnly {
		b.Retry = w.say("Try the others again")
		if at.Coverage.Complete == 0 || isOffline(at.Status) {
			b.Retry = w.say("Try again")
		}
	}
	for _, r := range at.Relays {
		b.Rows = append(b.Rows, w.relayRow(r, at.Now))
	}
	b.Own, b.OwnText = w.say("Use only my own relays"), w.say("if asking others tells them too much.")
	if at.OnlyOwn {
		b.Own, b.OwnText = w.say("Ask the others too"), w.say("to reach people who write nowhere else.")
	}
	if n := len(at.Removed); n > 0 {
		b.Removed = w.count(n, "One relay is no longer asked", "{{.N}} relays are no longer asked")
	}
	return b
}

// reachTitle words whose notes are complete.
func (w Words) reachTitle(at RelaysAt) (title, text string) {
	n, done := len(at.Coverage.People), at.Coverage.Complete
	switch {
	case at.Status.Stage == live.StageSample:
		return w.say("This is the sample"), w.say("A made-up circle of friends, stored on this computer. Nothing is fetched, and no relay is asked.")
	case at.Status.Stage == live.StageNobody:
		return w.say("Nobody is chosen yet"), w.say("Choose an account in the settings. Then you see here where its notes come from.")
	case isOffline(at.Status):
		return w.say("Offline"), w.offline(at.Status, at.Now)
	case isFirst(at.Status):
		return w.say("Getting your notes"), w.firstProgress(at.Status)
	case n == 0:
		return w.say("Nothing was fetched yet"), w.say("When it is known whom you follow, you see here how complete their notes are.")
	case done == n && n == 1:
		title = w.say("Up to date for one person")
	case done == n:
		title = w.say("Up to date for all {{.N}} people", "N", w.Number(n))
	default:
		title = w.say("Up to date for {{.Done}} of {{.N}} people", "Done", w.Number(done), "N", w.Number(n))
	}
	if done == 0 {
		return title, w.count(at.Coverage.Days,
			"Nobody's notes of the last day are confirmed as complete.",
			"Nobody's notes of the last {{.N}} days are confirmed as complete.")
	}
	asFar := w.AsFarAs(at.Coverage.Asked)
	text = w.say("Complete for the last {{.N}} days, {{.AsFar}}.", "N", w.Number(at.Coverage.Days), "AsFar", asFar)
	if at.Coverage.Days == 1 {
		text = w.say("Complete for the last day, {{.AsFar}}.", "AsFar", asFar)
	}
	if n := at.Coverage.OneRelay; n > 0 {
		text += " " + w.count(n,
			"For one person, only one relay confirms this: another that was asked did not.",
			"For {{.N}} people, only one relay confirms this: another that was asked did not.")
	}
	if asOf := at.Coverage.AsOf; !asOf.IsZero() {
		text += " " + w.say("Complete as of {{.When}}. A note that reached its relay after that, with an older date, may be missing.", "When", w.Moment(asOf, at.Now))
	}
	return title, text
}

// isOffline reports whether no relay can be reached, and nothing worse keeps notes from being
// fetched.
func isOffline(s live.Status) bool {
	return s.Offline && (s.Trouble == "" || s.Trouble == live.TroubleNet)
}

// offline words what is shown without the network, and when it is tried again.
func (w Words) offline(s live.Status, now time.Time) string {
	text := w.say("Showing what was stored until {{.When}}.", "When", w.Moment(s.LastSync, now))
	if s.LastSync.IsZero() {
		text = w.say("What is stored stays readable.")
	}
	if s.NextTry.IsZero() {
		return text
	}
	return text + " " + w.say("The next attempt is {{.When}}.", "When", w.in(s.NextTry.Sub(now)))
}

// AsFarAs words that completeness is confirmed by so many relays.
func (w Words) AsFarAs(relays int) string {
	return w.count(relays, "according to the one relay asked", "according to the {{.N}} relays asked")
}

// isFirst reports whether the first sync is running: too early to name people who were not
// reached.
func isFirst(s live.Status) bool {
	switch s.Stage {
	case live.StageLists, live.StageProfiles, live.StageNotes, live.StageContext:
		return s.First
	}
	return false
}

// firstProgress words the progress of the first sync.
func (w Words) firstProgress(s live.Status) string {
	switch {
	case s.Stage == live.StageLists || s.Stage == live.StageProfiles || s.People == 0:
		return w.say("Finding out whom you follow, and where they write.")
	case s.Left > 0:
		return w.say("{{.Done}} of {{.N}} people, about {{.Left}} left. The newest notes come first.",
			"Done", w.Number(s.PeopleDone), "N", w.Number(s.People), "Left", w.Duration(s.Left))
	}
	return w.say("{{.Done}} of {{.N}} people. The newest notes come first.", "Done", w.Number(s.PeopleDone), "N", w.Number(s.People))
}

// FetchNotice words what keeps notes from being fetched; "" for nothing.
func (w Words) FetchNotice(s live.Status, now time.Time) (string, Tone) {
	switch s.Trouble {
	case live.TroubleList:
		return w.say("No relay knows whom you follow. Add a relay that you use, or choose another account."), ToneWarn
	case live.TroubleEmpty:
		return w.say("You follow nobody yet, so there is nothing to fetch."), ToneWarn
	case live.TroubleRelay:
		return w.say("There is no relay to ask. Add one."), ToneWarn
	case live.TroubleStore:
		return w.cannotKeep(s.Err), ToneBad
	}
	switch {
	case s.Offline && !s.NextTry.IsZero():
		return w.say("You are offline. What is stored stays readable; the next attempt is {{.When}}.", "When", w.in(s.NextTry.Sub(now))), ToneWarn
	case s.Offline:
		return w.say("You are offline. What is stored stays readable; syncing continues when the network is back."), ToneWarn
	}
	return "", ToneNone
}

// repairShown is how long the result of a repair is shown.
const repairShown = 7 * 24 * time.Hour

// repairNotice words the result of repairing damaged notes; "" for none.
func (w Words) repairNotice(m upkeep.Recovery, now time.Time) (string, Tone) {
	at := time.Unix(m.At, 0)
	if m.At == 0 || m.Fetched && now.Sub(at) > repairShown {
		return "", ToneNone
	}
	text := w.say("The notes stored on this computer were found damaged ({{.Day}}). What could be read was saved.", "Day", w.Day(at, now)) + " "
	switch {
	case !m.Fetched:
		return text + w.say("The rest is being fetched again."), ToneWarn
	case m.Unknown:
		return text + w.say("What the relays still have was fetched again. How much is missing is not known."), ToneWarn
	case m.Missing > 0:
		return text + w.count(m.Missing, "The rest was fetched again, except for about one note that no relay has.", "The rest was fetched again, except for about {{.N}} notes that no relay has."), ToneWarn
	}
	return text + w.say("The rest was fetched again."), ToneGood
}

// cannotKeep words why what is fetched cannot be stored.
func (w Words) cannotKeep(err error) string {
	switch store := (*upkeep.StoreError)(nil); {
	case errors.As(err, &store) && errors.Is(err, ndb.ErrNoSpace):
		return w.say("The disk is full. You can read what is stored; nothing new is fetched, and what you ask now is not saved. Free some space, then start Bowerbird again.")
	case errors.As(err, &store):
		return w.say("Bowerbird does not have permission to write to its folder. You can read what is stored; nothing new is fetched, and what you ask now is not saved. Grant the permission, then restart Bowerbird.")
	case errors.Is(err, ndb.ErrNoSpace):
		return w.say("The disk is nearly full, so nothing new is fetched. Syncing continues when there is space.")
	}
	return w.say("The notes cannot be kept: is the disk full?")
}

// Everybody makes a line of every person, those not reached in full first.
func (w Words) Everybody(c live.Coverage, now time.Time) []PersonReach {
	all := make([]PersonReach, len(c.People))
	for i, p := range c.People {
		all[i] = w.reach(p, now)
	}
	return all
}

// longAgo is from when on the time matters when a person was last reached.
const longAgo = time.Hour

func (w Words) reach(p live.PersonCoverage, now time.Time) PersonReach {
	r := PersonReach{PubKey: p.PubKey, Name: Name(nostr.Profile{PubKey: p.PubKey, DisplayName: p.Name}), Share: p.Share}
	switch {
	case p.Alone:
		r.Text = w.say("complete at one relay")
	case p.State == coverage.Complete:
		r.Text = w.say("complete at the relays asked")
	case p.OwnLeftOut:
		r.Text = w.say("their own relays were not asked for all of it")
	case len(p.Lacking) > 0:
		r.Text = w.say("some kinds of notes are not served")
	case p.Elsewhere && p.State == coverage.Nothing:
		r.Text = w.say("their own relays do not answer")
	case p.Last.IsZero():
		r.Text = w.say("never reached")
	case now.Sub(p.Last) >= longAgo:
		r.Text = w.say("last reached {{.When}}", "When", w.Since(p.Last, now))
	default:
		r.Text = w.say("{{.N}} % of it", "N", int(p.Share*100))
	}
	return r
}

// none is shown where there is no figure.
const none = "–"

// steady rounds a time in milliseconds, long ones to tens, so that the figure does not
// flicker.
func steady(d time.Duration) int {
	if ms := int(d.Milliseconds()); ms < 20 {
		return max(1, ms)
	}
	return int(d.Round(10 * time.Millisecond).Milliseconds())
}

func (w Words) relayRow(r live.RelayState, now time.Time) RelayRow {
	row := RelayRow{URL: r.URL, Name: r.Name(), Use: w.relayUse(r), People: none, Today: none, Answer: none}
	if r.Notes {
		row.People = w.Number(r.People)
	}
	if r.Today > 0 || r.Phase == notesync.Following && r.Notes {
		row.Today = w.Number(r.Today)
	}
	if r.Answer > 0 && (r.Phase != notesync.Waiting || !waits(r.Trouble)) {
		row.Answer = w.say("{{.N}} ms", "N", w.Number(steady(r.Answer)))
	}
	row.LastSync = none
	if r.Notes {
		row.LastSync = w.Since(r.LastSync, now)
	}
	row.State, row.Tone = w.relayState(r, now)
	switch {
	case row.Tone == ToneBad:
		row.Action, row.ActionText = RemoveRelay, w.say("Remove")
	case row.Tone == ToneWarn && r.Trouble != notesync.WantsLogin && r.Trouble != notesync.NotForAll:
		row.Action, row.ActionText = TryRelay, w.say("Try now")
	}
	return row
}

func (w Words) relayUse(r live.RelayState) string {
	switch {
	case r.Notes && r.Write:
		return w.say("read · write")
	case r.Write:
		return w.say("write")
	case r.Notes, r.Added:
		return w.say("read")
	}
	return w.say("names")
}
