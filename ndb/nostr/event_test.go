package nostr

import (
	"bytes"
	"encoding/json"
	"testing"

	"bowerbird/internal/testkit"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// signed returns e by the person whose secret is a repeated byte, with id and
// signature. Signing takes no randomness, so that tests repeat.
func signed(t testing.TB, person byte, e Event) *Event {
	t.Helper()
	secret, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{person}, 32))
	copy(e.PubKey[:], schnorr.SerializePubKey(public))
	e.ID = e.ComputeID()
	sig, err := schnorr.Sign(secret, e.ID[:])
	if err != nil {
		t.Fatal(err)
	}
	copy(e.Sig[:], sig.Serialize())
	return &e
}

// realEvents returns the real events, parsed.
func realEvents(t testing.TB) []*Event {
	t.Helper()
	lines := testkit.RealNotes(t)
	events := make([]*Event, len(lines))
	for i, line := range lines {
		e, err := ParseEvent(line)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		events[i] = e
	}
	return events
}

func TestAnIDIsReadFromLowerCaseHexOnly(t *testing.T) {
	good := "00aaff0011223344556677889900aabbccddeeff00112233445566778899aabb"
	id, err := ParseID(good)
	if err != nil || id.String() != good {
		t.Fatalf("ParseID(%q) = %v, %v", good, id, err)
	}
	if pk, err := ParsePubKey(good); err != nil || pk.String() != good {
		t.Fatalf("ParsePubKey(%q) = %v, %v", good, pk, err)
	}
	for _, bad := range []string{
		"", "00", good + "0", good[:63], good[:63] + "g", good[:63] + "A", good[:62] + "é", " " + good[1:],
	} {
		if _, err := ParseID(bad); err == nil {
			t.Errorf("ParseID(%q) gave no error", bad)
		}
		if _, err := ParsePubKey(bad); err == nil {
			t.Errorf("ParsePubKey(%q) gave no error", bad)
		}
	}
}

func TestIDsAndKeysAreHexInJSON(t *testing.T) {
	type pair struct {
		ID  ID
		Key map[PubKey]int
	}
	want := `{"ID":"` + someID + `","Key":{"` + someKey + `":1}}`
	raw, err := json.Marshal(pair{ID{31: 0xaa}, map[PubKey]int{{31: 0xbb}: 1}})
	if err != nil || string(raw) != want {
		t.Fatalf("got %s, %v, want %s", raw, err, want)
	}
	var back pair
	if err := json.Unmarshal(raw, &back); err != nil || back.ID != (ID{31: 0xaa}) || back.Key[PubKey{31: 0xbb}] != 1 {
		t.Errorf("read back as %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"ID":"AA"}`), &back); err == nil {
		t.Error("a short id in capitals gave no error")
	}
}
