package sample

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb"
)

// bothWorlds are the sample and a test world with everything in it.
func bothWorlds(t *testing.T) map[string]*World {
	o := worldOptions(Dialogues)
	o.Colluders = 10
	return map[string]*World{"sample": makeSample(t, noon()), "test world": makeWorld(t, o)}
}

func TestRepliesNameTheirThreadAndThoseTheyAnswer(t *testing.T) {
	for name, w := range bothWorlds(t) {
		t.Run(name, func(t *testing.T) {
			events := make(map[ndb.ID]*ndb.Event)
			marked, positional, deep, comments := 0, 0, 0, 0
			for _, e := range w.Events {
				events[e.ID] = e
				r, ok := ndb.ReplyTo(e)
				if !ok {
					if slices.ContainsFunc(e.Tags, func(t ndb.Tag) bool { return e.Kind == kindNote && t[0] == "e" }) {
						t.Errorf("a note with an e tag is no reply: %v", e.Tags)
					}
					continue
				}
				root, parent := events[r.Root], events[r.Parent]
				if root == nil || parent == nil {
					t.Fatalf("the reply %q names what was not there before it", e.Content)
				}
				if up, ok := ndb.ReplyTo(parent); ok && up.Root != r.Root || !ok && r.Root != r.Parent {
					t.Errorf("the reply %q is in another thread than what it answers", e.Content)
				}
				if parent.CreatedAt > e.CreatedAt {
					t.Errorf("the reply %q is older than what it answers", e.Content)
				}
				// Who answers himself need not be named.
				if !slices.ContainsFunc(e.Tags, func(t ndb.Tag) bool { return t[0] == "p" && t[1] == parent.PubKey.String() }) {
					t.Errorf("the reply %q does not name whom it answers", e.Content)
				}
				switch i := slices.IndexFunc(e.Tags, func(t ndb.Tag) bool { return t[0] == "e" }); {
				case e.Kind == kindComment:
					comments++
				case len(e.Tags[i]) > 3:
					marked++
				default:
					positional++
				}
				if r.Root != r.Parent {
					deep++
				}
			}
			if marked < 50 || positional < 15 || deep < 15 || name == "sample" && comments == 0 {
				t.Errorf("%d marked and %d positional replies, %d of them deep, %d comments", marked, positional, deep, comments)
			}
		})
	}
}

func TestRelayHintsAndQuotesPointToWhatIsThere(t *testing.T) {
	for name, w := range bothWorlds(t) {
		t.Run(name, func(t *testing.T) {
			events := make(map[string]*ndb.Event)
			writes := make(map[string]string) // to the first relay of the author's list
			quotes := 0
			for _, e := range w.Events {
				events[e.ID.String()] = e
				if e.Kind == kindRelays {
					writes[e.PubKey.String()], _ = e.Tags.Value("r")
				}
			}
			for _, e := range w.Events {
				for _, tag := range e.Tags {
					if tag[0] != "q" {
						continue
					}
					quotes++
					target := events[tag[1]]
					if target == nil || tag[2] != writes[target.PubKey.String()] || tag[3] != target.PubKey.String() {
						t.Errorf("bad quote %v", tag)
					}
					if id := ndb.Quotes(e); len(id) != 1 || id[0] != target.ID {
						t.Errorf("quotes of %q are %v", e.Content, id)
					}
				}
			}
			if quotes < 3 {
				t.Errorf("only %d quotes", quotes)
			}
		})
	}
}

func TestEveryZapReceiptIsOfTheNoteItNames(t *testing.T) {
	for name, w := range bothWorlds(t) {
		t.Run(name, func(t *testing.T) {
			authors := make(map[ndb.ID]ndb.PubKey)
			for _, e := range w.Events {
				authors[e.ID] = e.PubKey
			}
			zaps := byKind(w.Events)[kindZap]
			if len(zaps) < 20 {
				t.Errorf("only %d zaps", len(zaps))
			}
			for _, e := range zaps {
				z, err := ndb.ParseZap(e)
				if err != nil {
					t.Errorf("zap %s: %v", e.ID, err)
					continue
				}
				if z.Sats <= 0 || authors[z.Event] != z.To || z.Sender == z.To {
					t.Errorf("zap %s is %+v", e.ID, z)
				}
				checkInvoiceSignature(t, e)
			}
		})
	}
}

// checkInvoiceSignature finds the key that signed an invoice and compares it with
// the receipt's, which ParseZap does not do, since a real node has its own.
func checkInvoiceSignature(t *testing.T, receipt *ndb.Event) {
	t.Helper()
	bolt11, _ := receipt.Tags.Value("bolt11")
	at := strings.LastIndexByte(bolt11, '1')
	hrp, digits := bolt11[:at], bolt11[at+1:len(bolt11)-6]
	var groups []byte
	for _, d := range digits {
		groups = append(groups, byte(strings.IndexRune(bech32Digits, d)))
	}
	data, sig := groups[:len(groups)-104], eightBits(groups[len(groups)-104:])
	hash := sha256.Sum256(append([]byte(hrp), eightBits(data)...))
	key, _, err := ecdsa.RecoverCompact(append([]byte{sig[64] + 31}, sig[:64]...), hash[:])
	if err != nil {
		t.Errorf("invoice %s: %v", bolt11, err)
		return
	}
	if pk := ndb.PubKey(schnorr.SerializePubKey(key)); pk != receipt.PubKey {
		t.Errorf("invoice is signed by %s, the receipt by %s", pk, receipt.PubKey)
	}
}

func TestAmountsAreWrittenInTheShortestForm(t *testing.T) {
	for _, row := range []struct {
		sats int64
		want string
	}{{1, "10n"}, {21, "210n"}, {100, "1u"}, {2100, "21u"}, {100_000, "1m"}, {250_000_000, "2500m"}} {
		if got := bitcoinAmount(row.sats); got != row.want {
			t.Errorf("%d sats are %q, want %q", row.sats, got, row.want)
		}
	}
}

// The example of NIP-19.
func TestPersonLinkIsTheNpubOfTheKey(t *testing.T) {
	raw, err := hex.DecodeString("7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e")
	if err != nil {
		t.Fatal(err)
	}
	const want = "nostr:npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
	if got := personLink(ndb.PubKey(raw)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAStoreTakesTheWholeSample(t *testing.T) {
	w := makeSample(t, noon())
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	results, err := s.Put(t.Context(), ndb.Batch{Events: w.Events})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make(map[ndb.Outcome]int)
	for i, r := range results {
		outcomes[r.Outcome]++
		if r.Outcome == ndb.Invalid || r.Hidden {
			t.Errorf("event %s of kind %d: %+v", w.Events[i].ID, w.Events[i].Kind, r)
		}
	}
	if outcomes[ndb.Expired] != 1 {
		t.Errorf("outcomes are %v, want one expired", outcomes)
	}
	follows, err := s.Contacts(t.Context(), w.Me)
	if err != nil || len(follows) < 42 {
		t.Errorf("I follow %d people: %v", len(follows), err)
	}
	gone := byKind(w.Events)[kindDelete][0]
	target, _ := gone.Tags.Value("e")
	id, err := ndb.ParseID(target)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Event(t.Context(), id); !errors.Is(err, ndb.ErrNotFound) {
		t.Errorf("the deleted note is still there: %v", err)
	}
}

func TestASlipOfThePenIsAnErrorThatNamesItsPlace(t *testing.T) {
	const people = "-- ann en ann.example me\nAnn\nWrites.\n-- bob en bob.example followed\nBob\nReads.\n"
	for name, row := range map[string]struct{ people, story, want string }{
		"a text before any record":  {people, "hello\n", "line 1"},
		"an unknown author":         {people, "\n-- eve -1 10:00\nHi\n", "line 2"},
		"an unknown key":            {people, "-- ann -1 10:00 colour=red\nHi\n", `"colour"`},
		"a bad day":                 {people, "-- ann 3 10:00\nHi\n", `"3"`},
		"a bad hour":                {people, "-- ann -1 25:00\nHi\n", "25:00"},
		"a head too short":          {people, "-- ann -1\nHi\n", "ann"},
		"an answer to nothing":      {people, "-- ann -1 10:00 re=gone\nHi\n", `"gone"`},
		"an answer to the future":   {people, "-- ann -1 10:00 re=b\nHi\n-- bob -1 11:00 @b\nHo\n", `"b"`},
		"a label taken":             {people, "-- ann -1 10:00 @b\nHi\n-- bob -1 11:00 @b\nHo\n", "taken"},
		"a zap of nothing":          {people, "-- ann -1 10:00 zap=bob\nHi\n", `"bob"`},
		"a like by nobody":          {people, "-- ann -1 10:00 like=eve:+\nHi\n", `"eve"`},
		"a fact without its words":  {people, "-- ann -1 10:00 fact=moon\nHi\n", "moon"},
		"a person with a bad flag":  {people + "-- cat en cat.example tall\nCat\nSleeps.\n", "", "tall"},
		"a person without about":    {people + "-- cat en cat.example\nCat\n", "", "cat"},
		"a person twice":            {people + "-- bob en bob.example\nBob\nAgain.\n", "", "twice"},
		"nobody who is me":          {strings.Replace(people, " me", "", 1), "", "me"},
		"a deletion of nothing":     {people, "-- ann -1 10:00 delete=x\nOops\n", `"x"`},
		"an expiry that is no time": {people, "-- ann -1 10:00 expires=soon\nHi\n", "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{
				"people.txt": {Data: []byte(row.people)},
				"story.txt":  {Data: []byte(row.story)},
			}
			_, err := makeFrom(files, Options{Now: noon()})
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error is %v, want one with %q", err, row.want)
			}
		})
	}
}

func TestHashtagsAreTheWordsMarkedAsSuch(t *testing.T) {
	for text, want := range map[string][]string{
		"no tag at all, C# neither":          nil,
		"one #Tag, and #tag again.":          {"tag"},
		"end #彗星。":                           {"彗星"},
		"## A heading\n\n# another":          nil,
		"#grève\n#支線の旅 (#lmdb) #a-b #threw!": {"grève", "支線の旅", "a-b", "threw"},
	} {
		var got []string
		for _, tag := range hashtags(text) {
			got = append(got, tag[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}
