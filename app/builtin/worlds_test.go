package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// A world is what happened, and what a digest of it must say and must not.
type world struct {
	question string
	seen     []*nostr.Event
	events   []*nostr.Event
	says     []string
	never    []string
	broken   func(tool, args string) bool
	cut      bool // the tools have no time to count
}

const day = 86400

// cast names people by profiles.
func cast(t *testing.T, people map[string]someone) (events []*nostr.Event) {
	for name, who := range people {
		events = append(events, who.event(t, 0, noon.Unix()-70*day, fmt.Sprintf(`{"name":%q}`, name)))
	}
	return events
}

// TestWhatADigestSaysIsSo in worlds where a count, a date, a person or how much is known
// could be told wrongly.
func TestWhatADigestSaysIsSo(t *testing.T) {
	me, ann, bob, cho, dan, eve := named("me"), named("ann"), named("bob"), named("cho"), named("dan"), named("eve")
	at := noon.Unix()
	names := cast(t, map[string]someone{"Ann": ann, "Bob": bob, "Cho": cho, "Dan": dan, "Eve": eve})
	all := follows(t, me, ann, bob, cho, dan)
	e := func(of *nostr.Event) []string { return []string{"e", of.ID.String(), "", "root"} }
	to := personTag(me, t)
	ferry := ann.event(t, 1, at-7*3600, "The ferry Brindlewick ran aground off the Skarra lighthouse, 41 people are safe.")
	mine := me.event(t, 1, at-8*3600, "Has anybody seen the grey cat of the harbour office?")
	worlds := map[string]world{}
	worlds["my own answer is not one of theirs"] = world{events: []*nostr.Event{
		ferry, bob.event(t, 1, at-6*3600, "Brindlewick again, the captain was warned of that sandbank.", e(ferry)),
		me.event(t, 1, at-5*3600, "I saw the lifeboats leave the pier.", e(ferry)), me.event(t, 1, at-4*3600, "And they came back with all of them.", e(ferry)),
	}, says: []string{"2 people wrote 2 notes", "(2 notes, 2 took part)"}}
	worlds["my own hashtag is not one of theirs"] = world{events: []*nostr.Event{
		ann.event(t, 1, at-6*3600, "Rehearsal of the choir tonight at seven. #choir", []string{"t", "choir"}),
		me.event(t, 1, at-5*3600, "I bring the cake. #choir", []string{"t", "choir"}),
	}, never: []string{"#choir (2 notes)", "#choir (1 note)"}}
	talk := ann.event(t, 1, at-9*3600, "Bought the last beekeeping almanac at the Thornbeck market, 1931, all pages in it.")
	worlds["two remarks are no story"] = world{events: []*nostr.Event{
		talk, bob.event(t, 1, at-8*3600, "The almanac smells of honey I hope, what a find at that market.", e(talk)),
		cho.event(t, 1, at-3*3600, "My grandfather had the beekeeping almanac of 1931 on the shelf in Thornbeck next to the radio.", e(talk)),
		dan.event(t, 1, at-2*3600, "Lend it to me when you are done with the bees.", e(talk)),
	}, never: []string{"**Now**"}}
	gone := bob.event(t, 1, at-6*3600, "Brindlewick again, the captain was warned of that sandbank.", e(ferry))
	worlds["what was deleted does not count"] = world{events: []*nostr.Event{
		ferry, gone, cho.event(t, 1, at-5*3600, "So that was the siren in the night, off Skarra.", e(ferry)),
		bob.event(t, 5, at-3600, "", []string{"e", gone.ID.String()}, []string{"k", "1"}),
	}, says: []string{"2 people wrote 2 notes", "(2 notes, 2 took part)"}}
	worlds["a dislike is no part of it"] = world{events: []*nostr.Event{
		ferry, cho.event(t, 1, at-5*3600, "So that was the siren in the night, off Skarra.", e(ferry)),
		bob.event(t, 7, at-3600, "-", []string{"e", ferry.ID.String()}), dan.event(t, 7, at-3600, "-", []string{"e", ferry.ID.String()}),
		bob.event(t, 7, at-3500, "-", []string{"e", mine.ID.String()}, to), mine,
	}, says: []string{"(2 notes, 2 took part)"}, never: []string{"reaction"}}
	worlds["what I did to my own notes is not done by others"] = world{events: []*nostr.Event{
		mine, ferry, me.event(t, 7, at-3600, "+", []string{"e", mine.ID.String()}, to), me.event(t, 6, at-3500, "", []string{"e", mine.ID.String()}, to),
		me.event(t, 1, at-3000, "Found her myself, in the bread van.", e(mine), to),
	}, never: []string{"your note", "For you", "Found her"}}
	worlds["whose reactions could not be read, there may be more of"] = world{
		events: []*nostr.Event{
			ferry, bob.event(t, 1, at-6*3600, "Brindlewick again, the captain was warned of that sandbank.", e(ferry)),
			cho.event(t, 7, at-5*3600, "+", []string{"e", ferry.ID.String()}), dan.event(t, 7, at-5*3600, "+", []string{"e", ferry.ID.String()}),
		}, broken: func(tool, args string) bool {
			return tool == "query" && strings.Contains(args, `"kind":[7]`) && !strings.Contains(args, "mentions")
		},
		says: []string{"2 people wrote 2 notes", "(2 notes, at least 2 took part)"},
	}
	sirens := ann.event(t, 1, at-7*3600, "Sirens all over the harbour of Thornbeck this morning, nobody knows why.")
	early := bob.event(t, 1, at-7*3600+1200, "The ferry Brindlewick hit the Thornbeck breakwater, 41 people are safe, the captain is not.", e(sirens))
	worlds["what is answered at once is no turn"] = world{events: []*nostr.Event{
		sirens, early, cho.event(t, 1, at-6*3600, "Brindlewick of all ships.", e(early)), dan.event(t, 1, at-6*3600, "My uncle is the cook of Brindlewick.", e(early)),
	}, never: []string{"**Now**"}}
	worlds["what was read whole is counted, though the tools had no time to"] = world{events: []*nostr.Event{
		ferry, bob.event(t, 1, at-6*3600, "Brindlewick again, the captain was warned of that sandbank.", e(ferry)), mine,
	}, cut: true, says: []string{"**2 people wrote 2 notes"}}
	worlds["of one person, too, it is said what was not counted"] = world{question: "What did Ann write in the last 24 hours?", events: []*nostr.Event{
		ferry, ann.event(t, 1, at-6*3600, "Tugboats all around Brindlewick now.", e(ferry)),
	}, cut: true, says: []string{"At least 1 note by Ann"}}
	worlds["who passes on a note that names me passes on none of mine"] = world{events: []*nostr.Event{
		ferry, mine, bob.event(t, 6, at-3600, "", []string{"e", ferry.ID.String()}, personTag(ann, t), to), bob.event(t, 6, at-3500, "", []string{"e", mine.ID.String()}, personTag(ann, t), to),
	}, says: []string{"1 repost on your note"}, never: []string{"2 reposts"}}
	worlds["whom I muted says nothing"] = world{events: []*nostr.Event{
		ferry, me.event(t, 10000, at-9*day, "", personTag(bob, t)), bob.event(t, 1, at-6*3600, "Brindlewick again, the captain was warned of that sandbank.", e(ferry)),
	}, says: []string{"1 person wrote 1 note"}, never: []string{"Bob", "sandbank", "2 people"}}
	renamed := bob.event(t, 0, at-600, `{"name":"Bobby"}`)
	worlds["who has a new name has that everywhere"] = world{events: []*nostr.Event{
		renamed, mine, bob.event(t, 1, at-6*3600, "She sleeps in the boat house.", e(mine), to), bob.event(t, 7, at-3600, "+", []string{"e", mine.ID.String()}, to),
	}, says: []string{"**Bobby** answered you", "by Bobby"}, never: []string{"Bob "}}
	worlds["what was said again and again is counted in its own time"] = world{events: []*nostr.Event{
		ann.event(t, 1, at-5*day, "Block 870,001 was found by the Skarra pool."), ann.event(t, 1, at-4*day, "Block 870,002 was found by the Skarra pool."),
		ann.event(t, 1, at-3*3600, "Block 870,003 was found by the Skarra pool."), ann.event(t, 1, at-2*3600, "Block 870,004 was found by the Skarra pool."),
	}, says: []string{"1 person wrote 2 notes"}, never: []string{"4 times", "3 times"}}
	greetings := []*nostr.Event{ferry, me.event(t, 1, at-2*3600, "Good morning")}
	for i, who := range []someone{ann, bob, cho, dan} {
		greetings = append(greetings, who.event(t, 1, at-int64(i+3)*day, "Good morning"), who.event(t, 1, at-int64(i+3)*3600, "Good morning"))
	}
	worlds["my own greeting is not one of theirs"] = world{events: greetings, says: []string{"4 greetings"}}
	worlds["strangers do not count"] = world{events: []*nostr.Event{
		ferry, cho.event(t, 1, at-5*3600, "So that was the siren in the night, off Skarra.", e(ferry)),
		eve.event(t, 1, at-5*3600, "Which Skarra is that, the one in the north?", e(ferry)), eve.event(t, 7, at-3600, "+", []string{"e", ferry.ID.String()}), eve.event(t, 6, at-3600, "", []string{"e", ferry.ID.String()}),
	}, says: []string{"2 people wrote 2 notes", "(2 notes, 2 took part)"}}
	worlds["a note of tomorrow is not of today"] = world{events: []*nostr.Event{
		ferry, bob.event(t, 1, at+3*3600, "Tomorrow the Thornbeck museum will have been robbed."), cho.event(t, 1, at+3*3600, "I mention you from the future.", to),
	}, says: []string{"1 person wrote 1 note"}, never: []string{"Thornbeck", "future"}}
	worlds["I follow myself"] = world{events: []*nostr.Event{
		me.event(t, 3, at-900_000, "", personTag(me, t), personTag(ann, t), personTag(ann, t)), ferry, mine,
	}, says: []string{"1 person wrote 1 note"}, never: []string{"grey cat"}}
	worlds["twice passed on is one person"] = world{events: []*nostr.Event{
		ferry, bob.event(t, 6, at-3600, "", []string{"e", ferry.ID.String()}), bob.event(t, 6, at-3500, "", []string{"e", ferry.ID.String()}), bob.event(t, 7, at-3400, "+", []string{"e", ferry.ID.String()}),
	}, says: []string{"(1 note, 2 took part)"}}
	sam, sam2 := named("sam"), named("sam2")
	worlds["two people of one name are two"] = world{events: []*nostr.Event{
		me.event(t, 3, at-900_000, "", personTag(sam, t), personTag(sam2, t)), sam.event(t, 0, at-9*day, `{"name":"Sam"}`), sam2.event(t, 0, at-9*day, `{"name":"Sam"}`), mine,
		sam.event(t, 7, at-3600, "+", []string{"e", mine.ID.String()}, to), sam2.event(t, 7, at-3500, "+", []string{"e", mine.ID.String()}, to),
		sam.event(t, 1, at-3000, "The grey cat sleeps in our boat house.", e(mine), to), sam2.event(t, 1, at-2000, "That cat is in the bread van on Sundays.", e(mine), to),
	}, says: []string{"2 people wrote 2 notes", "2 reactions", "by Sam · npub1"}, never: []string{"Sam and Sam", "**Sam** "}}
	worlds["my own note is none of theirs, also where they wrote none"] = world{events: []*nostr.Event{
		bob.event(t, 1, at-9*day, "Brindlewick has a new captain, the third this year."), mine,
	}, says: []string{"Their newest note is by Bob"}, never: []string{"grey cat"}}
	worlds["only my own notes are here"] = world{events: []*nostr.Event{mine}, says: []string{"No note by the people you follow"}, never: []string{"grey cat", "Their newest", "Ask about a longer time"}}
	article := func(published, made int64, title string) *nostr.Event {
		return cho.event(t, 30023, made, "Bees need water. In a dry summer a shallow dish with pebbles in it saves a hive, says the keeper of Ellenrow, who has kept bees for forty years.",
			[]string{"d", "bees"}, []string{"title", title}, []string{"published_at", fmt.Sprint(published)})
	}
	worlds["an old article that was edited is not new"] = world{events: []*nostr.Event{
		ferry, article(at-400*day, at-400*day, "Water for bees"), article(at-400*day, at-3600, "Water for bees, again"),
	}, says: []string{"Cho (from 16 Oct 2025, 12:00)"}}
	oldNote := eve.event(t, 1, at-50*day, "The viaduct of Morrowby is closed, a crack runs through its third pillar.")
	worlds["an old note is told with its date"] = world{events: []*nostr.Event{
		oldNote, bob.event(t, 6, at-3600, "", []string{"e", oldNote.ID.String()}), cho.event(t, 6, at-3500, "", []string{"e", oldNote.ID.String()}), ann.event(t, 6, at-3400, "", []string{"e", oldNote.ID.String()}), ferry,
	}, says: []string{"1 Oct"}}
	worlds["what I was shown is not counted as left"] = world{question: "What did I miss since yesterday, only what I have not seen?", seen: []*nostr.Event{ferry}, events: []*nostr.Event{
		ferry, bob.event(t, 1, at-6*3600, "Brindlewick again, the captain was warned of that sandbank.", e(ferry)), mine,
	}, says: []string{"1 person wrote 1 note", "before: 1 note."}}
	worlds["what I wrote in their thread is not quoted"] = world{events: []*nostr.Event{
		ferry, mine, me.event(t, 1, at-5*3600, "I saw the lifeboats of Brindlewick leave the pier of Skarra with 41 blankets.", e(ferry)),
	}, says: []string{"1 person wrote 1 note", "ran aground"}, never: []string{"lifeboats", "(2 people"}}
	for name, w := range worlds {
		t.Run(name, func(t *testing.T) {
			question := w.question
			if question == "" {
				question = "What did I miss in the last 24 hours?"
			}
			r := newReader(t, me.key(t), noon, append(append([]*nostr.Event{all}, names...), w.events...))
			r.seen = map[string]bool{}
			for _, n := range w.seen {
				r.seen[n.ID.String()] = true
			}
			r.broken, r.cut = w.broken, w.cut
			a := r.ask(t, question)
			checkQuotes(t, r, a)
			for _, want := range w.says {
				if !strings.Contains(a.text, want) {
					t.Errorf("%q is missing in\n%s", want, a.text)
				}
			}
			for _, wrong := range w.never {
				if strings.Contains(a.text, wrong) {
					t.Errorf("%q stands in\n%s", wrong, a.text)
				}
			}
		})
	}
}
