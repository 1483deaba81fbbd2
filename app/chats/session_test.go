package chats_test

import (
	"testing"
	"time"
)

// Row 000-53: the frozen part of a chat's prompt is written anew when the chat was not
// used for a while, and at no other time: caches rest on it.
func TestTheFrozenPartIsWrittenAnewAfterAWhile(t *testing.T) {
	const idle = 30 * time.Minute
	for _, tt := range []struct {
		name  string
		after time.Duration // since the last turn
		idle  time.Duration
		want  string
	}{
		{"soon", 29 * time.Minute, idle, "session"},
		{"after a while", idle, idle, "anew"},
		{"never", 1000 * time.Hour, 0, "session"},
		{"a clock that was set back", -time.Hour, idle, "session"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newKit(t)
			c := k.new(t)
			k.ask(t, c, "one", text("a")) // which moves the clock by a minute
			id := c.Info().ID
			k.now = k.now.Add(tt.after - time.Minute)
			c = k.load(t, id)
			if renewed := c.Renew("anew", tt.idle); renewed != (tt.want == "anew") {
				t.Errorf("written anew: %v", renewed)
			}
			k.ask(t, c, "two", text("b"))
			back := k.load(t, id)
			if got := back.Conversation().Session; got != tt.want {
				t.Errorf("the session is %q", got)
			}
			if back.Renew("once more", idle) {
				t.Error("it is written anew right after a turn")
			}
		})
	}
}

// Row 000-53: a branch goes on with the session of the chat that it is of, and with how
// long that was idle.
func TestABranchHasTheSessionOfItsChat(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.ask(t, c, "one", text("a"))
	k.now = k.now.Add(time.Hour)
	b, err := k.Branch(t.Context(), c.Info().ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if b.Renew("anew", 2*time.Hour) || !b.Renew("anew", time.Hour) {
		t.Error("a branch does not count from the last turn of its chat")
	}
}
