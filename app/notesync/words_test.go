package notesync

import (
	"context"
	"fmt"
	"testing"

	"bowerbird/app/relay"
	"bowerbird/netsafe"
)

func TestASlowRelayIsNotCalledAStop(t *testing.T) {
	for _, tt := range []struct {
		err     error
		trouble Trouble
		words   string
	}{
		// A deadline of ours is what ends the wait.
		{&netsafe.Error{Kind: netsafe.Timeout, Err: context.DeadlineExceeded}, NoAnswer, "it did not answer in time"},
		{&relay.Error{Kind: relay.Lost, Err: fmt.Errorf("write: %w", context.DeadlineExceeded)}, Lost, "the connection was lost"},
		{errSlow, NoAnswer, "it was too slow to answer"},
		{context.Canceled, Stopped, "the sync was stopped"},
		{&netsafe.Error{Kind: netsafe.Cancelled, Err: context.Canceled}, Stopped, "the sync was stopped"},
	} {
		if trouble, words := TroubleOf(tt.err); trouble != tt.trouble || words != tt.words {
			t.Errorf("%v: %s, %q, want %s, %q", tt.err, trouble, words, tt.trouble, tt.words)
		}
	}
}
