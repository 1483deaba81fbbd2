package chats_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/chats"
	"bowerbird/llm"
)

const tableArgs = `{"title":"Tags | top","columns":["tag",{"key":"n","label":"Notes"}],"rows":[{"tag":"#comet","n":41},{"tag":"<b>|x","n":2}]}`

func TestAChatIsReadBackAsItWas(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.ask(t, c, "What is new?", append(text("Let me ", "look."), called("a", "show", `{}`), called("b", "render_table", tableArgs)), text("The comet ", "is back ^1."))
	k.ask(t, c, "And since?", text("Nothing."))
	back := k.load(t, c.Info().ID)
	if !back.Info().Tainted || !back.Conversation().Tainted() {
		t.Error("the taint was lost")
	}
	if back.Info().Title != "What is new?" || back.Info().Turns != 2 || back.Conversation().Session != "session" {
		t.Errorf("info %+v, session %q", back.Info(), back.Conversation().Session)
	}
	if want, got := messages(t, c), messages(t, back); want != got {
		t.Errorf("the conversation is\n%s\nwant\n%s", got, want)
	}
	var types []string
	for _, e := range back.Turns[0].Events {
		types = append(types, fmt.Sprintf("%d %s", e.Step, e.Type))
	}
	want := []string{"1 text", "1 tool_call", "1 tool_call", "1 tool_result", "1 present_notes", "1 tool_result", "1 table", "2 text", "2 checked", "2 finish"}
	if !slices.Equal(types, want) {
		t.Errorf("events %q", types)
	}
	if got := back.Turns[0].Answer(); got != "Let me look.\n\nThe comet is back ^1." {
		t.Errorf("answer %q", got)
	}
	for i := range back.Turns {
		a, b := c.Turns[i], back.Turns[i]
		if !a.Asked.Equal(b.Asked) || a.Question != b.Question || a.ID != b.ID || a.State != chats.Done || b.State != chats.Done || b.Model != "test:m" {
			t.Errorf("turn %d is read back as %+v", i+1, b)
		}
		if !reflect.DeepEqual(withoutResults(a.Events), withoutResults(b.Events)) {
			t.Errorf("the events of turn %d differ", i+1)
		}
	}
	k.ask(t, back, "Go on", text("Gladly."))
	if n := len(k.load(t, c.Info().ID).Turns); n != 3 {
		t.Errorf("%d turns after going on", n)
	}
}

func messages(t *testing.T, c *chats.Chat) string {
	t.Helper()
	raw, err := json.MarshalIndent(c.Conversation().Messages, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func withoutResults(events []agent.Event) []agent.Event {
	out := slices.Clone(events)
	for i := range out {
		out[i].Result = nil
		if out[i].Type == agent.EventPresentNotes || out[i].Type == agent.EventTable {
			out[i].ID, out[i].Name = "", "" // in memory only
		}
	}
	return out
}

func TestAStreamIsSavedOnceASecondAtMost(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	parts := make([]string, 100)
	for i := range parts {
		parts[i] = "word "
	}
	turn := k.turn("long")
	n := 0
	for range c.Record(t.Context(), turn, "m", newAgent(t, &model{answers: [][]llm.Event{text(parts...)}}).Run(t.Context(), c.Conversation(), turn)) {
		k.now = k.now.Add(100 * time.Millisecond)
		if n++; n == 1 && k.bucket.puts != 1 {
			t.Errorf("%d saves at the first event, want the one of the question", k.bucket.puts)
		}
	}
	if k.bucket.puts < 10 || k.bucket.puts > 13 {
		t.Errorf("%d saves in 10 s", k.bucket.puts)
	}
}

func TestACrashLeavesTheTurnMarkedAndTheChatGoesOn(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.ask(t, c, "First", text("one"))
	turn := k.turn("Second")
	answers := [][]llm.Event{append(text("I look"), called("a", "show", `{}`), called("b", "show", `{}`)), text("never comes")}
	var crashed []*chats.Chat
	for range c.Record(t.Context(), turn, "m", newAgent(t, &model{answers: answers}).Run(t.Context(), c.Conversation(), turn)) {
		k.now = k.now.Add(2 * time.Second) // each event is saved
		// What another start of the program would find now:
		crashed = append(crashed, k.load(t, c.Info().ID))
	}
	if len(crashed) < 6 {
		t.Fatalf("%d events", len(crashed))
	}
	for i, back := range crashed {
		last := back.Turns[len(back.Turns)-1]
		if last.Question != "Second" || last.State != chats.Interrupted {
			t.Errorf("after event %d: turn %+v", i, last)
		}
		if i > 1 && !strings.Contains(last.Answer(), "I look") {
			t.Errorf("after event %d the answer is %q", i, last.Answer())
		}
		m := &model{answers: [][]llm.Event{text("on")}}
		next := k.turn("Third")
		r := agenttest.Collect(newAgent(t, m).Run(t.Context(), back.Conversation(), next))
		if r.Finish != "stop" || r.Text != "on" {
			t.Errorf("after event %d the next turn is %+v", i, r)
		}
		open := 0
		for _, msg := range m.asked[0].Messages {
			open += len(msg.Calls)
			if msg.Role == llm.ToolRole {
				open--
			}
		}
		if open != 0 {
			t.Errorf("after event %d, %d calls have no result", i, open)
		}
	}
}

func TestATurnKnowsHowItEnded(t *testing.T) {
	for _, tt := range []struct {
		name string
		play func(k *kit, c *chats.Chat)
		want chats.State
	}{
		{"well", func(k *kit, c *chats.Chat) { k.ask(t, c, "q", text("a")) }, chats.Done},
		{"by an error", func(k *kit, c *chats.Chat) { k.ask(t, c, "q") }, chats.Failed},
		{"by a stop", func(k *kit, c *chats.Chat) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			turn := k.turn("q")
			for range c.Record(ctx, turn, "m", newAgent(t, &model{answers: [][]llm.Event{text("a", "b")}}).Run(ctx, c.Conversation(), turn)) {
				cancel()
			}
		}, chats.Cancelled},
		{"by leaving the loop", func(k *kit, c *chats.Chat) {
			turn := k.turn("q")
			for range c.Record(t.Context(), turn, "m", newAgent(t, &model{answers: [][]llm.Event{text("a", "b")}}).Run(t.Context(), c.Conversation(), turn)) {
				break
			}
		}, chats.Cancelled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newKit(t)
			c := k.new(t)
			tt.play(k, c)
			back := k.load(t, c.Info().ID)
			list, _, err := k.List(t.Context())
			if err != nil || len(list) != 1 || list[0].State != tt.want {
				t.Errorf("listed is %+v, %v", list, err)
			}
			if got := back.Turns[0]; got.State != tt.want || got.Question != "q" {
				t.Errorf("turn %+v, want %s", got, tt.want)
			}
			if tt.want == chats.Cancelled && back.Turns[0].Answer() != "a" {
				t.Errorf("kept is %q", back.Turns[0].Answer())
			}
		})
	}
}

func TestChatsAreListedRenamedDeletedAndPurged(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	for _, q := range []string{"alpha\nand more", "beta", "gamma"} {
		k.ask(t, k.new(t), q, text("about "+q))
	}
	if got := k.titles(t); !slices.Equal(got, []string{"gamma", "beta", "alpha and more"}) {
		t.Errorf("titles %q", got)
	}
	k.ask(t, k.load(t, "chat-1"), "again", text("ok"))
	if err := k.Rename(ctx, "chat-2", "  my\nBeta "); err != nil {
		t.Fatal(err)
	}
	if err := k.Rename(ctx, "chat-2", " \n"); err == nil {
		t.Error("an empty title was taken")
	}
	if got := k.titles(t); !slices.Equal(got, []string{"alpha and more", "gamma", "my Beta"}) {
		t.Errorf("titles %q", got)
	}
	for _, id := range []string{"chat-1", "chat-2"} {
		if err := k.Delete(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Undelete(ctx, "chat-2"); err != nil {
		t.Fatal(err)
	}
	if got := k.titles(t); !slices.Equal(got, []string{"gamma", "my Beta"}) {
		t.Errorf("titles %q", got)
	}
	if n, err := k.Purge(ctx, k.now); n != 0 || err != nil {
		t.Errorf("purged %d, %v, of what was deleted just now", n, err)
	}
	if n, err := k.Purge(ctx, k.now.Add(time.Second)); n != 1 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
	for key := range k.values(t) {
		if strings.Contains(key, "chat-1") {
			t.Errorf("%s is left", key)
		}
	}
	for name, err := range map[string]error{
		"load":   second(k.Load(ctx, "chat-1")),
		"rename": k.Rename(ctx, "chat-1", "x"),
		"delete": k.Delete(ctx, "../x"),
		"branch": second(k.Branch(ctx, "none", 1)),
	} {
		if !errors.Is(err, chats.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestWhatIsDoneToAChatWhileItIsAnsweredStays(t *testing.T) {
	k := newKit(t)
	k.ask(t, k.new(t), "alpha", text("a"))
	c := k.load(t, "chat-1")
	turn := k.turn("beta")
	for range c.Record(t.Context(), turn, "m", newAgent(t, &model{answers: [][]llm.Event{text("a", "b")}}).Run(t.Context(), c.Conversation(), turn)) {
		if err := k.Rename(t.Context(), "chat-1", "My chat"); err != nil {
			t.Fatal(err)
		}
		if err := k.Delete(t.Context(), "chat-1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	if got := k.titles(t); len(got) != 0 {
		t.Errorf("deleted, but listed: %q", got)
	}
	if err := k.Undelete(t.Context(), "chat-1"); err != nil {
		t.Fatal(err)
	}
	if got := k.titles(t); !slices.Equal(got, []string{"My chat"}) || c.Info().Title != "My chat" {
		t.Errorf("it is called %q, and %q in memory", got, c.Info().Title)
	}
	if got := len(k.load(t, "chat-1").Turns); got != 2 {
		t.Errorf("it has %d turns", got)
	}
}

func TestAChatKnowsWhoseItIsAlsoWhenSomebodyElseGoesOn(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	c.Reader = "ada"
	k.ask(t, c, "alpha", text("a"))
	c = k.load(t, "chat-1")
	c.Reader = "ben"
	k.ask(t, c, "beta", text("b"))
	c, err := k.Branch(t.Context(), "chat-1", 1)
	if err != nil {
		t.Fatal(err)
	}
	k.ask(t, c, "gamma", text("c"))
	list, _, err := k.List(t.Context())
	if err != nil || len(list) != 2 || list[0].Reader != "ada" || list[1].Reader != "ada" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAChatThatWasLeftIsSoUntilTheNextTurn(t *testing.T) {
	k := newKit(t)
	k.ask(t, k.new(t), "alpha", text("a"))
	for _, want := range []bool{true, false} {
		if want {
			if err := k.Leave(t.Context(), "chat-1"); err != nil {
				t.Fatal(err)
			}
		} else {
			k.ask(t, k.load(t, "chat-1"), "beta", text("b"))
		}
		list, _, err := k.List(t.Context())
		if err != nil || len(list) != 1 || list[0].Left != want {
			t.Errorf("want left %v: %+v, %v", want, list, err)
		}
	}
}

func TestSearchFindsTitlesQuestionsAndAnswers(t *testing.T) {
	k := newKit(t)
	k.ask(t, k.new(t), "What about the Comet?", text("It was seen at dusk by Ørsted."))
	two := k.new(t)
	k.ask(t, two, "Other things", text("nothing"))
	k.ask(t, two, "The choir", text("sings on Monday, under the comet"))
	if err := k.Rename(t.Context(), "chat-2", "Zebra"); err != nil {
		t.Fatal(err)
	}
	const comet = "chat-1: What about the Comet? It was seen at dusk by Ørsted."
	const choir = "chat-2: The choir sings on Monday, under the comet"
	for query, want := range map[string][]string{
		"comet":        {choir, comet},
		"COMET dusk":   {comet},
		"ørsted":       {"chat-1: about the Comet? It was seen at dusk by Ørsted."},
		"zebra":        {"chat-2: "},
		"dusk monday":  nil,
		"":             nil,
		"missing word": nil,
	} {
		hits, err := k.Search(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			got = append(got, h.ID+": "+h.Snippet)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestATurnRemembersWhatItWasAbout(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	c.Scope = chats.Scope{Thread: noteA}
	k.ask(t, c, "One", text("first"))
	c.Scope = chats.Scope{}
	k.ask(t, c, "Two", text("second"))
	b, err := k.Branch(t.Context(), "chat-1", 2)
	if err != nil {
		t.Fatal(err)
	}
	b.Scope = chats.Scope{Everyone: true}
	k.ask(t, b, "Two", text("second"))
	got := k.load(t, "chat-2").Turns
	if got[0].Scope.Thread != noteA || got[1].Scope != (chats.Scope{Everyone: true}) {
		t.Errorf("%+v, %+v", got[0].Scope, got[1].Scope)
	}
}
