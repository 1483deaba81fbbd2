package search

import (
	"encoding/binary"
	"strings"
	"sync"

	"github.com/abadojack/whatlanggo"

	"bowerbird/ndb/nostr"
)

// The language of a note is the one in its labels (NIP-32), or else the one that its
// words look like. It is detected when a search asks for it and is in no index: analysing
// the trigrams of a text takes twice as long as everything else that storing a note
// costs, and few searches ask.

const (
	minLanguageText  = 24  // bytes of words; shorter texts have no language
	mostLanguageText = 400 // are analysed
	maxLanguages     = 1 << 18
)

// Languages caches the languages of notes, by the beginnings of their ids. The zero value
// is ready to use, by several goroutines.
type Languages struct {
	mu    sync.Mutex
	codes map[uint64]string
}

// Of returns the code of the language of a note; "" if it is not known.
func (l *Languages) Of(e *nostr.Event) string {
	key := binary.BigEndian.Uint64(e.ID[:])
	l.mu.Lock()
	code, ok := l.codes[key]
	l.mu.Unlock()
	if ok {
		return code
	}
	code = languageOf(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.codes == nil || len(l.codes) >= maxLanguages {
		l.codes = make(map[uint64]string)
	}
	l.codes[key] = code
	return code
}

// languageLabels returns the codes in a note's own labels.
func languageLabels(e *nostr.Event) (codes []string) {
	for _, tag := range e.Tags {
		if len(tag) > 2 && tag[0] == "l" && strings.EqualFold(tag[2], "ISO-639-1") {
			if code, ok := languageCode(tag[1]); ok {
				codes = appendNew(codes, code)
			}
		}
	}
	return codes
}

// languageOf returns the code of the language of a note's text; "" if the text is too
// short or could be in several.
func languageOf(e *nostr.Event) string {
	if !HasText(e.Kind) {
		return ""
	}
	text := textOf(e)
	var words strings.Builder
	for t := range Tokens(text) {
		if t.Kind != TokenWord {
			continue
		}
		words.WriteString(text[t.Start:t.End])
		words.WriteByte(' ')
		if words.Len() > mostLanguageText {
			break
		}
	}
	if words.Len() < minLanguageText {
		return ""
	}
	found := whatlanggo.DetectWithOptions(words.String(), whatlanggo.Options{Whitelist: likelyLanguages()})
	switch {
	case found.Lang == whatlanggo.Cmn && strings.ContainsFunc(text, isKana):
		return "ja" // which often has more Han than Kana
	case !found.IsReliable():
		return ""
	}
	return found.Lang.Iso6391()
}

// likelyLanguages are those that many people post in. A text in another one is taken for
// none or, now and then, for a neighbour; with all languages of the world to choose from,
// more texts in these would be taken for something rare.
func likelyLanguages() map[whatlanggo.Lang]bool {
	likely := make(map[whatlanggo.Lang]bool)
	for _, lang := range []whatlanggo.Lang{
		whatlanggo.Arb, whatlanggo.Ben, whatlanggo.Bul, whatlanggo.Ces, whatlanggo.Cmn, whatlanggo.Dan, whatlanggo.Deu,
		whatlanggo.Ell, whatlanggo.Eng, whatlanggo.Fin, whatlanggo.Fra, whatlanggo.Heb, whatlanggo.Hin, whatlanggo.Hrv,
		whatlanggo.Hun, whatlanggo.Ind, whatlanggo.Ita, whatlanggo.Jpn, whatlanggo.Kor, whatlanggo.Mar, whatlanggo.Nld,
		whatlanggo.Nob, whatlanggo.Pes, whatlanggo.Pol, whatlanggo.Por, whatlanggo.Ron, whatlanggo.Rus, whatlanggo.Spa,
		whatlanggo.Srp, whatlanggo.Swe, whatlanggo.Tam, whatlanggo.Tel, whatlanggo.Tha, whatlanggo.Tur, whatlanggo.Ukr,
		whatlanggo.Urd, whatlanggo.Vie,
	} {
		likely[lang] = true
	}
	return likely
}

func isKana(r rune) bool { return r >= 0x3041 && r <= 0x30ff }
