package llm

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Work is measured by the memory that is taken for it: four times the answer may take
// four times as much, not sixteen times.
func TestTheWorkOfAnAnswerGrowsAsTheAnswerDoes(t *testing.T) {
	anthropic := func(n int, event func(int) string) int {
		d := &anthropicDecoder{}
		return taken(func() {
			for i := range n {
				c, err := d.decode(sseEvent{data: []byte(event(i))})
				if err != nil {
					t.Fatal(err)
				}
				if i == n-1 {
					c.echo()
				}
			}
		})
	}
	for name, cost := range map[string]func(n int) int{
		"messages at the end of a Responses answer": func(n int) int {
			d := &responsesDecoder{}
			output := strings.Repeat(`{"type":"message","content":[{"text":"some words"}]},`, n) + "{}"
			return taken(func() {
				_, _ = d.decode(sseEvent{data: []byte(`{"type":"response.completed","response":{"output":[` + output + `]}}`)})
			})
		},
		"counts with new names": func(n int) int {
			return anthropic(n, func(i int) string {
				return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"count%d":1}}`, i)
			})
		},
		"ends behind much thinking": func(n int) int {
			return anthropic(n, func(i int) string {
				switch {
				case i == 0:
					return `{"type":"content_block_start","content_block":{"type":"thinking"}}`
				case i < n/2:
					return `{"type":"content_block_delta","delta":{"thinking":"some words of thinking"}}`
				}
				return `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`
			})
		},
		"objects in one frame": func(n int) int {
			body := "data: " + strings.Repeat(`{"a":1}`, n) + "\n\n"
			return taken(func() {
				s := newSSEReader(strings.NewReader(body))
				events := 0
				for _, err := s.next(); err == nil; _, err = s.next() {
					events++
				}
				if events != n {
					t.Errorf("%d events of %d", events, n)
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			small, large := cost(2000), cost(8000)
			if large > 8*small {
				t.Errorf("took %d bytes, and %d for four times as much", small, large)
			}
		})
	}
}

// taken returns how many bytes of memory are taken meanwhile, freed or not.
func taken(work func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// What is found in an answer is put together once, however much comes in one piece.
func TestCallsAreTakenOutInTimeThatGrowsWithTheText(t *testing.T) {
	calls := newTextReader([]Tool{{Name: "query"}}, "hermes", false)
	const message, times = "<|channel|>final<|message|>a<|end|><|channel|>analysis<|message|>b<|end|>", 50_000
	said := map[EventType]int{}
	for _, e := range append(calls.add(strings.Repeat(message, times)), calls.end(true)...) {
		said[e.Type] += len(e.Delta)
	}
	if all := times + len("\n\n")*(times-1); said[EventText] != all || said[EventReasoning] != all {
		t.Errorf("got %v bytes, want %d of each", said, all)
	}
}
