package chats

import (
	"bytes"
	"testing"
)

func FuzzRecordsThatWereTamperedWith(f *testing.F) {
	values, err := split("x", 1, []byte(`{"v":1,"question":"q","state":"done","events":[],"messages":[]}`))
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
		raw := bytes.Repeat([]byte("x"), n)
		values, err := split("c", 7, raw)
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
