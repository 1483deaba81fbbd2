package builtin_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

func TestANoteOlderThanTheTimeAskedAboutSaysOfWhenItIs(t *testing.T) {
	me, ann, bob, cho := named("me"), named("ann"), named("bob"), named("cho")
	root := ann.event(t, 1, noon.Unix()-3*24*3600, "The ferry runs again from Tuesday on, with the old captain at the wheel.")
	reply := []string{"e", root.ID.String(), "", "root"}
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob, cho), root,
		bob.event(t, 1, noon.Unix()-7200, "Took the ferry this morning, and the captain waved at everyone.", reply),
		cho.event(t, 1, noon.Unix()-3600, "My grandmother cried when the ferry blew its horn.", reply),
	})
	a := r.ask(t, "What did I miss since yesterday?")
	if checkQuotes(t, r, a) == 0 {
		t.Fatalf("nothing is quoted:\n%s", a)
	}
	for _, line := range regexp.MustCompile(`(\S+)( \(from [^)]*\))?(?: answers)?: “([^”]*)”`).FindAllStringSubmatch(a.text, -1) {
		if old := strings.Contains(root.Content, line[3]); old != (line[2] != "") {
			t.Errorf("%q is dated %q in\n%s", line[3], line[2], a)
		}
	}
	if !strings.Contains(a.text, " (from Tue 12:00): “The ferry") {
		t.Errorf("the old note is not dated:\n%s", a)
	}
}

func TestADigestOfOneAuthorTellsMoreThanOneOfTheirNotes(t *testing.T) {
	me, ann := named("me"), named("ann")
	events := []*nostr.Event{follows(t, me, ann), ann.event(t, 0, noon.Unix()-9e6, `{"name":"ann"}`)}
	for i, text := range []string{
		"The ferry runs again from Tuesday on, with the old captain.", "My tomatoes have finally turned red on the balcony.",
		"Reading a long novel about lighthouse keepers in winter.", "The bakery by the harbour has closed its doors for good.",
	} {
		events = append(events, ann.event(t, 1, noon.Unix()-int64(i+1)*7200, text))
	}
	r := newReader(t, me.key(t), noon, events)
	a := r.ask(t, "what did ann say this week?")
	if n := checkQuotes(t, r, a); n != 4 {
		t.Errorf("%d of 4 notes are quoted:\n%s", n, a)
	}
	if fmt.Sprint(r.ask(t, "what did ann say this week?")) != fmt.Sprint(a) {
		t.Error("the same question gives two answers")
	}
}

func TestWhoCountsIsExplained(t *testing.T) {
	r, _ := sampleReader(t)
	a := r.chat(t, "What did I miss since yesterday?", "more details")
	if !strings.Contains(a.text, "People of a topic also count when they only reacted or reposted.") {
		t.Errorf("the numbers of people are not explained:\n%s", a)
	}
}

func TestNobodyIsSaidToHaveWrittenNothingWhereOnlyATopicOrAPersonIsLacking(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob),
		ann.event(t, 0, noon.Unix()-9e6, `{"name":"ann"}`),
		ann.event(t, 1, noon.Unix()-20*24*3600, "The ferry runs again from Tuesday on, with the old captain."),
		bob.event(t, 1, noon.Unix()-3600, "My tomatoes have finally turned red on the balcony."),
	})
	for question, want := range map[string]string{
		"what did I miss about ferry since yesterday": `said about “ferry” since Thu 00:00: nothing, as far as is known here. The newest such note is by ann`,
		"what did ann say since yesterday":            "What ann wrote since Thu 00:00: nothing, as far as is known here. The newest such note is by ann",
	} {
		a := r.ask(t, question)
		if !strings.Contains(a.text, want) || strings.Contains(a.text, "wrote nothing") {
			t.Errorf("%s: %q is missing in\n%s", question, want, a)
		}
		checkQuotes(t, r, a)
	}
}
