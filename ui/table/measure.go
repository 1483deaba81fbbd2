package table

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// Widths of columns, in points at text size 12.5; they grow with it.
const (
	cellPad   = 10
	widest    = 420 // a column that has room
	narrowest = 110 // a column of texts that has not; below this the table scrolls
)

// sized is a column as it is laid out.
type sized struct {
	natural  float32 // width without wrapping, at most widest
	width    float32
	fraction float32 // of numbers: the widest part behind the point
}

func textWidth(text string, size float32, bold bool) float32 {
	w, _ := theme.Measure(text, size, fyne.TextStyle{Bold: bold})
	return w
}

// measureColumns finds the natural widths. Of each column only the cells that look
// longest are measured.
func measureColumns(d *data, size float32) []sized {
	out := make([]sized, len(d.columns))
	scale := size / 12.5
	for c, col := range d.columns {
		w := textWidth(clipped(col.name), size, true) + sortRoom(size)
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
		if out[c].fraction > 0 { // the integer part of one may stand before the fraction of another
			out[c].natural += out[c].fraction
		}
	}
	return out
}

// clipped keeps what is measured short: nothing that long fits anyway.
func clipped(text string) string {
	if len(text) > 240 {
		return strings.ToValidUTF8(text[:240], "")
	}
	return text
}

// longest are the few cells of a column that take the most cells of a terminal.
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

// fractionOf is what stands behind the decimal point of a plain number, with it.
func fractionOf(number string) string {
	if i := strings.IndexByte(number, '.'); i >= 0 {
		return number[i:]
	}
	return ""
}

// share gives the columns their widths within a room: those of texts share what is
// left over, or give way down to a smallest width. It returns the width of all.
func share(cols []sized, d *data, room, size float32) float32 {
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
	case sum < room && text > 0:
		for c := range cols {
			if !d.columns[c].numeric {
				cols[c].width += (room - sum) * cols[c].natural / text
			}
		}
		return room
	case sum < room:
		for c := range cols {
			cols[c].width += (room - sum) / float32(len(cols))
		}
		return room
	case sum > room:
		if took := narrow(cols, d, sum-room, least); took >= sum-room-1 {
			return room
		}
		return scrolled(cols, d, least*2.2) // it scrolls: texts need not be that narrow
	}
	return sum
}

// scrolled gives the columns their natural widths, those of texts up to a limit.
func scrolled(cols []sized, d *data, limit float32) float32 {
	var sum float32
	for c := range cols {
		cols[c].width = cols[c].natural
		if !d.columns[c].numeric {
			cols[c].width = min(cols[c].natural, limit)
		}
		sum += cols[c].width
	}
	return sum
}

// narrow takes up to excess from the widest columns of texts, and returns how much
// it took. No column falls below least.
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
	for range 30 { // the widest that any may stay, by halving
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
