package chartspec

import (
	"encoding/json"
	"math"
)

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
