package app

import (
	"strings"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb/nostr"
)

// Row 000-53: after the time of the settings without a question a chat is told anew who
// asks; before, what it was told stays, so that caches hold.
func TestAChatIsToldAnewWhoAsksAfterTheIdleTimeOfTheSettings(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Now: func() time.Time { return now }})
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.IdleMinutes = 10 }); err != nil {
		t.Fatal(err)
	}
	ask := func(chat string) (id, session string) {
		t.Helper()
		answer, err := a.Ask(t.Context(), Question{Text: "help", Chat: chat})
		if err != nil {
			t.Fatal(err)
		}
		for range answer.Events {
		}
		return answer.Chat.Info().ID, answer.Chat.Conversation().Session
	}
	id, nobody := ask("")
	me := nostr.PubKey{1, 2, 3}
	if err := a.ReadAs(t.Context(), me); err != nil {
		t.Fatal(err)
	}
	now = now.Add(9 * time.Minute)
	if _, session := ask(id); session != nobody {
		t.Errorf("after nine minutes the chat is told %q", session)
	}
	now = now.Add(10 * time.Minute)
	if _, session := ask(id); !strings.Contains(session, me.Npub()) {
		t.Errorf("after ten minutes the chat is told %q", session)
	}
}
