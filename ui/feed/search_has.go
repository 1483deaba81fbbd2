package feed

import (
	"slices"
	"strings"
	"unicode"

	"bowerbird/ndb"
	"bowerbird/ui/present"
)

// hasValues are what can stand behind "has:", and what is found by it.
var hasValues = map[string]present.Has{
	"image": present.HasImage, "picture": present.HasImage, "photo": present.HasImage,
	"video": present.HasVideo,
	"link":  present.HasLink,
}

// foreign are operators of other searches that this one does not know. As words they
// would find nothing, and nobody would know why.
var foreign = []string{
	"after", "before", "by", "domain", "filter", "in", "is", "kind", "lang", "language", "mentions", "site", "sort", "to", "type",
}

// takeHas takes what the store's search does not read out of a text: "has:" with its
// values, and operators of other searches, which are returned as they were written.
// They become spaces, so that places in the text stay what they were.
func takeHas(text string) (rest string, has []present.Has, left []string, t trouble) {
	var b strings.Builder
	for _, w := range wordsOf(text) {
		op, value, isOp := strings.Cut(w.text, ":")
		low := strings.ToLower(op)
		switch {
		case !isOp || strings.ContainsAny(op, `"“”„«»`):
			b.WriteString(w.text)
			continue
		case low == "has" && value == "":
			t = trouble{kind: unfinished, what: "has:", at: w.at}
		case low == "has":
			h, ok := hasValues[strings.ToLower(strings.Trim(value, `"`))]
			if !ok {
				t = trouble{kind: unknownHas, what: value, at: w.at}
			}
			has = append(has, h)
		case low == "-has":
			t = trouble{kind: cannotExclude, what: "has:", at: w.at}
		case value != "" && slices.Contains(foreign, strings.TrimPrefix(low, "-")):
			left = append(left, ndb.CleanLine(w.text, 40))
		default:
			b.WriteString(w.text)
			continue
		}
		b.WriteString(strings.Repeat(" ", len([]rune(w.text))))
	}
	return b.String(), has, left, t
}

// searchWord is a word of a search text with its quotes, or the space between two.
type searchWord struct {
	text string
	at   int // which character it begins at, from 1
}

// wordsOf parts a text into words and the spaces between them; all together are the
// text. Spaces within quotes belong to their word.
func wordsOf(text string) []searchWord {
	var words []searchWord
	quoted, space := false, false
	begin, at, n := 0, 1, 0
	for i, r := range text {
		n++
		if isSpace := unicode.IsSpace(r) && !quoted; i > begin && isSpace != space || i == 0 {
			if i > 0 {
				words = append(words, searchWord{text[begin:i], at})
				begin, at = i, n
			}
			space = isSpace
		}
		if r == '"' {
			quoted = !quoted
		}
	}
	if begin < len(text) {
		words = append(words, searchWord{text[begin:], at})
	}
	return words
}

// hasAll narrows a test to notes that hold all that is wanted.
func hasAll(shown func(*ndb.Event) bool, has []present.Has) func(*ndb.Event) bool {
	if len(has) == 0 {
		return shown
	}
	return func(e *ndb.Event) bool {
		for _, h := range has {
			if !h.In(e) {
				return false
			}
		}
		return shown(e)
	}
}
