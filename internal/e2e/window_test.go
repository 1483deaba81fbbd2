package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// shown is what the tests read of tools' answers.
type shown struct {
	Buckets []struct {
		Key   string
		Count int
	}
	Notes []struct {
		NoteID string `json:"note_id"`
	}
}

func (p *program) toolAnswer(t *testing.T, args ...string) shown {
	t.Helper()
	var s shown
	if err := json.Unmarshal([]byte(p.must(t, append([]string{"--sample"}, args...)...).out), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// chartSpec draws buckets as bars.
func chartSpec(s shown) string {
	type value struct {
		Tag   string `json:"tag"`
		Notes int    `json:"notes"`
	}
	var values []value
	for _, b := range s.Buckets {
		values = append(values, value{b.Key, b.Count})
	}
	spec, _ := json.Marshal(map[string]any{ // plain values are always JSON
		"title": "Hashtags", "mark": "bar", "data": map[string]any{"values": values},
		"encoding": map[string]any{
			"x": map[string]any{"field": "tag", "type": "nominal", "sort": nil},
			"y": map[string]any{"field": "notes", "type": "quantitative"},
		},
	})
	return string(spec)
}

func toolCall(name, arguments string) string {
	quoted, _ := json.Marshal(arguments) // a string is always JSON
	return chunk(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_`+name+`","type":"function","function":{"name":"`+name+`","arguments":`+string(quoted)+`}}]}`, "")
}

// TestTheWindowFromTheFirstStartToASavedChart goes the way of a new user in the real
// window: the welcome, the sample, a question to a model's server, a citation to its
// note, a chart to a file, and out.
func TestTheWindowFromTheFirstStartToASavedChart(t *testing.T) {
	p := installed(t)
	hashtags := p.toolAnswer(t, "tool", "aggregate", `{"by":"hashtag","limit":6}`)
	notes := p.toolAnswer(t, "query", `{"limit":3}`)
	if len(hashtags.Buckets) < 4 || len(notes.Notes) != 3 {
		t.Fatalf("the sample gave %d hashtags and %d notes", len(hashtags.Buckets), len(notes.Notes))
	}
	ids, _ := json.Marshal(map[string]any{"note_ids": []string{notes.Notes[0].NoteID, notes.Notes[1].NoteID, notes.Notes[2].NoteID}})
	spec, _ := json.Marshal(map[string]any{"spec": json.RawMessage(chartSpec(hashtags))})
	server := testkit.NewModelServer(t,
		testkit.SSE(toolCall("aggregate", `{"by":"hashtag","limit":6}`), chunk(`{}`, "tool_calls")),
		testkit.SSE(toolCall("present_notes", string(ids)), chunk(`{}`, "tool_calls")),
		testkit.SSE(toolCall("render_chart", string(spec)), chunk(`{}`, "tool_calls")),
		testkit.SSE(chunk(`{"content":"**Two things** happened: a flower ^1"}`, ""), chunk(`{"content":" and a user ^2."}`, ""), chunk(`{}`, "stop")),
	)
	config := fmt.Sprintf("[assistant]\nmodel = \"custom:m\"\nbase_url = %q\n", server.URL+"/v1")
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}

	w := newDisplay(t, "1300x900").openWindow(p)
	w.painted()
	w.keep("1-welcome")
	w.changes("the sample is opened", func() { w.click("welcome.sample") })
	w.wait("note:*")
	w.keep("2-sample")

	w.click("chat.entry")
	w.changes("a question is typed", func() { w.typeText("What is new?") })
	w.key("Return")
	w.wait("cite:2")
	w.wait("chat.chart.plot")
	w.keep("3-answer")

	w.changes("a citation is clicked", func() { w.click("cite:1") })
	w.wait("thread.back")
	w.wait("note:" + notes.Notes[0].NoteID[:8])
	w.keep("4-thread")
	w.changes("going back", func() { w.click("thread.back") })

	saved := filepath.Join(p.data, "Hashtags.csv")
	w.click("chat.chart.save")
	w.key("Down", "Down", "Down", "Return") // the third is CSV
	w.wait("save.save")
	w.keep("5-save")
	w.click("save.save")
	w.until("the chart's file", func() bool { _, err := os.Stat(saved); return err == nil })
	sameAsBuckets(t, saved, hashtags)
	w.quit()
}

// sameAsBuckets fails if a saved chart's values are others than the store's.
func sameAsBuckets(t *testing.T, file string, want shown) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(raw), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range rows[1:] {
		got[row[0]] = row[len(row)-1]
	}
	for _, b := range want.Buckets {
		if got[b.Key] != fmt.Sprint(b.Count) {
			t.Errorf("%s: the chart says %q, the store %d", b.Key, got[b.Key], b.Count)
		}
	}
	if len(rows) != len(want.Buckets)+1 {
		t.Errorf("%d rows, want %d and a head", len(rows), len(want.Buckets))
	}
}
