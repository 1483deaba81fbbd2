package builtin

import (
	"testing"
	"time"
)

func TestATopicIsReadWithoutItsArticle(t *testing.T) {
	c := calendar{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	p := newParser()
	for question, want := range map[string]string{
		"Was schreibt Heike über den Radweg?":              "radweg",
		"O que a Inês disse sobre o Rissol?":               "rissol",
		"O que disse a Inês sobre o Rissol?":               "rissol",
		"¿Qué ha dicho Nadia sobre las gallinas?":          "gallinas",
		"Que dit Maud sur la grève?":                       "grève",
		"Que dit Maud sur l'eau?":                          "eau",
		`search "the comet"`:                               `"the comet"`,
		"What did Ada say about relays in the last 9 days": "relays",
	} {
		if q := p.parse(question, c); q.topic != want {
			t.Errorf("%s: topic %q, want %q", question, q.topic, want)
		}
	}
	if q := p.parse("O que disse a Inês sobre o Rissol?", c); q.person != "inês" {
		t.Errorf("the person is %q", q.person)
	}
}

func TestOnlyAPlainPluralLosesItsS(t *testing.T) {
	for word, want := range map[string]string{
		"cupboards": "cupboard", "cherries": "cherry", "boxes": "box", "bus": "bus", "crisis": "crisis", "glass": "glass",
		"glasses": "glass", "gas": "gas", "relays": "relay", "#nostr's": "#nostr's", `"old relays"`: `"old relays"`, "old relays": "old relay",
	} {
		if got := singular(word); got != want {
			t.Errorf("%q became %q, want %q", word, got, want)
		}
	}
}
