package search

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTokens is how many words of one text are indexed.
const MaxTokens = 4_096

// Token is one word of a text, as full text indexes it: case and width folded,
// CJK by bigrams.
type Token struct {
	Term       string // 1 to 64 bytes
	Start, End int    // byte offsets in the text
	Kind       TokenKind
}

// TokenKind distinguishes words from what is indexed besides them.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenWord  TokenKind = iota
	TokenHost            // of a link: its host, or the tail of it
	TokenEmoji           // one picture
)

// Tokens yields the words of a text in their order, at most 4,096.
//
// A word is a run of letters, marks and digits; apostrophes, hyphens and all other
// punctuation separate words, so that homme finds l'homme and custody finds self-custody.
// Scripts that are written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) yield
// overlapping pairs of characters, a single character itself. So does Hangul: its words
// carry endings that a search leaves out.
//
// A link yields its host and each tail of it with a dot in it, in lower case and without
// www.: of https://docs.example.com/a, docs.example.com and example.com. The rest of the
// link is left out, as are nostr codes, invoices, and long runs of hex or base64. An
// emoji yields itself (emoji.go), a hashtag its word. The time is linear in the text's
// length, whatever it holds; invalid UTF-8 is read as far as possible.
func Tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		t := tokenizer{text: text, yield: yield, left: MaxTokens}
		t.run()
	}
}

type tokenizer struct {
	text    string
	yield   func(Token) bool
	left    int // tokens that may still be yielded
	checked int // no long run of base64 begins before here
}

// runeClass is what a character is to the tokenizer.
type runeClass uint8

const (
	classOther    runeClass = iota // separates words
	classWord                      // a letter or digit of a script with spaces
	classUnspaced                  // a character of a script without spaces
	classEmoji                     // begins a picture
	classExtend                    // belongs to the character before it
)

func (t *tokenizer) run() {
	for at := 0; at < len(t.text) && t.left > 0; {
		class, n := t.class(at)
		switch class {
		case classWord:
			at = t.word(at)
		case classUnspaced:
			at = t.unspaced(at)
		case classEmoji:
			at = t.emoji(at)
		default:
			at += n
		}
	}
}

func (t *tokenizer) class(at int) (runeClass, int) {
	if c := t.text[at]; c < utf8.RuneSelf {
		if isPlainAlphanumeric(c) {
			return classWord, 1
		}
		return classOther, 1
	}
	r, n := utf8.DecodeRuneInString(t.text[at:])
	return classOf(r), n
}

func classOf(r rune) runeClass {
	switch {
	case foldsToItself(r): // the usual letters, told without a table
		if r < 0x1000 {
			return classWord
		}
		return classUnspaced
	case foldsToOne(r) != 0:
		return classWord
	case unicode.IsMark(r), isIgnorable(r),
		r == 0xff9e, r == 0xff9f, // halfwidth voicing marks
		r >= 0x1160 && r <= 0x11ff, r >= 0xd7b0 && r <= 0xd7ff: // Hangul vowels and finals
		return classExtend
	case isEmoji(r):
		return classEmoji
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return classOther
	case isUnspaced(r):
		return classUnspaced
	default:
		return classWord
	}
}

// isUnspaced reports whether the letter r is read in pairs.
func isUnspaced(r rune) bool {
	switch {
	case r < 0xe00:
		return false
	case r <= 0xeff, // Thai, Lao
		r >= 0x1000 && r <= 0x109f, r >= 0xa9e0 && r <= 0xa9ff, r >= 0xaa60 && r <= 0xaa7f, // Burmese
		r >= 0x1100 && r <= 0x11ff, r >= 0xa960 && r <= 0xa97f, r >= 0xac00 && r <= 0xd7ff, // Hangul
		r >= 0x1780 && r <= 0x17ff,                             // Khmer
		r >= 0x3005 && r <= 0x31ff, r >= 0xff66 && r <= 0xffdc, // Kana, Bopomofo, Hangul letters
		r >= 0x3400 && r <= 0x9fff, r >= 0xf900 && r <= 0xfaff, r >= 0x20000 && r <= 0x3ffff, // Han
		r >= 0x1aff0 && r <= 0x1b16f: // rare Kana
		return true
	}
	return false
}

// emit yields a token, unless nothing is left of the word after folding.
func (t *tokenizer) emit(start, end int) {
	if t.left == 0 {
		return
	}
	if term := foldTerm(t.text[start:end]); term != "" {
		t.yieldToken(Token{term, start, end, TokenWord})
	}
}

func (t *tokenizer) yieldToken(token Token) {
	if t.left == 0 {
		return
	}
	t.left--
	if !t.yield(token) {
		t.left = 0
	}
}

// word reads a word of a script with spaces, or skips a link or code that begins here,
// and returns where to continue.
func (t *tokenizer) word(start int) int {
	if end := t.skip(start); end > start {
		return end
	}
	end := start
	for at := start; at < len(t.text); {
		class, n := t.class(at)
		if class != classWord && class != classExtend {
			break
		}
		at += n
		end = at
	}
	t.emit(start+t.versionMark(start, end), end)
	return end
}

// versionMark returns 1 for the v of v2.7.4, which is found as 2.7.4 too.
func (t *tokenizer) versionMark(start, end int) int {
	isDigit := func(at int) bool { return at < len(t.text) && t.text[at] >= '0' && t.text[at] <= '9' }
	if c := t.text[start]; c != 'v' && c != 'V' || !isDigit(start+1) || end == len(t.text) || t.text[end] != '.' || !isDigit(end+1) {
		return 0
	}
	if strings.Trim(t.text[start+1:end], "0123456789") != "" {
		return 0
	}
	return 1
}

// unspaced reads a run of characters, each with its extensions, as pairs.
func (t *tokenizer) unspaced(start int) int {
	before, begin := -1, start // of the character before this, of this
	at := t.character(start)
	for at < len(t.text) && t.left > 0 {
		if class, _ := t.class(at); class != classUnspaced {
			break
		}
		before, begin = begin, at
		at = t.character(at)
		t.emit(before, at)
	}
	if before < 0 {
		t.emit(begin, at)
	}
	return at
}

// character returns the end of the character at an offset, with its extensions.
func (t *tokenizer) character(at int) int {
	_, n := t.class(at)
	at += n
	for at < len(t.text) {
		class, n := t.class(at)
		if class != classExtend {
			break
		}
		at += n
	}
	return at
}

// skip returns the end of the link or code that begins at start, where a word would
// begin; start if there is none.
func (t *tokenizer) skip(start int) int {
	end := start
	for end < len(t.text) && isPlainAlphanumeric(t.text[end]) {
		end++
	}
	word, rest := t.text[start:end], t.text[end:]
	switch {
	case word == "":
		return start
	case strings.HasPrefix(rest, "://"):
		stop := end + linkLength(rest)
		t.link(end+len("://"), stop)
		return stop
	case strings.HasPrefix(rest, ".") && strings.EqualFold(word, "www"):
		stop := end + linkLength(rest)
		t.link(start, stop)
		return stop
	case word == "nostr" && strings.HasPrefix(rest, ":") && isNostrCode(rest[1:]):
		return end + 1
	case isCode(word):
		return end
	}
	if start < t.checked {
		return start
	}
	long := start
	for long < len(t.text) && isBase64(t.text[long]) {
		long++
	}
	t.checked = long
	if long-start >= 40 && looksRandom(t.text[start:long], 3) {
		return long
	}
	return start
}

// linkLength returns the length of the rest of a link: up to a space, a quote, a closing
// bracket that was not opened in it, or anything not ASCII, since text in scripts without
// spaces may follow directly.
func linkLength(rest string) int {
	open := 0
	for i, c := range []byte(rest) {
		switch {
		case c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>`{}|\\^", c) >= 0:
			return i
		case c == '(' || c == '[':
			open++
		case c == ')' || c == ']':
			if open--; open < 0 {
				return i
			}
		}
	}
	return len(rest)
}

func isNostrCode(s string) bool {
	for _, prefix := range []string{"npub1", "note1", "nprofile1", "nevent1", "naddr1", "nsec1", "nrelay1", "ncryptsec1"} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// isCode reports whether a run of ASCII letters and digits was made by a machine.
func isCode(word string) bool {
	if len(word) < 20 {
		return false
	}
	if len(word) >= 50 && (isNostrCode(word) || isInvoice(word)) || len(word) >= 32 && isHex(word) {
		return true
	}
	return looksRandom(word, 4)
}

func isInvoice(word string) bool {
	return len(word) > 4 && (strings.EqualFold(word[:4], "lnbc") || strings.EqualFold(word[:4], "lntb") || strings.EqualFold(word[:4], "lnur"))
}

// isHex reports whether a word is of hex digits, some of them decimal.
func isHex(word string) bool {
	digits := 0
	for _, c := range []byte(word) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return digits > 0
}

// isPlainAlphanumeric reports whether c is an ASCII letter or digit.
func isPlainAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isBase64(c byte) bool { return isPlainAlphanumeric(c) || strings.IndexByte("+/=_-", c) >= 0 }

// looksRandom reports whether the text has digits and switches between digits, lower case
// and capitals at least once in every few characters. Random hex does so at one position
// in two, base64 at three in five; words and names that run together at one in five or
// less.
func looksRandom(text string, every int) bool {
	const digit = 1
	changes, digits, last := 0, 0, 0
	for _, c := range []byte(text) {
		var kind int
		switch {
		case c >= '0' && c <= '9':
			kind = digit
			digits++
		case c >= 'a' && c <= 'z':
			kind = 2
		case c >= 'A' && c <= 'Z':
			kind = 3
		default:
			continue
		}
		if last != 0 && kind != last {
			changes++
		}
		last = kind
	}
	return digits > 0 && changes*every >= len(text)
}

// link yields the host of a link that begins at one offset and ends before another, as
// one token for each of its names: sub.example.com and example.com, so that a search for
// a site finds the links to all of its hosts. A www., a port and user information are
// left out.
func (t *tokenizer) link(at, end int) {
	host := t.text[at:end]
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		at, host = at+i+1, host[i+1:]
	}
	if i := strings.IndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	host = strings.TrimRight(host, ".,;!'*_~-)]")
	if len(host) > 4 && strings.EqualFold(host[:4], "www.") {
		at, host = at+4, host[4:]
	}
	if !isHost(host) {
		return
	}
	for {
		if len(host) <= maxTerm {
			t.yieldToken(Token{strings.ToLower(host), at, at + len(host), TokenHost})
		}
		label := strings.IndexByte(host, '.') + 1
		if strings.IndexByte(host[label:], '.') < 0 || isNumeric(host) {
			return
		}
		at, host = at+label, host[label:]
	}
}

// isHost reports whether a text is a host name with a dot in it.
func isHost(s string) bool {
	if len(s) > 253 || !strings.Contains(s, ".") {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if !isPlainAlphanumeric(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}

// isNumeric reports whether a host is a numeric address, which has no tail.
func isNumeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return strings.Trim(last, "0123456789") == ""
}

// endOfCharacter returns the end of the character that begins at an offset.
func endOfCharacter(text string, at int) int { return (&tokenizer{text: text}).character(at) }

// isUnspacedAt reports whether there is a character of a script without spaces at an
// offset.
func isUnspacedAt(text string, at int) bool {
	class, _ := (&tokenizer{text: text}).class(at)
	return class == classUnspaced
}

func notLetter(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }
