package check

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// answers are answers that lie in many ways, and honest ones, with the marks that are right.
type answers struct {
	Notes []struct {
		ID, Name, Content, PubKey string
	}
	Liars, Honest, Edge []answer
}

type answer struct {
	ID, Title, Question, Text string
	Read                      []string       `json:"notes_read"`
	Counts                    map[string]int `json:"tool_counts"`
	Presented                 []string
	Want                      []struct {
		Sentence string
		Mark     Kind
		Also     []Kind `json:"also_right"`
	} `json:"marks_expected"`
}

func readAnswers(t *testing.T, file string) answers {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var a answers
	if err := json.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func (all answers) facts(a answer) Facts {
	f := Facts{Question: a.Question, Counts: []int{len(a.Read)}}
	for _, n := range a.Counts {
		f.Counts = append(f.Counts, n)
	}
	for _, n := range all.Notes {
		if slices.Contains(a.Read, n.ID) {
			f.Names = append(f.Names, n.Name)
		}
	}
	for _, id := range a.Presented {
		i := slices.IndexFunc(all.Notes, func(n struct{ ID, Name, Content, PubKey string }) bool { return n.ID == id })
		f.Notes = append(f.Notes, Note{Author: all.Notes[i].PubKey, Text: all.Notes[i].Content})
	}
	return f
}

// judge returns what is wrong with the marks of an answer.
func (a answer) judge(marks []Mark) []string {
	var bad []string
	used := make([]bool, len(marks))
	for _, w := range a.Want {
		at := strings.Index(a.Text, w.Sentence)
		var got []Kind
		for i, m := range marks {
			if m.Start < at+len(w.Sentence) && m.End > at {
				used[i] = true
				got = append(got, m.Kind)
			}
		}
		right := append(slices.Clone(w.Also), w.Mark)
		fine := len(got) > 0 || slices.Contains(right, "none")
		for _, k := range got {
			fine = fine && slices.Contains(right, k)
		}
		if !fine {
			bad = append(bad, w.Sentence+": "+strings.Join(names(got), ",")+", want "+string(w.Mark))
		}
	}
	for i, m := range marks {
		if !used[i] {
			bad = append(bad, m.Text+": "+string(m.Kind)+", want none")
		}
	}
	return bad
}

func names(kinds []Kind) []string {
	out := []string{}
	for _, k := range kinds {
		out = append(out, string(k))
	}
	return out
}

// The cases were written by somebody who had not seen the checker.
func TestLyingAnswersAreMarkedAndHonestOnesAreNot(t *testing.T) {
	all := readAnswers(t, "testdata/liars.json")
	for _, a := range slices.Concat(all.Liars, all.Honest) {
		t.Run(a.ID+" "+a.Title, func(t *testing.T) {
			for _, bad := range a.judge(Text(a.Text, all.facts(a)).Marks) {
				t.Error(bad)
			}
		})
	}
	for _, a := range all.Edge {
		if bad := a.judge(Text(a.Text, all.facts(a)).Marks); len(bad) > 0 {
			t.Logf("%s %s, which does not count: %q", a.ID, a.Title, bad)
		}
	}
}
