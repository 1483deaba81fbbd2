package nostr

import (
	"encoding/csv"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

func TestVerifyAgreesWithBIP340(t *testing.T) {
	f, err := os.Open("testdata/bip340.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 15 {
		t.Fatalf("%d vectors: %v", len(rows), err)
	}
	for _, row := range rows {
		var pk PubKey
		var id ID
		var sig Sig
		for i, dst := range [][]byte{pk[:], id[:], sig[:]} {
			if n, err := hex.Decode(dst, []byte(row[i])); err != nil || n != len(dst) {
				t.Fatalf("vector %s: %v", row[4], err)
			}
		}
		if got, want := verifySchnorr(pk, id, sig), row[3] == "true"; got != want {
			t.Errorf("vector %s: valid is %v with %s, want %v", row[4], got, Verifier(), want)
		}
	}
}

func TestVerifySaysWhatIsWrong(t *testing.T) {
	good := func() *Event {
		return signed(t, 1, Event{CreatedAt: 1700000000, Kind: 1, Tags: Tags{{"t", "cats"}}, Content: "hello"})
	}
	if err := good().Verify(); err != nil {
		t.Fatal(err)
	}
	other := signed(t, 2, Event{Kind: 1})
	tests := []struct {
		name   string
		change func(*Event)
		reason Reason
	}{
		{"another content", func(e *Event) { e.Content = "hullo" }, ReasonID},
		{"another time", func(e *Event) { e.CreatedAt++ }, ReasonID},
		{"another kind", func(e *Event) { e.Kind++ }, ReasonID},
		{"another tag", func(e *Event) { e.Tags[0][1] = "dogs" }, ReasonID},
		{"items moved between tags", func(e *Event) { e.Tags = Tags{{"t"}, {"cats"}} }, ReasonID},
		{"another id", func(e *Event) { e.ID = other.ID }, ReasonID},
		{"another author, id made anew", func(e *Event) { e.PubKey = other.PubKey; e.ID = e.ComputeID() }, ReasonSignature},
		{"a key that is no point", func(e *Event) { e.PubKey = PubKey{31: 5}; e.ID = e.ComputeID() }, ReasonSignature},
		{"another's signature", func(e *Event) { e.Sig = other.Sig }, ReasonSignature},
		{"no signature", func(e *Event) { e.Sig = Sig{} }, ReasonSignature},
		{"a time before 1970", func(e *Event) { e.CreatedAt = -1; e.ID = e.ComputeID() }, ReasonTime},
		{"too many tags", func(e *Event) { e.Tags = make(Tags, maxNoteTags+1) }, ReasonTags},
		{"content that is no UTF-8", func(e *Event) { e.Content = "\xff" }, ReasonUTF8},
		{"a tag that is no UTF-8", func(e *Event) { e.Tags[0][0] = "\xff" }, ReasonUTF8},
		{"too large", func(e *Event) { e.Content = strings.Repeat("a", maxEventBytes) }, ReasonSize},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := good()
			test.change(e)
			inv, ok := errors.AsType[*InvalidError](e.Verify())
			if !ok || inv.Reason != test.reason {
				t.Errorf("got %v, want reason %s", inv, test.reason)
			}
		})
	}
}

// A lone surrogate reads as U+FFFD; the id tells whether that was signed.
func TestALoneSurrogateIsTakenOnlyWhenU_FFFDWasSigned(t *testing.T) {
	honest := signed(t, 1, Event{Kind: 1, Tags: Tags{}, Content: "cut \ufffd"})
	line := strings.Replace(string(honest.AppendJSON(nil)), "\ufffd", `\ud83d`, 1)
	e, err := ParseEvent([]byte(line))
	if err != nil || e.Verify() != nil {
		t.Errorf("signed over U+FFFD, sent as a surrogate: %v, %v", err, e.Verify())
	}
	// What JavaScript's JSON.stringify gives for a cut pair, hashed as text.
	odd := signed(t, 1, Event{Kind: 1, Tags: Tags{}, Content: `cut \ud83d`})
	line = strings.Replace(string(odd.AppendJSON(nil)), `\\ud83d`, `\ud83d`, 1)
	e, err = ParseEvent([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if inv, _ := errors.AsType[*InvalidError](e.Verify()); inv == nil || inv.Reason != ReasonID {
		t.Errorf("signed over the escape's text: got %v, want reason %s", inv, ReasonID)
	}
}

func TestNoMutatedEventVerifies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	base := make([]*Event, 20)
	for i := range base {
		base[i] = signed(t, byte(i+1), Event{
			CreatedAt: 1700000000 + int64(i), Kind: uint16(i), Content: "note " + strings.Repeat("x", i),
			Tags: Tags{{"e", someID, "", "root"}, {"p", someKey}},
		})
	}
	accepted := 0
	for range 10_000 {
		e := *base[rng.IntN(len(base))]
		mutate(rng, &e)
		if e.Verify() == nil {
			accepted++
			t.Errorf("accepted %s", e.AppendJSON(nil))
		}
	}
	t.Logf("%d of 10,000 accepted with %s", accepted, Verifier())
}

// mutate changes e in one place; in half of the cases it makes the id right
// again, so that only the signature can tell.
func mutate(rng *rand.Rand, e *Event) {
	flip := func(b []byte) { b[rng.IntN(len(b))] ^= 1 << rng.IntN(8) }
	switch rng.IntN(7) {
	case 0:
		flip(e.ID[:])
		return
	case 1:
		flip(e.Sig[:])
		return
	case 2:
		flip(e.PubKey[:])
	case 3:
		e.CreatedAt ^= 1 << rng.IntN(40)
	case 4:
		e.Kind ^= 1 << rng.IntN(16)
	case 5:
		e.Tags = append(Tags{{"x"}}, e.Tags...)
	case 6:
		e.Content += "!"
	}
	if rng.IntN(2) == 0 {
		e.ID = e.ComputeID()
	}
}

func BenchmarkVerify(b *testing.B) {
	events := realEvents(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := events[i%len(events)].Verify(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkComputeID(b *testing.B) {
	events := realEvents(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		events[i%len(events)].ComputeID()
	}
}
