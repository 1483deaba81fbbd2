package chartspec

import (
	"maps"
	"slices"
	"strings"
)

// tooltip describes a mark: the values of its channels, then the fields asked for.
func (u *unit) tooltip(values map[string]Value, g *group, steps map[string]float64) ([]Pair, error) {
	var pairs []Pair
	add := func(c *channel, text string) {
		pair := Pair{c.label(), text}
		if !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	for _, name := range []string{"x", "y", "color", "xOffset", "size", "theta", "text"} {
		if c := u.channels[name]; c != nil && c.constant == nil && c.number == nil {
			text := values[name].Text
			if c.bin != nil && (name == "x" || name == "y") {
				text += "–" + FormatNumber(values[name].Num+steps[name])
			}
			add(c, text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.channels)) {
		c := u.channels[name]
		if !strings.HasPrefix(name, "tooltip") {
			continue
		}
		text, ok, err := c.tip(g.rows, steps[name])
		if err != nil {
			return nil, err
		}
		if ok {
			add(c, text)
		}
	}
	return pairs, nil
}

// tip returns the text of a tooltip field for a group: its aggregate, or the value if all
// rows have the same.
func (c *channel) tip(rows []object, step float64) (string, bool, error) {
	if c.aggregate != "" {
		v, ok, err := c.compute(rows)
		return v.Text, ok, err
	}
	text := ""
	for i, r := range rows {
		one := toText(r[c.field])
		if c.bin != nil || c.unit != "" {
			v, _ := c.read(r, step)
			one = v.Text
		}
		if i > 0 && one != text {
			return "", false, nil
		}
		text = one
	}
	return text, len(rows) > 0, nil
}

// label returns the title of a channel, as Vega-Lite derives it.
func (c *channel) label() string {
	switch {
	case c.title != "":
		return c.title
	case c.aggregate == "count":
		return "Count of records"
	case c.aggregate != "":
		return clip(strings.ToUpper(c.aggregate[:1])+c.aggregate[1:]+" of "+c.field, maxText)
	}
	return clip(c.field, maxText)
}
