package chart

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/clean"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// Palette are the colours that a chart is drawn in.
type Palette struct {
	Ink, Quiet, Grid, Paper color.NRGBA
	ShadeLow, ShadeHigh     color.NRGBA // of heat maps, least and most
	Series                  []color.NRGBA
}

// daylight is the palette of files that are not drawn by the window: that of its
// light theme.
func daylight() Palette {
	hex := func(n uint32) color.NRGBA { return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff} }
	p := Palette{
		Ink: hex(0x1b1e26), Quiet: hex(0x535a69), Grid: hex(0xdedad2), Paper: hex(0xffffff),
		ShadeLow: hex(0xe6ebfc), ShadeHigh: hex(0x2347c9),
	}
	for _, n := range []uint32{0x2347c9, 0xb4590a, 0x14703f, 0x8b3fa0, 0x0b6e85, 0xb3262d, 0x535a69} {
		p.Series = append(p.Series, hex(n))
	}
	return p
}

// seriesColour is the colour of the i-th series; with more series than colours
// they come again, paler.
func (p Palette) seriesColour(i int) color.NRGBA {
	return mix(p.Series[i%len(p.Series)], p.Paper, math.Min(0.6, 0.25*float64(i/len(p.Series))))
}

// look is how a chart is laid out, beside what it shows.
type look struct {
	palette Palette
	label   float64 // size of labels, points
	heading float64 // size of the title, points
	titled  bool    // the title is part of the scene
	margin  float64
	measure func(text string, size float64, bold bool) float64 // how wide a text is
	// words that stand in the scene, in the reader's language
	date  func(time.Time) string // a day: "3 May"
	month func(time.Time) string // "May"
	more  func(n int) string     // names left out of a legend: "+3"
}

// plainLook is that of files.
func plainLook() look {
	return look{
		palette: daylight(), label: 11, heading: 15, titled: true, margin: 12,
		measure: func(text string, size float64, _ bool) float64 { return textWidth(text, size) },
		date:    func(t time.Time) string { return t.Format("2 Jan") },
		month:   func(t time.Time) string { return t.Format("Jan") },
		more:    func(n int) string { return fmt.Sprintf("+%d", n) },
	}
}

// textWidth estimates how wide a text is where its font is not known: an average
// of the common sans-serif faces, wide characters counted twice.
func textWidth(text string, size float64) float64 { return float64(present.Width(text)) * size * 0.56 }

// leading is the height of a line of text, and ascent how much of it is above the
// baseline, for a size.
const (
	leading = 1.3
	ascent  = 0.8
)

func (k look) width(text string) float64 { return k.measure(text, k.label, false) }

// fit cleans a stranger's text and cuts it to a width. It measures a text as often as its length has
// binary digits.
func (k look) fit(text string, size, width float64, bold bool) string {
	text = clean.Line(text, 200)
	if k.measure(text, size, bold) <= width {
		return text
	}
	runes := []rune(text)
	// How many runes fit before the ellipsis; none where that alone does not.
	n := sort.Search(len(runes), func(n int) bool { return k.measure(cut(runes, n), size, bold) > width }) - 1
	if n < 0 {
		return ""
	}
	return cut(runes, n)
}

// cut takes n runes and an ellipsis. It does not part a letter from the marks on
// it, nor an emoji from what it is joined with.
func cut(runes []rune, n int) string {
	for n > 0 && n < len(runes) && joins(runes[n]) {
		n--
	}
	for n > 0 && (runes[n-1] == ' ' || runes[n-1] == 0x200d) {
		n--
	}
	return string(runes[:n]) + "…"
}

// theme colours as the scene holds them.
func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// measureFyne is the measure of the window's own fonts.
func measureFyne(text string, size float64, bold bool) float64 {
	w, _ := theme.Measure(text, float32(size), fyne.TextStyle{Bold: bold})
	return float64(w)
}
