package ndb

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

func TestRealEventsComeOutOfTheirPackedFormUnchanged(t *testing.T) {
	for _, line := range testkit.RealNotes(t) {
		e, err := nostr.ParseEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		packed := appendPacked(nil, e)
		back, err := unpack(packed)
		if err != nil || !sameEvent(back, e) {
			t.Fatalf("event %s: %v", e.ID, err)
		}
		if id, err := packedID(packed); err != nil || id != e.ID {
			t.Fatalf("event %s: id %s, %v", e.ID, id, err)
		}
		if json := len(e.AppendJSON(nil)); len(packed) > json {
			t.Errorf("event %s: %d bytes packed, %d as JSON", e.ID, len(packed), json)
		}
	}
}

func TestAPackedNoteThatIsCutIsNoNote(t *testing.T) {
	e := newPerson(1).signs(t, 1, testNow, "note", nostr.Tag{"e", newPersonKey(1)}, nostr.Tag{}, nostr.Tag{"t", ""})
	packed := appendPacked(nil, e)
	for n := range packed {
		if _, err := unpack(packed[:n]); err == nil {
			t.Errorf("the first %d bytes of %d are taken", n, len(packed))
		}
	}
	if _, err := unpack(append(packed, 0)); err == nil {
		t.Error("a byte too many is taken")
	}
}

func FuzzUnpack(f *testing.F) {
	e := newPerson(1).signs(f, 1, testNow, "note", nostr.Tag{"e", newPersonKey(1)}, nostr.Tag{"t", "x", ""})
	f.Add(appendPacked(nil, e))
	f.Add([]byte{})
	f.Add(append(make([]byte, packHeader), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1))
	f.Fuzz(func(t *testing.T, packed []byte) {
		e, err := unpack(packed)
		if err != nil {
			return
		}
		again, err := unpack(appendPacked(nil, e))
		if err != nil || !sameEvent(again, e) {
			t.Errorf("packed again it differs: %v", err)
		}
	})
}

func TestPostingsHoldAnySetInAtMostABitmap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, 5, 100, 400, 600, 1500, segmentNotes} {
		row, want := newPostingRow(nil), make(map[uint16]bool)
		order := rng.Perm(segmentNotes)[:size]
		if rng.IntN(2) == 0 {
			slices.Sort(order)
		}
		for _, place := range order {
			row.add(uint16(place))
			row.add(uint16(place))
			want[uint16(place)] = true
		}
		for i, place := range order {
			if i%3 == 0 {
				row.remove(uint16(place))
				delete(want, uint16(place))
			}
		}
		got := slices.Collect(postings(row.row))
		if len(got) != len(want) || !slices.IsSorted(got) || postingsLen(row.row) != len(want) || len(row.row) > bitmapLen {
			t.Errorf("%d places: %d come out, %d counted, %d bytes", len(want), len(got), postingsLen(row.row), len(row.row))
		}
		for _, place := range got {
			if !want[place] {
				t.Errorf("place %d was not put in", place)
			}
		}
	}
}

func FuzzPostings(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint16(7))
	f.Add(make([]byte, bitmapLen), uint16(2047))
	f.Add([]byte{0, 0xff, 0xff, 0xff}, uint16(0))
	f.Fuzz(func(t *testing.T, row []byte, place uint16) {
		place %= segmentNotes
		p := newPostingRow(slices.Clone(row))
		p.remove(place)
		p.add(place)
		got := slices.Collect(postings(p.row))
		if !slices.Contains(got, place) || !slices.IsSorted(got) || postingsLen(p.row) != len(got) {
			t.Errorf("place %d is not among %v", place, got)
		}
	})
}

func FuzzRowsOfTheLedger(f *testing.F) {
	f.Add(encodeIntervals([]coverage.Interval{{From: 1, To: 2, VerifiedAt: 3, Proof: coverage.ProofFinish}, {From: 9, To: 99, VerifiedAt: 100, Proof: coverage.ProofEmpty}}))
	f.Add(binary.AppendUvarint(nil, 1<<63))
	f.Fuzz(func(t *testing.T, row []byte) {
		if list, err := decodeIntervals(row); err == nil {
			again, err := decodeIntervals(encodeIntervals(list))
			if err != nil || !slices.Equal(again, list) {
				t.Errorf("%v comes back as %v, %v", list, again, err)
			}
		}
		_ = decodeCounters(row)
		_ = seenOn(row)
		if w, err := decodeWinner(row); err == nil && string(encodeWinner(w)) != string(row) {
			t.Errorf("winner %v", w)
		}
	})
}

func TestTheNewestNotesStayInTheCacheUpToItsBytes(t *testing.T) {
	c := newNoteCache(10_000)
	e := &nostr.Event{Content: "x"}
	for n := range uint32(1000) {
		c.add(n, e)
		c.get(0)
	}
	if c.size > 10_000 || len(c.notes) < 10 {
		t.Errorf("%d notes of %d bytes", len(c.notes), c.size)
	}
	for _, n := range []uint32{0, 999} {
		if _, ok := c.get(n); !ok {
			t.Errorf("note %d, used last, is gone", n)
		}
	}
	c.remove(999)
	if _, ok := c.get(999); ok {
		t.Error("a removed note is there")
	}
	size := 0
	for _, entry := range c.notes {
		size += entry.size
	}
	if size != c.size {
		t.Errorf("counted %d bytes, it holds %d", c.size, size)
	}
}

func FuzzWitness(f *testing.F) {
	w := witness{schema: 2, clean: true, seq: 7, manifest: fileSum{100, 12345}}
	f.Add(w.encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := decodeWitness(data)
		if err != nil {
			return
		}
		if again, err := decodeWitness(w.encode()); err != nil || again != w {
			t.Errorf("%+v comes back as %+v, %v", w, again, err)
		}
	})
}
