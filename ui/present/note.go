// Package present turns notes and answers into plain values that the window and the
// terminal draw: cleaned, dated, counted, shortened. It has no widgets and does not depend
// on a window.
//
// A [Reader] reads a note with all that its card shows ([Note]), a thread ([Thread]), a
// person ([Profile]), a long text ([Article]). [Words] writes numbers and times in the
// user's language. What an answer shows is in package answers.
//
// The values are safe to show. The texts of strangers contain no control, bidirectional or
// zero-width characters, except the marks that set a direction in running text, and no
// more than eight marks on a character; every field is bounded in length. An address is
// shown with its real host. Nothing is fetched here: a picture is an address and a click.
//
// How text is drawn and wrapped, and what a click does, is left to the widgets.
package present

import (
	"strings"
	"time"

	"golang.org/x/text/unicode/bidi"

	"bowerbird/ndb/nostr"
)

// Note is all that a card shows of a note: plain values, cleaned and bounded. What
// strangers wrote holds no control, bidirectional or zero-width characters, but
// each field is to be drawn as one of its own, or through Isolate.
type Note struct {
	ID   nostr.ID // of the note that is shown
	Row  nostr.ID // of the event that was asked for: of the repost, where it is one
	Kind uint16

	// Missing: the note is not stored. Only ID, Row, Link, and where
	// known PubKey, Author are set; and for a repost who reposted it and when.
	Missing bool

	PubKey   nostr.PubKey
	Author   string // the name to show, or a shortened npub
	Handle   string // "@ada"; "" when it would repeat Author
	NIP05    string // "ada@example.org", claimed and not checked; "" for none
	Face     string // the address of their picture; "" for none
	Mark     string // the end of the npub, where the name could be taken for another's
	Followed bool
	Bot      bool

	At    time.Time // in the user's zone
	When  string    // "12 min"
	Exact string    // for the tooltip

	What       string      // what it is, in words, where it is not a text: "A poll"
	Title      string      // of an article (NIP-23), or a subject (NIP-14)
	TitleMarks [][2]int    // byte ranges of Title with what was searched for
	Summary    string      // of an article
	Minutes    int         // reading time of an article; 0 for all else
	Body       []Paragraph // clamped
	Whole      []Paragraph // behind "show more"; nil when Body is all
	Cut        bool        // also Whole is not all: the text is beyond measure

	Quote    *Note // Quote.Missing when it is not stored; Quote.Quote is nil
	Pictures []Picture
	Warned   bool   // hidden by its author (NIP-36)
	Warning  string // the reason, "" for none given

	RepostedBy    string // the name of who reposted it; "" when nobody did
	RepostedByKey nostr.PubKey
	RepostedWhen  string // "1 h": how long that is ago
	ReplyTo       string // the name of whom it answers; "" when it is no reply
	ReplyToKey    nostr.PubKey
	IsReply       bool

	Replies, Reposts, Likes, Zaps Count

	Link string // nostr:nevent1…, for copying
}

// Count is one figure below a note.
type Count struct {
	N    int64
	Text string // "8", "2.1k"; "" for none
}

// Paragraph is a part of a text that is set apart from the next by a space. It
// may hold line feeds.
type Paragraph []Span

// spanKind says what a span is, and which of its fields are set.
type spanKind uint8

// The kinds of spans.
const (
	spanText   spanKind = iota
	SpanLink            // URL: a web address; Text shows its real host
	SpanPerson          // PubKey: Text is "@Ada"
	SpanNote            // Event: another note, or an article
	SpanTag             // Tag: a hashtag; Text is "#lmdb"
)

// Span is a run of text of one kind.
type Span struct {
	Kind   spanKind
	Text   string // as shown
	URL    string
	PubKey nostr.PubKey
	Event  nostr.ID
	Tag    string // lower case, without #
	Mark   bool   // what was searched for
}

// Picture is one that a note shows after a click.
type Picture struct {
	URL   string // https or http
	Host  string // as it really is, in ASCII
	Alt   string // what it shows, in its author's words
	Bytes int64  // as claimed; 0 when unknown

	kind string // "image", "video": the first half of its type
}

// Text returns what the spans show.
func Text(ps []Paragraph) string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteString("\n\n")
		}
		for _, s := range p {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Article reports whether the note is an article (NIP-23).
func (n *Note) Article() bool { return n.Kind == kindArticle }

// Isolate makes a stranger's text safe inside a sentence: a text from right to left does
// not change the direction of what is beside it.
func Isolate(s string) string {
	if !turns(s) {
		return s
	}
	return "\u2068" + s + "\u2069"
}

// turns reports whether a text has characters that are written from right to left.
func turns(s string) bool {
	for _, r := range s {
		if r < 0x590 {
			continue
		}
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
	}
	return false
}
