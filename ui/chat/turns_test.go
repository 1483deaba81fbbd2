package chat

import (
	"encoding/json"
	"fmt"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
)

// noteIDs returns the newest notes of the sample.
func noteIDs(t testing.TB, st *stage, n int) []nostr.ID {
	t.Helper()
	var ids []nostr.ID
	for e, err := range st.app.Notes().Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}, Limit: &n}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	return ids
}

// answered makes a turn of events, as an answer is made of them.
func answered(t testing.TB, st *stage, number int, question, model string, events ...agent.Event) answers.Turn {
	t.Helper()
	asm := answers.NewAssembler(answers.Turn{Number: number, Question: question, Asked: noon, Model: model, Host: "openrouter.example"}, st.find)
	for _, e := range events {
		e.Turn = fmt.Sprint("t", number)
		asm.Add(t.Context(), e)
	}
	return asm.Turn()
}

func call(id, name, args string) agent.Event {
	return agent.Event{Step: 1, Type: agent.EventToolCall, ID: id, Name: name, Arguments: json.RawMessage(args)}
}

func result(id, name, json string) agent.Event {
	return agent.Event{Step: 1, Type: agent.EventToolResult, ID: id, Name: name, Result: agent.RawResult(json)}
}

func finish(reason string) agent.Event {
	return agent.Event{Step: 2, Type: agent.EventFinish, Finish: reason}
}

func presented(ids []nostr.ID) agent.Event {
	e := agent.Event{Step: 1, Type: agent.EventPresentNotes, Notes: &tools.PresentResult{}}
	for i, id := range ids {
		e.Notes.Presented = append(e.Notes.Presented, tools.PresentedNote{Index: i + 1, NoteID: id.String()})
	}
	return e
}

const chartSpec = `{"mark":"bar","data":{"values":[
 {"h":"18:00","n":14},{"h":"19:00","n":17},{"h":"20:00","n":21},{"h":"21:00","n":12},{"h":"22:00","n":6},{"h":"23:00","n":3},
 {"h":"00:00","n":1},{"h":"01:00","n":1},{"h":"03:00","n":2},{"h":"04:00","n":5},{"h":"05:00","n":9},{"h":"06:00","n":12}]},
 "encoding":{"x":{"field":"h","type":"nominal","sort":null},"y":{"field":"n","type":"quantitative"}}}`

// wholeAnswer is a turn with all that an answer can hold.
func wholeAnswer(t testing.TB, st *stage, number int) answers.Turn {
	t.Helper()
	return answered(
		t, st, number, "What did I miss since yesterday evening?", "openrouter:some/model",
		agent.Event{Step: 1, Type: agent.EventReasoning, Delta: "The user asks about yesterday evening."},
		call("c1", "query", `{"since":"20h","limit":200}`),
		result("c1", "query", `{"scope":{"context":"home","authors":103,"since":"2026-03-11T18:00:00Z","until":"2026-03-12T14:00:00Z"},"total":184,"returned":184,"coverage":{"complete":97,"partly":0,"unreachable":6,"one_relay":2,"as_of":"2026-03-12T13:45:00Z"},"kinds":{"1":184},"authors":["00000001","00000002"]}`),
		presented(noteIDs(t, st, 6)),
		agent.Event{Step: 1, Type: agent.EventChart, Chart: &tools.ChartResult{Title: "184 notes by people you follow, per hour", Spec: json.RawMessage(chartSpec)}},
		agent.Event{Step: 2, Type: agent.EventText, Delta: "- **A long read on community.** Ben wrote up two years of a 4,000-person group ^1. 31 replies by 22 people, mostly on moderation by invitation ^2.\n- **Saturday.** The winter market opens at nine ^5.\n"},
		finish("stop"),
	)
}

func tableAnswer(t testing.TB, st *stage, number int) answers.Turn {
	t.Helper()
	return answered(
		t, st, number, "Top hashtags this week", "ollama:qwen3:8b",
		agent.Event{Step: 1, Type: agent.EventText, Delta: "Here they are."},
		agent.Event{Step: 1, Type: agent.EventTable, Table: &tools.TableResult{
			Title: "Top hashtags", Columns: []tools.Column{{Key: "tag", Label: "Hashtag"}, {Key: "n", Label: "Notes"}},
			Rows: [][]string{{"#comet", "41"}, {"#choir", "12"}}, Numeric: []bool{false, true},
		}},
		agent.Event{Step: 1, Type: agent.EventChart, Chart: &tools.ChartResult{Refused: "data must be inline, not at a URL"}},
		agent.Event{Step: 1, Type: agent.EventFinish, Finish: "length", Trimmed: true},
	)
}

func failedAnswer(t testing.TB, st *stage, number int) answers.Turn {
	t.Helper()
	var failed agent.Event
	if err := json.Unmarshal([]byte(`{"type":"error","turn":"t","step":1,"kind":"auth","message":"Invalid API key","status":401}`), &failed); err != nil {
		t.Fatal(err)
	}
	return answered(t, st, number, "Who talks about moderation?", "openrouter:some/model", failed,
		agent.Event{Step: 1, Type: agent.EventFinish, Finish: agent.FinishError})
}

func interruptedAnswer(t testing.TB, st *stage, number int) answers.Turn {
	t.Helper()
	asm := answers.NewAssembler(answers.Turn{Number: number, Question: "And then?", Asked: noon, Model: config.DefaultModel}, st.find)
	asm.Add(t.Context(), agent.Event{Turn: "t", Step: 1, Type: agent.EventText, Delta: "The first"})
	asm.End(chats.Interrupted)
	return asm.Turn()
}

func runningAnswer(t testing.TB, st *stage, number int) answers.Turn {
	t.Helper()
	return answered(t, st, number, "How many?", "ollama:qwen3:8b", call("c1", "count", `{"search":"comet"}`))
}

func retryingAnswer(t testing.TB, st *stage, number int) answers.Turn {
	t.Helper()
	var retrying agent.Event
	if err := json.Unmarshal([]byte(`{"type":"retrying","turn":"t","step":1,"after_s":2,"reason":"overloaded"}`), &retrying); err != nil {
		t.Fatal(err)
	}
	return answered(t, st, number, "How many?", "ollama:qwen3:8b", retrying)
}
