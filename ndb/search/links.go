package search

import "strings"

// link yields the host of a link, which begins at a place and ends before another,
// as one token for each of its names: sub.example.com and example.com, so that a
// search for a site finds the links to all of its hosts. A www. before it, a port,
// and who is to be signed in are left out.
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

// isHost reports whether a text is a name of the network with a dot in it.
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

// isNumeric reports whether a host is an address in numbers, which has no tail.
func isNumeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return strings.Trim(last, "0123456789") == ""
}
