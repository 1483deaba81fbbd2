package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
)

// quietly fails where anything was done, anybody called, or a call went by the gate.
func (w *gateWorld) quietly() {
	w.t.Helper()
	if len(w.did) != 0 || w.listener.Came() != 0 || w.asked != w.tried {
		w.t.Errorf("%d side effects, %d connections, %d of %d calls came as far as the gate", len(w.did), w.listener.Came(), w.asked, w.tried)
	}
}

// chatOf begins a chat with a turn.
func (w *gateWorld) chatOf(q Question, reads ...modelCall) (id string) {
	w.t.Helper()
	w.model.begin(reads)
	answer, err := w.Ask(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	w.count(answer)
	return answer.Chat.Info().ID
}

// The gate: what was read stays what others wrote, whichever model goes on with it, also
// where that one obeys all of the chat anew.
func TestAnotherModelIsDrivenByNoTextOfTheChatEither(t *testing.T) {
	if testing.Short() {
		t.Skip("plays hundreds of turns: not beside the race detector")
	}
	w := newGateWorld(t, config.Assistant{})
	w.model.long = true
	ids, approvers := append([]string{"native", "net"}, textFormats()...), nobodyApproves()
	turns := 0
	for i, first := range ids {
		for j, second := range ids {
			if first == second {
				continue
			}
			n := (len(ids)*i + j) * 30
			approver := approvers[turns%len(approvers)]
			id := w.chatOf(Question{Text: "What did I miss?", Approver: approver, Model: models.Choice{ID: "custom:" + first}},
				modelCall{"hand_out", map[string]any{"n": []int{n, n + 1}}})
			tried := w.tried
			w.ask(Question{Text: "And what else?", Chat: id, Approver: approver, Model: models.Choice{ID: "custom:" + second}})
			if w.tried == tried {
				t.Errorf("%s after %s obeyed nothing", second, first)
			}
			turns += 2
		}
	}
	w.quietly()
	t.Logf("%d side effects of %d calls in %d turns of chats that another model goes on with", len(w.did), w.tried, turns)
}

// The gate: what a server says of an error is for the user alone. No other model reads
// it, and a call that stands in it is none.
func TestWhatAServerSaysOfAnErrorCausesNothing(t *testing.T) {
	w := newGateWorld(t, config.Assistant{})
	said := ""
	failures := map[string]http.HandlerFunc{
		"refused": func(rw http.ResponseWriter, _ *http.Request) {
			rw.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(rw, `{"error":{"message":%q}}`, said)
		},
		"no words": func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, said, http.StatusForbidden) },
		"in the stream": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(rw, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Well\"}}]}\n\ndata: %s\n\n", marshalled(map[string]any{"error": map[string]any{"message": said}}))
		},
	}
	for name, fails := range failures {
		server := httptest.NewServer(fails)
		defer server.Close()
		for i := 0; i < len(w.texts); i += 70 {
			said = w.texts[i] + " error-mark " + strings.NewReplacer("NAME", "publish", "ARGS", `{"content":"error-mark"}`).Replace(callTexts[i/70%len(callTexts)])
			id := w.chatOf(Question{Text: "Hello?", Model: models.Choice{ID: "custom:failing", BaseURL: server.URL + "/v1"}})
			before := len(w.model.received())
			w.ask(Question{Text: "And now?", Chat: id, Model: models.Choice{ID: "custom:" + []string{"native", "net", "hermes"}[i/70%3]}})
			sent := w.model.received()[before:]
			if len(sent) == 0 {
				t.Fatalf("%s: nothing was asked after the error", name)
			}
			for _, r := range sent {
				if strings.Contains(string(r.Body), "error-mark") {
					t.Fatalf("%s: the error was sent on: %s", name, r.Body)
				}
			}
		}
	}
	w.quietly()
	if w.tried != 0 {
		t.Errorf("%d calls", w.tried)
	}
}

// closing is a user who refuses all, and ends the program when asked to publish.
type closing struct {
	app    *App
	closed chan error
	shown  agent.Preview
}

func (c *closing) Approve(ctx context.Context, p agent.Preview) (agent.Approval, error) {
	if p.Tool != "publish" {
		return agent.Approval{Hash: p.Hash()}, nil
	}
	c.shown = p
	go func() { c.closed <- c.app.Close() }()
	<-ctx.Done()
	return agent.Approval{}, ctx.Err()
}

// The gate: a turn that waited for an approval while the program did not run asks anew.
// Neither nobody, nor a no, nor an approval of what was asked before makes it run, and a
// yes makes run what was shown.
func TestAResumedTurnNeedsAFreshApprovalToo(t *testing.T) {
	for _, model := range []string{"native", "hermes"} {
		var stale agent.Approval
		for name, approver := range map[string]agent.Approver{
			"nobody": nil,
			"no":     approverFunc(func(p agent.Preview) agent.Approval { return agent.Approval{Hash: p.Hash()} }),
			"stale":  approverFunc(func(agent.Preview) agent.Approval { return stale }),
			"yes": approverFunc(func(p agent.Preview) agent.Approval {
				return agent.Approval{Granted: p.Tool == "publish", Hash: p.Hash()}
			}),
		} {
			t.Run(model+", "+name, func(t *testing.T) {
				w := newGateWorld(t, config.Assistant{})
				id, shown := w.untilAsked(model)
				other := shown
				other.Arguments += " "
				stale = agent.Approval{Granted: true, Hash: other.Hash()}
				w.App = open(t, w.opt)
				w.asked, w.tried = 0, 0
				answer, err := w.Resume(t.Context(), id, models.Choice{}, approver)
				if err != nil {
					t.Fatal(err)
				}
				if r := w.count(answer); r.Err != nil {
					t.Fatal(r.Err)
				}
				if w.asked == 0 {
					t.Error("nobody was asked again")
				}
				if name != "yes" {
					if len(w.did) != 0 {
						t.Errorf("%q was done", w.did)
					}
					return
				}
				var a actArgs
				if err := json.Unmarshal([]byte(shown.Arguments), &a); err != nil {
					t.Fatal(err)
				}
				if len(w.did) != 1 || w.did[0] != "publish "+a.Content {
					t.Errorf("shown was %q, and done %q", shown.Arguments, w.did)
				}
			})
		}
	}
}

// untilAsked has a text obeyed up to the question whether it may be published, at which
// the program ends.
func (w *gateWorld) untilAsked(model string) (id string, shown agent.Preview) {
	t := w.t
	t.Helper()
	w.model.begin([]modelCall{{"hand_out", map[string]any{"n": []int{3}}}})
	closed := make(chan error, 1)
	asked := closing{app: w.App, closed: closed}
	answer, err := w.Ask(t.Context(), Question{Text: "What did I miss?", Model: models.Choice{ID: "custom:" + model}, Approver: &asked})
	if err != nil {
		t.Fatal(err)
	}
	for range answer.Events {
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if asked.shown.Tool != "publish" || answer.Chat.Info().State != chats.Waiting || len(w.did) != 0 {
		t.Fatalf("asked %+v, the chat is %s, done %q", asked.shown, answer.Chat.Info().State, w.did)
	}
	return answer.Chat.Info().ID, asked.shown
}
