package chats_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"bowerbird/app/chats"
	"bowerbird/ndb"
)

// forgetting returns a kit whose store forgets while *on is true, and what makes it
// start again: the same disk, with an empty memory.
func forgetting(t *testing.T) (k *kit, on *bool, restart func()) {
	t.Helper()
	k, on = newKit(t), new(bool)
	restart = func() {
		var err error
		k.Store, err = chats.NewStore(k.bucket, chats.Options{
			Now:    func() time.Time { return k.now },
			NewID:  func() string { k.ids++; return fmt.Sprintf("chat-%d", k.ids) },
			Forget: func() bool { return *on },
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	restart()
	return k, on, restart
}

// Row 000-54: chats that are not kept leave nothing behind, and lack nothing before.
func TestForgottenChatsAreWholeUntilTheProgramEnds(t *testing.T) {
	k, on, restart := forgetting(t)
	kept := k.new(t)
	k.ask(t, kept, "kept?", text("Kept."))
	*on = true
	before := k.values(t)

	c := k.new(t)
	k.ask(t, c, "first?", text("One."))
	k.ask(t, c, "second?", text("Two."))
	id := c.Info().ID
	if got := k.titles(t); !slices.Equal(got, []string{"first?", "kept?"}) {
		t.Errorf("listed are %q", got)
	}
	if again := k.load(t, id); len(again.Turns) != 2 || len(again.Conversation().Messages) != len(c.Conversation().Messages) {
		t.Errorf("loaded with %d turns", len(again.Turns))
	}
	branch, err := k.Branch(t.Context(), id, 2)
	if err != nil {
		t.Fatal(err)
	}
	k.ask(t, branch, "instead?", text("Three."))
	if err := errors.Join(k.Rename(t.Context(), id, "Renamed"), k.Delete(t.Context(), id), k.Undelete(t.Context(), id)); err != nil {
		t.Error(err)
	}
	if got := k.titles(t); !slices.Equal(got, []string{"first?", "Renamed", "kept?"}) {
		t.Errorf("listed are %q", got)
	}
	if after := k.values(t); !reflect.DeepEqual(before, after) {
		t.Errorf("the disk was written: %d values, %d before", len(after), len(before))
	}

	*on = false // what is in memory stays there
	k.ask(t, c, "third?", text("Four."))
	if after := k.values(t); !reflect.DeepEqual(before, after) {
		t.Error("a chat of the memory was written to the disk")
	}
	k.ask(t, k.new(t), "later?", text("Five."))
	restart()
	if got := k.titles(t); !slices.Equal(got, []string{"later?", "kept?"}) {
		t.Errorf("after a restart there are %q", got)
	}
	if _, err := k.Load(t.Context(), id); !errors.Is(err, chats.ErrNotFound) {
		t.Errorf("the forgotten chat: %v", err)
	}
}

func TestAKeptChatThatGoesOnForgottenStaysAsItWas(t *testing.T) {
	k, on, restart := forgetting(t)
	c := k.new(t)
	k.ask(t, c, "kept?", text("Kept."))
	id := c.Info().ID
	*on = true
	before := k.values(t)
	c = k.load(t, id)
	k.ask(t, c, "forgotten?", text("Forgotten."))
	if got := k.load(t, id); len(got.Turns) != 2 || got.Info().Turns != 2 {
		t.Errorf("%d turns, want both", len(got.Turns))
	}
	if after := k.values(t); !reflect.DeepEqual(before, after) {
		t.Error("the disk was written")
	}
	if err := k.Rename(t.Context(), id, "Renamed"); err != nil {
		t.Fatal(err)
	}
	restart()
	got := k.load(t, id)
	if len(got.Turns) != 1 || got.Info().Turns != 1 || got.Info().Title != "Renamed" {
		t.Errorf("after a restart: %+v", got.Info())
	}

	k.ask(t, got, "again forgotten?", text("Gone."))
	if err := k.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	k.now = k.now.Add(time.Hour)
	if n, err := k.Purge(t.Context(), k.now); n != 1 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	if left := k.values(t); len(left) != 0 {
		t.Errorf("%d values are left on the disk", len(left))
	}
	if _, err := k.Load(t.Context(), id); !errors.Is(err, chats.ErrNotFound) {
		t.Errorf("in memory: %v", err)
	}
	if err := k.Rename(t.Context(), id, "Nobody"); !errors.Is(err, chats.ErrNotFound) {
		t.Errorf("renaming what is gone: %v", err)
	}
}

func TestLayersAreReadAsOneInOrder(t *testing.T) {
	k, on, _ := forgetting(t)
	for i := range 6 {
		*on = i%2 == 1
		k.ask(t, k.new(t), fmt.Sprintf("%d?", i), text("Yes."))
	}
	var found []string
	list, _, err := k.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		found = append(found, c.Title)
	}
	if want := []string{"5?", "4?", "3?", "2?", "1?", "0?"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	boom := errors.New("the disk is gone")
	k.bucket.fail = func(int) error { return boom }
	c := k.new(t)
	*on = true
	k.ask(t, c, "in memory?", text("Yes."))
	if err := k.Delete(t.Context(), list[5].ID); !errors.Is(err, boom) {
		t.Errorf("deleting a kept chat: %v", err)
	}
	if _, err := k.bucket.Get(t.Context(), "c/"+c.Info().ID); !errors.Is(err, ndb.ErrNotFound) {
		t.Errorf("the disk has it: %v", err)
	}
}
