package chartspec

import (
	"cmp"
	"slices"
	"strings"
)

// categories returns the distinct values that get returns for a table's points, in the order
// that the channel asks for.
func (t *table) categories(c *channel, get func(*point) Value) []string {
	var values []Value
	of := map[string][]*point{}
	for i := range t.points {
		p := &t.points[i]
		v := get(p)
		if of[v.Text] == nil {
			values = append(values, v)
		}
		of[v.Text] = append(of[v.Text], p)
	}
	t.sortValues(c, values, of)
	var names []string
	if c != nil {
		names = union(names, c.names)
	}
	for _, v := range values {
		if c == nil || !slices.Contains(c.names, v.Text) {
			names = append(names, v.Text)
		}
	}
	return names
}

func (t *table) sortValues(c *channel, values []Value, of map[string][]*point) {
	natural := func(a, b Value) int { return cmp.Or(cmp.Compare(a.Num, b.Num), cmp.Compare(a.Text, b.Text)) }
	down := func(f func(a, b Value) int) func(a, b Value) int { return func(a, b Value) int { return f(b, a) } }
	by := natural
	if c != nil && c.hasSort {
		switch s := c.sort.(type) {
		case nil:
			return
		case string:
			name, descending := strings.CutPrefix(s, "-")
			switch {
			case s == "descending":
				by = down(natural)
			case c.name == name: // by its own values
				if descending {
					by = down(natural)
				}
			case t.u.channels[name] != nil:
				by = t.byAmount(name, of)
				if descending {
					by = down(by)
				}
			}
		case []any:
			place := map[string]int{}
			for i, v := range s {
				place[toText(v)] = i - len(s) // before what the list does not name
			}
			by = func(a, b Value) int { return cmp.Or(cmp.Compare(place[a.Text], place[b.Text]), natural(a, b)) }
		case object:
			by = t.byObject(s, of, natural)
			if s["order"] == "descending" {
				by = down(by)
			}
		}
	}
	slices.SortStableFunc(values, by)
}

// byAmount compares categories by the sum of another channel's numbers.
func (t *table) byAmount(name string, of map[string][]*point) func(a, b Value) int {
	total := func(v Value) float64 {
		sum := 0.0
		for _, p := range of[v.Text] {
			switch {
			case name == "x" && p.X.Kind == Number && !t.horizontal:
				sum += p.X.Num
			case name == "y" && p.Y.Kind == Number && t.horizontal:
				sum += p.Y.Num
			case name == "color" && p.Shade != nil:
				sum += *p.Shade
			case name == "size" && p.Size != nil:
				sum += *p.Size
			default:
				sum += p.Amount
			}
		}
		return sum
	}
	return func(a, b Value) int { return cmp.Compare(total(a), total(b)) }
}

// byObject compares by {field, op} or {encoding}.
func (t *table) byObject(s object, of map[string][]*point, natural func(a, b Value) int) func(a, b Value) int {
	if name, ok := s["encoding"].(string); ok && t.u.channels[name] != nil {
		return t.byAmount(name, of)
	}
	field, ok := s["field"].(string)
	op, _ := s["op"].(string)
	switch {
	case op == "count":
		rows := func(v Value) (n int) {
			for _, p := range of[v.Text] {
				n += len(p.rows)
			}
			return n
		}
		return func(a, b Value) int { return cmp.Compare(rows(a), rows(b)) }
	case !ok:
		return natural
	case op == "" && t.stacked:
		op = "sum"
	case op == "":
		op = "min" // Vega-Lite's default
	}
	value := func(v Value) float64 {
		var numbers []float64
		for _, p := range of[v.Text] {
			for _, r := range p.rows {
				if f, ok := toNumber(r[field]); ok {
					numbers = append(numbers, f)
				}
			}
		}
		if len(numbers) == 0 {
			return 0
		}
		return aggregates[op](numbers)
	}
	return func(a, b Value) int { return cmp.Compare(value(a), value(b)) }
}

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
