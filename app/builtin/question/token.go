package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A token is a word of a question: as it was typed, in lower case, and as it is
// looked up.
type token struct {
	text, fold string
	quoted     bool // a phrase in quotation marks, which stand in text
	at         bool // had an @ before it: a name
	apart      bool // a comma precedes it, or something was cut out there
	joined     bool // follows right after the token before it, without a space
	colon      bool // a colon precedes it
}

// spelling is what all languages need to split a text into words, before it is known
// which of them the text is in.
type spelling struct{ elided, attached, abbreviations, dayEndings []string }

func spellingOf(lexicons []*Lexicon) *spelling {
	s := &spelling{}
	for _, lx := range lexicons {
		s.elided = append(s.elided, typed(lx.Elided)...)
		s.attached = append(s.attached, typed(lx.Attached)...)
		s.abbreviations = append(s.abbreviations, typed(lx.Abbreviations)...)
		s.dayEndings = append(s.dayEndings, typed(lx.DayEndings)...)
	}
	return s
}

// typed returns words as those of a question are when they are split: in lower case, with
// plain apostrophes.
func typed(words Phrases) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = plainMarks.Replace(strings.ToLower(w))
	}
	return out
}

// Fold is how words are compared: in lower case and without accents. The marks on
// Japanese letters stay: they distinguish letters.
func Fold(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "ß", "ss")
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	return norm.NFC.String(s)
}

var plainMarks = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "「", `"`, "」", `"`,
	"tl;dr", "tldr", "TL;DR", "tldr")

// sentencesOf cuts a text where a sentence ends: not behind "Dr." or "3.", and not in
// quotation marks.
func (sp *spelling) sentencesOf(text string) []string {
	var out []string
	text = plainMarks.Replace(norm.NFKC.String(text))
	start, quoted := 0, false
	for i, r := range text {
		end := strings.ContainsRune("?!;\n。", r)
		switch {
		case r == '"':
			quoted = !quoted && strings.Contains(text[i+1:], `"`)
		case r == '.':
			end = strings.TrimLeft(text[i+1:], " \t\n.") == "" || strings.HasPrefix(text[i+1:], " ") && !sp.abbreviated(text[start:i], strings.TrimLeft(text[i+1:], " "))
		}
		if end && !quoted {
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	out = append(out, text[start:])
	return slices.DeleteFunc(out, func(s string) bool { return len(sp.tokenize(s)) == 0 })
}

// abbreviated reports whether a dot between these texts ends no sentence. A short word is cut
// off if it has no vowel, or if what follows begins no sentence: "Mr. Reid", "no. 3".
func (sp *spelling) abbreviated(before, after string) bool {
	word := Fold(before[strings.LastIndexFunc(before, unicode.IsSpace)+1:])
	if strings.Trim(word, "0123456789") == "" {
		return true
	}
	if next, _ := utf8.DecodeRuneInString(after); len(word) < 3 {
		return len(word) == 1 || !strings.ContainsAny(word, "aeiouy") || unicode.IsLower(next) || unicode.IsDigit(next)
	}
	return slices.Contains(sp.abbreviations, word)
}

// tokenize cuts a sentence into its words.
func (sp *spelling) tokenize(text string) []token {
	text = plainMarks.Replace(norm.NFKC.String(text))
	var out []token
	apart, colon := false, false
	for text != "" {
		if text[0] == '"' {
			if end := strings.IndexByte(text[1:], '"'); end >= 0 {
				if words := strings.Join(strings.Fields(strings.ToLower(text[1:1+end])), " "); words != "" {
					out = append(out, token{text: `"` + words + `"`, fold: `"`, quoted: true, apart: apart})
				}
				text, apart = text[end+2:], false
				continue
			}
		}
		end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,()[]{}¿¡、…"?!;。`, r) })
		word := text
		if end >= 0 {
			word = text[:end]
		}
		if word != "" {
			words := sp.wordsOf(word)
			if len(words) > 0 {
				words[0].apart, words[0].colon = apart, colon
				apart, colon = false, strings.HasSuffix(word, ":")
			}
			apart = apart || colon || strings.Trim(word, "-–—") == ""
			out = append(out, words...)
		}
		if end < 0 {
			break
		}
		if text[end] == ',' || strings.HasPrefix(text[end:], "、") || text[end] == '(' {
			apart = true
		}
		text = strings.TrimLeft(text[end:], " \t\n\r\v\f,()[]{}¿¡、…?!;。\u00a0\u3000")
		if strings.HasPrefix(text, `"`) && strings.Count(text, `"`) == 1 {
			text = text[1:]
		}
	}
	return out
}

// wordsOf cuts the text between two spaces.
func (sp *spelling) wordsOf(word string) []token {
	word = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.So, unicode.Sk, unicode.Variation_Selector) || r == 0x200d {
			return -1 // an emoji
		}
		return unicode.ToLower(r)
	}, word)
	word = strings.TrimRight(strings.Trim(word, ":"), "-–—〜~") // 教えて〜
	word = strings.TrimLeft(word, "–—")
	if day, clock, ok := strings.Cut(word, "t"); ok && len(day) == 10 && strings.Count(day, "-") == 2 && strings.Contains(clock, ":") {
		clock = strings.ToValidUTF8(clock[:min(len(clock), len("15:04"))], "")
		return []token{{text: day, fold: day}, {text: clock, fold: clock}} // RFC 3339
	}
	if t := strings.TrimRight(word, "."); t != word && (len(t) > 2 || strings.Trim(t, "0123456789") != "") && !dotted(t) && t != "dr" {
		word = t
	}
	at := strings.HasPrefix(word, "@")
	if word = strings.TrimPrefix(word, "@"); word == "" || word == "'" {
		return nil
	}
	for _, short := range sp.elided {
		if rest, ok := strings.CutPrefix(word, short); ok && rest != "" {
			return append([]token{{text: short, fold: short}}, sp.wordsOf(rest)...)
		}
	}
	for _, short := range sp.attached {
		if rest, ok := strings.CutSuffix(word, short); ok && rest != "" && rest != "o" {
			words := sp.wordsOf(rest)
			if len(words) > 0 {
				words[0].at = at
			}
			short = strings.TrimPrefix(short, "-")
			return append(words, token{text: short, fold: short, joined: true})
		}
	}
	return []token{{text: word, fold: Fold(word), at: at}}
}

// dotted reports whether s is a date such as 20.11, whose last dot belongs to it.
func dotted(s string) bool {
	return strings.Contains(s, ".") && strings.Trim(s, "0123456789.") == ""
}

func folds(toks []token) []string {
	out := make([]string, len(toks))
	for i, t := range toks {
		out[i] = t.fold
	}
	return out
}

// said joins tokens to the words that they were.
func said(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && !t.joined && !strings.HasSuffix(toks[i-1].text, "'") {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
