package chats

import "testing"

// A kept turn that goes on in memory, and needs fewer parts there, leaves those on the
// disk as they are: without one of them it could not be read after a restart.
func TestAShorterTurnInMemoryTakesNoPartOfTheKeptOneAway(t *testing.T) {
	disk := &memory{}
	l := &layers{disk: disk, memory: &memory{}, forget: func() bool { return true }}
	first, second := partKey("owl", 1, 0), partKey("owl", 1, 1)
	if err := disk.Put(t.Context(), map[string][]byte{first: []byte("a"), second: []byte("b")}); err != nil {
		t.Fatal(err)
	}
	if err := l.Put(t.Context(), map[string][]byte{first: []byte("c"), second: nil}); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{first: "a", second: "b"} {
		if got, err := disk.Get(t.Context(), key); err != nil || string(got) != want {
			t.Errorf("%s on the disk is %q, %v", key, got, err)
		}
	}
	if err := l.Put(t.Context(), map[string][]byte{first: nil, second: nil}); err != nil {
		t.Fatal(err)
	}
	if left := disk.rows(""); len(left) > 0 {
		t.Errorf("%d parts of what was removed are left", len(left))
	}
}
