package notesync

import (
	"context"
	"testing"
	"time"

	"bowerbird/app/relay"
)

func TestTenQuestionsAtOnceThenFiveASecond(t *testing.T) {
	p := pace{every: reqEvery, burst: reqBurst}
	now := time.Unix(1000, 0)
	for i := range 10 {
		if wait := p.reserve(now); wait != 0 {
			t.Fatalf("question %d waits %v", i, wait)
		}
	}
	for i := range 10 {
		if wait, want := p.reserve(now), time.Duration(i+1)*200*time.Millisecond; wait != want {
			t.Fatalf("question %d waits %v, want %v", 10+i, wait, want)
		}
	}
	later := now.Add(time.Minute)
	for i := range 10 {
		if wait := p.reserve(later); wait != 0 {
			t.Fatalf("question %d of a minute later waits %v", i, wait)
		}
	}
	if p.reserve(later) == 0 {
		t.Error("a minute's rest gave more than the burst")
	}
}

func TestAPauseHoldsAllQuestions(t *testing.T) {
	p := pace{every: reqEvery, burst: reqBurst}
	now := time.Unix(1000, 0)
	p.pause(now.Add(5 * time.Second))
	p.pause(now.Add(time.Second)) // a shorter one changes nothing
	if wait := p.reserve(now); wait != 5*time.Second {
		t.Errorf("%v, want 5 s", wait)
	}
	if wait := p.reserve(now.Add(5 * time.Second)); wait != reqEvery {
		t.Errorf("%v for the second one after the pause", wait)
	}
}

func TestPlacesShrinkWhileTheyAreTaken(t *testing.T) {
	p := newPlaces(4)
	free := func() (n int) {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		for len(p.free) > 0 && p.take(t.Context()) == nil {
			n++
		}
		if p.take(ended) == nil {
			t.Error("a place was taken that is not there")
		}
		for range n {
			p.give()
		}
		return n
	}
	for range 3 {
		if err := p.take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.narrow(2) // of which 3 are taken
	if got := free(); got != 0 {
		t.Errorf("%d places are free, want none", got)
	}
	p.give()
	p.give()
	if got := free(); got != 1 {
		t.Errorf("%d places are free when 1 of 2 is taken", got)
	}
	p.give()
	p.narrow(0)
	if got := free(); got != 1 {
		t.Errorf("%d places are free, want 1 for ever", got)
	}
	p.narrow(9)
	if got := free(); got != 1 {
		t.Errorf("%d places are free: narrow widened", got)
	}
}

func TestARelayIsAskedAsItSaysItWantsToBe(t *testing.T) {
	tests := []struct {
		name string
		info relay.Info
		want manners
	}{
		{"it says nothing", relay.Info{}, manners{limit: 500, perFilter: 100, filters: 9, backfill: 4, live: 2, subs: 8, message: 64 << 10}},
		{"it has room for all", relay.Info{MaxLimit: 5000, MaxSubscriptions: 100, MaxMessageLength: 1 << 20}, manners{limit: 500, perFilter: 100, filters: 9, backfill: 4, live: 2, subs: 8, message: 64 << 10}},
		{"small pages", relay.Info{MaxLimit: 20}, manners{limit: 20, perFilter: 100, filters: 9, backfill: 4, live: 2, subs: 8, message: 64 << 10}},
		{"six subscriptions", relay.Info{MaxSubscriptions: 6}, manners{limit: 500, perFilter: 100, filters: 9, backfill: 2, live: 2, subs: 4, message: 64 << 10}},
		{"four subscriptions", relay.Info{MaxSubscriptions: 4}, manners{limit: 500, perFilter: 100, filters: 9, backfill: 1, live: 1, subs: 2, message: 64 << 10}},
		{"one subscription", relay.Info{MaxSubscriptions: 1}, manners{limit: 500, perFilter: 100, filters: 9, backfill: 1, live: 0, subs: 1, message: 64 << 10}},
		{"short messages", relay.Info{MaxMessageLength: 4096}, manners{limit: 500, perFilter: 55, filters: 1, backfill: 4, live: 2, subs: 8, message: 4096}},
		{"messages too short for anything", relay.Info{MaxMessageLength: 10}, manners{limit: 500, perFilter: 1, filters: 1, backfill: 4, live: 2, subs: 8, message: reqFrame + keyBytes}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mannersFor(tt.info, relay.Limits{}); got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestWhatARelayAnswersBetweenTwoRefusalsIsItsPace(t *testing.T) {
	p := pace{every: reqEvery, burst: reqBurst}
	now := time.Unix(1000, 0)
	answers := func(n int) {
		for range n {
			p.answered()
		}
	}
	answers(100)
	p.slower(now)
	if every, _ := p.measured(now); every != 0 {
		t.Errorf("%v is claimed after one refusal, which measures nothing", every)
	}
	answers(20)
	now = now.Add(time.Minute)
	p.slower(now)
	if every, _ := p.measured(now); every != 3*time.Second {
		t.Errorf("%v between two questions, want 3 s", every)
	}
	// A hundred at once were room for five minutes: half of it is used, once it is there.
	if wait := p.reserve(now); wait != 3*time.Second {
		t.Errorf("%v at once, want 3 s", wait)
	}
	now = now.Add(10 * time.Minute)
	for i := range 50 {
		if wait := p.reserve(now); wait != 0 {
			t.Fatalf("question %d after ten minutes waits %v", i, wait)
		}
	}
	answers(20)
	if every, _ := p.measured(now); every != 2700*time.Millisecond {
		t.Errorf("%v after 20 answers without a refusal, want a tenth less", every)
	}
	answers(2000)
	if every, _ := p.slow(now); every != 0 {
		t.Errorf("%v after many answers without a refusal, want what is usual", every)
	}
}
