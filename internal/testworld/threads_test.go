package testworld

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/app/sample"
	"bowerbird/ndb/bech32"
	"bowerbird/ndb/nostr"
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
			events := make(map[nostr.ID]*nostr.Event)
			marked, positional, deep, comments := 0, 0, 0, 0
			for _, e := range w.Events {
				events[e.ID] = e
				r, ok := nostr.ReplyTo(e)
				if !ok {
					if slices.ContainsFunc(e.Tags, func(t nostr.Tag) bool { return e.Kind == kindNote && t[0] == "e" }) {
						t.Errorf("a note with an e tag is no reply: %v", e.Tags)
					}
					continue
				}
				root, parent := events[r.Root], events[r.Parent]
				if root == nil || parent == nil {
					t.Fatalf("the reply %q names what was not there before it", e.Content)
				}
				if up, ok := nostr.ReplyTo(parent); ok && up.Root != r.Root || !ok && r.Root != r.Parent {
					t.Errorf("the reply %q is in another thread than what it answers", e.Content)
				}
				if parent.CreatedAt > e.CreatedAt {
					t.Errorf("the reply %q is older than what it answers", e.Content)
				}
				// Who answers himself need not be named.
				if !slices.ContainsFunc(e.Tags, func(t nostr.Tag) bool { return t[0] == "p" && t[1] == parent.PubKey.String() }) {
					t.Errorf("the reply %q does not name whom it answers", e.Content)
				}
				switch i := slices.IndexFunc(e.Tags, func(t nostr.Tag) bool { return t[0] == "e" }); {
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
			events := make(map[string]*nostr.Event)
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
					if id := nostr.Quotes(e); len(id) != 1 || id[0] != target.ID {
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
			authors := make(map[nostr.ID]nostr.PubKey)
			for _, e := range w.Events {
				authors[e.ID] = e.PubKey
			}
			zaps := byKind(w.Events)[kindZap]
			if len(zaps) < 20 {
				t.Errorf("only %d zaps", len(zaps))
			}
			for _, e := range zaps {
				z, err := nostr.ParseZap(e)
				if err != nil {
					t.Errorf("zap %s: %v", e.ID, err)
					continue
				}
				to, _ := e.Tags.Value("p")
				if z.Sats <= 0 || authors[z.Event].String() != to || z.Sender.String() == to {
					t.Errorf("zap %s is %+v", e.ID, z)
				}
				checkInvoiceSignature(t, e)
			}
		})
	}
}

// checkInvoiceSignature finds the key that signed an invoice and compares it with
// the receipt's, which ParseZap does not do, since a real node has its own.
func checkInvoiceSignature(t *testing.T, receipt *nostr.Event) {
	t.Helper()
	bolt11, _ := receipt.Tags.Value("bolt11")
	hrp, groups, err := bech32.Decode(bolt11)
	if err != nil {
		t.Errorf("invoice %s: %v", bolt11, err)
		return
	}
	data, sig := groups[:len(groups)-104], bech32.PaddedBytes(groups[len(groups)-104:])
	hash := sha256.Sum256(append([]byte(hrp), bech32.PaddedBytes(data)...))
	key, _, err := ecdsa.RecoverCompact(append([]byte{sig[64] + 31}, sig[:64]...), hash[:])
	if err != nil {
		t.Errorf("invoice %s: %v", bolt11, err)
		return
	}
	if pk := nostr.PubKey(schnorr.SerializePubKey(key)); pk != receipt.PubKey {
		t.Errorf("invoice is signed by %s, the receipt by %s", pk, receipt.PubKey)
	}
}

func TestEveryFactOfTheSampleIsTakenUp(t *testing.T) {
	evening := sample.Options{Now: noon().Add(11 * time.Hour), Seed: 1}
	made, err := sample.Make(evening)
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, text := range made.Texts {
		if len(text.Fact) > 0 {
			marked++
		}
	}
	w := makeSample(t, evening.Now)
	if len(w.Planted) != marked || marked < 15 {
		t.Errorf("%d of %d marked facts are taken up by %d people followed", len(w.Planted), marked, minTakers)
		for _, f := range w.Planted {
			t.Log(f.Terms, len(f.Takers))
		}
	}
}
