package offer

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/tools"
)

// Index finds tools by what is said about them.
type Index struct{ entries []entry }

type entry struct {
	spec  tools.Spec
	words map[string]bool
	sense vector
}

// Hit is a tool with how well it fits.
type Hit struct {
	Spec  tools.Spec
	Score float64
}

// The weights of what fits.
const (
	senseWeight  = 10.0
	wordWeight   = 3.0 // a word of the question is a word of the tool
	prefixWeight = 2.0 // or begins one, or the other way round
	leastPrefix  = 3   // characters
	// leastScore is that of a tool that has a word in common, or is alike all over.
	leastScore = 2.5
)

// NewIndex returns an index of names, titles, descriptions, servers and arguments.
func NewIndex(specs []tools.Spec) *Index {
	x := &Index{}
	for _, s := range specs {
		e := entry{spec: s, words: make(map[string]bool)}
		_, server, _ := strings.Cut(s.Source, ":")
		name := strings.TrimPrefix(s.Name, "mcp__")
		text := strings.Join(append(argumentsOf(s.Schema), server, name, name, s.Title, s.Description), " ")
		said := words(text)
		for _, w := range said {
			e.words[w] = true
		}
		e.sense = sense(said)
		x.entries = append(x.entries, e)
	}
	return x
}

// argumentsOf are the names of a tool's arguments.
func argumentsOf(schema json.RawMessage) []string {
	var s struct{ Properties map[string]json.RawMessage }
	if json.Unmarshal(schema, &s) != nil {
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
	asked := words(question)
	wanted := sense(asked)
	var found []Hit
	for _, e := range x.entries {
		score := senseWeight * wanted.cosine(e.sense)
		for _, w := range asked {
			score += e.boost(w)
		}
		if score >= leastScore {
			found = append(found, Hit{e.spec, score})
		}
	}
	slices.SortStableFunc(found, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Spec.Name, b.Spec.Name))
	})
	return found[:min(n, len(found))]
}

func (e *entry) boost(word string) float64 {
	if e.words[word] {
		return wordWeight
	}
	if len(word) < leastPrefix {
		return 0
	}
	for w := range e.words {
		if len(w) >= leastPrefix && (strings.HasPrefix(w, word) || strings.HasPrefix(word, w)) {
			return prefixWeight
		}
	}
	return 0
}

// common are words that say nothing about what is wanted.
var common = map[string]bool{}

func init() {
	for _, w := range strings.Fields("a an the of to in on for and or is are be it its this that with from by as at my me i you your do does can what which who how when where please tool tools use using") {
		common[w] = true
	}
}

// words splits a text into words in small letters, also inside names like get_weather and
// getWeather, without those that are common.
func words(text string) []string {
	var b strings.Builder
	var before rune
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	all := strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(all, func(w string) bool { return common[w] })
}

// dimensions is the length of a vector.
const dimensions = 384

// vector holds how often each of a text's three-letter sequences and words occurs, hashed.
type vector [dimensions]float32

func sense(said []string) vector {
	var v vector
	h := fnv.New32a()
	add := func(s string, n float32) {
		h.Reset()
		_, _ = h.Write([]byte(s))
		v[h.Sum32()%dimensions] += n
	}
	for _, w := range said {
		add(w, 2)
		w = " " + w + " "
		first, second := -1, -1 // where the two characters before begin
		for i, r := range w {
			if first >= 0 {
				add(w[first:i+utf8.RuneLen(r)], 1)
			}
			first, second = second, i
		}
	}
	return v
}

func (v *vector) cosine(w vector) float64 {
	var dot, a, b float64
	for i := range v {
		dot += float64(v[i]) * float64(w[i])
		a += float64(v[i]) * float64(v[i])
		b += float64(w[i]) * float64(w[i])
	}
	if a == 0 || b == 0 {
		return 0
	}
	return dot / math.Sqrt(a*b)
}
