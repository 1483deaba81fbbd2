package chartspec

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// fieldType is Vega-Lite's type of a field.
type fieldType string

const (
	quantitative fieldType = "quantitative"
	temporal     fieldType = "temporal"
	ordinal      fieldType = "ordinal"
	nominal      fieldType = "nominal"
)

// channel is one encoding channel: which field it shows, and how.
type channel struct {
	name      string
	field     string
	typ       fieldType
	aggregate string
	bin       *binning
	unit      string // timeUnit
	utc       bool   // the unit is in UTC, not in the zone of each time
	sort      any    // with hasSort, nil is the order of the data
	hasSort   bool
	stack     any
	hasStack  bool
	title     string
	constant  *Value // datum: the same place for every row
	number    *float64
	noZero    bool // scale.zero is false, or the scale has a domain
	domain    []any
	ends      []float64 // the domain of an axis of numbers or times
	names     []string  // the domain of categories
}

// measure reports whether the channel's values are amounts.
func (c *channel) measure() bool { return c != nil && c.typ == quantitative && c.bin == nil }

func (u *unit) readChannel(name string, def any) error {
	switch name {
	case "x", "y", "x2", "y2", "color", "size", "theta", "text", "xOffset", "opacity":
	case "fill", "stroke":
		name = "color"
	case "yOffset":
		name = "xOffset" // bars side by side, whichever way they run
	case "shape", "strokeDash":
		return u.readSplit(name, def)
	case "tooltip", "detail":
		return u.readList(name, def)
	case "order":
		if o, ok := def.(object); def == nil || ok && o["field"] == nil && o["aggregate"] == nil {
			u.unsorted = true
			return nil
		}
	case "strokeWidth", "strokeOpacity", "fillOpacity", "angle", "key", "description":
		if o, ok := def.(object); ok && o["field"] != nil && name != "key" && name != "description" {
			return refuse("encoding."+name, "this channel is not drawn")
		}
		return nil // changes the look, not the meaning
	default:
		return refuse("encoding."+name, "this channel is not drawn")
	}
	o, ok := def.(object)
	if !ok {
		if def == nil {
			return nil
		}
		return refuse("encoding."+name, "is no object")
	}
	c, err := u.readDef(name, o)
	if err != nil || c == nil {
		return err
	}
	if old := u.channels[name]; old != nil && old.field != c.field {
		return refuse("encoding."+name, "two fields are shown in one way: %q and %q", clip(old.field, 60), clip(c.field, 60))
	}
	u.channels[name] = c
	return u.infer(c)
}

// readSplit reads a channel that distinguishes the values of a field by shape or dashes:
// here by colour, unless colour shows another field.
func (u *unit) readSplit(name string, def any) error {
	o, _ := def.(object)
	field, _ := o["field"].(string)
	switch color := u.channels["color"]; {
	case field == "":
		return nil
	case o["aggregate"] != nil || !empty(o["bin"]) || o["timeUnit"] != nil:
		return refuse("encoding."+name, "only a field as it is tells marks apart")
	case color == nil:
		return u.readChannel("color", object{"field": field, "type": string(nominal), "title": o["title"]})
	case color.field == field:
		return nil
	case name == "strokeDash" || u.mark == Line:
		c, err := u.readDef("detail", object{"field": field})
		if c != nil {
			c.typ = nominal
			u.channels["detail."+name] = c
		}
		return err
	}
	return refuse("encoding."+name, "only one of colour and %s is drawn", name)
}

// readList reads tooltip and detail, which may name several fields.
func (u *unit) readList(name string, def any) error {
	list, ok := def.([]any)
	if !ok {
		list = []any{def}
	}
	for i, d := range list {
		o, ok := d.(object)
		if !ok || i >= 20 {
			continue
		}
		c, err := u.readDef(name, o)
		if err != nil {
			return err
		}
		if c == nil || c.field == "" && c.aggregate == "" || c.aggregate != "" && name == "detail" {
			continue // no information, or does not divide the rows into groups
		}
		u.channels[name+"."+string(rune('a'+i))] = c
		if c.aggregate == "" && c.bin == nil && c.unit == "" {
			c.typ = nominal
		} else if err := u.infer(c); err != nil {
			return err
		}
	}
	return nil
}

// readDef reads a channel's definition; nil if it says nothing about the data.
func (u *unit) readDef(name string, o object) (*channel, error) {
	at := "encoding." + name
	c := &channel{name: name, title: titleOf(o)}
	if axis, ok := o["axis"].(object); ok && c.title == "" {
		c.title = titleOf(axis)
	}
	if err := c.readScale(o, at); err != nil {
		return nil, err
	}
	switch f := o["field"].(type) {
	case nil:
	case string:
		if c.field = f; f == "*" && o["aggregate"] == "count" {
			c.field = "" // all rows
		}
	default:
		return nil, refuse(at+".field", "is no name of a field")
	}
	if t, ok := o["type"].(string); ok {
		switch c.typ = fieldType(t); c.typ {
		case quantitative, temporal, ordinal, nominal:
		default:
			return nil, refuse(at+".type", "%q is not drawn", clip(t, 30))
		}
	}
	if err := c.readConstant(o, at); err != nil {
		return nil, err
	}
	if err := c.readWork(o, at); err != nil {
		return nil, err
	}
	if err := c.readSort(o, at); err != nil {
		return nil, err
	}
	c.stack, c.hasStack = o["stack"]
	if !empty(o["impute"]) {
		return nil, refuse(at+".impute", "is not drawn")
	}
	u.reach(c.field)
	if c.field != "" || c.aggregate == "count" || c.constant != nil || c.number != nil {
		return c, nil
	}
	if c.aggregate != "" || c.bin != nil || c.unit != "" {
		return nil, refuse(at, "names no field")
	}
	return nil, nil
}

// readWork reads aggregate, bin and timeUnit.
func (c *channel) readWork(o object, at string) error {
	switch a := o["aggregate"].(type) {
	case nil:
	case string:
		if aggregates[a] == nil {
			return refuse(at+".aggregate", "%q is not computed", clip(a, 30))
		}
		c.aggregate = a
	default:
		return refuse(at+".aggregate", "argmin and argmax are not computed")
	}
	var err error
	if c.bin, err = readBin(o["bin"], at); err != nil {
		return err
	}
	switch t := o["timeUnit"].(type) {
	case nil:
	case string:
		c.unit = t
	case object:
		c.unit, _ = t["unit"].(string)
		if t["step"] != nil || t["maxbins"] != nil || c.unit == "" {
			return refuse(at+".timeUnit", "only a named unit is computed")
		}
		c.utc, _ = t["utc"].(bool)
	default:
		return refuse(at+".timeUnit", "is no name of a unit")
	}
	if c.unit != "" {
		if unit, ok := strings.CutPrefix(c.unit, "utc"); ok {
			c.unit, c.utc = unit, true
		}
		if timeUnits[c.unit].start == nil && timeUnits[c.unit].names == nil {
			return refuse(at+".timeUnit", "%q is not computed", clip(c.unit, 30))
		}
	}
	return nil
}

// infer finds the type if none is given, since models omit it: from what is done to the
// field, else from its values.
func (u *unit) infer(c *channel) error {
	if c.field != "" && !u.anyHas(c.field) && len(u.rows) > 0 {
		return refuse("encoding."+c.name+".field", "no row has %q", clip(c.field, 60))
	}
	u.inferType(c)
	if err := u.checkNumbers(c); err != nil {
		return err
	}
	return c.readDomain()
}

func (u *unit) inferType(c *channel) {
	switch {
	case c.aggregate != "" && c.aggregate != "min" && c.aggregate != "max", c.bin != nil:
		c.typ = quantitative
	case c.unit != "" && timeUnits[c.unit].names != nil:
		c.typ = ordinal
	case c.unit != "" && (c.typ == "" || c.typ == quantitative):
		c.typ = temporal
	case c.typ == "" && c.constant != nil:
		c.typ = nominal
	case c.typ == "":
		c.typ = u.guess(c.field)
	}
}

// checkNumbers refuses numbers that are too large to be drawn: if they were left out, nobody
// would notice.
func (u *unit) checkNumbers(c *channel) error {
	if c.field == "" || c.typ != quantitative && c.typ != temporal {
		return nil
	}
	for _, r := range u.rows {
		if n, ok := r[c.field].(json.Number); ok {
			if _, ok := finite(n); !ok {
				return refuse("encoding."+c.name, "%s is too large to be drawn", clip(n.String(), 30))
			}
		}
	}
	return nil
}

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
