package prose

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

const ellipsis = "…"

// slack is how much wider than its parts a line may be because of kerning between words, in
// points.
const slack = 0.5

// line is a part of the text without its trailing spaces.
type line struct {
	from, to int32
	w        float32
	cut      bool // an ellipsis follows
}

// lines breaks the text into lines of a width, at most limit of them (0: all); cut reports
// whether text is left over. It proceeds in logical order and looks at no atom beyond the
// last line.
func (f *flow) lines(width float32, limit int) (ls []line, cut bool) {
	defer func() {
		if recover() != nil {
			f.broken = true
			ls, cut = f.plainLines(width, limit)
		}
	}()
	if f.broken {
		return f.plainLines(width, limit)
	}
	b := breaker{f: f, width: width, limit: limit}
	b.run()
	if b.limit > 0 && len(b.ls) > b.limit {
		b.ls = b.ls[:b.limit]
		last := &b.ls[b.limit-1]
		*last = f.shorten(*last, width)
		return b.ls, true
	}
	return b.ls, false
}

// breaker holds the state of breaking a text into lines.
type breaker struct {
	f     *flow
	width float32
	limit int
	ls    []line

	start int     // the byte at which the line begins
	seen  int     // the end of its last visible text
	seenW float32 // its width up to there
	x     float32 // its width with trailing spaces

	// The last place where the line may end: the atom after it, the end of the visible text
	// before it, and the width of the line up to there.
	brk     int // -1 for none
	brkSeen int
	brkW    float32
}

func (b *breaker) full() bool { return b.limit > 0 && len(b.ls) > b.limit }

func (b *breaker) begin(at int) {
	b.start, b.seen, b.seenW, b.x, b.brk = at, at, 0, 0, -1
}

func (b *breaker) end(to int, w float32) {
	b.ls = append(b.ls, line{from: int32(b.start), to: int32(to), w: w})
}

func (b *breaker) run() {
	f := b.f
	b.begin(0)
	i, off := 0, 0 // the next atom, and the byte at which to go on if it was split
	for !b.full() && f.need(i) {
		a := f.atoms[i]
		switch {
		case a.kind == feed:
			b.end(b.seen, b.seenW)
			b.begin(int(a.to))
			i++
			continue
		case a.kind == space:
			b.x += a.w
			i++
			b.mark(a, i)
			continue
		}
		from, w := int(a.from), a.w
		if off > from {
			from = off
			w = f.partWidth(a, from, int(a.to))
		}
		if b.x+w <= b.width+slack/2 {
			b.x += w
			b.seen, b.seenW = int(a.to), b.x
			i, off = i+1, 0
			b.mark(a, i)
			continue
		}
		if b.brk >= 0 {
			b.end(b.brkSeen, b.brkW)
			i, off = b.brk, 0
			b.begin(int(f.atoms[i].from))
			continue
		}
		i, off = b.split(a, i, from)
	}
	if !b.full() && (b.start < len(f.text) || len(f.text) == 0) {
		b.end(b.seen, b.seenW)
	}
	if len(f.text) == 0 {
		b.ls = nil
	}
}

// mark records that the line may end before atom i.
func (b *breaker) mark(a atom, i int) {
	if a.brk {
		b.brk, b.brkSeen, b.brkW = i, b.seen, b.seenW
		if !b.f.need(i) {
			b.brk = -1 // nothing follows
		}
	}
}

// split ends the line within an atom that does not fit on a line of its own, with at least
// one character on each line. It returns where to go on.
func (b *breaker) split(a atom, i, from int) (next, off int) {
	to, w := b.f.fit(a, from, b.width-b.x)
	if to == from && b.x == 0 {
		to, w = b.f.first(a, from)
	}
	if to > from {
		b.seen, b.seenW = to, b.x+w
	}
	if to == int(a.to) { // a single character, wider than the line
		b.x = b.seenW
		b.mark(a, i+1)
		return i + 1, 0
	}
	b.end(b.seen, b.seenW)
	b.begin(max(to, from))
	return i, max(to, from)
}

// partWidth measures a part of an atom.
func (f *flow) partWidth(a atom, from, to int) float32 {
	w, _ := measure(f.text[from:to], &f.looks[a.look])
	return w
}

// fit returns the longest part of an atom, from a byte in it, that is at most width wide.
func (f *flow) fit(a atom, from int, width float32) (to int, w float32) {
	l := &f.looks[a.look]
	if l.chip {
		return from, 0
	}
	ends := []int{from}
	at := from
	f.glyphs.InitWithString(f.text[from:a.to])
	for it := f.glyphs.GraphemeIterator(); it.Next(); {
		end := at + runeBytes(it.Grapheme().Text)
		gw, _ := measure(f.text[at:end], l)
		if w += gw; w > width+slack/2 {
			break
		}
		at = end
		ends = append(ends, at)
	}
	for n := len(ends) - 1; n > 0; n-- {
		if w, _ = measure(f.text[from:ends[n]], l); w <= width+slack/2 {
			return ends[n], w
		}
	}
	return from, 0
}

// first returns the end of the first character of an atom after a byte in it.
func (f *flow) first(a atom, from int) (to int, w float32) {
	l := &f.looks[a.look]
	if l.chip {
		return int(a.to), a.w
	}
	f.glyphs.InitWithString(f.text[from:a.to])
	it := f.glyphs.GraphemeIterator()
	it.Next()
	to = from + runeBytes(it.Grapheme().Text)
	return to, f.partWidth(a, from, to)
}

// shorten cuts a line so that an ellipsis fits at its end.
func (f *flow) shorten(ln line, width float32) line {
	ln.cut = true
	w, _ := measure(ellipsis, &f.looks[f.lookAt(max(int(ln.from), int(ln.to)-1))])
	width -= w
	if ln.w <= width {
		return ln
	}
	x := float32(0)
	for i := f.atomAt(int(ln.from)); i < len(f.atoms) && f.atoms[i].from < ln.to; i++ {
		a := f.atoms[i]
		from, to := max(a.from, ln.from), min(a.to, ln.to)
		w := a.w
		if from > a.from || to < a.to {
			w = f.partWidth(a, int(from), int(to))
		}
		if x+w <= width {
			x += w
			continue
		}
		ln.to, ln.w = from, x
		if a.kind == word {
			end, part := f.fit(a, int(from), width-x)
			end = min(end, int(ln.to)+int(to-from))
			ln.to, ln.w = int32(end), x+part
		}
		break
	}
	trimmed := strings.TrimRight(f.text[ln.from:ln.to], " ")
	ln.w -= float32(int(ln.to-ln.from)-len(trimmed)) * f.looks[f.lookAt(int(ln.from))].space
	ln.to = ln.from + int32(len(trimmed))
	ln.w = max(0, ln.w)
	return ln
}

// widest returns the width of the longest line without wrapping, at most most. It looks at
// no more of the text than that takes.
func (f *flow) widest(most float32) (w float32) {
	x := float32(0)
	for i := 0; i < leastAtoms && w < most && f.need(i); i++ {
		if x += f.atoms[i].w; f.atoms[i].kind == feed {
			x = 0
		}
		if f.atoms[i].kind == word {
			w = max(w, x+slack)
		}
	}
	return min(w, most)
}

// atomAt returns the index of the atom at a byte of the text.
func (f *flow) atomAt(at int) int {
	return sort.Search(len(f.atoms), func(i int) bool { return int(f.atoms[i].to) > at })
}

// plainLines cuts the text by count, without measuring, for texts that make the text engine
// panic. A character counts as wide as its size.
func (f *flow) plainLines(width float32, limit int) (ls []line, cut bool) {
	size := f.line / lineRatio
	per := max(1, int(math.Floor(float64(width/size))))
	from, n := 0, 0
	for i := 0; i < len(f.text); {
		if limit > 0 && len(ls) == limit {
			return ls, true
		}
		r, bytes := utf8.DecodeRuneInString(f.text[i:])
		if r == '\n' || n == per {
			ls = append(ls, line{from: int32(from), to: int32(i), w: min(width, float32(n)*size)})
			from, n = i, 0
			if r == '\n' {
				from = i + bytes
			}
		}
		if r != '\n' {
			n++
		}
		i += bytes
	}
	if from < len(f.text) && (limit == 0 || len(ls) < limit) {
		ls = append(ls, line{from: int32(from), to: int32(len(f.text)), w: min(width, float32(n)*size)})
	}
	return ls, false
}
