package chartspec

import "strings"

// readSort reads the order of categories.
func (c *channel) readSort(o object, at string) error {
	c.sort, c.hasSort = o["sort"]
	switch s := c.sort.(type) {
	case nil, []any, string:
		return nil
	case object:
		op, given := s["op"].(string)
		if given && aggregates[op] == nil {
			return refuse(at+".sort.op", "%q is not computed", clip(op, 30))
		}
		if order, ok := s["order"].(string); ok && order != "ascending" && order != "descending" {
			return refuse(at+".sort.order", "is ascending or descending")
		}
		return nil
	}
	return refuse(at+".sort", "is no order")
}

// checkSort refuses an order that is not possible, once all channels are read.
func (u *unit) checkSort(c *channel) error {
	at := "encoding." + c.name + ".sort"
	name, way := "", ""
	switch s := c.sort.(type) {
	case string:
		if s == "ascending" || s == "descending" {
			way = s
		} else {
			name = strings.TrimPrefix(s, "-")
		}
	case object:
		name, _ = s["encoding"].(string)
		way, _ = s["order"].(string)
		if field, _ := s["field"].(string); field != "" {
			u.reach(field)
			if !u.anyHas(field) && len(u.rows) > 0 {
				return refuse(at+".field", "no row has %q", clip(field, 60))
			}
		}
	}
	if (c.name == "x" || c.name == "y") && (c.measure() || c.typ == temporal || c.bin != nil) {
		if way == "descending" || name != "" && name != c.name {
			return refuse(at, "an axis of numbers or times runs upwards only")
		}
		return nil
	}
	if name == "" || name == c.name {
		return nil
	}
	by := u.channels[name]
	switch {
	case by == nil:
		return refuse(at, "there is no channel %q to sort by", clip(name, 30))
	case name != "x" && name != "y" && name != "theta" && name != "size" && name != "color" || !by.measure():
		return refuse(at, "%q shows no numbers to sort by", clip(name, 30))
	}
	return nil
}
