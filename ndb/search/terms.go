package search

import (
	"slices"
	"strings"
	"unicode"

	"bowerbird/ndb/nostr"

	"golang.org/x/text/unicode/norm"
)

// Terms returns everything that the text index holds for an event, each term once, and
// how many tokens its text has.
func Terms(e *nostr.Event) (terms []string, words int) {
	if HasText(e.Kind) {
		terms, words = countTerms(textOf(e))
	}
	return append(terms, featuresOf(e)...), words
}

// IsOfText reports whether a term is there because of the text, not a feature or hashtag.
func IsOfText(term string) bool { return term[:1] != featureMark && term[:1] != HashtagMark }

// HasText reports whether the kind is full-text indexed.
func HasText(kind uint16) bool {
	switch kind {
	case nostr.KindProfile, nostr.KindNote, nostr.KindThread, nostr.KindPicture, nostr.KindComment, nostr.KindArticle:
		return true
	}
	return false
}

// textKinds are the kinds that are full-text indexed; HasText agrees.
func textKinds() []uint16 {
	return []uint16{nostr.KindProfile, nostr.KindNote, nostr.KindThread, nostr.KindPicture, nostr.KindComment, nostr.KindArticle}
}

// textOf returns the text of an event that is indexed and searched: for a profile its
// name, display name, NIP-05 name and about; for an article (NIP-23) its title, summary
// and content; else the content.
func textOf(e *nostr.Event) string {
	switch e.Kind {
	case nostr.KindProfile:
		p, err := nostr.ParseProfile(e)
		if err != nil {
			return ""
		}
		return strings.Join([]string{p.Name, p.DisplayName, p.NIP05, p.About}, "\n")
	case nostr.KindArticle:
		title, _ := e.Tags.Value("title")
		summary, _ := e.Tags.Value("summary")
		if title == "" && summary == "" {
			return e.Content
		}
		return strings.Join([]string{title, summary, e.Content}, "\n")
	}
	return e.Content
}

// Words returns each word of a text once, in the order of the text.
func Words(text string) []string {
	var words []string
	seen := make(map[string]bool)
	for token := range Tokens(text) {
		if token.Kind == TokenWord && !seen[token.Term] && IsTerm(token.Term) {
			seen[token.Term] = true
			words = append(words, token.Term)
		}
	}
	return words
}

// countTerms returns each term of a text once, in its order, and how many tokens
// the text has.
func countTerms(text string) (terms []string, words int) {
	seen := make(map[string]bool)
	add := func(term string) {
		if !seen[term] && IsTerm(term) {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	var last Token
	finals := 0
	endRun := func() {
		if term := finalTerm(text, last); term != "" && finals < maxFinals {
			finals++
			add(term)
		}
	}
	for token := range Tokens(text) {
		words++
		if token.Start >= last.End {
			endRun()
		}
		add(token.Term)
		last = token
	}
	endRun()
	return terms, words
}

// maxFinals is how many runs of characters in one text can be found by their last one
// alone: even with the maximum number of words, their rows still fit in one transaction.
const maxFinals = 1_000

// finalTerm returns the term of the last character of a run of pairs, whose last pair is
// given; "" for other tokens. With it, a single character is found through the pairs that
// begin with it and the runs that end with it.
func finalTerm(text string, last Token) string {
	if last.Kind != TokenWord || last.End == 0 || !isUnspacedAt(text, last.Start) {
		return ""
	}
	second := endOfCharacter(text, last.Start)
	if second >= last.End {
		return ""
	}
	return FinalMark + foldTerm(text[second:last.End])
}

// IsTerm guards the keys of the index: whatever a tokenizer may yield, a term is bounded
// and free of the byte that ends it.
func IsTerm(term string) bool {
	return term != "" && len(term) <= maxTermLen && strings.IndexByte(term, 0) < 0
}

const maxTermLen = 128

// What notes are searched for besides their words is in the text index too, as terms that
// no text can yield: each begins with a control character. So a search for pictures with
// a word in the note intersects two rows, and reads no note.
const (
	featureMark = "\x01" // has:image, is:reply
	HashtagMark = "\x02" // a hashtag, in lower case
	FinalMark   = "\x03" // the last character of a run in a script without spaces
)

// maxHashtags is how many different hashtags of one note are indexed.
const maxHashtags = 256

// The features of notes, as indexed.
const (
	hasImage   = featureMark + "has:image"
	hasVideo   = featureMark + "has:video"
	hasAudio   = featureMark + "has:audio"
	hasLink    = featureMark + "has:link"
	hasArticle = featureMark + "has:article"
	hasQuote   = featureMark + "has:quote"
	isReply    = featureMark + "is:reply"
)

// featuresOf returns the terms of an event that are not words.
func featuresOf(e *nostr.Event) []string {
	features := hashtagTerms(e)
	if _, ok := nostr.ReplyTo(e); ok {
		features = append(features, isReply)
	}
	return append(features, holdings(e)...)
}

// hashtagTerms returns the terms of an event's t tags.
func hashtagTerms(e *nostr.Event) (terms []string) {
	for _, tag := range e.Tags {
		if len(tag) < 2 || tag[0] != "t" || len(terms) == maxHashtags {
			continue
		}
		if folded := FoldHashtag(tag[1]); folded != "" {
			terms = appendNew(terms, HashtagMark+folded)
		}
	}
	return terms
}

// FoldHashtag returns the form under which a hashtag is indexed and found: in lower case,
// without a #, cut to 64 bytes.
func FoldHashtag(tag string) string {
	tag = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(tag), "#"))
	tag = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, norm.NFC.String(tag))
	return cutTerm(tag)
}

// HasPicture reports whether an event shows a picture, by its kind, its tags or its text.
func HasPicture(e *nostr.Event) bool { return slices.Contains(holdings(e), hasImage) }

// holdings returns what an event holds besides words: by its kind, by what its tags say
// about its addresses (NIP-92), and by how the addresses in its text end.
func holdings(e *nostr.Event) (found []string) {
	add := func(what string) { found = appendNew(found, what) }
	switch e.Kind {
	case nostr.KindPicture:
		add(hasImage)
	case nostr.KindVideo, nostr.KindShortVideo:
		add(hasVideo)
	case nostr.KindVoice, nostr.KindVoiceComment:
		add(hasAudio)
	}
	if !HasText(e.Kind) && len(found) == 0 || e.Kind == nostr.KindProfile {
		return found
	}
	types := make(map[string]string) // of addresses, by imeta
	for _, tag := range e.Tags {
		switch {
		case len(tag) > 1 && tag[0] == "imeta":
			address, what := imetaType(tag)
			types[address] = what
			if what != "" {
				add(what)
			}
		case len(tag) > 1 && tag[0] == "q" && strings.HasPrefix(tag[1], articleAddress):
			add(hasArticle)
		}
	}
	if HasText(e.Kind) {
		for address := range addresses(e.Content) {
			what := types[address]
			if what == "" {
				what = addressType(address)
			}
			add(what)
		}
		for link := range nostr.Links(e.Content) {
			if link.Prefix == nostr.CodeAddress && link.Kind == nostr.KindArticle {
				add(hasArticle)
			}
		}
	}
	if len(nostr.Quotes(e)) > 0 {
		add(hasQuote)
	}
	return found
}

const articleAddress = "30023:"

// imetaType reads the address and its type from an imeta tag; "" if the tag does not say.
func imetaType(tag nostr.Tag) (address, what string) {
	for _, item := range tag[1:] {
		name, value, _ := strings.Cut(item, " ")
		switch name {
		case "url":
			address = value
		case "m":
			major, _, _ := strings.Cut(strings.ToLower(value), "/")
			what = map[string]string{"image": hasImage, "video": hasVideo, "audio": hasAudio}[major]
		}
	}
	if what == "" && address != "" {
		if what = addressType(address); what == hasLink {
			what = ""
		}
	}
	return address, what
}

// addressType returns what an address leads to by the end of its path.
func addressType(address string) string {
	path := address
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	dot := strings.LastIndexByte(path, '.')
	if slash := strings.LastIndexByte(path, '/'); dot < slash || slash < len("https://") {
		return hasLink
	}
	switch strings.ToLower(path[dot+1:]) {
	case "jpg", "jpeg", "png", "gif", "webp", "avif", "heic", "bmp", "svg":
		return hasImage
	case "mp4", "webm", "mov", "m4v", "m3u8", "mkv", "avi":
		return hasVideo
	case "mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "aac":
		return hasAudio
	}
	return hasLink
}

// addresses yields the web addresses in a text, each without trailing punctuation.
func addresses(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for at := 0; ; {
			i := strings.Index(text[at:], "://")
			if i < 0 {
				return
			}
			colon := at + i
			at = colon + len("://")
			start := colon
			for start > 0 && colon-start < len("https")+1 && !notLetter(rune(text[start-1])) {
				start--
			}
			scheme := strings.ToLower(text[start:colon])
			end := colon + linkLength(text[colon:])
			if !strings.HasSuffix(scheme, "https") && !strings.HasSuffix(scheme, "http") {
				continue
			}
			address := strings.TrimRight(text[start:end], ".,;:!?'*_~")
			if len(address) > colon-start+len("://") && !yield(address) {
				return
			}
			at = max(at, end)
		}
	}
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
