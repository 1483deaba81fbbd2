package state

import (
	"testing"

	"bowerbird/ndb"
)

func TestWhatIsSavedIsThereAtTheNextStartOnlyWhereItIsKept(t *testing.T) {
	s, err := ndb.Open(t.TempDir(), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	type visit struct{ Seen int }
	save := func(keep bool, n int) *Store {
		t.Helper()
		st := New(s.Bucket(Bucket), keep)
		if err := st.Save(t.Context(), "visit", visit{n}); err != nil {
			t.Fatal(err)
		}
		return st
	}
	load := func(st *Store, key string) visit {
		t.Helper()
		v := visit{-1}
		if err := st.Load(t.Context(), key, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := load(save(true, 1), "visit"); v.Seen != 1 {
		t.Errorf("kept: %+v", v)
	}
	unkept := save(false, 2)
	if v := load(unkept, "visit"); v.Seen != 2 {
		t.Errorf("not kept, in this run: %+v", v)
	}
	next := New(s.Bucket(Bucket), true)
	if v := load(next, "visit"); v.Seen != 1 {
		t.Errorf("at the next start: %+v", v)
	}
	if v := load(next, "another"); v.Seen != -1 {
		t.Errorf("what was never saved has changed the value: %+v", v)
	}
}
