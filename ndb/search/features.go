package search

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bowerbird/ndb/nostr"
)

// What notes are looked for by besides their words stands in the text index too, as
// terms that no text can yield: each begins with a control character. So a search
// for pictures with a word in the note intersects two rows, and reads no note.
const (
	featureMark = "\x01" // has:image, is:reply
	HashtagMark = "\x02" // a hashtag, in small letters
	FinalMark   = "\x03" // the last character of a run in a script without spaces
)

// maxHashtags is how many different hashtags of one note are looked at.
const maxHashtags = 256

// The features of notes, as the index has them.
const (
	hasImage   = featureMark + "has:image"
	hasVideo   = featureMark + "has:video"
	hasAudio   = featureMark + "has:audio"
	hasLink    = featureMark + "has:link"
	hasArticle = featureMark + "has:article"
	hasQuote   = featureMark + "has:quote"
	isReply    = featureMark + "is:reply"
)

// featuresOf returns the terms of an event that are no words.
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

// FoldHashtag gives the form under which a hashtag is indexed and found: in small
// letters, without a # before it, cut to 64 bytes.
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

// holdings returns what an event holds besides words: by its kind, by what its tags
// say of its addresses (NIP-92), and by how the addresses in its text end.
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

// imetaType reads the address and what it leads to of an imeta tag; "" where the tag
// does not say.
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

// addressType tells what an address leads to by how its path ends.
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

// addresses yields the web addresses of a text, each without what ends a sentence.
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
