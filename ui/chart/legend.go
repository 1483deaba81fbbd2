package chart

import (
	"math"

	"bowerbird/tools/chartspec"
)

const maxLegendRows = 3

// legend writes above the marks what their colours stand for.
func (f *frame) legend() {
	if f.colours.shaded() {
		f.shadeLegend()
		return
	}
	names := legendNames(f.spec)
	if len(names) < 2 || coloursRepeatAxis(f.spec) {
		return
	}
	size := f.look.label
	swatch, line := math.Round(size*0.75), size*1.6
	x, row := f.left, 0
	if f.spec.SeriesNamed {
		title := f.fitLabel(f.spec.SeriesTitle, (f.right-f.left)/3)
		f.label(place{x, f.top + size}, title, size, f.palette.Ink, atStart, false)
		x += f.width(title) + 14
	}
	for i, name := range names {
		text := f.fitLabel(name, math.Min(size*16, f.right-f.left-swatch-6))
		w := swatch + 6 + f.width(text)
		if x > f.left && x+w > f.right {
			x, row = f.left, row+1
		}
		// The last line keeps space for the number of names that are left out.
		more := f.more(len(names) - i)
		if row == maxLegendRows-1 && i < len(names)-1 && x+w+14+f.width(more) > f.right {
			f.label(place{x, f.top + line*float64(row) + size}, more, size, f.palette.Quiet, atStart, false)
			break
		}
		y := f.top + line*float64(row)
		f.scene.rounded(x, y+size*0.6-swatch/2, x+swatch, y+size*0.6+swatch/2, f.palette.seriesColour(i), 2, allSides)
		f.label(place{x + swatch + 6, y + size}, text, size, f.palette.Quiet, atStart, false)
		x += w + 14
	}
	f.top += line*float64(row+1) + 4
}

// coloursRepeatAxis reports whether each colour stands for the category that its mark is at: then
// the axis names it already.
func coloursRepeatAxis(s *chartspec.Spec) bool {
	if len(s.Series) == 0 {
		return false
	}
	for _, l := range s.Layers {
		for _, p := range l.Points {
			if p.Series != "" && p.Series != p.X.Text && p.Series != p.Y.Text {
				return false
			}
		}
	}
	return s.X.Kind == chartspec.Categories || s.Y.Kind == chartspec.Categories
}

// shadeLegend shows the least and the greatest number that is shown as a shade, with a
// scale between them.
func (f *frame) shadeLegend() {
	const steps = 8
	size := f.look.label
	low, high := shortNumber(f.colours.low, f.colours.low/100), shortNumber(f.colours.high, f.colours.high/100)
	x, y := f.left, f.top+size
	put := func(text string) {
		text = f.fitLabel(text, math.Max(size*2, f.right-x))
		f.label(place{x, y}, text, size, f.palette.Quiet, atStart, false)
		x += f.width(text) + 6
	}
	if title := f.spec.ShadeTitle; title != "" && f.right-f.left > size*24 {
		put(f.fitLabel(title, size*12))
	}
	put(low)
	if f.colours.high > f.colours.low {
		for i := range steps {
			c := mix(f.palette.ShadeLow, f.palette.ShadeHigh, float64(i)/(steps-1))
			f.scene.rect(x+float64(i)*size, y-size*0.8, x+float64(i+1)*size, y, c)
		}
		x += steps*size + 6
		put(high)
	}
	f.top += size*1.6 + 4
}

// pieRow is a line of a pie's legend.
type pieRow struct {
	name, number string
	color        colour
}

// pieLegend writes the names and numbers of the slices to the right of x, as many as fit.
func (f *frame) pieLegend(rows []pieRow, x float64) {
	size := f.look.label
	line := size * 1.7
	swatch := math.Round(size * 0.75)
	fit := max(1, int((f.bottom-f.top)/line))
	hidden := 0
	if len(rows) > fit {
		hidden = len(rows) - fit + 1
		rows = rows[:fit-1]
	}
	y := (f.top + f.bottom - line*float64(len(rows)+min(hidden, 1))) / 2
	for _, r := range rows {
		base := y + size*1.2
		f.scene.rounded(x, base-size*0.4-swatch/2, x+swatch, base-size*0.4+swatch/2, r.color, 2, allSides)
		w := f.right - x - swatch - 6
		number := f.fitLabel(r.number, w*0.6)
		name := f.fitLabel(r.name, math.Max(size, w-f.width(number)-gap))
		at := x + swatch + 6
		if f.label(place{at, base}, name, size, f.palette.Ink, atStart, false) {
			at += f.width(name) + gap
		}
		f.label(place{at, base}, number, size, f.palette.Quiet, atStart, false)
		y += line
	}
	if hidden > 0 {
		f.label(place{x + swatch + 6, y + size*1.2}, f.more(hidden), size, f.palette.Quiet, atStart, false)
	}
}
