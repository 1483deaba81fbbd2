package prose

import (
	"math"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"bowerbird/ui/theme"
)

const (
	chunkBytes = 2048 // of a text that is broken into atoms at once
	longAtom   = 32   // characters of a long word that are measured as one atom

	lineRatio = 1.5 // the height of a line, in sizes of its text

	chipBefore = 1 // the space before the box of a chip, in points
	chipAfter  = 2 // the space after it; none before a punctuation mark
)

// chipPad returns the space within a chip beside its number, chipExtra the difference between
// the widths of chip and number.
func (l *look) chipPad() float32   { return float32(math.Round(float64(l.size * 0.45))) }
func (l *look) chipExtra() float32 { return 2*l.chipPad() + chipBefore + l.after }

// look is the style of a span, in the theme's sizes.
type look struct {
	style         fyne.TextStyle
	size          float32
	ascent        float32                     // from the upper edge of what Fyne draws to the baseline
	height        float32                     // of what Fyne draws
	space         float32                     // the width of a space
	spaces        map[language.Script]float32 // the same after a letter from another font
	chip, bolt    bool
	after         float32 // the space after a chip's box
	from, to      int     // the span's place in the text
	color         fyne.ThemeColorName
	mark, code    bool
	doubt         bool
	strike, under bool
	link          int // index of the link + 1; 0 for none
}

// atom is a piece of one span that is measured as one: a word or a part of it, the spaces
// after it, or a line feed.
type atom struct {
	from, to int32
	look     int32
	kind     atomKind
	brk      bool // a line may end after it
	w        float32
}

type atomKind uint8

const (
	word atomKind = iota
	space
	feed
)

// flow is a text with its styles, broken into atoms as far as needed.
type flow struct {
	text   string
	looks  []look
	atoms  []atom
	done   int     // the bytes of text that are in atoms
	line   float32 // the height of a line
	ascent float32 // of the largest look, so that all lines have one baseline
	height float32
	seg    segmenter.Segmenter
	glyphs segmenter.Segmenter
	broken bool // the text engine panicked: lines are cut by count
}

// newFlow measures the styles; the text is broken into atoms when lines are needed.
func newFlow(spans []Span) *flow {
	f := &flow{}
	var b strings.Builder
	left := maxRunes
	links := 0
	for _, s := range spans {
		limit := left
		if s.Chip {
			limit = min(limit, maxChip)
		}
		text := s.Text
		if text != "" {
			text = Clean(text, limit)
		}
		if s.Chip {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		left = max(0, left-utf8.RuneCountInString(text))
		from := b.Len()
		b.WriteString(text)
		l := newLook(s)
		if n := len(f.looks) - 1; n >= 0 && f.looks[n].chip && !s.Chip {
			if r, _ := utf8.DecodeRuneInString(text); strings.ContainsRune(".,;:!?…、。，；：！？।۔؟،", r) || unicode.In(r, unicode.Pe, unicode.Pf) {
				f.looks[n].after = 0 // the punctuation belongs to the chip
			}
		}
		if s.Tap != nil && links < maxLinks {
			links++
			l.link = links
		}
		l.from, l.to = from, b.Len()
		f.looks = append(f.looks, l.split(text)...)
		if !s.Chip {
			f.line = max(f.line, LineHeight(l.size))
		}
		if (!s.Chip || len(spans) == 1) && l.ascent > f.ascent {
			f.ascent, f.height = l.ascent, l.height
		}
	}
	f.text = strings.TrimRight(b.String(), "\n")
	if f.line == 0 {
		f.line = LineHeight(theme.Size(theme.Body))
	}
	return f
}

// emojiSize is the size of emoji, in sizes of the text that they are in.
const emojiSize = 1.15

// The lightning that zaps are written with is empty in Fyne's font of emoji: it is drawn as an icon.
const bolt = '⚡'

// split returns a look for each part of a span's text, so that emoji are drawn on their own:
// larger, and on the baseline of the text whatever is beside them.
func (l look) split(text string) []look {
	if l.chip || strings.IndexByte(text, 0xf0) < 0 && !strings.ContainsRune(text, bolt) { // 0xf0 begins nearly all emoji
		return []look{l}
	}
	var ls []look
	from, in := l.from, rune(0) // in: the bolt, an emoji, or 0
	next := func(to int, kind rune) {
		if to > from {
			part := l
			part.from, part.to, part.bolt = from, to, in == bolt
			if in != 0 {
				part.size *= emojiSize
				part.ascent *= emojiSize
				if ascent, ok := theme.EmojiAscent(in); ok {
					part.ascent = part.size * ascent
				}
			}
			ls = append(ls, part)
		}
		from, in = to, kind
	}
	for i, r := range text {
		joined := strings.HasSuffix(text[:i], "\u200d")
		switch emoji := r >= 0x1f000 && r < 0x20000; {
		case joined, r == '\u200d', isTag(r), unicode.In(r, unicode.Mn, unicode.Me), r >= 0x1f3fb && r <= 0x1f3ff:
			// part of the character before it
		case r == bolt && in != bolt, emoji && (in == 0 || in == bolt):
			next(l.from+i, r)
		case r != bolt && !emoji && in != 0:
			next(l.from+i, 0)
		}
	}
	next(l.to, 0)
	return ls
}

// LineHeight returns the height of a line of a text size, both in points.
func LineHeight(size float32) float32 {
	return float32(math.Floor(float64(size * lineRatio)))
}

func newLook(s Span) look {
	l := look{
		style: fyne.TextStyle{Bold: s.Bold, Italic: s.Italic, Monospace: s.Mono},
		color: s.Color, mark: s.Mark, doubt: s.Doubt, code: s.Code, chip: s.Chip, strike: s.Strike, under: s.Underline,
	}
	size := s.Size
	if size == "" {
		size = theme.Body
		if s.Chip {
			size = theme.Tiny
		}
	}
	if l.color == "" {
		l.color = theme.Text
		if s.Tap != nil || s.Chip {
			l.color = theme.Primary
		}
	}
	if s.Chip {
		l.style.Bold, l.after = true, chipAfter
	}
	l.size = theme.Size(size)
	sp, ascent := fyne.CurrentApp().Driver().RenderedTextSize(" ", l.size, l.style, nil)
	l.space, l.height, l.ascent = sp.Width, sp.Height, ascent
	return l
}

// measure returns the width of a text in points; ok is false where the text engine panics.
func measure(text string, l *look) (w float32, ok bool) {
	if l.bolt {
		return l.size * float32(strings.Count(text, string(bolt))), true
	}
	if _, n := utf8.DecodeRuneInString(text); n < len(text) { // Fyne caches the widths of single letters
		if w, ok := theme.Width(text, l.size, l.style); ok {
			return w, true
		}
	}
	return theme.Measure(text, l.size, l.style)
}

// need breaks the text into atoms until there is one with index i; false if the text ends
// before.
func (f *flow) need(i int) bool {
	for i >= len(f.atoms) {
		if f.done >= len(f.text) {
			return false
		}
		f.more()
	}
	return true
}

// more breaks the next line of the text into atoms, or the next part of a long one.
func (f *flow) more() {
	rest := f.text[f.done:]
	if rest[0] == '\n' {
		f.atoms = append(f.atoms, atom{from: int32(f.done), to: int32(f.done + 1), look: int32(f.lookAt(f.done)), kind: feed, brk: true})
		f.done++
		return
	}
	end := strings.IndexByte(rest[:min(len(rest), chunkBytes+utf8.UTFMax)], '\n')
	cut := false
	switch {
	case end >= 0:
	case len(rest) <= chunkBytes:
		end = len(rest)
	default:
		cut = true
		if end = strings.LastIndexByte(rest[:chunkBytes], ' ') + 1; end <= chunkBytes/2 {
			for end = chunkBytes; !utf8.RuneStart(rest[end]); {
				end--
			}
		}
	}
	chunk := rest[:end]
	f.seg.InitWithString(chunk)
	if cut && chunk[len(chunk)-1] != ' ' { // leave the last character to the next chunk: it may go on there
		at, last := 0, 0
		for it := f.seg.GraphemeIterator(); it.Next(); {
			last = at
			at += runeBytes(it.Grapheme().Text)
		}
		if last > 0 {
			chunk = chunk[:last]
			f.seg.InitWithString(chunk)
		}
	}
	f.breakChunk(chunk, cut && chunk[len(chunk)-1] != ' ')
}

func runeBytes(rs []rune) int {
	n := 0
	for _, r := range rs {
		n += utf8.RuneLen(r)
	}
	return n
}

// breakChunk turns what seg holds into atoms; goesOn says that its last word continues in
// the next chunk.
func (f *flow) breakChunk(chunk string, goesOn bool) {
	start := f.done
	at := start
	for it := f.seg.LineIterator(); it.Next(); {
		end := at + runeBytes(it.Line().Text)
		f.breakSegment(at, end)
		last := &f.atoms[len(f.atoms)-1]
		last.brk = int(last.to) == end && (end < start+len(chunk) || !goesOn)
		at = end
	}
	f.done = start + len(chunk)
}

// breakSegment makes atoms of the text between two places where a line may end.
func (f *flow) breakSegment(from, to int) {
	words := from + len(strings.TrimRight(f.text[from:to], " "))
	for at := from; at < to; {
		i := f.lookAt(at)
		l := &f.looks[i]
		if l.chip {
			if at == l.from || len(f.atoms) == 0 {
				w, _ := measure(f.text[l.from:l.to], l)
				if n := len(f.atoms); n > 0 && f.atoms[n-1].kind == word {
					f.atoms[n-1].brk = false // it stays with the word before it
				}
				f.add(l.from, l.to, i, word, w+l.chipExtra())
			}
			at = l.to
			continue
		}
		end := min(to, l.to)
		if at < words {
			end = min(end, words)
			f.addWord(at, end, i)
		} else {
			f.add(at, end, i, space, f.spaces(at, end, l))
		}
		at = end
	}
}

// spaces returns the width of spaces. After a letter from another font they come from that
// font.
func (f *flow) spaces(from, to int, l *look) float32 {
	each := l.space
	if last := len(f.atoms) - 1; last >= 0 && from > 0 && f.text[from-1] >= utf8.RuneSelf {
		if a := f.atoms[last]; int(a.to) == from && a.kind == word && int(a.from) >= l.from {
			each = f.spaceBehind(a, l)
		}
	}
	return float32(to-from) * each
}

// spaceBehind returns the width of a space after a word. It is measured once per script,
// since the letters of a script come from one font.
func (f *flow) spaceBehind(a atom, l *look) float32 {
	r, _ := utf8.DecodeLastRuneInString(f.text[a.from:a.to])
	script := language.LookupScript(r)
	if script == language.Common || script == language.Inherited {
		if w, ok := measure(f.text[a.from:a.to]+" ", l); ok {
			return max(0, w-a.w)
		}
		return l.space
	}
	if each, there := l.spaces[script]; there {
		return each
	}
	each := l.space
	with, ok1 := measure(string(r)+" ", l)
	if without, ok2 := measure(string(r), l); ok1 && ok2 {
		each = max(0, with-without)
	}
	if l.spaces == nil {
		l.spaces = map[language.Script]float32{}
	}
	l.spaces[script] = each
	return each
}

func (f *flow) add(from, to, look int, kind atomKind, w float32) {
	f.atoms = append(f.atoms, atom{from: int32(from), to: int32(to), look: int32(look), kind: kind, w: w})
}

// addWord measures a word, a long one in parts.
func (f *flow) addWord(from, to, look int) {
	l := &f.looks[look]
	text := f.text[from:to]
	if len(text) <= longAtom {
		w, _ := measure(text, l)
		f.add(from, to, look, word, w)
		return
	}
	f.glyphs.InitWithString(text)
	at, n := from, 0
	start, w := from, float32(0)
	for it := f.glyphs.GraphemeIterator(); it.Next(); {
		if n == longAtom {
			f.add(start, at, look, word, w)
			start, n, w = at, 0, 0
		}
		end := at + runeBytes(it.Grapheme().Text)
		gw, _ := measure(f.text[at:end], l)
		w += gw
		at = end
		n++
	}
	f.add(start, to, look, word, w)
}

// lookAt returns the index of the span at a byte of the text.
func (f *flow) lookAt(at int) int {
	last := len(f.looks) - 1
	return sort.Search(last, func(i int) bool { return f.looks[i].to > at })
}
