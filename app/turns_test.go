package app

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
)

// halting answers with a few words and then says nothing any more.
func halting(t *testing.T) (base string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one two\"}}]}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestAnAnswerThatIsCutOffIsKept(t *testing.T) {
	for name, test := range map[string]struct {
		unattended bool
		end        func(a *App, stop context.CancelFunc) error
		want       chats.State
	}{
		"by the program's end":               {false, func(a *App, _ context.CancelFunc) error { return a.Close() }, chats.Interrupted},
		"by the program's end, unattended":   {true, func(a *App, _ context.CancelFunc) error { return a.Close() }, chats.Interrupted},
		"by the session's end, unattended":   {true, func(_ *App, stop context.CancelFunc) error { stop(); return nil }, chats.Interrupted},
		"by the user, who is told of a stop": {false, func(_ *App, stop context.CancelFunc) error { stop(); return nil }, chats.Cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			places, base := config.Locate(t.TempDir(), ""), halting(t)
			a := open(t, Options{Places: places, Getenv: noEnv})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			answer, err := a.Ask(ctx, Question{
				Text: "How?", Model: models.Choice{ID: "llamacpp:wren-small", BaseURL: base}, Unattended: test.unattended,
			})
			if err != nil {
				t.Fatal(err)
			}
			said, ended := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(ended)
				for e := range answer.Events {
					if e.Type == agent.EventText {
						close(said)
					}
				}
			}()
			<-said
			if err := test.end(a, stop); err != nil {
				t.Error(err)
			}
			<-ended
			if err := a.Close(); err != nil {
				t.Error(err)
			}
			a = open(t, Options{Places: places, Getenv: noEnv})
			store, err := a.Chats()
			if err != nil {
				t.Fatal(err)
			}
			chat, err := store.Load(t.Context(), answer.Chat.Info().ID)
			if err != nil {
				t.Fatal(err)
			}
			if turn := chat.Turns[0]; turn.State != test.want || turn.Answer() != "one two" {
				t.Errorf("kept is %q, %s; want %s", turn.Answer(), turn.State, test.want)
			}
		})
	}
}
