package theme

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"bowerbird/assets"
)

// fonts are the faces of Inter. The design uses semi-bold for bold in texts, and bold itself
// (heavy) in titles.
type fonts struct {
	regular, bold, heavy, italic, boldItalic, mono fyne.Resource

	tall map[fyne.Resource]fyne.Resource // by face: see Source
}

func loadFonts() (fonts, error) {
	f := fonts{tall: map[fyne.Resource]fyne.Resource{}}
	for _, face := range []struct {
		name string
		into *fyne.Resource
	}{
		{"Inter-Regular", &f.regular},
		{"Inter-SemiBold", &f.bold},
		{"Inter-Bold", &f.heavy},
		{"Inter-Italic", &f.italic},
		{"Inter-SemiBoldItalic", &f.boldItalic},
	} {
		raw, err := assets.Fonts.ReadFile("fonts/" + face.name + ".ttf")
		if err != nil {
			return fonts{}, err
		}
		raw = withoutAlternates(raw)
		*face.into = fyne.NewStaticResource(face.name+".ttf", withLine(raw, interLine))
		f.tall[*face.into] = fyne.NewStaticResource(face.name+"-Tall.ttf", withLine(raw, tallLine))
	}
	mono := fynetheme.DefaultTextMonospaceFont()
	f.mono = fyne.NewStaticResource("Mono.ttf", withLine(mono.Content(), monoLine))
	return f, nil
}

// vertical is how far a line reaches above and below its baseline, in thousandths of an em.
type vertical struct{ up, down uint16 }

// Fyne sets a text on the first whole pixel below the ascent of its font, and cuts it at the
// height of the line, rounded to whole pixels. With the fonts' own lines that takes up to a
// pixel off the descenders, and sometimes a whole underscore. With an ascent of one em
// nothing is lost above at whole sizes; the descents are those that keep all that letters of
// the sizes in use have below.
var (
	interLine = vertical{1_000, 270}
	monoLine  = vertical{1_000, 300}
	// tallLine is that of Noto Sans CJK, the tallest of the fonts that replace Inter in scripts
	// which it does not have.
	tallLine = vertical{1_160, 288}
)

// Source returns the FontSource to draw a text with, nil for Fyne's own choice: titles are
// bolder than other bold texts.
//
// Fyne clips a text at the height of its first typeface, but sets it on the baseline of the
// one that has its first letter, so that Chinese, Japanese and Korean lose their feet. Texts
// in those scripts get Inter with the line of a taller font. Those with emoji get no source,
// for only Fyne's own faces are sure to have them; nor do texts in a theme other than [Theme].
func Source(text string, size float32, style fyne.TextStyle) fyne.Resource {
	wide := false
	for _, r := range text {
		switch {
		case r < 0x1100:
		case r >= 0x1f000, r >= 0x2600 && r < 0x2800:
			return nil
		case r < 0x1200, r >= 0x2e80 && r < 0xa4d0, r >= 0xa960 && r < 0xa980, r >= 0xac00 && r < 0xd800, r >= 0xf900 && r < 0xfb00, r >= 0xff00:
			wide = true
		}
	}
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	if !ok || style.Monospace || style.Symbol {
		return nil
	}
	face := t.face(size, style)
	switch {
	case wide:
		return t.fonts.tall[face]
	case face == t.fonts.heavy:
		return face
	}
	return nil
}

// Embolden returns how far to the right a text is drawn a second time, in points; 0 for not.
// Fyne finds no bold typefaces for scripts that Inter does not have. A text with letters of both
// is drawn once, or the bold ones would become blots.
func Embolden(text string, size float32, style fyne.TextStyle) float32 {
	lacks := false
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case r < 0x530, r >= 0x1e00 && r < 0x2000: // Latin, Greek, Cyrillic
			return 0
		default:
			lacks = true
		}
	}
	if !lacks || !style.Bold {
		return 0
	}
	return max(1, float32(math.Round(float64(size/16)))) // whole points: a part of a pixel would be rounded away
}

// face returns the face of Inter for a text.
func (t *Theme) face(size float32, style fyne.TextStyle) fyne.Resource {
	if face := t.Font(style); face != t.fonts.bold || size < t.Size(Heading) {
		return face
	}
	return t.fonts.heavy
}

// withLine returns a copy of a TrueType font with another line; raw itself if it is no such
// font.
func withLine(raw []byte, line vertical) []byte {
	head, hhea, os2 := sfntTable(raw, "head", 54), sfntTable(raw, "hhea", 36), sfntTable(raw, "OS/2", 78)
	if head < 0 || hhea < 0 || os2 < 0 {
		return raw
	}
	em := int(binary.BigEndian.Uint16(raw[head+18:]))
	up, down := uint16(em*int(line.up)/1_000), uint16(em*int(line.down)/1_000)
	out := slices.Clone(raw)
	for at, v := range map[int]uint16{
		hhea + 4: up, hhea + 6: -down, hhea + 8: 0,
		os2 + 68: up, os2 + 70: -down, os2 + 72: 0, os2 + 74: up, os2 + 76: down,
	} {
		binary.BigEndian.PutUint16(out[at:], v)
	}
	return out
}

// withoutAlternates returns a copy of a font without its contextual alternates. Inter has some
// that change what is read: in a key, 1x9 would become 1×9. No text can be drawn without them,
// as Fyne sets no features, so the font calls the feature by a name that nobody asks for.
func withoutAlternates(raw []byte) []byte {
	out := slices.Clone(raw)
	table := sfntTable(raw, "GSUB", 8)
	if table < 0 {
		return out
	}
	list := table + int(binary.BigEndian.Uint16(raw[table+6:]))
	for i := range int(binary.BigEndian.Uint16(raw[list:])) {
		if tag := out[list+2+6*i:][:4]; string(tag) == "calt" {
			copy(tag, "calx") // still in the order of the alphabet
		}
	}
	return out
}

// sfntTable returns where a font's table of at least least bytes begins; -1 for none.
func sfntTable(raw []byte, tag string, least int) int {
	if len(raw) < 12 {
		return -1
	}
	for i := range int(binary.BigEndian.Uint16(raw[4:])) {
		at := 12 + 16*i
		if at+16 > len(raw) {
			return -1
		}
		if string(raw[at:at+4]) == tag {
			start := int(binary.BigEndian.Uint32(raw[at+8:]))
			if start < 0 || start+least > len(raw) {
				return -1
			}
			return start
		}
	}
	return -1
}

// EmojiAscent returns the height of Fyne's font of emoji above the baseline, in sizes of the text:
// Fyne draws a text that begins with one of its emoji that far below its upper edge. ok is false
// for an emoji that it does not have.
func EmojiAscent(emoji rune) (ascent float32, ok bool) {
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	if !ok {
		return 0, false
	}
	t.widths.mu.Lock()
	defer t.widths.mu.Unlock()
	face := t.widths.face(fynetheme.DefaultEmojiFont())
	if face == nil {
		return 0, false
	}
	_, ok = face.NominalGlyph(emoji)
	extents, _ := face.FontHExtents()
	return extents.Ascender / float32(face.Upem()), ok
}

// Width returns the width of a text in the theme's own font, in points. It equals
// [Measure] but is many times faster for texts that were not measured before, since
// it does not prepare the font each time. ok is false if a letter comes from another font,
// or the theme is not [Theme]: then only Fyne can measure.
func Width(text string, size float32, style fyne.TextStyle) (w float32, ok bool) {
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	if !ok || style.Monospace || style.Symbol {
		return 0, false
	}
	return t.widths.of(t.face(size, style), text, size)
}

// Measure returns the width of a line as Fyne draws it, in points. Where Fyne's text engine
// panics, ok is false and the width that of one character.
func Measure(text string, size float32, style fyne.TextStyle) (w float32, ok bool) {
	defer func() {
		if recover() != nil {
			w, ok = size, false
		}
	}()
	line, _ := fyne.CurrentApp().Driver().RenderedTextSize(text, size, style, Source(text, size, style))
	return line.Width, true
}

// widths measures texts in single fonts, and remembers those of short ones: a screen that is
// laid out again measures the same lines.
type widths struct {
	mu        sync.Mutex
	known     map[line]float32
	faces     map[fyne.Resource]*font.Face // nil for resources that are no font
	shaper    shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
}

// line is a text to be measured, its size in points.
type line struct {
	face *font.Face
	size float32
	text string
}

// The widths that are remembered: some 2 MB.
const (
	mostKnown    = 8_192
	longestKnown = 160 // bytes
)

// one is a shaping.Fontmap with one font.
type one struct{ face *font.Face }

func (o one) ResolveFace(rune) *font.Face { return o.face }

func (m *widths) of(source fyne.Resource, text string, size float32) (float32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	face := m.face(source)
	if face == nil {
		return 0, false
	}
	if w, ok := m.known[line{face, size, text}]; ok {
		return w, true
	}
	runes := []rune(text)
	for _, r := range runes {
		if r < ' ' {
			return 0, false // Fyne draws tabs itself
		}
		if _, ok := face.NominalGlyph(r); !ok {
			return 0, false
		}
	}
	var w float32
	in := shaping.Input{Text: runes, RunEnd: len(runes), Direction: di.DirectionLTR, Face: face, Size: fixed.Int26_6(float64(size) * 64)}
	for _, run := range m.segmenter.Split(in, one{face}) {
		w += float32(float64(m.shaper.Shape(run).Advance) / 64)
	}
	if len(text) <= longestKnown {
		if m.known == nil || len(m.known) >= mostKnown {
			m.known = make(map[line]float32)
		}
		m.known[line{face, size, strings.Clone(text)}] = w // not the whole note that it is a part of
	}
	return w, true
}

func (m *widths) face(source fyne.Resource) *font.Face {
	face, there := m.faces[source]
	if there {
		return face
	}
	face, err := font.ParseTTF(bytes.NewReader(source.Content()))
	if err != nil {
		face = nil // Fyne reports it when it draws
	}
	if m.faces == nil {
		m.faces = map[fyne.Resource]*font.Face{}
	}
	m.faces[source] = face
	return face
}
