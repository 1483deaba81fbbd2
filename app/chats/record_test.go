package chats

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

func FuzzRecordsThatWereTamperedWith(f *testing.F) {
	values, err := (&packer{}).split("x", 1, []byte(`{"v":1,"question":"q","state":"done","events":[],"messages":[]}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(values[partKey("x", 1, 0)], []byte("{}"))
	f.Add([]byte(`{"v":1,"parts":2,"sha256":""}`+"\n"), []byte(`{"v":1,"id":"x"}`))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		turn, err := decodeTurn("x", turnPrefix("x", 1), [][]byte{first, second})
		if err == nil && turn.Number != 1 {
			t.Errorf("turn %d", turn.Number)
		}
		if h, err := decodeHeader("c/x", second); err == nil && h.ID != "x" {
			t.Errorf("header of %q", h.ID)
		}
	})
}

func TestARecordIsSplitAndJoinedWhole(t *testing.T) {
	for _, n := range []int{0, 1, partSize - 1, partSize, partSize + 1, 3 * partSize} {
		raw := make([]byte, n) // such as does not get shorter
		_, _ = rand.NewChaCha8([32]byte{}).Read(raw)
		values, err := (&packer{}).split("c", 7, raw)
		if err != nil {
			t.Fatal(err)
		}
		var parts [][]byte
		for i := range len(values) {
			parts = append(parts, values[partKey("c", 7, i)])
		}
		// A part of an older, longer version may still lie behind.
		back, err := join("k", append(parts, []byte("old")))
		if err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%d bytes: %d come back, %v", n, len(back), err)
		}
		if n > partSize {
			if _, err := join("k", parts[:len(parts)-1]); err == nil {
				t.Errorf("%d bytes: a missing part was not noticed", n)
			}
		}
	}
}

func TestARecordIsPackedAndOneThatIsNotIsReadToo(t *testing.T) {
	raw := []byte(`{"v":1,"events":["` + strings.Repeat("what was found, again and again ", 5000) + `"]}`)
	values, err := (&packer{}).split("c", 7, raw)
	if err != nil {
		t.Fatal(err)
	}
	if first := values[partKey("c", 7, 0)]; len(values) != 1 || len(first) > len(raw)/5 {
		t.Errorf("%d bytes are written as %d, %d of them in the first", len(raw), len(values), len(first))
	}
	sum := sha256.Sum256(raw)
	plain := []byte(`{"v":1,"parts":1,"sha256":"` + hex.EncodeToString(sum[:]) + `"}` + "\n" + string(raw))
	for name, first := range map[string][]byte{"packed": values[partKey("c", 7, 0)], "plain": plain} {
		if back, err := join("k", [][]byte{first}); err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%s: %d of %d bytes come back, %v", name, len(back), len(raw), err)
		}
	}
}

func TestARecordThatUnpacksToFarTooMuchIsDamaged(t *testing.T) {
	values, err := (&packer{}).split("c", 7, make([]byte, 50<<20))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := join("k", [][]byte{values[partKey("c", 7, 0)]}); err == nil {
		t.Error("it was read")
	}
}

// docs/events.md: readers ignore types that they do not know. A turn that a newer program
// saved is read without them.
func TestEventsOfANewerProgramAreLeftOut(t *testing.T) {
	var k keptEvents
	raw := `[{"type":"text","turn":"t","step":1,"delta":"a"},{"type":"hologram","turn":"t","step":1},{"type":"finish","turn":"t","step":1,"reason":"stop"}]`
	if err := json.Unmarshal([]byte(raw), &k); err != nil || len(k) != 2 || k[1].Finish != "stop" {
		t.Errorf("%+v (%v)", k, err)
	}
	if err := json.Unmarshal([]byte(`[{"type":5}]`), &k); err == nil {
		t.Error("what is no event was read")
	}
}
