package chart

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"time"
	"unicode"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/clean"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// palette holds the colours of a chart.
type palette struct {
	Ink, Quiet, Grid, Paper color.NRGBA
	ShadeLow, ShadeHigh     color.NRGBA // of heat maps, least and most
	Series                  []color.NRGBA
}

// daylight returns the palette of files that are not drawn by the window: that of its light
// theme.
func daylight() palette {
	hex := func(n uint32) color.NRGBA { return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff} }
	p := palette{
		Ink: hex(0x1b1e26), Quiet: hex(0x535a69), Grid: hex(0xdedad2), Paper: hex(0xffffff),
		ShadeLow: hex(0xe6ebfc), ShadeHigh: hex(0x2347c9),
	}
	for _, n := range []uint32{0x2347c9, 0xb4590a, 0x14703f, 0x8b3fa0, 0x0b6e85, 0xb3262d, 0x535a69} {
		p.Series = append(p.Series, hex(n))
	}
	return p
}

// seriesColour returns the colour of the i-th series. With more series than colours they
// repeat, paler.
func (p palette) seriesColour(i int) color.NRGBA {
	return mix(p.Series[i%len(p.Series)], p.Paper, math.Min(0.6, 0.25*float64(i/len(p.Series))))
}

// look is how a chart is laid out, whatever it shows.
type look struct {
	palette palette
	label   float64 // size of labels, points
	heading float64 // size of the title, points
	titled  bool    // the title is part of the scene
	margin  float64
	measure func(text string, size float64, bold bool) float64 // returns the width of a text, in points
	// In the user's language:
	date  func(time.Time) string // "3 May"
	month func(time.Time) string // "May"
	more  func(n int) string     // the number of names left out of a legend: "+3"
}

// plainLook returns the look of files.
func plainLook() look {
	return look{
		palette: daylight(), label: 11, heading: 15, titled: true, margin: 12,
		measure: func(text string, size float64, _ bool) float64 { return textWidth(text, size) },
		date:    func(t time.Time) string { return t.Format("2 Jan") },
		month:   func(t time.Time) string { return t.Format("Jan") },
		more:    func(n int) string { return fmt.Sprintf("+%d", n) },
	}
}

// textWidth estimates the width of a text in an unknown font from the mean of common
// sans-serif faces; wide characters count twice.
func textWidth(text string, size float64) float64 { return float64(present.Width(text)) * size * 0.56 }

const (
	leading = 1.3 // the height of a line of text, in sizes of the text
	ascent  = 0.8 // the part of it above the baseline
)

func (k look) width(text string) float64 { return k.measure(text, k.label, false) }

// fit cleans a stranger's text and cuts it to a width. It measures a logarithmic number of
// times.
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

// cut returns the first n runes and an ellipsis. It keeps letters with their marks, and
// emoji with what is joined to them.
func cut(runes []rune, n int) string {
	joins := func(r rune) bool { // to the one before
		return r == 0x200d || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || unicode.In(r, unicode.Mn, unicode.Me)
	}
	for n > 0 && n < len(runes) && joins(runes[n]) {
		n--
	}
	for n > 0 && (runes[n-1] == ' ' || runes[n-1] == 0x200d) {
		n--
	}
	return string(runes[:n]) + "…"
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// measureFyne measures in the window's fonts.
func measureFyne(text string, size float64, bold bool) float64 {
	w, _ := theme.Measure(text, float32(size), fyne.TextStyle{Bold: bold})
	return float64(w)
}
