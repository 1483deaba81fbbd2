package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
)

// haltingOnce answers the first request with a few words and then nothing, and the
// others to their end.
func haltingOnce(t *testing.T) (base string) {
	t.Helper()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // about the model: it tells nothing
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one two\"}}]}\n\n")
		_ = http.NewResponseController(w).Flush()
		if asked.Add(1) == 1 {
			<-r.Context().Done()
			return
		}
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" three\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// Row 002-49: a turn that was cut off by the end of the program goes on at its next
// start, with the model that it was asked with; one that ended does not.
func TestATurnThatWasCutOffIsResumedAtTheNextStart(t *testing.T) {
	for _, model := range []string{"llamacpp:wren-small", "builtin:digest"} {
		t.Run(model, func(t *testing.T) {
			places, base := config.Locate(t.TempDir(), ""), haltingOnce(t)
			a := open(t, Options{Places: places, Getenv: noEnv})
			answer, err := a.Ask(t.Context(), Question{Text: "What did I miss since yesterday?", Model: models.Choice{ID: "llamacpp:wren-small", BaseURL: base}})
			if err != nil {
				t.Fatal(err)
			}
			id := answer.Chat.Info().ID
			closed := make(chan error, 1)
			for e := range answer.Events {
				if e.Type == agent.EventText {
					if a.CanResume(answer.Chat.Info()) {
						t.Error("a turn that runs can be resumed")
					}
					go func() { closed <- a.Close() }()
				}
			}
			if err := <-closed; err != nil {
				t.Fatal(err)
			}

			a = open(t, Options{Places: places, Getenv: noEnv})
			store, err := a.Chats()
			if err != nil {
				t.Fatal(err)
			}
			list, _, err := store.List(t.Context())
			if err != nil || len(list) != 1 || !a.CanResume(list[0]) {
				t.Fatalf("chats %+v (%v)", list, err)
			}
			choice := models.Choice{BaseURL: base}
			if model == "builtin:digest" {
				choice = models.Choice{ID: model}
			}
			answer, err = a.Resume(t.Context(), id, choice, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := a.Resume(t.Context(), id, choice, nil); err == nil {
				t.Error("two have taken the same turn up")
			}
			if before := len(answer.Before()) > 0; before != (model != "builtin:digest") {
				t.Errorf("of before stand %+v", answer.Before())
			}
			retried := false
			for e := range answer.Events {
				retried = retried || e.Type == agent.EventRetrying
			}
			chat, err := store.Load(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			turn := chat.Turns[0]
			if len(chat.Turns) != 1 || turn.State != chats.Done || !retried || turn.Model != model {
				t.Errorf("%d turns; the last is %s by %s, taken back %v", len(chat.Turns), turn.State, turn.Model, retried)
			}
			if said := turn.Answer(); model != "builtin:digest" && said != "one two three" {
				t.Errorf("it says %q", said)
			}
			if _, err := a.Resume(t.Context(), id, choice, nil); err == nil || a.CanResume(chat.Info()) {
				t.Error("a turn that ended was resumed")
			}
		})
	}
}
