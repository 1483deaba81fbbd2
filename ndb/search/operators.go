package search

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"bowerbird/ndb/nostr"
)

// operators returns the canonical name of the operator written before the colon. Those of
// other search engines without an equivalent here are known too, for the error.
func operators(written string) (name string, ok bool) {
	switch written {
	case "from", "by", "author":
		return "from", true
	case "to", "mentions":
		return "to", true
	case "kind", "type":
		return "kind", true
	case "is", "has":
		return written, true
	case "lang", "language":
		return "lang", true
	case "site", "domain":
		return "site", true
	case "since", "after":
		return "since", true
	case "until", "before":
		return "until", true
	case "filter", "sort", "order", "in", "within", "url", "title", "subject", "near", "include", "sentiment":
		return written, true
	}
	return "", false
}

// operator gives a node its meaning by its name and value.
func (p *parser) operator(n *Node) *Node {
	switch n.name {
	case "from", "to":
		return p.person(n)
	case "since", "until":
		n.Op = OpSince
		if n.name == "until" {
			n.Op = OpUntil
		}
		return n
	case "kind":
		return p.kind(n)
	case "is":
		if strings.EqualFold(n.value, "reply") {
			n.value = "reply"
			return n.term(isReply)
		}
		return p.kind(n)
	case "has":
		return p.has(n)
	case "lang":
		return p.lang(n)
	case "site":
		return p.site(n)
	}
	p.fail(n.part, UnknownOperator, "one of from:, to:, kind:, is:, has:, lang:, site:, since:, until:; or in quotes, to find it as words")
	p.err.Operator = n.name
	return nil
}

// term makes the node require one term of the index.
func (n *Node) term(term string) *Node {
	n.Op, n.Terms = OpTerm, []string{term}
	return n
}

func (p *parser) person(n *Node) *Node {
	name := strings.TrimSpace(strings.TrimPrefix(n.value, "@"))
	if name == "" {
		p.lacks(n.part, n.name)
		return nil
	}
	n.Op, n.value = OpFrom, name
	if n.name == "to" {
		n.Op = OpTo
	}
	n.People = []Person{{name: name, part: n.part, at: n.at}}
	return n
}

// kindNames are the names of kinds, in the order in which an error lists them.
func kindNames() []string {
	return []string{"note", "article", "repost", "picture", "video", "voice", "comment", "thread", "reaction", "zap", "poll", "highlight", "list", "profile"}
}

// namedKinds returns the kinds of a name.
func namedKinds(name string) []uint16 {
	switch name {
	case "note":
		return []uint16{nostr.KindNote}
	case "article":
		return []uint16{nostr.KindArticle}
	case "repost":
		return []uint16{nostr.KindRepost, nostr.KindGeneric}
	case "picture":
		return []uint16{nostr.KindPicture}
	case "video":
		return []uint16{nostr.KindVideo, nostr.KindShortVideo}
	case "voice":
		return []uint16{nostr.KindVoice, nostr.KindVoiceComment}
	case "comment":
		return []uint16{nostr.KindComment, nostr.KindVoiceComment}
	case "thread":
		return []uint16{nostr.KindThread}
	case "reaction":
		return []uint16{nostr.KindReaction}
	case "zap":
		return []uint16{nostr.KindZap}
	case "poll":
		return []uint16{1068}
	case "highlight":
		return []uint16{9802}
	case "list":
		return []uint16{nostr.KindContacts, 30000, 30003}
	case "profile":
		return []uint16{nostr.KindProfile}
	}
	return nil
}

func (p *parser) kind(n *Node) *Node {
	n.Op, n.value = OpKind, strings.ToLower(n.value)
	if number, err := strconv.ParseUint(n.value, 10, 16); err == nil && n.name == "kind" {
		n.Kinds = []uint16{uint16(number)}
		return n
	}
	if n.Kinds = namedKinds(n.value); n.Kinds == nil {
		n.Kinds = namedKinds(strings.TrimSuffix(n.value, "s"))
	}
	if n.Kinds == nil {
		want := "a number, or one of " + strings.Join(kindNames(), ", ")
		if n.name == "is" {
			want = "reply, or one of " + strings.Join(kindNames(), ", ")
		}
		p.wrong(n, want)
		return nil
	}
	return n
}

func (p *parser) has(n *Node) *Node {
	known := map[string]string{
		"image": hasImage, "picture": hasImage, "photo": hasImage, "video": hasVideo, "audio": hasAudio,
		"link": hasLink, "article": hasArticle, "quote": hasQuote,
	}
	n.value = strings.ToLower(n.value)
	term, ok := known[n.value]
	if !ok {
		term, ok = known[strings.TrimSuffix(n.value, "s")]
	}
	if !ok {
		p.wrong(n, "one of "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		return nil
	}
	return n.term(term)
}

func (p *parser) lang(n *Node) *Node {
	code, ok := languageCode(n.value)
	if !ok {
		p.wrong(n, "a language's code, such as en, de, es, ja, pt, zh")
		return nil
	}
	n.Op, n.value, n.langs = OpLang, code, []string{code}
	return n
}

// languageCode returns the code of a language without country or script.
func languageCode(s string) (code string, ok bool) {
	main, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(s), "_", "-"), "-")
	if len(main) < 2 || len(main) > 3 {
		return "", false
	}
	base, err := language.ParseBase(main)
	return base.String(), err == nil
}

func (p *parser) site(n *Node) *Node {
	host := n.value
	if _, after, ok := strings.Cut(host, "://"); ok {
		host = after
	}
	if i := strings.IndexAny(host, "/?#:"); i >= 0 {
		host = host[:i]
	}
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	if !isHost(host) || len(host) > maxTerm {
		p.wrong(n, "the name of a site, such as github.com")
		return nil
	}
	n.value = host
	return n.term(host)
}
