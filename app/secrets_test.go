package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
)

// TestNoAPIKeyInUseIsSentKeptOrLogged pastes keys that nothing tells from a word
// into a question: one entered in the window, one of another provider that stands in
// the environment.
func TestNoAPIKeyInUseIsSentKeptOrLogged(t *testing.T) {
	keyring.MockInit()
	const entered, foreign = "Zq8rT2mVx0bLk7NcWd4Hs9Ye", "Hw3nKp6sYtR1vB5xGz9QdLmA"
	getenv := func(name string) string {
		if name == "MISTRAL_API_KEY" {
			return foreign
		}
		return ""
	}
	server := testkit.NewModelServer(t)
	server.Queue(testkit.Reply{Body: `data: {"choices":[{"delta":{"content":"Yes: ` + entered + `"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"})
	var log bytes.Buffer
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), Getenv: getenv,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if _, err := a.Models().SetKey(t.Context(), "custom", server.URL, entered); err != nil {
		t.Fatal(err)
	}
	answer, err := a.Ask(t.Context(), Question{
		Text:  "Is " + entered + " mine, or " + foreign + "?",
		Model: models.Choice{ID: "custom:owl", BaseURL: server.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range answer.Events {
	}
	a.opt.Logger.Info("the key is "+entered, "other", foreign)

	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Load(t.Context(), answer.Chat.Info().ID)
	if err != nil {
		t.Fatal(err)
	}
	requests := server.Received()
	if len(requests) != 1 || requests[0].Header.Get("Authorization") != "Bearer "+entered {
		t.Fatalf("the model got %d requests; want one, with the key in its header", len(requests))
	}
	for what, said := range map[string]string{
		"request": string(requests[0].Body),
		"chat":    fmt.Sprintf("%+v %+v", kept.Info(), kept.Conversation().Messages),
		"log":     log.String(),
	} {
		if !strings.Contains(said, "[API key removed]") {
			t.Errorf("nothing was cut out of the %s: %s", what, said)
		}
		for _, key := range []string{entered, foreign} {
			if strings.Contains(said, key) {
				t.Errorf("the key %s stands in the %s: %s", key, what, said)
			}
		}
	}
}
