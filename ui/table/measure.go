package table

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// The widths of columns, in points at text size 12.5; they grow with it.
const (
	cellPad   = 10
	widest    = 420 // of a column in a wide window
	narrowest = 110 // of a column of texts; a narrower table scrolls
)

// sized holds the measures of a column.
type sized struct {
	natural  float32 // the width without wrapping, at most widest
	width    float32
	fraction float32 // the width of the longest decimal fraction
}

func textWidth(text string, size float32, bold bool) float32 {
	w, _ := theme.Measure(text, size, fyne.TextStyle{Bold: bold})
	return w
}

// measureColumns measures the natural widths. Of each column it measures only the cells
// that look longest.
func measureColumns(d *data, size float32) []sized {
	out := make([]sized, len(d.columns))
	scale := size / 12.5
	for c, col := range d.columns {
		w := textWidth(clipped(col.name), size, true) + arrowWidth(size)
		for _, one := range longest(d, c) {
			if one.spans != nil {
				w = max(w, one.prose().NaturalWidth(widest*scale))
				continue
			}
			w = max(w, textWidth(clipped(one.text), size, false))
		}
		out[c].natural = min(w, widest*scale) + 2*cellPad
		if !col.numeric {
			continue
		}
		for _, row := range d.rows {
			if f := fractionOf(row[c].text); f != "" {
				out[c].fraction = max(out[c].fraction, textWidth(f, size, false))
			}
		}
		out[c].natural += out[c].fraction // the longest integer part may not have the longest fraction
	}
	return out
}

// clipped cuts a text that fits no column anyway, to measure it faster.
func clipped(text string) string {
	if len(text) > 240 {
		return strings.ToValidUTF8(text[:240], "")
	}
	return text
}

// longest returns the few cells of a column that would be widest in a terminal.
func longest(d *data, c int) []*cell {
	type length struct {
		cells int
		of    *cell
	}
	var top []length
	for _, row := range d.rows {
		n := present.Width(clipped(row[c].text))
		if len(top) == 4 && n <= top[3].cells {
			continue
		}
		top = append(top, length{n, &row[c]})
		slices.SortStableFunc(top, func(a, b length) int { return b.cells - a.cells })
		top = top[:min(len(top), 4)]
	}
	cells := make([]*cell, len(top))
	for i, l := range top {
		cells[i] = l.of
	}
	return cells
}

// fractionOf returns the decimal fraction of a number with its point.
func fractionOf(number string) string {
	if i := strings.IndexByte(number, '.'); i >= 0 {
		return number[i:]
	}
	return ""
}

// share distributes a width among the columns: those of texts share what is left over, or shrink
// to a least width. Where that is not enough the table scrolls, and texts get more than the
// least width.
func share(cols []sized, d *data, total, size float32) {
	least := narrowest * size / 12.5
	var sum, text float32
	for c := range cols {
		cols[c].width = cols[c].natural
		sum += cols[c].natural
		if !d.columns[c].numeric {
			text += cols[c].natural
		}
	}
	switch {
	case sum < total && text > 0:
		for c := range cols {
			if !d.columns[c].numeric {
				cols[c].width += (total - sum) * cols[c].natural / text
			}
		}
	case sum < total:
		for c := range cols {
			cols[c].width += (total - sum) / float32(len(cols))
		}
	case sum > total && narrow(cols, d, sum-total, least) < sum-total-1:
		for c := range cols {
			cols[c].width = cols[c].natural
			if !d.columns[c].numeric {
				cols[c].width = min(cols[c].natural, least*2.2)
			}
		}
	}
}

// narrow takes up to excess from the widest columns of texts, and returns how much it took. No
// column becomes narrower than least.
func narrow(cols []sized, d *data, excess, least float32) float32 {
	low, high := least, float32(0)
	for c := range cols {
		high = max(high, cols[c].width)
	}
	taken := func(limit float32) float32 {
		var sum float32
		for c := range cols {
			if !d.columns[c].numeric && cols[c].width > limit {
				sum += cols[c].width - limit
			}
		}
		return sum
	}
	for range 30 { // bisect the greatest width
		middle := (low + high) / 2
		if taken(middle) >= excess {
			low = middle
		} else {
			high = middle
		}
	}
	got := taken(low)
	for c := range cols {
		if !d.columns[c].numeric {
			cols[c].width = min(cols[c].width, low)
		}
	}
	return got
}
