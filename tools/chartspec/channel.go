package chartspec

import (
	"encoding/json"
	"strings"
)

// fieldType is what a field's values are, as Vega-Lite names it.
type fieldType string

const (
	quantitative fieldType = "quantitative"
	temporal     fieldType = "temporal"
	ordinal      fieldType = "ordinal"
	nominal      fieldType = "nominal"
)

// channel is one encoding: which field goes where, and what is done to it.
type channel struct {
	name      string
	field     string
	typ       fieldType
	aggregate string
	bin       *binning
	unit      string // timeUnit
	sort      any    // nil: data order, when hasSort
	hasSort   bool
	stack     any
	hasStack  bool
	title     string
	constant  *Value // datum: the same place for every row
	number    *float64
	noZero    bool // scale.zero is false
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
	case "order", "strokeWidth", "strokeOpacity", "fillOpacity", "key", "description":
		return nil // changes how it looks, not what it says
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
	c, err := readDef(name, o)
	if err != nil || c == nil {
		return err
	}
	u.channels[name] = c
	return u.infer(c)
}

// readSplit reads a channel that tells one field apart by the look of points and
// lines: here by colour, if colour does not tell another.
func (u *unit) readSplit(name string, def any) error {
	o, _ := def.(object)
	field, _ := o["field"].(string)
	switch color := u.channels["color"]; {
	case field == "":
		return nil
	case color == nil:
		return u.readChannel("color", object{"field": field, "type": string(nominal), "title": o["title"]})
	case color.field == field:
		return nil
	case name == "strokeDash" || u.mark == Line:
		c, err := readDef("detail", object{"field": field})
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
		c, err := readDef(name, o)
		if err != nil {
			return err
		}
		if c == nil || c.field == "" || c.aggregate != "" || c.bin != nil || c.unit != "" {
			continue
		}
		c.typ = nominal
		u.channels[name+"."+string(rune('a'+i))] = c
	}
	return nil
}

// readDef reads a channel's definition; nil when it says nothing about the data.
func readDef(name string, o object) (*channel, error) {
	at := "encoding." + name
	c := &channel{name: name, title: titleOf(o)}
	if axis, ok := o["axis"].(object); ok && c.title == "" {
		c.title = titleOf(axis)
	}
	if err := c.readScale(o["scale"], at); err != nil {
		return nil, err
	}
	if err := c.readConstant(o, at); err != nil {
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
	if err := c.readWork(o, at); err != nil {
		return nil, err
	}
	c.sort, c.hasSort = o["sort"]
	c.stack, c.hasStack = o["stack"]
	if !empty(o["impute"]) {
		return nil, refuse(at+".impute", "is not drawn")
	}
	if c.field == "" && c.aggregate != "count" && c.constant == nil && c.number == nil {
		return nil, nil
	}
	return c, nil
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
		if t["step"] != nil || c.unit == "" {
			return refuse(at+".timeUnit", "only a named unit is computed")
		}
	default:
		return refuse(at+".timeUnit", "is no name of a unit")
	}
	if c.unit != "" {
		c.unit = strings.TrimPrefix(c.unit, "utc")
		if timeUnits[c.unit].start == nil && timeUnits[c.unit].names == nil {
			return refuse(at+".timeUnit", "%q is not computed", clip(c.unit, 30))
		}
	}
	return nil
}

func (c *channel) readScale(v any, at string) error {
	scale, _ := v.(object)
	if t, ok := scale["type"].(string); ok {
		switch t {
		case "linear", "time", "utc", "ordinal", "band", "point":
		default:
			return refuse(at+".scale.type", "%q is not drawn; linear is", clip(t, 30))
		}
	}
	zero, given := scale["zero"].(bool)
	c.noZero = given && !zero
	return nil
}

// readConstant reads datum, a place, and value, a size or opacity.
func (c *channel) readConstant(o object, at string) error {
	if d, ok := o["datum"]; ok {
		switch d := d.(type) {
		case json.Number:
			f, ok := finite(d)
			if !ok {
				return refuse(at+".datum", "is no finite number")
			}
			c.constant = &Value{Kind: Number, Num: f, Text: d.String()}
			c.typ = quantitative
		case string:
			c.constant = &Value{Kind: Category, Text: clip(d, maxText)}
		default:
			return refuse(at+".datum", "only a number or a text is drawn")
		}
	}
	if v, ok := o["value"].(json.Number); ok {
		f, ok := finite(v)
		if !ok {
			return refuse(at+".value", "is no finite number")
		}
		if c.name == "x" || c.name == "y" || c.name == "x2" || c.name == "y2" {
			return refuse(at+".value", "places in pixels are not drawn; use datum")
		}
		c.number = &f
	}
	return nil
}

// infer finds the type where none is given: by what is done to the field, else by
// its values, since models leave it out.
func (u *unit) infer(c *channel) error {
	if c.field != "" && !u.anyHas(c.field) && len(u.rows) > 0 {
		return refuse("encoding."+c.name+".field", "no row has %q", clip(c.field, 60))
	}
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
	return nil
}

func (u *unit) anyHas(field string) bool {
	for _, r := range u.rows {
		if _, ok := r[field]; ok {
			return true
		}
	}
	return false
}

func (u *unit) guess(field string) fieldType {
	numbers, times, seen := true, true, false
	for _, r := range u.rows {
		switch v := r[field].(type) {
		case nil:
			continue
		case json.Number:
			times = false
		case string:
			numbers = false
			if _, ok := readTime(v); !ok {
				times = false
			}
		default:
			numbers, times = false, false
		}
		seen = true
	}
	switch {
	case seen && numbers:
		return quantitative
	case seen && times:
		return temporal
	}
	return nominal
}
