package config

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestNobodyWaitsForAKeyringLongerThanTheyWantTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		hang := func() error { <-answer; return nil }
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		begin := time.Now()
		if err := NewKeyring().patiently(ctx, hang); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNoKeyring) || time.Since(begin) != time.Second {
			t.Errorf("stopped: %v after %v", err, time.Since(begin))
		}
		if err := NewKeyring().patiently(ctx, hang); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped before: %v", err)
		}
		close(answer)
	})
}

func TestAKeyringThatDoesNotAnswerIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		hang := func() error { <-answer; return nil }
		k, begin := NewKeyring(), time.Now()
		for try := range 3 {
			if err := k.patiently(t.Context(), hang); !errors.Is(err, ErrNoKeyring) || time.Since(begin) != keyringWait {
				t.Errorf("try %d: %v after %v", try, err, time.Since(begin))
			}
		}
		close(answer) // the user has unlocked it
		synctest.Wait()
		if err := k.patiently(t.Context(), hang); err != nil {
			t.Errorf("after it answered: %v", err)
		}
	})
}
