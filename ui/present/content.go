package present

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// The limits of a note's text: how much is read, shown on a card, and shown after "show
// more".
const (
	maxRead    = 128 << 10 // bytes
	bodyLines  = 12
	bodyRunes  = 640
	wholeLines = 600
	wholeRunes = 24_000
	maxSpans   = 400 // other than plain text; later ones are plain
)

// reading takes a note's text apart into spans.
type reading struct {
	b     *builder
	n     *Note
	e     *nostr.Event
	depth int
	metas map[string]Picture // by URL, of imeta tags

	text   string
	spans  []Span
	plain  int // start of the text that no span holds yet
	pieces int // spans that are not plain
	noURL  int // no address starts before here
}

// read fills Body, Whole, Pictures and Quote.
func (t *reading) read(content string) {
	t.text = clean.Text(content)
	if t.e.Kind == kindPicture {
		t.listed()
	}
	t.quoted()
	t.scan()
	t.flush(len(t.text))
	whole := paragraphs(t.spans)
	var clamped bool
	t.n.Body, clamped = clampParagraphs(whole, bodyLines, bodyRunes)
	if clamped {
		t.n.Whole, t.n.Cut = clampParagraphs(whole, wholeLines, wholeRunes)
		t.n.Cut = t.n.Cut || len(t.e.Content) > maxRead
	}
}

// listed adds the pictures of a picture note (NIP-68), which are only in its tags.
func (t *reading) listed() {
	for _, tag := range t.e.Tags {
		if len(tag) > 0 && tag[0] == "imeta" {
			if p, ok := parseImeta(tag); ok {
				t.addPicture(p)
			}
		}
	}
}

// quoted presents the first quoted note as a card.
func (t *reading) quoted() {
	if t.depth > 0 {
		return
	}
	if e, id, ok := t.firstQuote(); ok {
		q := Note{}
		if e == nil {
			q = t.b.r.missing(id)
		} else {
			q = t.b.note(e, t.depth+1)
		}
		t.n.Quote = &q
	}
}

// firstQuote finds what is quoted first: by tag, else by a link in the text.
func (t *reading) firstQuote() (e *nostr.Event, id nostr.ID, ok bool) {
	for _, tag := range t.e.Tags {
		if len(tag) < 2 || tag[0] != "q" {
			continue
		}
		if id, err := nostr.ParseID(tag[1]); err == nil {
			return t.b.event(id), id, true
		}
		if kind, author, d, ok := parseAddress(tag[1]); ok {
			if e := t.b.address(kind, author, d); e != nil {
				return e, e.ID, true
			}
		}
	}
	for link := range nostr.Links(t.text) {
		switch link.Prefix {
		case nostr.CodeNote, nostr.CodeEvent:
			return t.b.event(link.Event), link.Event, true
		case nostr.CodeAddress:
			if e := t.b.address(link.Kind, link.PubKey, link.D); e != nil {
				return e, e.ID, true
			}
		}
	}
	return nil, nostr.ID{}, false
}

// scan finds what is more than text, from the start to the end.
func (t *reading) scan() {
	for at := 0; at < len(t.text) && t.pieces < maxSpans; {
		end := 0
		switch c := t.text[at]; {
		case c == '#':
			end = t.hashtag(at)
		case (c == 'h' || c == 'H') && t.starts(at):
			end = t.address(at)
		case c == 'n' || c == '@':
			end = t.code(at)
		}
		if end > at {
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(t.text[at:])
		at += size
	}
}

// starts reports whether a word may begin at a place.
func (t *reading) starts(at int) bool {
	r, size := utf8.DecodeLastRuneInString(t.text[:at])
	return size == 0 || !isWord(r)
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) && !wide(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// wide reports whether a letter belongs to a script that is written without
// spaces, where a link may follow a letter directly.
func wide(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// put ends the plain text at start and adds a span for text[start:end].
func (t *reading) put(start, end int, s Span) int {
	t.flush(start)
	t.spans = append(t.spans, s)
	t.plain, t.pieces = end, t.pieces+1
	return end
}

// drop leaves text[start:end] out, and its line if nothing else is on it.
func (t *reading) drop(start, end int) int {
	t.flush(start)
	t.spans = append(t.spans, Span{Kind: spanGone})
	t.plain, t.pieces = end, t.pieces+1
	return end
}

// spanGone marks where something was taken out; paragraphs removes it.
const spanGone spanKind = 0xff

func (t *reading) flush(end int) {
	if t.plain < end {
		t.spans = append(t.spans, Span{Text: t.text[t.plain:end]})
	}
	t.plain = end
}

// hashtag reads #word; numbers alone are none.
func (t *reading) hashtag(at int) int {
	if !t.starts(at) || at > 0 && strings.IndexByte("/&#", t.text[at-1]) >= 0 {
		return 0
	}
	if end := t.legacy(at); end > 0 {
		return end
	}
	end, runes, letters := at+1, 0, false
	for i, r := range t.text[at+1:] {
		if !isWord(r) && !wide(r) && !(r == '-' && runes > 0 && i+1 < len(t.text[at+1:]) && isWordAt(t.text, at+1+i+1)) {
			break
		}
		letters = letters || unicode.IsLetter(r)
		end = at + 1 + i + utf8.RuneLen(r)
		if runes++; runes > 60 {
			return 0
		}
	}
	if !letters {
		return 0
	}
	word := t.text[at+1 : end]
	return t.put(at, end, Span{Kind: SpanTag, Text: "#" + word, Tag: strings.ToLower(word)})
}

func isWordAt(s string, at int) bool {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return isWord(r)
}

// legacy reads #[3], by which notes of old name the person or note of a tag (NIP-08).
func (t *reading) legacy(at int) int {
	rest := t.text[at:]
	if len(rest) < 4 || rest[1] != '[' {
		return 0
	}
	n, end := 0, 2
	for ; end < len(rest) && rest[end] >= '0' && rest[end] <= '9' && end < 6; end++ {
		n = n*10 + int(rest[end]-'0')
	}
	if end == 2 || end >= len(rest) || rest[end] != ']' || n >= len(t.e.Tags) {
		return 0
	}
	end += at + 1
	if pk, ok := taggedKey(t.e.Tags[n], "p"); ok {
		return t.mention(at, end, pk)
	}
	if len(t.e.Tags[n]) > 1 && t.e.Tags[n][0] == "e" {
		if id, err := nostr.ParseID(t.e.Tags[n][1]); err == nil {
			return t.reference(at, end, t.b.event(id), id)
		}
	}
	return 0
}

// code reads nostr: links (NIP-27) and bare codes, with an @ before them or not.
func (t *reading) code(at int) int {
	start := at
	if t.text[at] == '@' {
		at++
	}
	rest := t.text[at:]
	bare := strings.TrimPrefix(rest, "nostr:")
	if len(bare) == len(rest) && !t.starts(start) {
		return 0
	}
	if !hasCodePrefix(bare) {
		return 0
	}
	n := 0
	for n < len(bare) && n < 5_000 && isAlphanumeric(bare[n]) {
		n++
	}
	code, err := nostr.ParseCode(bare[:n])
	if err != nil {
		return 0
	}
	end := at + len(rest) - len(bare) + n
	switch code.Prefix {
	case nostr.CodePubKey, nostr.CodeProfile:
		return t.mention(start, end, code.PubKey)
	case nostr.CodeNote, nostr.CodeEvent:
		return t.reference(start, end, t.b.event(code.Event), code.Event)
	case nostr.CodeAddress:
		e := t.b.address(code.Kind, code.PubKey, code.D)
		if e == nil {
			name := Isolate(displayName(t.b.person(code.PubKey)))
			return t.put(start, end, Span{Text: t.b.r.Words.say("something by {{.Name}} that is not stored here", "Name", name)})
		}
		return t.reference(start, end, e, e.ID)
	}
	return 0
}

func hasCodePrefix(s string) bool {
	for _, p := range []string{"npub1", "nprofile1", "note1", "nevent1", "naddr1"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (t *reading) mention(start, end int, pk nostr.PubKey) int {
	return t.put(start, end, Span{Kind: SpanPerson, Text: "@" + displayName(t.b.person(pk)), PubKey: pk})
}

// reference adds a link to a note. A link to the note that is shown as a card is left out,
// unless it is in the middle of a sentence.
func (t *reading) reference(start, end int, e *nostr.Event, id nostr.ID) int {
	if q := t.n.Quote; q != nil && (q.ID == id || q.Row == id) && t.alone(start, end) {
		return t.drop(start, end)
	}
	w := t.b.r.Words
	text := w.say("a note that is not stored here")
	if e != nil {
		name := Isolate(displayName(t.b.person(e.PubKey)))
		switch title, _ := e.Tags.Value("title"); {
		case e.Kind == kindArticle && clean.Line(title, maxTitle) != "":
			text = clean.Line(title, maxTitle)
		case e.Kind == kindArticle:
			text = w.say("an article by {{.Name}}", "Name", name)
		default:
			text = w.say("a note by {{.Name}}", "Name", name)
		}
	}
	return t.put(start, end, Span{Kind: SpanNote, Text: text, Event: id})
}

// alone reports whether the line is empty before or after a place.
func (t *reading) alone(start, end int) bool {
	line := t.text[:start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	rest, _, _ := strings.Cut(t.text[end:], "\n")
	return strings.TrimSpace(rest) == "" || strings.TrimSpace(line) == ""
}

// address reads a web address: a picture is taken out of the text and shown below.
func (t *reading) address(at int) int {
	if at < t.noURL {
		return 0
	}
	end, word := urlEnd(t.text, at)
	if end == 0 {
		t.noURL = word // or a word of many that are too long is read again for each
		return 0
	}
	raw := t.text[at:end]
	if p, ok := t.metas[raw]; ok && p.kind == "image" {
		return t.pictureAt(at, end, p)
	}
	if isPictureType(raw) {
		if p, ok := picture(raw); ok {
			return t.pictureAt(at, end, p)
		}
	}
	host, label, ok := showURL(raw)
	if !ok {
		return 0
	}
	if isVideoType(raw) || t.metas[raw].kind == "video" {
		label = t.b.r.Words.say("Video on {{.Host}}", "Host", host)
	}
	return t.put(at, end, Span{Kind: SpanLink, Text: label, URL: raw})
}

// maxPictures is how many a card offers; the addresses of others stay in the text.
const maxPictures = 12

func (t *reading) pictureAt(start, end int, p Picture) int {
	if len(t.n.Pictures) >= maxPictures {
		host, label, ok := showURL(p.URL)
		if !ok || host == "" {
			return 0
		}
		return t.put(start, end, Span{Kind: SpanLink, Text: label, URL: p.URL})
	}
	t.addPicture(p)
	return t.drop(start, end)
}

func (t *reading) addPicture(p Picture) {
	for _, have := range t.n.Pictures {
		if have.URL == p.URL {
			return
		}
	}
	if len(t.n.Pictures) < maxPictures {
		t.n.Pictures = append(t.n.Pictures, p)
	}
}

// Marked returns the note with the matches of a search marked, by the rules of the search:
// ignoring case and accents, phrases as a whole. If the clamped text has no match, Body
// begins at the first paragraph that has.
func (n Note) Marked(q search.Query) Note {
	if q.IsEmpty() {
		return n
	}
	m := &marker{q}
	body, found := m.paragraphs(n.Body)
	if n.Whole != nil {
		whole, at := m.first(n.Whole)
		n.Whole = whole
		if !found && at > 0 {
			body, _ = clampParagraphs(whole[at:], bodyLines, bodyRunes)
			body = append([]Paragraph{{{Text: "…"}}}, body...)
		}
	}
	n.Body = body
	n.TitleMarks = q.Highlights(n.Title)
	if n.Quote != nil {
		quote := *n.Quote
		quote.Body, _ = m.paragraphs(quote.Body)
		quote.TitleMarks = q.Highlights(quote.Title)
		n.Quote = &quote
	}
	return n
}

// marker marks what a query looks for.
type marker struct{ query search.Query }

// first marks paragraphs and returns the index of the first that has a mark, -1
// for none.
func (m *marker) first(ps []Paragraph) ([]Paragraph, int) {
	at := -1
	out := make([]Paragraph, len(ps))
	for i, p := range ps {
		marked, found := m.paragraph(p)
		out[i] = marked
		if found && at < 0 {
			at = i
		}
	}
	return out, at
}

func (m *marker) paragraphs(ps []Paragraph) ([]Paragraph, bool) {
	out, at := m.first(ps)
	return out, at >= 0
}

func (m *marker) paragraph(p Paragraph) (Paragraph, bool) {
	var out Paragraph
	found := false
	for _, s := range p {
		at := 0
		for _, r := range m.query.Highlights(s.Text) {
			found = true
			if r[0] > at {
				out = append(out, s.part(at, r[0], false))
			}
			out = append(out, s.part(r[0], r[1], true))
			at = r[1]
		}
		if at < len(s.Text) {
			out = append(out, s.part(at, len(s.Text), false))
		}
	}
	return out, found
}

func (s Span) part(from, to int, mark bool) Span {
	s.Text, s.Mark = s.Text[from:to], mark
	return s
}
