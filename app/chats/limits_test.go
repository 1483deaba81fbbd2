package chats_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
)

func TestWhatCannotBeReadIsNamedAndTheRestGoesOn(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	for _, q := range []string{"one", "two", "three"} {
		c := k.new(t)
		k.ask(t, c, q, text("a"))
		k.ask(t, c, q+" again", text("b"))
		k.ask(t, c, q+" and again", text("c"))
	}
	flipped := k.values(t)["t/chat-3/000002/000"]
	flipped[len(flipped)/2] ^= 1
	if err := k.bucket.Bucket.Put(ctx, map[string][]byte{
		"c/chat-1":            []byte(`{"v":1,"id":`),
		"c/chat-2":            []byte(`{"v":99,"id":"chat-2"}`),
		"t/chat-3/000002/000": flipped,
	}); err != nil {
		t.Fatal(err)
	}
	list, skipped, err := k.List(ctx)
	if err != nil || len(list) != 1 || list[0].ID != "chat-3" {
		t.Errorf("list %+v, %v", list, err)
	}
	var damaged *chats.DamagedError
	var newer *chats.NewerError
	if len(skipped) != 2 || !errors.As(skipped[0], &damaged) || !errors.As(skipped[1], &newer) || newer.Have != 99 {
		t.Errorf("skipped %v", skipped)
	}
	if err := k.Rename(ctx, "chat-2", "x"); !errors.As(err, &newer) {
		t.Errorf("a newer record was changed: %v", err)
	}
	c := k.load(t, "chat-3")
	if len(c.Turns) != 2 || len(c.Damaged) != 1 || !errors.As(c.Damaged[0], &damaged) {
		t.Fatalf("%d turns, %v", len(c.Turns), c.Damaged)
	}
	k.ask(t, c, "go on", text("ok"))
	if c := k.load(t, "chat-3"); len(c.Turns) != 3 || c.Turns[2].Number != 4 {
		t.Errorf("after going on: %d turns", len(c.Turns))
	}
}

func TestALargeTurnIsSplitAndCutToWhatFits(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	big := strings.Repeat("größer ", 40_000) // 360 kB, once to draw and once for the model
	k.ask(t, c, "one part too many", text(big))
	if back := k.load(t, "chat-1"); back.Turns[0].Answer() != strings.TrimSpace(big) {
		t.Errorf("%d bytes are left of %d", len(back.Turns[0].Answer()), len(big))
	}
	big += big + big + big
	k.ask(t, c, big, text(big, testNsec))
	if k.bucket.largest > 512<<10 {
		t.Errorf("a value has %d bytes", k.bucket.largest)
	}
	back := k.load(t, "chat-1")
	if len(back.Damaged) > 0 || len(back.Turns) != 2 || len(back.Turns[1].Answer()) < 10_000 {
		t.Errorf("%v, %d turns", back.Damaged, len(back.Turns))
	}
}

func TestNoSecretIsStored(t *testing.T) {
	k := newKit(t)
	args := `{"columns":["a"],"rows":[{"a":"` + testNsec + `"}]}`
	k.ask(t, k.new(t), testNsec+" is my key\nsk-abcdefghij0123456789xyz",
		append(text("you said "+testNsec), llm.Event{Type: llm.EventReasoning, Delta: testNsec}, called(testNsec, "render_table", args)), text(testNsec))
	for key, value := range k.values(t) {
		if bytes.Contains(value, []byte(testNsec[5:])) || bytes.Contains(value, []byte("sk-abc")) {
			t.Errorf("%s holds a secret: %s", key, value)
		}
	}
	back := k.load(t, "chat-1")
	if len(back.Damaged) > 0 || !strings.Contains(back.Turns[0].Question, "removed") {
		t.Errorf("%v %+v", back.Damaged, back.Turns)
	}
}

func TestAFailedSaveIsToldAndStopsNothing(t *testing.T) {
	full := errors.New("disk full")
	answers := func() [][]llm.Event {
		return [][]llm.Event{append(text("a", "b"), called("a", "show", `{}`)), text("c")}
	}
	k := newKit(t)
	k.ask(t, k.new(t), "how many", answers()...)
	saves := k.bucket.puts
	for nth := 1; nth <= saves; nth++ {
		k := newKit(t)
		k.bucket.fail = func(put int) error {
			if put == nth {
				return full
			}
			return nil
		}
		c := k.new(t)
		turn := k.turn("q")
		last := agent.Event{}
		for e := range c.Record(t.Context(), turn, "m", newAgent(t, &model{answers: answers()}).Run(t.Context(), c.Conversation(), turn)) {
			last = e
		}
		if last.Finish != agent.FinishStop {
			t.Errorf("save %d failed and the turn ended with %+v", nth, last)
		}
		if failed := errors.Is(c.Err(), full); failed != (nth == saves) {
			t.Errorf("save %d of %d failed: %v", nth, saves, c.Err())
		}
	}
}
