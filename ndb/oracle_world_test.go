package ndb_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"bowerbird/internal/testkit"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// oracleNow is the stores' clock: behind all real events but the one that is
// dated in milliseconds.
const oracleNow = 1_800_000_000

// world is a set of events and what random filters over it are made of.
type world struct {
	lines  [][]byte
	events []*oracleEvent
	words  []string // that may be searched for
	people []person
}

// person signs events of a generated world.
type person struct {
	secret *btcec.PrivateKey
	public string // hex
}

func somePeople(n int) []person {
	people := make([]person, n)
	for i := range people {
		secret, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{byte(i + 1)}, 32))
		people[i] = person{secret, hex.EncodeToString(schnorr.SerializePubKey(public))}
	}
	return people
}

// vocabulary holds words that fold to themselves or, in capitals or with accents,
// to others of them.
var vocabulary = strings.Fields(`apple Birch cedar Douglas éclair fjord grape hazel iris juniper kiwi larch
	maple Nuß olive pêche quince rowan SPRUCE tulip ульм Верба willow yew zinnia 東京 大阪 42 web3 of the and`)

// generatedWorld makes events of all kinds of kinds by 40 people.
func generatedWorld(t *testing.T, rng *rand.Rand, size int) *world {
	w := &world{people: somePeople(40)}
	for _, word := range vocabulary {
		w.words = append(w.words, oracleFold(word))
	}
	for len(w.events) < size {
		author := rng.IntN(len(w.people))
		kinds := []int{1, 1, 1, 1, 7, 6, 0, 3, 10002, 30023, 30000, 1111, 11, 20, 4, 9999, 20001, 65535}
		e := &oracleEvent{
			CreatedAt: oracleNow - 86_400*10 + int64(rng.IntN(20_000))*30,
			Kind:      kinds[rng.IntN(len(kinds))],
			Content:   someWords(rng, 12),
			Tags:      w.someTags(rng),
		}
		switch n := rng.IntN(100); {
		case n < 4 && author != 0: // the first vanishes, and does nothing else that is undone
			e.Kind, e.Tags = 5, w.deletions(rng, w.people[author].public)
		case n < 6 && e.Kind == 1:
			e.CreatedAt = oracleNow + 900 + int64(rng.IntN(3))*10_000 // hidden, but for the first
		case e.Kind == 0:
			content, _ := json.Marshal(map[string]string{"name": someWords(rng, 2), "about": someWords(rng, 5), "picture": "https://x.com/apple"})
			e.Content = string(content)
		case e.Kind >= 30000 && e.Kind < 40000:
			e.Tags = append(e.Tags, []string{"d", []string{"", "a", "b"}[rng.IntN(3)]})
		}
		w.add(t, author, e)
	}
	w.add(t, 0, &oracleEvent{CreatedAt: oracleNow - 86_400*6, Kind: 62, Tags: [][]string{{"relay", "ALL_RELAYS"}}})
	rng.Shuffle(len(w.lines), func(i, j int) { w.lines[i], w.lines[j] = w.lines[j], w.lines[i] })
	return w
}

func someWords(rng *rand.Rand, most int) string {
	var words []string
	for range rng.IntN(most + 1) {
		words = append(words, vocabulary[rng.IntN(len(vocabulary))])
	}
	return strings.Join(words, []string{" ", ", ", "\n", " #"}[rng.IntN(4)])
}

func (w *world) someTags(rng *rand.Rand) [][]string {
	tags := [][]string{}
	for range rng.IntN(4) {
		switch rng.IntN(9) {
		case 0:
			tags = append(tags, []string{"p", w.people[rng.IntN(len(w.people))].public})
		case 1, 2:
			if len(w.events) > 0 {
				tags = append(tags, []string{[]string{"e", "E", "q"}[rng.IntN(3)], w.events[rng.IntN(len(w.events))].ID, "", "root"})
			}
		case 3, 4:
			tags = append(tags, []string{"t", vocabulary[rng.IntN(len(vocabulary))]})
		case 5:
			at := oracleNow - 100 + rng.IntN(200)
			if !slices.ContainsFunc(tags, func(tag []string) bool { return len(tag) > 0 && tag[0] == "expiration" }) {
				tags = append(tags, []string{"expiration", fmt.Sprint(at)})
			}
		case 6:
			tags = append(tags, []string{"r", strings.Repeat("long", 60) + fmt.Sprint(rng.IntN(5))})
		case 7:
			tags = append(tags, [][]string{{}, {"t"}, {"t", ""}, {"emoji", "x"}, {"", "x"}}[rng.IntN(5)])
		case 8:
			if rng.IntN(10) == 0 { // more than an index may want to hold
				for i := range 100 {
					tags = append(tags, []string{"x", fmt.Sprint(i)})
				}
			}
		}
	}
	return tags
}

// deletions are the tags of a kind 5: of own events, of others', of addresses.
func (w *world) deletions(rng *rand.Rand, author string) [][]string {
	tags := [][]string{{"e", "no id"}, {"a", "1:x"}}
	for _, e := range w.events {
		mine := e.PubKey == author
		switch {
		case rng.IntN(30) > 0:
		case mine && rng.IntN(2) == 0 && oracleAddress(e) != "":
			tags = append(tags, []string{"a", oracleAddress(e)})
		case mine || rng.IntN(10) == 0:
			tags = append(tags, []string{"e", e.ID})
		}
	}
	return tags
}

// add signs an event. Its text holds none of the characters that encoding/json
// escapes otherwise than NIP-01.
func (w *world) add(t *testing.T, author int, e *oracleEvent) {
	t.Helper()
	e.PubKey = w.people[author].public
	id := sha256.Sum256(compactJSON(t, []any{0, e.PubKey, e.CreatedAt, e.Kind, e.Tags, e.Content}))
	e.ID = hex.EncodeToString(id[:])
	sig, err := schnorr.Sign(w.people[author].secret, id[:])
	if err != nil {
		t.Fatal(err)
	}
	e.Sig = hex.EncodeToString(sig.Serialize())
	w.events = append(w.events, e)
	w.lines = append(w.lines, compactJSON(t, e))
}

func compactJSON(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// realWorld holds the shared real events.
func realWorld(t *testing.T) *world {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{lines: bytes.Split(bytes.TrimSpace(raw), []byte("\n"))}
	for _, line := range w.lines {
		var e oracleEvent
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		w.events = append(w.events, &e)
	}
	w.words = plainWords(w.events)
	return w
}

// plainWords returns the words that stand in their notes in one way only: never
// in a longer word, a link or a code, nor in a text that is cut before it is
// indexed. About them there can be no two opinions.
func plainWords(events []*oracleEvent) []string {
	var texts []string
	count := make(map[string]int)
	for _, e := range events {
		if text, ok := oracleText(e); ok {
			text = oracleFold(text)
			texts = append(texts, text)
			for _, word := range slices.Compact(slices.Sorted(slices.Values(oracleWord.FindAllString(text, -1)))) {
				count[word]++
			}
		}
	}
	var words []string
	for word, n := range count {
		if len(word) < 3 || len(word) > 15 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		contained, plain := 0, 0
		for _, text := range texts {
			if !strings.Contains(text, word) {
				continue
			}
			contained++
			if len(text) < 1_500 && !standsInLink(text, word) {
				plain++
			}
		}
		if contained == n && plain == n {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}

func standsInLink(text, word string) bool {
	for _, part := range strings.Fields(text) {
		if strings.Contains(part, word) && (len(part) > 30 || strings.ContainsAny(part, ":/@.")) {
			return true
		}
	}
	return false
}
