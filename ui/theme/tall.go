package theme

import (
	"encoding/binary"
	"slices"

	"fyne.io/fyne/v2"
)

// The line of the tallest of the fonts that stand in for scripts which Inter does
// not have (Noto Sans CJK), in thousandths of an em.
const (
	tallAscent  = 1_160
	tallDescent = 288
)

// TallFor returns the FontSource to draw a text with, nil for Fyne's own choice.
//
// Fyne clips a text at the height of its first typeface, but sets it on the baseline of the
// one that has its first letter, so that Chinese, Japanese and Korean lose their feet. Texts
// in those scripts get Inter with the line of a taller font. Those with emoji do not, for only
// Fyne's own faces are sure to have them; nor does a theme other than [Theme].
func TallFor(text string, style fyne.TextStyle) fyne.Resource {
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
	if !wide {
		return nil
	}
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	if !ok || style.Monospace || style.Symbol {
		return nil
	}
	return t.fonts.tall[t.Font(style)]
}

// stretched returns a copy of a TrueType font with the line of the tallest; nil for
// what is no such font.
func stretched(raw []byte) []byte {
	head, hhea, os2 := sfntTable(raw, "head", 54), sfntTable(raw, "hhea", 36), sfntTable(raw, "OS/2", 78)
	if head < 0 || hhea < 0 || os2 < 0 {
		return nil
	}
	em := int(binary.BigEndian.Uint16(raw[head+18:]))
	up, down := uint16(em*tallAscent/1_000), uint16(em*tallDescent/1_000)
	out := slices.Clone(raw)
	for at, v := range map[int]uint16{
		hhea + 4: up, hhea + 6: -down, hhea + 8: 0,
		os2 + 68: up, os2 + 70: -down, os2 + 72: 0, os2 + 74: up, os2 + 76: down,
	} {
		binary.BigEndian.PutUint16(out[at:], v)
	}
	return out
}

// sfntTable returns where a font's table of at least so many bytes begins, -1 for
// none.
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
