package markdown

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

// link appends a link, or only its text if its scheme is not opened. An image becomes a
// link too: it is never fetched.
func (c *converter) link(out *pieces, n ast.Node, dest string, look Inline, depth int, image bool) {
	if look.Link != "" { // an image within a link: the outer one counts
		c.children(out, n, look, depth+1)
		return
	}
	shown := strings.TrimSpace(c.rawText(n))
	if !setLink(&look, dest, shown) {
		c.children(out, n, look, depth+1)
		return
	}
	look.Image = image
	out.flush()
	before := len(out.list)
	c.children(out, n, look, depth+1)
	if len(out.list) == before { // no text
		out.put(look)
		return
	}
	closeLink(out, look)
}

// closeLink adds the host to the last piece of a link.
func closeLink(out *pieces, look Inline) {
	out.flush()
	if n := len(out.list); n > 0 && out.list[n-1].Link == look.Link {
		out.list[n-1].Host = look.Host
	}
}

// setLink makes look a link, with the host unless the text shown names it. It returns false
// for an address that is not opened.
func setLink(look *Inline, dest, shown string) bool {
	dest = strings.TrimSpace(dest)
	if code, ok := strings.CutPrefix(dest, "nostr:"); ok && isEntity(strings.ToLower(code)) {
		look.Link = "nostr:" + strings.ToLower(code)
		return true
	}
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return false
	}
	host, ok := present.Host(u)
	if !ok {
		return false
	}
	disguised := u.User != nil // user@ can make a host look like another
	u.User = nil
	look.Link = u.String()
	if disguised || !names(shown, host) {
		look.Host = host
	}
	return true
}

// names reports whether the text of a link is a URL of the host.
func names(shown, host string) bool {
	shown = strings.ToLower(shown)
	shown = strings.TrimPrefix(strings.TrimPrefix(shown, "https://"), "http://")
	if i := strings.IndexAny(shown, "/?#:"); i >= 0 {
		shown = shown[:i]
	}
	host = strings.ToLower(host)
	return shown == host || "www."+shown == host
}

// isEntity reports whether s is a NIP-19 code of a note, a person or an address with a
// valid checksum; never a secret key.
func isEntity(s string) bool {
	if i := strings.IndexByte(s, '1'); i < 4 || i > 8 {
		return false
	}
	_, err := nostr.ParseCode(s)
	return err == nil
}

// foundID is an id in a text: its range, the link for it, and its short form.
type foundID struct {
	from, to    int
	link, short string
}

// shortest is the length of the shortest id: note1… and npub1….
const shortest = 63

// findIDs finds NIP-19 codes, with or without "nostr:", and event ids of 64 hex digits.
func findIDs(s string) []foundID {
	if len(s) < shortest {
		return nil
	}
	var out []foundID
	for i := 0; i < len(s); {
		if !isAlnum(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && isAlnum(s[end]) {
			end++
		}
		if end-i >= shortest {
			if id, ok := asID(s, i, end); ok {
				out = append(out, id)
			}
		}
		i = end
	}
	return out
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func asID(s string, from, to int) (foundID, bool) {
	id := s[from:to]
	switch {
	case isEntity(id):
		begin := from
		if strings.HasSuffix(s[:from], "nostr:") {
			begin -= len("nostr:")
		}
		return foundID{begin, to, "nostr:" + id, nostr.ShortCode(id)}, true
	case len(id) == 64:
		if note, err := nostr.ParseID(id); err == nil {
			return foundID{from, to, "nostr:" + note.Note(), nostr.ShortCode(note.Note())}, true
		}
	}
	return foundID{}, false
}
