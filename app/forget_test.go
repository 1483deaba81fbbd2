package app

import (
	"testing"
	"time"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
)

// Row 000-54: with chats forgotten, no file holds a word of one after the program has
// ended; those that were kept before are still there.
func TestForgottenChatsAreInNoFile(t *testing.T) {
	const before, after = "Search xylophonequartz", "Search marimbaobsidian"
	places := config.Locate(t.TempDir(), "")
	ask := func(set config.Settings, question string) string {
		a := open(t, Options{Places: places, Sample: true, Settings: set})
		answer, err := a.Ask(t.Context(), Question{Text: question})
		if err != nil {
			t.Fatal(err)
		}
		agenttest.Collect(answer.Events)
		id := answer.Chat.Info().ID
		store, err := a.Chats()
		if err != nil {
			t.Fatal(err)
		}
		if chat, err := store.Load(t.Context(), id); err != nil || chat.Turns[0].Question != question {
			t.Errorf("while the program runs: %v", err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		return id
	}
	kept := ask(config.Settings{}, before)
	wrote(t, places.Data, before[7:], true) // a chat that is kept can be found so
	gone := ask(config.Settings{Assistant: config.Assistant{ForgetChats: true}}, after)
	wrote(t, places.Data, after[7:], false)
	wrote(t, places.Data, gone, false)

	a := open(t, Options{Places: places, Sample: true})
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Load(t.Context(), kept); err != nil {
		t.Errorf("the chat that was kept: %v", err)
	}
	if list, _, err := store.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("there are %d chats, %v", len(list), err)
	}
}

func TestADeletedChatIsRemovedAfterThirtyDays(t *testing.T) {
	now := time.Now()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: func() time.Time { return now }})
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	ask := func() string {
		answer, err := a.Ask(t.Context(), Question{Text: "Search marimbaobsidian"})
		if err != nil {
			t.Fatal(err)
		}
		agenttest.Collect(answer.Events)
		return answer.Chat.Info().ID
	}
	kept, gone := ask(), ask()
	if err := store.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	deleted := now
	for _, tt := range []struct {
		days  int
		there bool
	}{{29, true}, {31, false}} {
		now = deleted.AddDate(0, 0, tt.days)
		if err := a.Upkeep().PurgeChats(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Load(t.Context(), kept); err != nil {
			t.Errorf("after %d days, the chat that was kept: %v", tt.days, err)
		}
		if err := store.Undelete(t.Context(), gone); (err == nil) != tt.there {
			t.Errorf("after %d days, bringing back what was deleted: %v", tt.days, err)
		}
		if tt.there { // as it was
			now = deleted
			if err := store.Delete(t.Context(), gone); err != nil {
				t.Fatal(err)
			}
		}
	}
}
