package chartspec

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// binning divides numbers into bins of equal width.
type binning struct {
	maxBins float64
	step    float64 // 0: chosen so that there are at most maxBins
}

// readBin reads bin: true, or an object with maxbins or step.
func readBin(v any, at string) (*binning, error) {
	b := &binning{maxBins: 10}
	if c := strings.TrimPrefix(at, "encoding."); c != "x" && c != "y" {
		b.maxBins = 6 // Vega-Lite's default for colours and sizes
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		if v == "binned" { // the rows contain the bins' borders
			return nil, nil
		}
		return nil, refuse(at+".bin", "%q is not computed", clip(v, 20))
	case bool:
		if !v {
			return nil, nil
		}
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch name {
			case "maxbins", "step", "nice":
				if v[name] != false {
					continue
				}
			case "binned":
				if v[name] == true {
					return nil, nil
				}
				continue
			}
			return nil, refuse(at+".bin."+name, "only bins by maxbins or step are computed")
		}
		for name, into := range map[string]*float64{"maxbins": &b.maxBins, "step": &b.step} {
			n, ok := v[name].(json.Number)
			if !ok {
				continue
			}
			f, ok := finite(n)
			if !ok || f <= 0 {
				return nil, refuse(at+".bin."+name, "is no number above zero")
			}
			*into = f
		}
		b.maxBins = math.Max(2, math.Min(100, b.maxBins))
	default:
		return nil, refuse(at+".bin", "is not computed")
	}
	return b, nil
}

// width chooses the step for numbers from low to high: 1, 2 or 5 times a power
// of ten, as Vega does.
func (b *binning) width(low, high float64) float64 {
	span := high - low
	if b.step > 0 {
		return b.step
	}
	if span <= 0 {
		span = math.Max(math.Abs(low), 1)
	}
	level := math.Ceil(math.Log10(b.maxBins))
	step := math.Pow(10, math.Round(math.Log10(span))-level)
	for math.Ceil(span/step) > b.maxBins {
		step *= 10
	}
	for _, div := range []float64{5, 2} {
		if span/(step/div) <= b.maxBins {
			step /= div
		}
	}
	return step
}

// of returns the bin that holds f.
func (b *binning) of(f, step float64) (from, to float64) {
	n := math.Floor(f/step + 1e-12)
	return n * step, (n + 1) * step
}

// timeUnit truncates times: start returns the beginning of the unit; names returns a category
// for units that recur each year, week or day.
type timeUnit struct {
	start  func(time.Time) time.Time
	layout string
	names  func(time.Time) Value
}

// timeUnits are the supported units, by Vega-Lite's names. Its weeks begin on Sunday.
var timeUnits = map[string]timeUnit{
	"year":                      {start: startOf("2006"), layout: "2006"},
	"yearquarter":               {start: startOfQuarter, layout: "2006-01"},
	"yearmonth":                 {start: startOf("2006-01"), layout: "2006-01"},
	"yearweek":                  {start: startOfWeek, layout: "2006-01-02"},
	"yearmonthdate":             {start: startOf("2006-01-02"), layout: "2006-01-02"},
	"yearmonthdatehours":        {start: startOf("2006-01-02 15"), layout: "2006-01-02 15:04"},
	"yearmonthdatehoursminutes": {start: startOf("2006-01-02 15:04"), layout: "2006-01-02 15:04"},

	"quarter":   {names: named(quarterOf, func(t time.Time) string { return fmt.Sprintf("Q%d", quarterOf(t)) })},
	"month":     {names: named(func(t time.Time) int { return int(t.Month()) }, shown("Jan"))},
	"monthdate": {names: named(func(t time.Time) int { return int(t.Month())*100 + t.Day() }, shown("Jan 2"))},
	"date":      {names: named(time.Time.Day, shown("2"))},
	"day":       {names: named(func(t time.Time) int { return int(t.Weekday()) }, shown("Mon"))},
	"hours":     {names: named(time.Time.Hour, shown("15"))},
	"minutes":   {names: named(time.Time.Minute, shown("04"))},
}

// startOf truncates times to what a layout contains.
func startOf(layout string) func(time.Time) time.Time {
	return func(t time.Time) time.Time {
		cut, _ := time.ParseInLocation(layout, t.Format(layout), t.Location()) // toTime accepts only years that it reads
		return cut
	}
}

func startOfQuarter(t time.Time) time.Time {
	return time.Date(t.Year(), time.Month(3*quarterOf(t)-2), 1, 0, 0, 0, 0, t.Location())
}

func startOfWeek(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()-int(t.Weekday()), 0, 0, 0, 0, t.Location())
}

func quarterOf(t time.Time) int { return (int(t.Month()) + 2) / 3 }

func shown(layout string) func(time.Time) string {
	return func(t time.Time) string { return t.Format(layout) }
}

// named returns categories that are sorted by number and shown by name.
func named(number func(time.Time) int, name func(time.Time) string) func(time.Time) Value {
	return func(t time.Time) Value { return Value{Kind: Category, Num: float64(number(t)), Text: name(t)} }
}

// readScale reads what a scale says about positions. Ranges and schemes of colours and sizes
// only change the look.
func (c *channel) readScale(o object, at string) error {
	v, given := o["scale"]
	if given && v == nil {
		return refuse(at+".scale", "values that are places or colours themselves are not drawn")
	}
	scale, _ := v.(object)
	if t, ok := scale["type"].(string); ok {
		switch t {
		case "linear", "time", "utc", "ordinal", "band", "point":
		default:
			return refuse(at+".scale.type", "%q is not drawn; linear is", clip(t, 30))
		}
	}
	position := c.name == "x" || c.name == "y" || c.name == "theta"
	switch {
	case scale["reverse"] == true && position:
		return refuse(at+".scale.reverse", "an axis that runs backwards is not drawn")
	case !empty(scale["range"]) && (position || c.name == "xOffset"):
		return refuse(at+".scale.range", "places in pixels are not drawn")
	case !empty(scale["bins"]):
		return refuse(at+".scale.bins", "is not computed")
	}
	zero, given := scale["zero"].(bool)
	c.noZero = given && !zero
	switch d := scale["domain"].(type) {
	case nil:
	case []any:
		c.domain = d
	default:
		return refuse(at+".scale.domain", "only a list of values is read")
	}
	for _, name := range []string{"domainMin", "domainMax"} {
		if end := scale[name]; end != nil {
			c.domain = append(c.domain, end)
		}
	}
	return nil
}

// readDomain reads the domain of a scale by the channel's type: the ends of an axis, which is
// longer if there are values beyond them, or all categories in order. That of numbers shown
// as colour or size only changes the look.
func (c *channel) readDomain() error {
	if len(c.domain) == 0 {
		return nil
	}
	at := "encoding." + c.name + ".scale.domain"
	axis := c.typ == quantitative || c.typ == temporal
	switch {
	case c.name == "theta":
		return refuse(at, "a part of a circle is not drawn")
	case axis && c.name != "x" && c.name != "y":
		return nil
	case !axis:
		for _, v := range c.domain {
			c.names = append(c.names, toText(v))
		}
		return nil
	}
	last := math.Inf(-1)
	for _, v := range c.domain {
		f, ok := c.amount(v)
		switch {
		case !ok:
			return refuse(at, "%q is no end of an axis", clip(toText(v), 40))
		case f < last:
			return refuse(at, "an axis that runs backwards is not drawn")
		}
		last = f
		c.ends = append(c.ends, f)
	}
	c.noZero = true
	return nil
}

// readConstant reads datum, a position or category, and value: a size, an opacity, a text.
func (c *channel) readConstant(o object, at string) error {
	if d, ok := o["datum"]; ok {
		if err := c.readDatum(d, at); err != nil {
			return err
		}
	}
	v, given := o["value"]
	if !given || v == nil {
		return nil
	}
	switch c.name {
	case "x", "y", "x2", "y2", "xOffset", "theta":
		return refuse(at+".value", "places in pixels are not drawn; use datum")
	case "text":
		c.constant, c.typ = &Value{Kind: Category, Text: toText(v)}, nominal
	case "size", "opacity":
		n, ok := v.(json.Number)
		if !ok {
			return refuse(at+".value", "is no number")
		}
		f, ok := finite(n)
		if !ok {
			return refuse(at+".value", "is no finite number")
		}
		c.number = &f
	}
	return nil
}

func (c *channel) readDatum(d any, at string) error {
	switch d := d.(type) {
	case json.Number:
		f, ok := finite(d)
		if !ok {
			return refuse(at+".datum", "is no finite number")
		}
		if c.typ == temporal {
			return c.timeDatum(d, at)
		}
		c.constant = &Value{Kind: Number, Num: f, Text: FormatNumber(f)}
		c.typ = quantitative
	case string:
		if c.typ == temporal {
			return c.timeDatum(d, at)
		}
		if c.typ == quantitative {
			return refuse(at+".datum", "%q is no number", clip(d, 30))
		}
		c.constant = &Value{Kind: Category, Text: clip(d, maxText)}
	default:
		return refuse(at+".datum", "only a number, a time or a text is drawn")
	}
	return nil
}

func (c *channel) timeDatum(d any, at string) error {
	t, ok := toTime(d)
	if !ok {
		return refuse(at+".datum", "%q is no time", clip(toText(d), 40))
	}
	v := timeValue(t, timeLayout(t))
	c.constant = &v
	return nil
}
