package present

import (
	"fmt"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Words are the language that things are said in. The zero value says them in
// English. It is how a window hands its translations to a package that knows no
// window: L is Fyne's lang.L, the key is the English text.
type Words struct {
	// Tag is the user's language, for numbers; the zero value is English.
	Tag language.Tag
	// L translates a text. data is a map[string]any with what stands in its places,
	// written {{.Name}}.
	L func(text string, data ...any) string
}

// say translates a text and fills its places: pairs of a name and what stands there.
func (w Words) say(text string, pairs ...any) string {
	if w.L != nil {
		if len(pairs) == 0 {
			return w.L(text)
		}
		data := make(map[string]any, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			data[fmt.Sprint(pairs[i])] = pairs[i+1]
		}
		return w.L(text, data)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.Replace(text, fmt.Sprintf("{{.%v}}", pairs[i]), fmt.Sprint(pairs[i+1]), 1)
	}
	return text
}

func (w Words) decimal(n any, fraction int) string {
	tag := w.Tag
	if tag == (language.Tag{}) {
		tag = language.English
	}
	return message.NewPrinter(tag).Sprint(number.Decimal(n, number.MaxFractionDigits(fraction)))
}

// fixed writes a number with so many digits behind the sign.
func (w Words) fixed(n float64, fraction int) string {
	tag := w.Tag
	if tag == (language.Tag{}) {
		tag = language.English
	}
	return message.NewPrinter(tag).Sprint(number.Decimal(n, number.Scale(fraction)))
}

// Number writes a number whole: "1,204".
func (w Words) Number(n int) string { return w.decimal(n, 0) }

// Short writes a number in little room, rounded down: "8", "2.1k", "88k", "1.2M".
func (w Words) Short(n int64) string {
	switch {
	case n < 0:
		return "-" + w.Short(max(-n, 0))
	case n < 1_000:
		return w.decimal(n, 0)
	case n < 1_000_000:
		return w.say("{{.N}}k", "N", w.rounded(n, 1_000))
	case n < 1_000_000_000:
		return w.say("{{.N}}M", "N", w.rounded(n, 1_000_000))
	}
	return w.say("{{.N}}B", "N", w.rounded(n, 1_000_000_000))
}

// rounded divides with one digit behind the sign for results below ten.
func (w Words) rounded(n, unit int64) string {
	if n >= 10*unit {
		return w.decimal(n/unit, 0)
	}
	return w.decimal(float64(n/(unit/10))/10, 1)
}

// Bytes writes a size: "12 kB", "1.2 MB", "412 MB".
func (w Words) Bytes(n int64) string {
	n = max(n, 0)
	switch {
	case n < 1_000:
		return w.decimal(n, 0) + " B"
	case n < 1_000_000:
		return w.decimal(n/1_000, 0) + " kB"
	case n < 1_000_000_000:
		return w.rounded(n, 1_000_000) + " MB"
	}
	return w.rounded(n, 1_000_000_000) + " GB"
}
