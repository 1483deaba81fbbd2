package llm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// longStream is an answer of n pieces of text.
func longStream(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"content":" word%d"},"finish_reason":null}]}`+"\n\n", i)
	}
	b.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
	return b.String()
}

func BenchmarkStreamOf10000Deltas(b *testing.B) {
	body := longStream(10_000)
	s := testkit.NewModelServer(b)
	c := newClient(b, s)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		s.Queue(testkit.Reply{Body: body})
		events := 0
		for _, err := range c.Stream(b.Context(), question()) {
			if err != nil {
				b.Fatal(err)
			}
			events++
		}
		if events != 10_001 {
			b.Fatalf("got %d events", events)
		}
	}
}

func BenchmarkReadRecordedOf10000Deltas(b *testing.B) {
	body := []byte(longStream(10_000))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if r, err := llm.ReadRecorded(b.Context(), bytes.NewReader(body)); err != nil || r.Error != nil {
			b.Fatal(err, r.Error)
		}
	}
}

// BenchmarkOneCallOf10000Pieces holds that a call in pieces costs what its text
// costs, not the square of it.
func BenchmarkOneCallOf10000Pieces(b *testing.B) {
	var body strings.Builder
	piece := func(args string) {
		fmt.Fprintf(&body, `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":%q}}]}}]}`+"\n\n", args)
	}
	piece(`{"text":"`)
	for range 10_000 {
		piece("word ")
	}
	piece(`"}`)
	body.WriteString("data: [DONE]\n\n")
	b.SetBytes(int64(body.Len()))
	for b.Loop() {
		r, err := llm.ReadRecorded(b.Context(), strings.NewReader(body.String()))
		if err != nil || len(r.Calls) != 1 || len(r.Calls[0].Arguments) != 50_011 {
			b.Fatalf("got %d calls, %v", len(r.Calls), err)
		}
	}
}

// BenchmarkReadRecordedOf1000DeltasOfEachFamily holds what a thousand pieces of text
// cost, whatever the family.
func BenchmarkReadRecordedOf1000DeltasOfEachFamily(b *testing.B) {
	for name, frame := range map[string][3]string{
		"chat": {``, `{"choices":[{"index":0,"delta":{"content":" word%d"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`},
		"messages": {
			`{"type":"message_start","message":{"content":[]}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word%d"}}`, `{"type":"message_stop"}`,
		},
		"responses": {
			`{"type":"response.created","response":{}}`,
			`{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":" word%d"}`, `{"type":"response.completed","response":{}}`,
		},
	} {
		var body strings.Builder
		fmt.Fprintf(&body, "data: %s\n\n", frame[0])
		for i := range 1000 {
			fmt.Fprintf(&body, "data: "+frame[1]+"\n\n", i)
		}
		fmt.Fprintf(&body, "data: %s\n\n", frame[2])
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := llm.ReadRecorded(b.Context(), strings.NewReader(body.String()))
				if err != nil || r.Error != nil || len(r.Text) != 7890 {
					b.Fatalf("%d bytes of text, %+v, %v", len(r.Text), r.Error, err)
				}
			}
		})
	}
}
