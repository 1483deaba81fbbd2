package markdown

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

// link appends a link, or the text of one that leads where we do not go. An image
// is a link too: it is never fetched.
func (c *converter) link(out *pieces, n ast.Node, dest string, look Inline, depth int, image bool) {
	if look.Link != "" { // an image within a link: the outer one leads
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

// closeLink puts the host behind the link's last piece.
func closeLink(out *pieces, look Inline) {
	out.flush()
	if n := len(out.list); n > 0 && out.list[n-1].Link == look.Link {
		out.list[n-1].Host = look.Host
	}
}

// setLink makes look a link, with the host it leads to unless the text shown says
// it; it returns false for what is not opened.
func setLink(look *Inline, dest, shown string) bool {
	if ref, ok := nostrRef(dest); ok {
		look.Link = ref
		return true
	}
	u, err := url.Parse(strings.TrimSpace(dest))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return false
	}
	host, ok := present.Host(u)
	if !ok {
		return false
	}
	if u.User != nil { // user@ is used to make a host look like another
		u.User = nil
		look.Link = u.String()
		look.Host = host
		return true
	}
	look.Link = u.String()
	if !says(shown, host) {
		look.Host = host
	}
	return true
}

// says reports whether a link's text is an address of the host.
func says(shown, host string) bool {
	shown = strings.ToLower(shown)
	shown = strings.TrimPrefix(strings.TrimPrefix(shown, "https://"), "http://")
	if i := strings.IndexAny(shown, "/?#:"); i >= 0 {
		shown = shown[:i]
	}
	host = strings.ToLower(host)
	return shown == host || "www."+shown == host
}

// nostrRef returns nostr: with the entity that an address names.
func nostrRef(s string) (string, bool) {
	s = strings.TrimSpace(s)
	code, found := strings.CutPrefix(s, "nostr:")
	if !found {
		return "", false
	}
	code = strings.ToLower(code)
	return "nostr:" + code, isEntity(code)
}

// isEntity reports a note, person or address code of NIP-19 (never a secret) with a
// right checksum.
func isEntity(s string) bool {
	if i := strings.IndexByte(s, '1'); i < 4 || i > 8 {
		return false
	}
	_, err := nostr.ParseCode(s)
	return err == nil
}

// foundID is an id in a text: where, the link for it, and what is shown.
type foundID struct {
	from, to    int
	link, short string
}

// shortest is the length of the shortest id that is looked for: note1 and npub1.
const shortest = 63

// findIDs finds entities of NIP-19, with or without nostr:, and event ids of 64 hex
// digits.
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
		return foundID{begin, to, "nostr:" + id, shortID(id)}, true
	case len(id) == 64:
		if note, err := nostr.ParseID(id); err == nil {
			return foundID{from, to, "nostr:" + note.Note(), shortID(note.Note())}, true
		}
	}
	return foundID{}, false
}

// shortID is the form in which an id is shown: its kind, and its last letters.
func shortID(id string) string {
	i := strings.IndexByte(id, '1') + 1
	return id[:i+4] + "…" + id[len(id)-4:]
}
