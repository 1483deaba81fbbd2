package theme

import (
	"bytes"
	"sync"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// Width returns the width of a text in the theme's own typeface, in points: what
// fyne.MeasureText returns, many times quicker where a text is measured for the first
// time, since the font is not prepared anew for each. ok is false where a letter comes
// from another font or the theme is another: then only Fyne knows.
func Width(text string, size float32, style fyne.TextStyle) (w float32, ok bool) {
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	if !ok || style.Monospace || style.Symbol {
		return 0, false
	}
	return t.widths.of(t.Font(style), text, size)
}

// Measure returns the width of a line as Fyne draws it, in points. Where Fyne's text engine
// panics, ok is false and the width that of one character.
func Measure(text string, size float32, style fyne.TextStyle) (w float32, ok bool) {
	defer func() {
		if recover() != nil {
			w, ok = size, false
		}
	}()
	return fyne.MeasureText(text, size, style).Width, true
}

// widths measures texts in single fonts.
type widths struct {
	mu        sync.Mutex
	faces     map[fyne.Resource]*font.Face // nil for what is no font
	shaper    shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
}

// one is a map of fonts that has one.
type one struct{ face *font.Face }

func (o one) ResolveFace(rune) *font.Face { return o.face }

func (m *widths) of(source fyne.Resource, text string, size float32) (float32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	face := m.face(source)
	if face == nil {
		return 0, false
	}
	runes := []rune(text)
	for _, r := range runes {
		if r < ' ' {
			return 0, false // tabs are no letters
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
	return w, true
}

func (m *widths) face(source fyne.Resource) *font.Face {
	face, there := m.faces[source]
	if there {
		return face
	}
	face, err := font.ParseTTF(bytes.NewReader(source.Content()))
	if err != nil {
		face = nil // Fyne says so where it draws
	}
	if m.faces == nil {
		m.faces = map[fyne.Resource]*font.Face{}
	}
	m.faces[source] = face
	return face
}
