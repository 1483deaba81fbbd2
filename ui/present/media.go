package present

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// The bounds of addresses.
const (
	maxURL   = 2_000 // bytes; a longer one is text
	maxLabel = 44    // characters of an address as shown
)

// urlEnd returns where the web address that starts at a place ends, 0 for none, and
// where its word does. Signs that end a sentence, and brackets that were opened
// before, do not belong to it.
func urlEnd(s string, at int) (end, word int) {
	rest := s[at:]
	n := len("https://")
	if len(rest) < n || !strings.EqualFold(rest[:n], "https://") {
		if n--; len(rest) < n || !strings.EqualFold(rest[:n], "http://") {
			return 0, at
		}
	}
	end = len(rest)
	for i, r := range rest {
		if unicode.IsSpace(r) || strings.ContainsRune("<>\"`{}|\\^「」『』【】（）。、，“”«»", r) || unicode.IsControl(r) {
			end = i
			break
		}
	}
	word = at + end
	if end > 2*maxURL { // whatever it ends with
		return 0, word
	}
	u := rest[:end]
	for u != "" {
		cut := strings.TrimRight(u, ".,;:!?'*_~…")
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(cut, pair[1:]) && strings.Count(cut, pair[:1]) < strings.Count(cut, pair[1:]) {
				cut = cut[:len(cut)-1]
			}
		}
		if cut == u {
			break
		}
		u = cut
	}
	if len(u) <= n || len(u) > maxURL {
		return 0, word
	}
	return at + len(u), word
}

// showURL returns the real host of an address in ASCII, and the address as it is shown:
// the host first, whatever is before an @, and a shortened path.
func showURL(raw string) (host, label string, ok bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", "", false
	}
	host, ok = Host(u)
	if !ok {
		return "", "", false
	}
	label = host
	if u.Scheme == "http" {
		label = "http://" + label
	}
	if p := u.EscapedPath(); p != "" && p != "/" {
		label += p
	}
	if u.RawQuery != "" {
		label += "?" + u.RawQuery
	}
	// The host is never cut: its end decides who owns it.
	return host, clean.Line(label, max(maxLabel, len(host)+8)), true
}

// Host returns the host of an address as the network knows it, in ASCII (punycode), so
// that lookalike letters show; with its port, unless that is the usual one. ok is false
// for a host that cannot exist: the address must not be opened.
func Host(u *url.URL) (host string, ok bool) {
	host = strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]" // IPv6
	} else {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			if !isASCII(host) {
				return "", false
			}
			ascii = host
		}
		host = ascii
	}
	if host == "" || len(host) > 253 || !isASCII(host) {
		return "", false
	}
	if port := u.Port(); port != "" && port != "443" && port != "80" {
		host += ":" + port
	}
	return host, true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < ' ' {
			return false
		}
	}
	return true
}

// isPictureType and isVideoType recognise an address by its extension.
func isPictureType(raw string) bool {
	switch ending(raw) {
	case ".jpg", ".jpeg", ".png", ".gif", ".webp":
		return true
	}
	return false
}

func isVideoType(raw string) bool {
	switch ending(raw) {
	case ".mp4", ".webm", ".mov", ".m4v", ".m3u8", ".mkv", ".avi":
		return true
	}
	return false
}

func ending(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(path.Ext(u.Path))
}

// picture returns a picture of which nothing but its address is known.
func picture(raw string) (Picture, bool) {
	if len(raw) > maxURL {
		return Picture{}, false
	}
	host, _, ok := showURL(raw)
	return Picture{URL: raw, Host: host, kind: "image"}, ok
}

// imeta reads what a note's tags say of the addresses in it (NIP-92).
func imeta(e *nostr.Event) map[string]Picture {
	var metas map[string]Picture
	for _, t := range e.Tags {
		if len(t) < 2 || t[0] != "imeta" || len(metas) >= 4*maxPictures {
			continue
		}
		if p, ok := parseImeta(t); ok {
			if metas == nil {
				metas = map[string]Picture{}
			}
			metas[p.URL] = p
		}
	}
	return metas
}

func parseImeta(t nostr.Tag) (Picture, bool) {
	fields := map[string]string{}
	for _, item := range t[1:] {
		if key, value, ok := strings.Cut(item, " "); ok && fields[key] == "" {
			fields[key] = value
		}
	}
	p, ok := picture(fields["url"])
	if !ok {
		return Picture{}, false
	}
	p.kind = ""
	if m := fields["m"]; m != "" {
		p.kind, _, _ = strings.Cut(m, "/")
	} else if isPictureType(p.URL) {
		p.kind = "image"
	}
	p.Alt = clean.Line(bounded(fields["alt"], 4*maxAlt), maxAlt)
	if n, err := strconv.ParseInt(fields["size"], 10, 64); err == nil && n > 0 {
		p.Bytes = n
	}
	return p, true
}
