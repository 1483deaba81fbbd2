package offer

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/tools"
)

// Index finds tools by what is said about them, in several languages.
type Index struct {
	entries []entry
	// posted is in which entries a word occurs, and sorted are all words, for prefixes.
	posted map[string][]int32
	sorted []string
}

type entry struct {
	spec  tools.Spec
	sense []gram
	norm  float64
}

// gram is how often a hashed piece of a text occurs in it.
type gram struct {
	hash  uint16
	count float32
}

// Hit is a tool with how well it fits.
type Hit struct {
	Spec  tools.Spec
	Score float64
}

// The weights of what fits.
const (
	senseWeight  = 10.0
	wordWeight   = 3.0 // a word of the question is a word of the tool, or means the same
	prefixWeight = 2.0 // or begins one, or the other way round
	leastPrefix  = 3   // bytes
	leastRarity  = 0.5 // of those weights is left for a word that all tools have
	// leastScore is that of a tool that has a word in common, or is alike all over.
	leastScore = 2.5
)

// NewIndex returns an index of names, titles, descriptions, servers, arguments, effects,
// categories and aliases.
func NewIndex(specs []tools.Spec) *Index {
	x := &Index{entries: make([]entry, 0, len(specs)), posted: make(map[string][]int32, 4*len(specs))}
	var counts [dimensions]float32
	var said []string
	for i, s := range specs {
		said = said[:0]
		_, server, _ := strings.Cut(s.Source, ":")
		name := strings.TrimPrefix(s.Name, "mcp__")
		for _, text := range []string{server, name, name, s.Title, s.Description, s.Category} {
			said = appendWords(said, text)
		}
		for _, argument := range argumentsOf(s.Schema) {
			said = appendWords(said, argument)
		}
		for _, alias := range s.Aliases {
			said = appendWords(said, alias)
		}
		if s.Effect != tools.None {
			said = append(said, s.Effect.String())
		}
		for _, w := range said {
			in := x.posted[w]
			if len(in) == 0 || in[len(in)-1] != int32(i) {
				x.posted[w] = append(in, int32(i))
			}
		}
		e := entry{spec: s}
		e.sense, e.norm = sense(&counts, said, nil)
		x.entries = append(x.entries, e)
	}
	x.sorted = make([]string, 0, len(x.posted))
	for w := range x.posted {
		x.sorted = append(x.sorted, w)
	}
	slices.Sort(x.sorted)
	return x
}

// argumentsOf returns the names of a tool's arguments.
func argumentsOf(schema json.RawMessage) []string {
	var s struct{ Properties map[string]json.RawMessage }
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return nil
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	return names
}

// Search returns the n tools that fit a question best, the best first. Tools that have
// nothing to do with it are left out.
func (x *Index) Search(question string, n int) []Hit {
	asked := appendWords(nil, question)
	wordsOf := make([][]string, 0, len(asked))
	var meant []string // the question in English, as far as the words are known
	for _, w := range asked {
		same := synonyms().of(w)
		wordsOf = append(wordsOf, append([]string{w}, same...))
		meant = append(meant, same[:min(len(same), 2)]...)
	}
	for _, same := range synonyms().within(question) {
		wordsOf = append(wordsOf, same)
		meant = append(meant, same[:min(len(same), 2)]...)
	}
	var counts [dimensions]float32
	wanted, norm := sense(&counts, asked, meant)
	var dense [dimensions]float32
	for _, g := range wanted {
		dense[g.hash] = g.count
	}
	score := make([]float64, len(x.entries))
	for i := range x.entries {
		score[i] = senseWeight * x.entries[i].cosine(&dense, norm)
	}
	boost := make([]float64, len(x.entries)) // by one word of the question
	for _, same := range wordsOf {
		clear(boost)
		for _, w := range same {
			x.boost(w, boost)
		}
		for i, b := range boost {
			score[i] += b
		}
	}
	var found []Hit
	for i, s := range score {
		if s >= leastScore {
			found = append(found, Hit{x.entries[i].spec, s})
		}
	}
	slices.SortStableFunc(found, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Spec.Name, b.Spec.Name))
	})
	return found[:min(n, len(found))]
}

// boost raises what each entry gets for a word, by the word itself or a prefix.
func (x *Index) boost(word string, to []float64) {
	raise := func(w string, by float64) {
		in := x.posted[w]
		by *= x.rarity(len(in))
		for _, i := range in {
			to[i] = max(to[i], by)
		}
	}
	raise(word, wordWeight)
	if len(word) < leastPrefix {
		return
	}
	at, _ := slices.BinarySearch(x.sorted, word)
	for ; at < len(x.sorted) && strings.HasPrefix(x.sorted[at], word); at++ {
		raise(x.sorted[at], prefixWeight)
	}
	for end := range word {
		if end >= leastPrefix {
			raise(word[:end], prefixWeight)
		}
	}
}

// rarity is how much a word says that n tools have: all of its weight if it is one tool's,
// the least of it if all have it.
func (x *Index) rarity(n int) float64 {
	if n <= 1 {
		return 1
	}
	return 1 - (1-leastRarity)*math.Log(float64(n))/math.Log(float64(len(x.entries)))
}

// common are words of six languages that say nothing about what is wanted.
var common = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`a an the of to in on for and or is are be it its this that with from by as at my me i you your
		do does can what which who how when where please tool tools use using there
		der die das den dem des ein eine einen einem einer und oder ist sind war wie was wer wo wann welche welcher welches ich mir mich mein meine meinen du bitte für mit von vom zu zum zur im auf bei nach kann kannst
		el la los las lo un una unos y o de del al que qué en por para con mi mis me cuál cómo cuándo dónde está es son hay puedes
		le les l d une et ou du des que quel quelle quels quelles est sont à au aux pour avec mon ma mes moi ce cette ces dans sur peux
		os as um uma e do da dos das em no na nos nas por com meu minha meus qual quais como quando onde está são
		の を に は が で と も へ して してください`) {
		common[w] = true
	}
}

// appendWords splits a text into words in small letters, also inside names like get_weather
// and getWeather, without those that are common. A text without spaces, such as Japanese, is
// cut where its script changes.
func appendWords(to []string, text string) []string {
	start, before := -1, rune(0)
	end := func(at int) {
		if start >= 0 {
			if w := strings.ToLower(text[start:at]); !common[w] {
				to = append(to, w)
			}
			start = -1
		}
	}
	for i, r := range text {
		letter := r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') ||
			r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
		if !letter || start >= 0 && (unicode.IsUpper(r) && unicode.IsLower(before) || scriptOf(r) != scriptOf(before)) {
			end(i)
		}
		if letter && start < 0 {
			start = i
		}
		before = r
	}
	end(len(text))
	return to
}

// scriptOf tells apart the scripts of Japanese, and all others from them.
func scriptOf(r rune) int {
	switch {
	case r < 0x3000:
		return 0
	case unicode.Is(unicode.Hiragana, r):
		return 1
	case unicode.Is(unicode.Katakana, r), r == 'ー':
		return 2
	case unicode.Is(unicode.Han, r):
		return 3
	}
	return 0
}

// dimensions is how many different hashes pieces of text have.
const dimensions = 384

// sense returns how often each word and each three-letter sequence of a text occurs, hashed,
// and the length of that vector. counts is empty before and after.
func sense(counts *[dimensions]float32, said, meant []string) ([]gram, float64) {
	var buf [64]byte
	for n, w := range append(said[:len(said):len(said)], meant...) {
		weight := float32(1)
		if n >= len(said) && len(meant) > 0 {
			weight = 0.5
		}
		counts[hash(w)%dimensions] += 2 * weight
		padded := append(append(append(buf[:0], ' '), w...), ' ')
		first, second := -1, -1 // where the two characters before begin
		for i := 0; i < len(padded); {
			_, size := utf8.DecodeRune(padded[i:])
			if first >= 0 {
				counts[hash(padded[first:i+size])%dimensions] += weight
			}
			first, second = second, i
			i += size
		}
	}
	var all []gram
	var sum float64
	for h, n := range counts {
		if n > 0 {
			all = append(all, gram{uint16(h), n})
			sum += float64(n) * float64(n)
		}
	}
	clear(counts[:])
	return all, math.Sqrt(sum)
}

// hash is FNV-1a.
func hash[T string | []byte](s T) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

func (e *entry) cosine(wanted *[dimensions]float32, norm float64) float64 {
	if e.norm == 0 || norm == 0 {
		return 0
	}
	var dot float32
	for _, g := range e.sense {
		dot += g.count * wanted[g.hash]
	}
	return float64(dot) / (e.norm * norm)
}
