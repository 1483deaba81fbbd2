package builtin_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testworld"
	"bowerbird/llm"
)

// A countdown is a context that ends when it was looked at so many times.
type countdown struct {
	context.Context
	looks int
	after int // looks after its end
}

func (c *countdown) Err() error {
	if c.looks > 0 {
		c.looks--
		return nil
	}
	c.after++
	return context.Canceled
}

// A digest of many notes that nobody waits for any more is not made to its end, wherever
// it stood, and leaves nothing unfinished to the next.
func TestADigestThatIsStoppedEndsSoon(t *testing.T) {
	w, err := testworld.Make(testworld.Options{Seed: 5, Now: noon, Events: 1500, Days: 4, People: 80, Followed: 40, Planted: 5})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, w.Me, noon, w.Events)
	turn := &recorder{Model: r.model()}
	want := r.askOf(t, turn, &agent.Conversation{}, "What did I miss in the last 3 days?").text
	model, most, notes := r.model(), 0, 0
	play := func(ctx context.Context, req *llm.Request) (text string, err error) {
		for ev, failed := range model.Stream(ctx, req) {
			text += ev.Delta
			err = failed
		}
		return text, err
	}
	for _, req := range turn.steps {
		whole := &countdown{looks: math.MaxInt}
		if _, err := play(whole, req); err != nil {
			t.Fatal(err)
		}
		looks := math.MaxInt - whole.looks
		most = max(most, looks)
		for i := range 12 {
			ctx := &countdown{looks: looks * i / 12}
			model = r.model()
			if text, err := play(ctx, req); text != "" || !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at look %d of %d it says %q, error %v", looks*i/12, looks, text, err)
			}
			if ctx.after > 20 {
				t.Errorf("stopped at look %d of %d it goes on for %d more", looks*i/12, looks, ctx.after)
			}
		}
	}
	for _, e := range w.Events {
		if e.Kind == 1 {
			notes++
		}
	}
	if most < notes {
		t.Errorf("over %d notes it looks %d times at most whether it was stopped", notes, most)
	}
	var text string
	for _, req := range turn.steps {
		said, err := play(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		text += said
	}
	if text != want {
		t.Errorf("after it was stopped it says\n%s\nand else\n%s", text, want)
	}
}
