package chats_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
)

// waiting is a user who is asked and does not answer until the program closes.
type waiting struct{ close func() }

func (w waiting) Approve(ctx context.Context, _ agent.Preview) (agent.Approval, error) {
	w.close()
	<-ctx.Done()
	return agent.Approval{}, ctx.Err()
}

// untilAsked plays a turn up to its question for an approval, at which the program
// closes.
func (w *world) untilAsked(t *testing.T) (id string) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	a, err := agent.New(agent.Options{Model: planned{}, Tools: w.tools(), Approver: waiting{func() { cancel(chats.ErrClosing) }}})
	if err != nil {
		t.Fatal(err)
	}
	c := w.new(t)
	turn := w.turn("Say good morning")
	for range c.Record(ctx, turn, "test:m", a.Run(ctx, c.Conversation(), turn)) {
	}
	return c.Info().ID
}

// Row 002-49: a turn that waits for an approval still waits when the program was closed
// meanwhile, and is asked for exactly that again.
func TestATurnThatWaitsForAnApprovalSurvivesARestart(t *testing.T) {
	w := &world{kit: newKit(t)}
	id := w.untilAsked(t)
	c := w.load(t, id)
	if info := c.Info(); info.State != chats.Waiting || c.Turns[0].State != chats.Waiting || !info.CutOff() {
		t.Fatalf("the chat is %s, its turn %s", info.State, c.Turns[0].State)
	}
	last := c.Turns[0].Events[len(c.Turns[0].Events)-1]
	if last.Type != agent.EventApproval || last.Frozen == nil {
		t.Fatalf("its last event is %+v", last)
	}
	w.killedAt(t, c, -1)
	w.check(t, id, "closed while it waited", false)
	hash := w.shown()[0].Hash()
	if got := fmt.Sprintf("%x", hash); got != last.Frozen.Hash {
		t.Errorf("asked for %s, and for %s before", got, last.Frozen.Hash)
	}
	if c := w.load(t, id); c.Info().CutOff() {
		t.Error("it can be taken up again when it is done")
	} else if _, _, err := c.Reopen(); err == nil {
		t.Error("a turn that is done was reopened")
	}
}

// Row 002-49: who asks something else leaves what waited behind.
func TestATurnThatWaitedIsLeftBehindByTheNextQuestion(t *testing.T) {
	w := &world{kit: newKit(t)}
	id := w.untilAsked(t)
	w.ask(t, w.load(t, id), "Another", text("fine"))
	c := w.load(t, id)
	if c.Turns[0].State != chats.Interrupted || c.Info().CutOff() || w.published != 0 {
		t.Errorf("the turn left behind is %s, the chat %s, published %d", c.Turns[0].State, c.Info().State, w.published)
	}
}

// Row 002-49: what is asked for again is what was kept, whole and unaltered, or nothing.
func TestAnAlteredApprovalIsRefused(t *testing.T) {
	for name, alter := range map[string]func(record map[string]any){
		"other arguments of the call": func(record map[string]any) {
			for _, m := range record["messages"].([]any) {
				for _, c := range list(m.(map[string]any)["calls"]) {
					if c := c.(map[string]any); c["name"] == "publish_note" {
						c["arguments"] = map[string]any{"content": "buy this"}
					}
				}
			}
		},
		"other arguments in the approval": func(record map[string]any) {
			approval(record)["frozen"].(map[string]any)["arguments"] = `{"content":"buy this"}`
		},
		"another hash": func(record map[string]any) {
			approval(record)["frozen"].(map[string]any)["hash"] = strings.Repeat("0", 64)
		},
		"another effect":   func(record map[string]any) { approval(record)["effect"] = "local" },
		"another tool":     func(record map[string]any) { approval(record)["name"] = "look" },
		"other words":      func(record map[string]any) { approval(record)["preview"] = "look (none): {}" },
		"nothing was kept": func(record map[string]any) { delete(approval(record), "frozen") },
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{kit: newKit(t)}
			id := w.untilAsked(t)
			w.rewrite(t, id, alter)
			w.killedAt(t, w.load(t, id), -1)
			if w.published != 0 || len(w.shown()) != 0 {
				t.Errorf("published %d, asked %+v", w.published, w.shown())
			}
			refused := false
			turn := w.load(t, id).Turns[0]
			for _, e := range turn.Events {
				refused = refused || strings.Contains(e.Failure, "is damaged, or is not what would run")
			}
			if !refused || turn.State != chats.Done {
				t.Errorf("refused %v, the turn is %s", refused, turn.State)
			}
		})
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// approval returns the approval of a record.
func approval(record map[string]any) map[string]any {
	for _, e := range list(record["events"]) {
		if e := e.(map[string]any); e["type"] == "approval" {
			return e
		}
	}
	return nil
}

// rewrite changes a saved turn as somebody would who can write the store.
func (w *world) rewrite(t *testing.T, id string, alter func(map[string]any)) {
	t.Helper()
	for raw, err := range w.Records(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		var record map[string]any
		if err := json.Unmarshal(raw, &record); err != nil {
			t.Fatal(err)
		}
		alter(record)
		out, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(out)
		seal := fmt.Sprintf(`{"v":1,"parts":1,"sha256":"%x"}`, sum)
		if err := w.bucket.Bucket.Put(t.Context(), map[string][]byte{"t/" + id + "/000001/000": []byte(seal + "\n" + string(out))}); err != nil {
			t.Fatal(err)
		}
		return
	}
}
