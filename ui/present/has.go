package present

import (
	"strings"

	"bowerbird/ndb"
)

// Has is what a note can hold besides its words.
type Has string

// What notes are looked for by.
const (
	HasImage Has = "image"
	HasVideo Has = "video"
	HasLink  Has = "link" // to a page of the web
)

// mostAddresses bounds how many addresses of one note are looked at.
const mostAddresses = 200

// In reports whether a note holds it: by what its tags say of its addresses (NIP-92),
// else by how they end. A picture post (NIP-68) holds pictures by its kind.
func (h Has) In(e *ndb.Event) bool {
	if e.Kind == kindPicture && h == HasImage {
		return true
	}
	metas := imeta(e)
	for _, p := range metas {
		if p.kind == string(h) {
			return true
		}
	}
	at, n := 0, 0
	for n < mostAddresses {
		i := indexHTTP(e.Content[at:])
		if i < 0 {
			return false
		}
		at += i
		n++
		end, word := urlEnd(e.Content, at)
		if end == 0 {
			at = max(word, at+1)
			continue
		}
		if addressIs(e.Content[at:end], metas) == h {
			return true
		}
		at = end
	}
	return false
}

// indexHTTP returns where the next address of the web may begin, or -1.
func indexHTTP(s string) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], ':')
		if i < 0 {
			return -1
		}
		colon := at + i
		for _, scheme := range []string{"https", "http"} {
			from := colon - len(scheme)
			if from >= 0 && strings.EqualFold(s[from:colon], scheme) {
				return from
			}
		}
		at = colon + 1
	}
}

// addressIs returns what an address leads to.
func addressIs(address string, metas map[string]Picture) Has {
	if p, ok := metas[address]; ok && p.kind != "" {
		return Has(p.kind)
	}
	switch {
	case isPictureType(address):
		return HasImage
	case isVideoType(address):
		return HasVideo
	}
	return HasLink
}
