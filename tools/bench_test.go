package tools_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/tools/tooltest"
)

// benchWorld is a week of 20,000 events by 400 people, read by one who follows a
// quarter of them.
func benchWorld(b *testing.B) *tooltest.World {
	b.Helper()
	w := tooltest.NewWorld(b)
	made, err := testworld.Make(testworld.Options{Seed: 1, Now: w.Now, People: 400, Events: 20_000})
	if err != nil {
		b.Fatal(err)
	}
	for part := range slices.Chunk(made.Events, 500) {
		if _, err := w.Store.Put(b.Context(), ndb.Batch{Events: part}); err != nil {
			b.Fatal(err)
		}
	}
	w.Me = &tooltest.Person{Key: made.Me}
	return w
}

// BenchmarkTools measures calls as a turn makes them: the answer and its form
// for a model.
func BenchmarkTools(b *testing.B) {
	w := benchWorld(b)
	for _, bb := range []struct{ name, tool, args string }{
		{"query/newest-50", "query", `{}`},
		{"query/newest-200", "query", `{"limit":200}`},
		{"query/any-200", "query", `{"limit":200,"context":"any","include_replies":true}`},
		{"query/day", "query", `{"limit":200,"since":"24h"}`},
		{"count/week", "count", `{"since":"7d","include_replies":true}`},
		{"count/any", "count", `{"context":"any","include_replies":true}`},
		{"aggregate/day", "aggregate", `{"by":"day","since":"7d"}`},
		{"aggregate/term", "aggregate", `{"by":"term","since":"7d","include_replies":true}`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			tool, env := builtin(b, bb.tool), w.Env()
			env.Timeout = time.Hour
			for b.Loop() {
				res, err := tool.Call(b.Context(), env, json.RawMessage(bb.args))
				if err != nil {
					b.Fatal(err)
				}
				if len(res.ForModel(32_000)) > 32_000 {
					b.Fatal("too long")
				}
			}
		})
	}
	b.Run("for-model/200-in-32k", func(b *testing.B) {
		res := query(b, w, `{"limit":200,"context":"any","include_replies":true}`)
		for b.Loop() {
			if text := res.ForModel(32_000); len(text) > 32_000 {
				b.Fatal("too long")
			}
		}
	})
}
