package relay

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// manyNotes are notes of one author, newest first, ten of each second.
func manyNotes(t *testing.T, n int) (raw [][]byte, items []Item) {
	t.Helper()
	k := testkit.NewKey("ada")
	for i := range n {
		data := k.Event(t, 1, 1_700_000_000-int64(i/10), fmt.Sprint(i))
		e, err := nostr.ParseEvent(data)
		if err != nil {
			t.Fatal(err)
		}
		raw, items = append(raw, data), append(items, Item{e.CreatedAt, e.ID})
	}
	return raw, items
}

func dialGo(t *testing.T, r *testkit.GoRelay, limits Limits) *Conn {
	t.Helper()
	conn, err := Dial(t.Context(), r.URL, Options{Client: netsafe.New(netsafe.Policy{AllowPrivate: true}), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func sortedIDs(ids []nostr.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestTheDifferenceOfTwoSetsIsFound(t *testing.T) {
	raw, items := manyNotes(t, 3000)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, gone := range []struct{ ours, theirs int }{{0, 0}, {1, 0}, {0, 1}, {40, 7}, {600, 600}, {3000, 0}, {0, 3000}, {2990, 2995}} {
		t.Run(fmt.Sprint(gone), func(t *testing.T) {
			var ours []Item
			var theirs [][]byte
			var lacking, extra []nostr.ID
			noOurs, noTheirs := map[int]bool{}, map[int]bool{}
			for i, at := range rng.Perm(len(items)) {
				noOurs[at] = i < gone.ours
			}
			for i, at := range rng.Perm(len(items)) {
				noTheirs[at] = i < gone.theirs
			}
			for i, it := range items {
				switch {
				case noOurs[i] && !noTheirs[i]:
					lacking = append(lacking, it.ID)
				case !noOurs[i] && noTheirs[i]:
					extra = append(extra, it.ID)
				}
				if !noOurs[i] {
					ours = append(ours, it)
				}
				if !noTheirs[i] {
					theirs = append(theirs, raw[i])
				}
			}
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true}, theirs...)
			d, err := dialGo(t, server, Limits{}).Compare(t.Context(), nostr.Filter{Kinds: []uint16{1}}, ours)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(sortedIDs(d.Missing), sortedIDs(lacking)) || !slices.Equal(sortedIDs(d.Extra), sortedIDs(extra)) {
				t.Errorf("%d lacking and %d extra, want %d and %d", len(d.Missing), len(d.Extra), len(lacking), len(extra))
			}
			for _, msg := range server.NEGs() {
				if len(msg) > 64<<10 {
					t.Errorf("a message of %d bytes", len(msg))
				}
			}
		})
	}
}

func TestARelayThatComparesSetsBadlyIsLeftWithAReason(t *testing.T) {
	raw, items := manyNotes(t, 400)
	say := func(parts ...any) func(string, string) [][]byte {
		return func(sub, _ string) [][]byte {
			whole := slices.Clone(parts)
			for i, p := range whole {
				if p == "sub" {
					whole[i] = sub
				}
			}
			return [][]byte{testkit.RelayMessage(whole...)}
		}
	}
	ids := func(n int) string {
		var b strings.Builder
		b.WriteString("61" + "0000" + "02" + hex.EncodeToString(varint(n)))
		for i := range n {
			fmt.Fprintf(&b, "%064x", i)
		}
		return b.String()
	}
	tests := map[string]struct {
		answer func(sub, right string) [][]byte
		want   error
	}{
		"refuses":               {say("NEG-ERR", "sub", "blocked: too big"), Rejected},
		"refuses like khatru":   {say("NEG-ERROR", "sub", "blocked: too big"), Rejected},
		"forgets it":            {say("NEG-ERR", "sub", "closed: you took too long"), ErrForgotten},
		"forgets like khatru":   {say("NEG-ERROR", "sub", "CLOSED"), ErrForgotten},
		"closes":                {say("CLOSED", "sub", "error: unknown"), Rejected},
		"says so in a notice":   {say("NOTICE", "unknown command"), Rejected},
		"says nothing":          {func(string, string) [][]byte { return nil }, NoReply},
		"garbage":               {say("NEG-MSG", "sub", "not hex"), Misbehaved},
		"nothing in it":         {say("NEG-MSG", "sub", ""), Misbehaved},
		"another version":       {say("NEG-MSG", "sub", "62"), Misbehaved},
		"more ids than it has":  {say("NEG-MSG", "sub", "6100000290ffffffff7f"), Misbehaved},
		"a number without end":  {say("NEG-MSG", "sub", "61"+strings.Repeat("ff", 200)), Misbehaved},
		"times that go back":    {say("NEG-MSG", "sub", "610000000500"), Misbehaved},
		"a great many ids":      {say("NEG-MSG", "sub", ids(16_000)), ErrTooDifferent},
		"rounds without an end": {say("NEG-MSG", "sub", "61000001"+strings.Repeat("00", 16)), Misbehaved},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, NegAnswer: tt.answer}, raw...)
			limits := Limits{FirstByte: testkit.Patience, Subscriptions: 1}
			if tt.want == NoReply {
				limits.FirstByte = 200 * time.Millisecond
			}
			conn := dialGo(t, server, limits)
			_, err := conn.Compare(t.Context(), nostr.Filter{Kinds: []uint16{1}}, items)
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			// Neither is the connection lost, nor its only place.
			limit := 10
			if page, err := conn.Fetch(t.Context(), nostr.Filter{Limit: &limit}); err != nil || len(page.Events) != 10 {
				t.Errorf("a page afterwards: %d events, %v", len(page.Events), err)
			}
		})
	}
}

func varint(n int) (out []byte) {
	for out = []byte{byte(n & 0x7f)}; n > 0x7f; {
		n >>= 7
		out = slices.Insert(out, 0, byte(n&0x7f)|0x80)
	}
	return out
}

func TestARelayThatCannotCompareSetsIsKnownByWhatItSays(t *testing.T) {
	for doc, want := range map[string]bool{
		`{"supported_nips":[1,77]}`: true,
		`{"negentropy":1}`:          true,
		`{"software":"git+https://github.com/hoytech/strfry.git","version":"1.0.4"}`: true,
		`{"software":"strfry","version":"v1.1.1-5-gabc"}`:                            true,
		`{"software":"strfry","version":"0.9.7"}`:                                    false,
		`{"software":"other","version":"2.0"}`:                                       false,
		`{"supported_nips":[1,7]}`:                                                   false,
		`{"negentropy":0}`:                                                           false,
	} {
		if info, err := parseInfo([]byte(doc)); err != nil || info.Compares != want {
			t.Errorf("%s: %v, %v", doc, info.Compares, err)
		}
	}
}

// FuzzCompare lets the package work on whatever a relay says and the check lets pass.
func FuzzCompare(f *testing.F) {
	f.Add([]byte{0x61})
	f.Add([]byte{0x61, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0x61, 5, 1, 7, 0, 3, 0, 2, 0, 0, 0, 2, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		msg := hex.EncodeToString(data)
		if checkNegMessage(msg) != nil {
			return
		}
		var ours []Item
		for i := range 100 {
			ours = append(ours, Item{int64(i / 3), nostr.ID{byte(i), 1}})
		}
		n := newSet(ours, 4096)
		n.Start()
		var d Difference
		_, _ = d.reconcile(n, msg) // that it ends is all
	})
}
