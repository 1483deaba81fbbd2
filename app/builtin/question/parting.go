package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spelledOut writes the short spellings of chats as they are meant.
func (lx *compiled) spelledOut(toks []token) []token {
	var out []token
	for _, t := range toks {
		long := lx.spellsOut[t.fold]
		if long == nil || t.at || t.quoted {
			out = append(out, t)
			continue
		}
		out = append(out, long...)
		out[len(out)-len(long)].apart = t.apart
	}
	return out
}

// withoutEndings replaces unknown words by known ones that differ from them by an ending
// only: dime is "di", rapidito is "rápido".
func (lx *compiled) withoutEndings(toks []token, t *Talk) []token {
	for i, tok := range toks {
		if tok.at || tok.quoted || lx.vocabulary[tok.fold] {
			continue
		}
		for _, ending := range lx.Endings {
			end, instead, _ := strings.Cut(ending, " ")
			stem, is := strings.CutSuffix(tok.fold, end)
			if word := stem + instead; is && len(word) >= leastLetters && lx.phrases[word] != 0 && !t.knows(tok.text) {
				toks[i].text, toks[i].fold = word, word
				break
			}
		}
	}
	return toks
}

// parted cuts a time and a part of it that are written in one: Samstagabend, Oktoberwoche.
func (lx *compiled) parted(toks []token) []token {
	if lx.Unspaced {
		return toks
	}
	out := make([]token, 0, len(toks))
	for _, t := range toks {
		cut := max(compound(t.fold, lx.time.weekdays, lx.time.parts), compound(t.fold, lx.time.months, lx.time.units))
		if cut > 0 {
			out = append(out, token{text: t.fold[:cut], fold: t.fold[:cut], apart: t.apart}, token{text: t.fold[cut:], fold: t.fold[cut:], joined: true})
			continue
		}
		out = append(out, t)
	}
	return out
}

// compound returns how long the first part of a word is that is made of two words.
func compound[A, B any](word string, first map[string]A, second map[string]B) int {
	cut := 0
	for w := range first {
		if rest, ok := strings.CutPrefix(word, w); ok {
			if _, ok := second[rest]; ok {
				cut = max(cut, len(w))
			}
		}
	}
	return cut
}

// honoured cuts out names written in syllables only, which cut would take for endings: what
// is between another kind of letter, or a particle, and さん.
func (lx *compiled) honoured(toks []token, t *Talk) []token {
	var out []token
	for _, tok := range toks {
		for first := len(out); !tok.quoted && !tok.at; {
			end, honour := -1, ""
			for p, m := range lx.phrases {
				if i := strings.Index(tok.fold, p); m == cNamed && i > 0 && (end < 0 || i < end) {
					end, honour = i, p
				}
			}
			if end < 0 {
				break
			}
			before, rest := tok.fold[:end], tok.fold[end:]
			start := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) })
			if start >= 0 {
				_, size := utf8.DecodeRuneInString(before[start:])
				start += size
			}
			if particle, size := utf8.DecodeRuneInString(before); len(out) > first && strings.ContainsRune("とやがのは", particle) && t.knows(before[size:]) {
				start = size
			} else if start = max(start, 0); t.knows(before) {
				start = 0
			}
			name := before[start:]
			if particle, size := utf8.DecodeRuneInString(name); (start > 0 || len(out) > first) && strings.ContainsRune("はがのとにをも", particle) && !t.knows(name) {
				name, start = name[size:], start+size
			}
			if name == "" && !lx.endsAWord(before, honour) { // it is cut like all else, and others may follow
				out = append(out, token{text: before, fold: before, apart: tok.apart, joined: tok.joined}, token{text: honour, fold: honour, joined: true})
				tok = token{text: rest[len(honour):], fold: rest[len(honour):], joined: true}
				continue
			}
			if utf8.RuneCountInString(name) < 2 {
				break
			}
			if start > 0 {
				out = append(out, token{text: before[:start], fold: before[:start], apart: tok.apart, joined: tok.joined})
				tok.apart, tok.joined = false, true
			}
			out = append(out, token{text: name, fold: name, at: true, apart: tok.apart, joined: tok.joined},
				token{text: honour, fold: honour, joined: true})
			tok = token{text: rest[len(honour):], fold: rest[len(honour):], joined: true}
		}
		if tok.fold != "" {
			out = append(out, tok)
		}
	}
	return out
}

// endsAWord reports whether what follows a name is the end of a word here: 皆さん.
func (lx *compiled) endsAWord(before, honour string) bool {
	for i := range before {
		if lx.vocabulary[before[i:]+honour] {
			return true
		}
	}
	return false
}

// nounBeforeAbout is the length of a noun in syllables alone that begins words and that a
// phrase for its topic marks: ねこ of ねこの話. Cut at the words within, it would be lost.
func (lx *compiled) nounBeforeAbout(word string) int {
	if !lx.Postposed {
		return 0
	}
	for i := range word {
		if i > 0 && lx.phrases[word[i:i+lx.longestWord(word[i:])]] == cAbout {
			if noun := word[:i]; inKana(noun) && utf8.RuneCountInString(noun) > 1 && lx.longestWord(noun) < i {
				return i
			}
			break
		}
	}
	return 0
}

// verbStem stands for the stem of a verb that is not known: it means nothing.
const verbStem = "た"

// cut cuts tokens of a language without spaces at its own words, the longest first;
// what is between stays in one piece.
func (lx *compiled) cut(toks []token) []token {
	var out []token
	for _, t := range toks {
		if t.quoted || t.at {
			out = append(out, t)
			continue
		}
		first := len(out)
		start, w := lx.nounBeforeAbout(t.fold), t.fold
		add := func(s string) {
			if s != "" {
				out = append(out, token{text: s, fold: s, joined: len(out) > first})
			}
		}
		add(w[:start])
		for i := start; i < len(w); {
			n := lx.longestWord(w[i:])
			if n == 0 || latin(w[i]) && (i > 0 && latin(w[i-1]) || i+n < len(w) && latin(w[i+n])) {
				_, size := utf8.DecodeRuneInString(w[i:])
				i += size
				continue
			}
			add(w[start:i])
			add(w[i : i+n])
			i += n
			start = i
		}
		add(w[start:])
		out = append(out[:first], lx.withoutVerbs(out[first:])...)
		if first < len(out) {
			out[first].apart, out[first].joined = t.apart, t.joined
		}
	}
	return out
}

// withoutVerbs cuts the stems of verbs that are not known from the words before them: 遊ん of
// Lanternfall遊んだ. No noun ends like them.
func (lx *compiled) withoutVerbs(toks []token) []token {
	if !lx.Postposed {
		return toks
	}
	var out []token
	for _, t := range toks {
		stem := strings.TrimRight(t.fold, "んっ")
		_, size := utf8.DecodeLastRuneInString(stem)
		if cut := len(stem) - size; cut > 0 && stem != t.fold && !lx.vocabulary[t.fold] && unicode.Is(unicode.Han, []rune(stem[cut:])[0]) {
			out = append(out, token{text: t.fold[:cut], fold: t.fold[:cut], joined: t.joined}, token{text: t.fold[cut:], fold: verbStem, joined: true})
			continue
		}
		out = append(out, t)
	}
	return out
}

func latin(b byte) bool { return b >= 'a' && b <= 'z' }

// maxVocabulary is the length in bytes of the longest word of a vocabulary.
const maxVocabulary = 48

func (lx *compiled) longestWord(s string) int {
	for n := min(len(s), maxVocabulary); n > 0; n-- {
		if lx.vocabulary[s[:n]] {
			return n
		}
	}
	return 0
}

// owners splits off the s of the possessive from names, with or without an apostrophe:
// Adas, Adas'.
func (lx *compiled) owners(toks []token, t *Talk) []token {
	if lx.Unspaced {
		return toks
	}
	out := make([]token, 0, len(toks))
	for _, tok := range toks {
		name, is := strings.CutSuffix(strings.TrimSuffix(tok.text, "'"), "s")
		if is && !tok.quoted && !lx.vocabulary[tok.fold] && utf8.RuneCountInString(name) > 2 && t.knows(name) && !t.knows(tok.text) {
			out = append(out, token{text: name, fold: Fold(name), at: tok.at, apart: tok.apart}, token{text: "'s", fold: "'s", joined: true})
			continue
		}
		out = append(out, tok)
	}
	return out
}
