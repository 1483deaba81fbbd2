package chats_test

import (
	"errors"
	"fmt"
	"testing"

	"bowerbird/app/chats"
	"bowerbird/llm"
)

func TestABranchGoesItsOwnWayAndStaysTainted(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.ask(t, c, "One", []llm.Event{called("a", "show", `{}`)}, text("first"))
	k.ask(t, c, "Two", text("second"))
	k.ask(t, c, "Three", text("third"))
	b, err := k.Branch(t.Context(), "chat-1", 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.titles(t); len(got) != 1 {
		t.Errorf("a branch without a turn of its own is listed: %q", got)
	}
	k.ask(t, b, "Two, but else", text("other"))
	back := k.load(t, "chat-2")
	if o := back.Info().Branch; o == nil || *o != (chats.Origin{Chat: "chat-1", Turn: 2}) || !back.Info().Tainted {
		t.Errorf("info %+v", back.Info())
	}
	if len(back.Turns) != 2 || back.Turns[0].Question != "One" || back.Turns[1].Question != "Two, but else" {
		t.Errorf("turns %+v", back.Turns)
	}
	if n := len(k.load(t, "chat-1").Turns); n != 3 {
		t.Errorf("the first chat has %d turns", n)
	}
	for _, turn := range []int{0, 4, -1} {
		if _, err := k.Branch(t.Context(), "chat-1", turn); err == nil {
			t.Errorf("branched at turn %d of 3", turn)
		}
	}
}

func TestVersionsOfATurnAreOneChatForAPerson(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	branch := func(id string, turn int, question string) {
		t.Helper()
		b, err := k.Branch(ctx, id, turn)
		if err != nil {
			t.Fatal(err)
		}
		k.ask(t, b, question, text("answer"))
	}
	a := k.new(t)
	k.ask(t, a, "One", text("first"))
	k.ask(t, a, "Two", text("second"))
	branch("chat-1", 2, "Two") // chat-2: asked again
	branch("chat-2", 2, "Two") // chat-3: once more
	branch("chat-3", 1, "One") // chat-4: the first question again
	k.ask(t, k.load(t, "chat-2"), "Three", text("third"))
	k.ask(t, k.new(t), "Other", text("other")) // chat-5
	for id, want := range map[string]string{
		"chat-1": "map[1:[chat-1 chat-4] 2:[chat-1 chat-2 chat-3]]",
		"chat-2": "map[1:[chat-2 chat-4] 2:[chat-1 chat-2 chat-3]]",
		"chat-3": "map[1:[chat-3 chat-4] 2:[chat-1 chat-2 chat-3]]",
		"chat-4": "map[1:[chat-2 chat-4]]",
		"chat-5": "map[]",
	} {
		versions, err := k.Versions(ctx, id)
		if got := fmt.Sprint(versions); err != nil || got != want {
			t.Errorf("%s has the versions %s, want %s, %v", id, got, want, err)
		}
	}
	families := func() string {
		t.Helper()
		list, skipped, err := k.Families(ctx)
		if err != nil || len(skipped) > 0 {
			t.Fatal(err, skipped)
		}
		out := ""
		for _, f := range list {
			out += fmt.Sprintf("%s %q %v; ", f.ID, f.Title, f.Members)
		}
		return out
	}
	if got, want := families(), `chat-5 "Other" [chat-5]; chat-2 "One" [chat-2 chat-4 chat-3 chat-1]; `; got != want {
		t.Errorf("listed are %s, want %s", got, want)
	}
	for _, id := range []string{"chat-1", "chat-2"} {
		if err := k.Delete(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := families(), `chat-5 "Other" [chat-5]; chat-4 "One" [chat-4 chat-3]; `; got != want {
		t.Errorf("after the first was deleted there are %s, want %s", got, want)
	}
	if versions, err := k.Versions(ctx, "chat-3"); err != nil || fmt.Sprint(versions) != "map[1:[chat-3 chat-4]]" {
		t.Errorf("after the first was deleted the versions are %v, %v", versions, err)
	}
	if _, err := k.Versions(ctx, "none"); !errors.Is(err, chats.ErrNotFound) {
		t.Error(err)
	}
}

func TestABranchKeepsTheNameThatAChatWasGiven(t *testing.T) {
	k := newKit(t)
	k.ask(t, k.new(t), "One", text("first"))
	for _, title := range []string{"One more", "Named"} {
		if title == "Named" {
			if err := k.Rename(t.Context(), "chat-1", title); err != nil {
				t.Fatal(err)
			}
		}
		b, err := k.Branch(t.Context(), "chat-1", 1)
		if err != nil {
			t.Fatal(err)
		}
		k.ask(t, b, "One more", text("other"))
		if got := b.Info().Title; got != title {
			t.Errorf("the branch is called %q, want %q", got, title)
		}
	}
}

// A try that failed without a word is no version of the answer: the next one takes its
// place. One with words stays.
func TestATryWithoutAWordIsNotKeptAsAVersion(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	instead := func(id string, turn int, answers ...[]llm.Event) *chats.Chat {
		t.Helper()
		c, err := k.Instead(ctx, id, turn)
		if err != nil {
			t.Fatal(err)
		}
		k.ask(t, c, "Again", answers...)
		return c
	}
	versions := func(id string) string {
		t.Helper()
		list, err := k.Versions(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(list)
	}
	c := k.new(t)
	k.ask(t, c, "First") // the model fails at once
	if info := k.load(t, "chat-1").Info(); info.State != chats.Failed || !info.Wordless {
		t.Fatalf("it is kept as %+v", info)
	}
	instead("chat-1", 1)
	instead("chat-1", 1, []llm.Event{called("a", "current_time", `{}`)}) // fails after it has read something
	instead("chat-1", 1, text("an answer"))
	back := k.load(t, "chat-1")
	if len(back.Turns) != 1 || back.Turns[0].Answer() != "an answer" || back.Info().Title != "Again" || back.Info().Wordless || len(back.Conversation().Messages) != 2 {
		t.Errorf("after three tries it is %+v, with the turns %+v", back.Info(), back.Turns)
	}
	k.ask(t, back, "Second", text("more"))
	b := instead("chat-1", 2) // another version, which fails
	if got := versions("chat-1"); got != "map[]" {
		t.Errorf("a try without a word is a version: %s", got)
	}
	if got := versions(b.Info().ID); got != "map[2:[chat-1 chat-2]]" {
		t.Errorf("from the try that failed there is no way back: %s", got)
	}
	instead("chat-2", 2, append(text("Half an ans"), called("a", "show", `{}`))) // fails after some words
	instead("chat-2", 2, text("another answer"))
	if got := versions("chat-1"); got != "map[2:[chat-1 chat-2 chat-3]]" {
		t.Errorf("in the end the versions are %s", got)
	}
	if n := len(k.load(t, "chat-1").Turns); n != 2 {
		t.Errorf("the first version has %d turns", n)
	}
}

func TestOnlyTheLastTurnIsReplaced(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.ask(t, c, "One")
	k.ask(t, c, "Two", text("second"))
	b, err := k.Instead(t.Context(), "chat-1", 1)
	if err != nil || b.Info().ID != "chat-2" || len(b.Turns) != 0 {
		t.Fatalf("%+v, %v", b, err)
	}
	if _, err := k.Instead(t.Context(), "chat-1", 3); err == nil {
		t.Error("a turn that is not there was replaced")
	}
	if n := len(k.load(t, "chat-1").Turns); n != 2 {
		t.Errorf("the chat has %d turns", n)
	}
}
