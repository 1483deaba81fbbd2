package question_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
)

// No word of a question is left out in silence: a word that no language knows is in what was
// read, or named as not taken into account, or the question is asked back; and one with a
// negation, a ranking or a weekday that is not used is asked back.
func TestNoWordOfAQuestionIsLeftOutInSilence(t *testing.T) {
	c := question.Calendar{Now: at(t, zone(t, "Europe/Berlin"), "2026-11-23 13:00")}
	all := language.All()
	p := question.New(language.Lexicons(all))
	known := func(name string) bool { return strings.EqualFold(name, "ada") }
	foreign := []string{"zxquarble", "vlimpfork", "drontekula", "kwizzlebam"}
	rng := rand.New(rand.NewPCG(9, 9))
	for _, lang := range all {
		if lang.Answer == nil {
			continue
		}
		lx := &lang.Question
		join, comma := " ", ", "
		if lx.Unspaced {
			join, comma = "", "、"
		}
		var common []string
		for _, key := range []string{"what", "who", "wrote", "news", "happened", "notes", "everyone", "filler", "about", "missed", "summary", "replied", "me", "someone", "did"} {
			common = append(common, lx.Words[key]...)
		}
		common = append(common, strings.Fields(lx.Common)...)
		pick := func(words []string) string { return words[rng.IntN(len(words))] }
		asked, read := 0, 0
		for range 60 {
			words := []string{pick(lang.Answer.Examples)}
			if rng.IntN(2) == 0 {
				words = []string{pick(common), "Ada", pick(common), pick(lx.Words["wrote"])}
			}
			words = append(words, pick(common))
			odd := pick(foreign)
			words = slices.Insert(words, rng.IntN(len(words)+1), odd)
			if rng.IntN(3) == 0 {
				words[rng.IntN(len(words))] += comma
			}
			text := strings.Join(words, join)
			q := p.Read(text, c, &question.Talk{Known: known})
			asked++
			if q.Intent == question.Unknown || q.Intent == question.Help || q.Intent == question.Cannot {
				continue
			}
			read++
			said := strings.ToLower(strings.Join(append([]string{q.Person, q.Other, q.Topic, q.Choice, q.Filter, q.Unread}, q.Passed...), " "))
			if !strings.Contains(said, odd) {
				t.Errorf("%s: %q was read as %s, without %q", lang.Language, text, inWords(q), odd)
			}
		}
		if read < asked/20 {
			t.Errorf("%s: %d of %d questions were read at all", lang.Language, read, asked)
		}
	}
}
