package builtin

import (
	"slices"
	"strings"
)

// opening returns the pieces of a note that may be quoted: each of its first sentences, the
// first two together, which often are clear only together, and a short paragraph as a
// whole. Short opening sentences are kept together: news is often said in two words and
// then explained.
func opening(text string) []piece {
	text = clip(text, maxOpening)
	ps := pieces(text)
	ps = ps[:min(len(ps), maxCandidatePieces)]
	var out []piece
	all, few := entire(text, ps)
	if few {
		out = []piece{all}
	}
	for len(ps) > 0 {
		paragraph, next := ps[0], 1
		for ; next < len(ps); next++ {
			both, ok := beside(text, paragraph, ps[next])
			if !ok {
				break
			}
			paragraph = both
		}
		if extent(paragraph.text) <= maxWhole && next <= wholePieces && !(few && paragraph.text == all.text) {
			out = append(out, paragraph)
		} else {
			out = append(out, parted(text, ps[:next])...)
		}
		ps = ps[next:]
	}
	return out
}

// parted returns the sentences of a paragraph.
func parted(text string, ps []piece) []piece {
	ps = slices.Clone(ps)
	for len(ps) > 1 && columns(ps[0].text) < saidEnough {
		both, ok := joined(text, ps[0], ps[1])
		if !ok {
			break
		}
		ps = append([]piece{both}, ps[2:]...)
	}
	if len(ps) > 1 {
		if both, ok := joined(text, ps[0], ps[1]); ok {
			both.begin = ps[0].text
			ps = append(ps, both)
		}
	}
	return ps
}

// joined returns two sentences as one piece, if they are adjacent and not too long
// together.
func joined(text string, a, b piece) (piece, bool) {
	if columns(a.text)+columns(b.text) > maxPair {
		return piece{}, false
	}
	return beside(text, a, b)
}

// beside returns two sentences as one piece, if they are adjacent.
func beside(text string, a, b piece) (piece, bool) {
	for _, both := range []string{a.text + " " + b.text, a.text + b.text} {
		if strings.Contains(text, both) {
			return piece{text: both, first: a.first, whole: a.whole && b.whole}, true
		}
	}
	return piece{}, false
}

// saidEnough is how many columns a note's first sentence must have to be quoted alone.
const saidEnough = 40

// How much of a note is considered, in bytes, and how long two sentences may be together,
// in columns.
const (
	maxOpening = 8000
	maxPair    = 190
)

// The most sentences, and the greatest extent, of a paragraph that is quoted as a whole.
const (
	wholePieces = 4
	maxWhole    = 100
)
