package testworld

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"unicode"

	"bowerbird/app/sample/actor"
)

// alphabet says how the words of a made-up language are written.
type alphabet uint8

const (
	latin alphabet = iota
	cyrillic
	greek
	arabic
	hangul
	han // content words in Han characters, no spaces, short words in kana
)

func (a alphabet) String() string {
	return [...]string{"latin", "cyrillic", "greek", "arabic", "hangul", "han"}[a]
}

// sounds are the beginnings and the cores of an alphabet's syllables.
func (a alphabet) sounds() (onsets, cores []string) {
	switch a {
	case cyrillic:
		return strings.Fields("б в г д ж з к л м н п р с т ф х ц ч ш бр гл др зв кр ст тр"), strings.Fields("а е и о у ы ю я ай ой ен ар ов ит")
	case greek:
		return strings.Fields("β γ δ ζ θ κ λ μ ν ξ π ρ σ τ φ χ ψ κρ πλ στ τρ"), strings.Fields("α ε η ι ο υ ω αν ερ ιν ον αλ")
	case arabic:
		return strings.Fields("ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ع غ ف ق ك ل م ن ه"), strings.Fields("ا و ي ر ل ن م ب")
	default:
		return strings.Fields("b c d f g h j k l m n p r s t v w z br ch cl dr fl gr kl pr sh sk st th tr vr"), strings.Fields("a e i o u ai ea io ou an ar el en er il in on or un ul")
	}
}

// lexicon coins words, none twice in one world.
type lexicon struct {
	rng   *rand.Rand
	taken map[string]bool
}

// language has made-up words, few of them very common (Zipf's law).
type language struct {
	name     string
	alphabet alphabet
	lex      *lexicon
	parts    [2][]string // onsets and cores, or characters and kana
	function []string    // the small words, used all the time
	common   []string
	zipf     weights
	greeting string
}

func newLanguage(lex *lexicon, name string, a alphabet) *language {
	l := &language{name: name, alphabet: a, lex: lex}
	switch a {
	case han:
		for range 700 {
			l.parts[0] = append(l.parts[0], string(rune(0x4E00+lex.rng.IntN(0x9F00-0x4E00))))
		}
		for r := 'ぁ'; r <= 'ん'; r++ {
			l.parts[1] = append(l.parts[1], string(r))
		}
	case hangul:
		for range 500 {
			l.parts[0] = append(l.parts[0], string(rune(0xAC00+lex.rng.IntN(0xD7A3-0xAC00))))
		}
	default:
		onsets, cores := a.sounds()
		// Each language uses some of the sounds only, so that two with the same
		// alphabet look different.
		l.parts = [2][]string{some(lex.rng, onsets, 3, 4), some(lex.rng, cores, 3, 4)}
	}
	for range 60 {
		l.function = append(l.function, l.small())
	}
	for range 3000 {
		l.common = append(l.common, l.coin(1+lex.rng.IntN(3)))
	}
	l.zipf = zipf(len(l.common), 0.9)
	l.greeting = l.coin(2)
	return l
}

func some(rng *rand.Rand, all []string, n, of int) []string {
	var out []string
	for _, i := range rng.Perm(len(all))[:len(all)*n/of] {
		out = append(out, all[i])
	}
	return out
}

// small makes a function word, which other languages may share.
func (l *language) small() string {
	switch l.alphabet {
	case han:
		return actor.Pick(l.lex.rng, l.parts[1])
	case hangul:
		return actor.Pick(l.lex.rng, l.parts[0])
	default:
		return actor.Pick(l.lex.rng, l.parts[0]) + actor.Pick(l.lex.rng, l.parts[1])
	}
}

// coin makes a word of about the given number of syllables that is nowhere else
// in the world.
func (l *language) coin(syllables int) string {
	for tries := 0; ; tries++ {
		var b strings.Builder
		for range max(2, syllables+1+tries/20) {
			b.WriteString(actor.Pick(l.lex.rng, l.parts[0]))
			if l.alphabet != han && l.alphabet != hangul {
				b.WriteString(actor.Pick(l.lex.rng, l.parts[1]))
			}
		}
		if w := b.String(); !l.lex.taken[w] {
			l.lex.taken[w] = true
			return w
		}
	}
}

// coinAll makes n words.
func (l *language) coinAll(n, syllables int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = l.coin(syllables)
	}
	return words
}

// sentence mixes small, common and topic words, and holds each word of must.
func (l *language) sentence(rng *rand.Rand, topic, must []string) string {
	n := 5 + rng.IntN(10)
	words := make([]string, 0, n+len(must))
	for range n {
		switch roll := rng.IntN(100); {
		case roll < 42:
			words = append(words, l.function[rng.IntN(1+rng.IntN(len(l.function)))])
		case roll < 80 || len(topic) == 0:
			words = append(words, l.common[l.zipf.pick(rng)])
		default:
			words = append(words, actor.Pick(rng, topic))
		}
	}
	for _, w := range must {
		at := rng.IntN(len(words) + 1)
		words = append(words[:at], append([]string{w}, words[at:]...)...)
	}
	if l.alphabet == han {
		return strings.Join(words, "") + "。"
	}
	s := []rune(strings.Join(words, " "))
	s[0] = unicode.ToUpper(s[0])
	end := "."
	if rng.IntN(8) == 0 {
		end = actor.Pick(rng, []string{"!", "?"})
	}
	return string(s) + end
}

// join puts sentences side by side as the language has it.
func (l *language) join(sentences ...string) string {
	if l.alphabet == han {
		return strings.Join(sentences, "")
	}
	return strings.Join(sentences, " ")
}

// weights picks numbers 0 to len-1, each as often as its weight says.
type weights []float64 // running sums

func (w weights) pick(rng *rand.Rand) int {
	return sort.SearchFloat64s(w, rng.Float64()*w[len(w)-1])
}

// zipf gives rank r the weight 1/(r+1)^s.
func zipf(n int, s float64) weights {
	w := make(weights, n)
	sum := 0.0
	for i := range w {
		sum += math.Pow(float64(i+1), -s)
		w[i] = sum
	}
	return w
}
