package chats_test

import (
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
)

func used(input, cached, output int) llm.Event {
	return llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: input, Cached: cached, Output: output}}
}

// paid plays a turn whose tokens have a price: a dollar for a thousand that are read.
func (k *kit) paid(t *testing.T, c *chats.Chat, question string, answers ...[]llm.Event) {
	t.Helper()
	a, err := agent.New(agent.Options{
		Model: &model{answers: answers},
		Price: func(u llm.Usage) (float64, bool) { return float64(u.Input) / 1000, true },
	})
	if err != nil {
		t.Fatal(err)
	}
	turn := k.turn(question)
	for range c.Record(t.Context(), turn, "test:m", a.Run(t.Context(), c.Conversation(), turn)) {
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
}

// Row 000-50: a chat knows what it has cost so far, read back and branched too.
func TestAChatKnowsWhatItCost(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.paid(t, c, "one", append(text("a"), used(1000, 800, 10)))
	k.paid(t, c, "two", append(text("b"), used(500, 0, 20)))
	want := chats.Usage{Input: 1500, Cached: 800, Output: 30, Cost: 1.5}
	check := func(name string, got, want chats.Usage) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	check("as it runs", c.Info().Usage, want)
	back := k.load(t, c.Info().ID)
	check("read back", back.Info().Usage, want)
	check("its second turn", back.Turns[1].Usage, chats.Usage{Input: 500, Output: 20, Cost: 0.5})

	branch, err := k.Branch(t.Context(), c.Info().ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	k.paid(t, branch, "three", append(text("c"), used(100, 0, 1)))
	check("branched", k.load(t, branch.Info().ID).Info().Usage, chats.Usage{Input: 1100, Cached: 800, Output: 11, Cost: 1.1})

	k.ask(t, back, "four", append(text("d"), used(1, 0, 1)))
	check("with a turn without a price", back.Info().Usage, chats.Usage{Input: 1501, Cached: 800, Output: 31, Cost: 1.5, Unpriced: true})
	k.ask(t, back, "five", text("e"))
	if list, _, err := k.List(t.Context()); err != nil || !list[0].Usage.Unpriced {
		t.Errorf("the list tells %+v (%v)", list[0].Usage, err)
	}
}
