package chat

import (
	"testing"
	"testing/synctest"
	"time"

	"bowerbird/app/agent"
)

func TestAThousandWordsAtOnceAreShownOnceInAnInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const words = 1000
		var added int
		var shown []int // how many words were there
		events := func(yield func(agent.Event) bool) {
			for i := range words {
				if i == words/2 {
					time.Sleep(time.Second) // the model looks something up
				}
				if !yield(said1("word ")) {
					return
				}
			}
		}
		paced(events, 40*time.Millisecond, func(agent.Event) { added++ }, func() { shown = append(shown, added) })
		if added != words || len(shown) != 1 || shown[0] != words/2 {
			t.Errorf("%d words were added, shown were %v", added, shown)
		}
	})
}
