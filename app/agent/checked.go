package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/check"
	"bowerbird/llm"
)

// readNote is a note that the model read in this turn.
type readNote struct {
	id     string // hex digits: all, or the first 16
	author string
	words  string
	counts []int // of its answers, likes and the like
}

// found is what tools gave the model in a turn: notes and numbers.
type found struct {
	notes  []readNote
	counts []int
	of     map[int][]string // what each count is about; "" if it may be about anything
}

// take adds a result as the model read it, so that a resumed turn has the same facts. args
// are those of the call: its counts are about what was searched for.
func (f *found) take(args json.RawMessage, text string) {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return
	}
	var asked map[string]any
	_ = json.Unmarshal(args, &asked) // of what no count is of anything alone
	of := namesIn(asked, "search", "author", "hashtag", "mentions", "name", "person")
	first := len(f.notes)
	f.look(v, of)
	authors := make(map[string]bool)
	for _, n := range f.notes[first:] {
		authors[n.author] = true
	}
	f.count(len(authors), of)
}

// namesIn returns the texts under some keys of a result or a call; "" alone if there are
// none.
func namesIn(in map[string]any, keys ...string) (names []string) {
	for _, key := range keys {
		if s, _ := in[key].(string); s != "" {
			names = append(names, s)
		}
	}
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// isTimeOrKind reports whether a bucket's key is a time or a kind, which an answer puts in
// its own words.
func isTimeOrKind(key string) bool {
	_, notTime := time.Parse(time.RFC3339, key)
	_, notKind := strconv.Atoi(key)
	return notTime == nil || notKind == nil
}

func (f *found) count(n int, of []string) {
	if f.of == nil {
		f.of = make(map[int][]string)
	}
	f.counts, f.of[n] = append(f.counts, n), append(f.of[n], of...)
}

func (f *found) look(v any, of []string) {
	switch v := v.(type) {
	case float64:
		f.count(int(v), of)
	case []any:
		f.count(len(v), of)
		for _, x := range v {
			f.look(x, of)
		}
	case map[string]any:
		id, _ := v["note_id"].(string)
		content, isNote := v["content"].(string)
		if !isNote || len(id) < 16 {
			if own := namesIn(v, "key", "label"); own[0] != "" && !isTimeOrKind(own[0]) { // a bucket
				of = own
			}
			for name, x := range v {
				if !strings.HasSuffix(name, "kind") && !strings.HasSuffix(name, "kinds") && !strings.HasSuffix(name, "_unix") {
					f.look(x, of)
				}
			}
			return
		}
		n := readNote{id: id, words: content}
		n.author, _ = v["name"].(string)
		for _, name := range []string{"replies", "reactions", "reposts", "zap_sats"} {
			if x, ok := v[name].(float64); ok {
				n.counts = append(n.counts, int(x))
			}
		}
		f.notes = append(f.notes, n)
	}
}

// facts returns what an answer is checked against.
func (r *run) facts() check.Facts {
	facts := check.Facts{Question: r.turnOf.Question, Counts: r.found.counts, Of: make(map[int][]string)}
	for n, of := range r.found.of {
		if !slices.Contains(of, "") {
			facts.Of[n] = of
		}
	}
	seen := make(map[string]bool)
	for _, n := range r.found.notes {
		if id := n.id[:16]; !seen[id] {
			seen[id] = true
			facts.Names = append(facts.Names, n.author)
		}
	}
	facts.Counts = append(slices.Clone(facts.Counts), len(seen))
	for _, id := range r.env.Presented.All() {
		var note check.Note
		for _, n := range r.found.notes {
			if strings.HasPrefix(id.String(), n.id) {
				note.Author, note.Name, note.Text, note.Counts = n.author, n.author, n.words, append(note.Counts, n.counts...)
			}
		}
		// As stored, since the model may have read only a part. The turn's context may have
		// ended: a stopped answer is checked too.
		if r.env.Store != nil {
			if e, err := r.env.Store.Event(context.Background(), id); err == nil {
				title, _ := e.Tags.Value("title")
				note.Author, note.Text = e.PubKey.String(), title+"\n"+e.Content
			}
		}
		facts.Notes = append(facts.Notes, note)
	}
	return facts
}

// checked checks everything that was said in the turn and not withdrawn.
func (r *run) checked() (report check.Report, said bool) {
	report.Marks = []check.Mark{}
	facts := r.facts()
	report.Read = max(len(facts.Names), len(facts.Notes))
	step := 0
	messages := r.chat.Messages[min(r.first, len(r.chat.Messages)):]
	for i, m := range messages {
		if m.Role != llm.Assistant {
			continue
		}
		step++
		asked := i+1 < len(messages) && messages[i+1].Role == llm.User                      // again
		if text := strings.TrimSpace(m.Text); !asked && text != "" && text != resultsRead { // which nobody was shown
			said = true
			if r.judged != nil && i == len(messages)-1 {
				report.Add(step, *r.judged)
			} else {
				report.Add(step, check.Text(m.Text, facts))
			}
		}
	}
	return report, said
}
