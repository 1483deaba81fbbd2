package builtin

import (
	"strings"
	"testing"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// TestZapsAreToldAsTheirReceiptsSay: anybody can write a receipt that adds up.
func TestZapsAreToldAsTheirReceiptsSay(t *testing.T) {
	p := &plan{words: ownLanguages().words["en"], turn: &turn{calendar: question.Calendar{Now: time.Unix(0, 0).UTC()}}}
	for want, a := range map[string]addressed{
		"1 zap (21,000 sats, as its receipt says) on your notes, Thu 00:00, by Ann.":                             {zaps: 1, sats: 21000, by: []string{"Ann"}},
		"1 repost and 2 zaps (42 sats, as their receipts say) on your notes, the latest Thu 00:00, by Ann.":      {reposts: 1, zaps: 2, sats: 42, by: []string{"Ann"}},
		"1 zap whose receipt does not add up.":                                                                   {unchecked: 1},
		"2 zaps whose receipts do not add up.":                                                                   {unchecked: 2},
		"At least 2 zaps whose receipts do not add up.":                                                          {unchecked: 2, inbox: inbox{moreActs: true}},
		"At least 2 zaps (at least 42 sats, as their receipts say) on your notes, the latest Thu 00:00, by Ann.": {zaps: 2, sats: 42, by: []string{"Ann"}, inbox: inbox{moreActs: true}},
	} {
		if items := p.forYou(a, nil); len(items) != 1 || items[0].Lines[0].Text != want {
			t.Errorf("got %v, want %s", items, want)
		}
	}
	for lang, w := range ownLanguages().words {
		p.words = w
		if got := p.takenUp(addressed{zaps: 1, sats: 21}); !strings.Contains(got, "21") || strings.Contains(got, "{") {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Who zaps somebody's profile does nothing to their notes.
func TestAZapOfAProfileIsOnNoNote(t *testing.T) {
	for want, n := range map[string]tools.Note{
		"1 zap to you or on your notes,": {Event: &nostr.Event{Tags: nostr.Tags{{"p", "me"}}}},
		"1 zap on your notes,":           {Event: &nostr.Event{Tags: nostr.Tags{{"p", "me"}, {"e", "abc"}}}, About: "abc"},
		"1 zap on your notes, ":          {Event: &nostr.Event{Tags: nostr.Tags{{"p", "me"}, {"a", "30023:me:x"}}}},
	} {
		p := &plan{Model: New(Options{}), turn: &turn{calendar: question.Calendar{Now: time.Unix(0, 0).UTC()}}, words: ownLanguages().words["en"]}
		n.NoteKind, n.ZapSats = kindZap, 21
		a := addressed{times: map[string]int{}}
		a.done(&n, &person{name: "Ann"})
		if got := p.doneToYours(a, "1 zap", nil); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
