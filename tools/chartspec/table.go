package chartspec

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// table is a unit with its rows turned into points.
type table struct {
	u          *unit
	points     []point
	gaps       []point // of lines and areas: points without a number
	horizontal bool
	stacked    bool
}

// point is a [Point] with what is needed to sort and stack it.
type point struct {
	Point
	series Value
	offset Value
	order  Value
	detail string
	row    int  // the index of its group, in the order of the data
	gap    bool // the number is missing
	rows   []object
}

// group is the rows that become one point.
type group struct {
	values map[string]Value // of the channels without an aggregate
	rows   []object
	gap    bool // the number of a line or area is missing
}

// resolve computes a unit's points.
func (u *unit) resolve() (*table, error) {
	t := &table{u: u}
	steps, err := u.binSteps()
	if err != nil {
		return nil, err
	}
	for i, g := range u.groups(steps) {
		p, ok, err := u.point(g, steps)
		p.row = i
		if err != nil {
			return nil, err
		}
		if p.gap {
			t.gaps = append(t.gaps, p)
		}
		if !ok || p.gap {
			continue
		}
		if t.points = append(t.points, p); len(t.points) > maxMarks {
			return nil, refuse("data", "more than %d marks", maxMarks)
		}
	}
	if len(t.points) == 0 {
		return t, nil
	}
	if err := t.orient(); err != nil {
		return nil, err
	}
	t.fadeOpacity()
	return t, nil
}

// binSteps chooses the width of the bins of each binned channel.
func (u *unit) binSteps() (map[string]float64, error) {
	steps := map[string]float64{}
	for name, c := range u.channels {
		if c.bin == nil {
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range u.rows {
			if f, ok := toNumber(r[c.field]); ok {
				low, high = math.Min(low, f), math.Max(high, f)
			}
		}
		if low > high {
			return nil, refuse("encoding."+name+".bin", "no row of %q holds a number", clip(c.field, 60))
		}
		step := c.bin.width(low, high)
		if !isFinite(step) || step <= 0 || !isFinite(high/step) {
			return nil, refuse("encoding."+name+".bin", "these numbers cannot be cut into bins")
		}
		steps[name] = step
	}
	return steps, nil
}

// groups groups rows that agree in all channels without an aggregate; if no channel has one,
// each row is a group. As in Vega-Lite, rows without a number where one is needed are left
// out.
func (u *unit) groups(steps map[string]float64) []*group {
	names := slices.Sorted(maps.Keys(u.channels))
	aggregated := slices.ContainsFunc(names, func(n string) bool { return u.channels[n].aggregate != "" })
	var list []*group
	byKey := map[string]*group{}
	for _, row := range u.rows {
		values, key, ok, gap := map[string]Value{}, strings.Builder{}, true, false
		for _, n := range names {
			c := u.channels[n]
			if c.aggregate != "" || c.field == "" || strings.HasPrefix(n, "tooltip") {
				continue
			}
			v, readable := c.read(row, steps[n])
			gap = gap || !readable && u.breaks(c)
			ok = ok && (readable || u.breaks(c))
			values[n] = v
			key.WriteString(n + "\x00" + v.Text + "\x00")
			if v.Kind == Time { // the same hour comes twice when clocks are put back
				key.WriteString(strconv.FormatFloat(v.Num, 'g', -1, 64))
			}
		}
		if !ok {
			continue
		}
		g := byKey[key.String()]
		if g == nil || !aggregated {
			g = &group{values: values, gap: gap}
			byKey[key.String()] = g
			list = append(list, g)
		}
		g.rows = append(g.rows, row)
	}
	if len(u.rows) == 0 && !aggregated && u.allConstant() {
		list = append(list, &group{values: map[string]Value{}})
	}
	return list
}

func (u *unit) allConstant() bool {
	for _, c := range u.channels {
		if c.field != "" {
			return false
		}
	}
	return len(u.channels) > 0
}

// read takes a channel's value from a row.
func (c *channel) read(row object, step float64) (Value, bool) {
	raw := row[c.field]
	switch {
	case c.bin != nil:
		f, ok := toNumber(raw)
		from, to := c.bin.of(f, step)
		v := Value{Kind: Number, Num: from, Text: FormatNumber(from)}
		if c.name != "x" && c.name != "y" { // the upper border is not visible otherwise
			v.Text += "–" + FormatNumber(to)
		}
		return v, ok
	case c.unit != "":
		t, ok := toTime(raw)
		if !ok {
			return Value{}, false
		}
		if c.utc {
			t = t.UTC()
		}
		unit := timeUnits[c.unit]
		if unit.names != nil {
			return unit.names(t), true
		}
		return timeValue(unit.start(t), unit.layout), true
	case c.typ == quantitative:
		f, ok := toNumber(raw)
		if !ok {
			return Value{}, false
		}
		return Value{Kind: Number, Num: f, Text: FormatNumber(f)}, true
	case c.typ == temporal:
		t, ok := toTime(raw)
		return timeValue(t, timeLayout(t)), ok
	}
	v := Value{Kind: Category, Text: toText(raw)}
	if f, ok := toNumber(raw); ok {
		v.Num = f
	}
	return v, true
}

// compute works out an aggregated channel of a group.
func (c *channel) compute(rows []object) (Value, bool, error) {
	var out float64
	switch c.aggregate {
	case "count":
		out = float64(len(rows))
	case "valid":
		for _, r := range rows {
			if r[c.field] != nil {
				out++
			}
		}
	case "distinct":
		seen := map[string]bool{}
		for _, r := range rows {
			seen[toText(r[c.field])] = true
		}
		out = float64(len(seen))
	default:
		var numbers []float64
		for _, r := range rows {
			if f, ok := c.amount(r[c.field]); ok {
				numbers = append(numbers, f)
			}
		}
		if len(numbers) == 0 && c.aggregate != "sum" {
			return Value{}, false, nil
		}
		out = aggregates[c.aggregate](numbers)
	}
	if !isFinite(out) {
		return Value{}, false, refuse("encoding."+c.name+".aggregate", "the numbers are too large")
	}
	if c.typ == temporal {
		t, ok := fromMillis(out)
		return timeValue(t, timeLayout(t)), ok, nil
	}
	if c.typ != quantitative { // the minimum or maximum of a group, as a category
		return Value{Kind: Category, Num: out, Text: FormatNumber(out)}, true, nil
	}
	return Value{Kind: Number, Num: out, Text: FormatNumber(out)}, true, nil
}

// breaks reports whether a row without a number in a channel breaks the line, as in
// Vega-Lite, instead of being left out.
func (u *unit) breaks(c *channel) bool {
	return (u.mark == Line || u.mark == Area) && (c.name == "x" || c.name == "y") && c.measure()
}

// amount reads a value to be aggregated; times have a minimum and a maximum too.
func (c *channel) amount(v any) (float64, bool) {
	if c.typ == temporal {
		t, ok := toTime(v)
		return float64(t.UnixMilli()), ok
	}
	return toNumber(v)
}

// value is a channel's value for a group: a constant, an aggregate, or read.
func (u *unit) value(name string, g *group) (Value, bool, error) {
	c := u.channels[name]
	switch {
	case c == nil || c.number != nil:
		return Value{}, true, nil
	case c.constant != nil:
		return *c.constant, true, nil
	case c.aggregate != "":
		return c.compute(g.rows)
	}
	return g.values[name], true, nil
}

// point returns the mark of a group. It reports false if a channel has no value.
func (u *unit) point(g *group, steps map[string]float64) (point, bool, error) {
	p := point{Point: Point{Opacity: 1}, rows: g.rows, gap: g.gap}
	values := map[string]Value{}
	for _, name := range []string{"x", "y", "x2", "y2", "color", "size", "theta", "text", "xOffset", "opacity", "order"} {
		v, ok, err := u.value(name, g)
		if err != nil {
			return p, false, err
		}
		if !ok && !u.breaks(u.channels[name]) {
			return p, false, nil
		}
		p.gap = p.gap || !ok
		values[name] = v
	}
	p.X, p.Y, p.X2, p.Y2 = values["x"], values["y"], values["x2"], values["y2"]
	for name, ends := range map[string][2]*Value{"x": {&p.X, &p.X2}, "y": {&p.Y, &p.Y2}} {
		if c := u.channels[name]; c != nil && c.bin != nil {
			u.spreadBin(ends[0], ends[1], steps[name])
		}
	}
	if c := u.channels["color"]; c != nil {
		if c.measure() {
			shade := values["color"].Num
			p.Shade = &shade
		} else {
			p.series, p.Series = values["color"], values["color"].Text
		}
	}
	p.offset, p.Offset, p.order = values["xOffset"], values["xOffset"].Text, values["order"]
	p.Text = values["text"].Text
	if v := u.channels["theta"]; v != nil {
		p.Amount = values["theta"].Num
	}
	p.Size = u.sizeOf(values["size"])
	if c := u.channels["opacity"]; c != nil {
		p.Opacity = values["opacity"].Num
		if c.number != nil {
			p.Opacity = math.Min(1, math.Max(0, *c.number))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.channels)) {
		if strings.HasPrefix(name, "detail") {
			p.detail += g.values[name].Text + "\x00"
		}
	}
	var err error
	p.Tooltip, err = u.tooltip(values, g, steps)
	return p, true, err
}

// spreadBin sets the position of a mark in a bin, as in Vega-Lite: bars and cells fill the
// bin, other marks are in its middle.
func (u *unit) spreadBin(from, to *Value, step float64) {
	if from.Kind == Absent {
		return
	}
	end := from.Num + step
	*to = Value{Kind: Number, Num: end, Text: FormatNumber(end)}
	if u.mark == Bar || u.mark == Rect {
		return
	}
	from.Num, from.Text = from.Num+step/2, from.Text+"–"+to.Text
	*to = Value{}
}

func (u *unit) sizeOf(v Value) *float64 {
	switch c := u.channels["size"]; {
	case c == nil:
		return nil
	case c.number != nil:
		return c.number
	case v.Kind == Number:
		return &v.Num
	}
	return nil
}

// fadeOpacity scales amounts shown as opacity to 0.3 to 1.
func (t *table) fadeOpacity() {
	c := t.u.channels["opacity"]
	if c == nil || c.number != nil {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range t.points {
		low, high = math.Min(low, p.Opacity), math.Max(high, p.Opacity)
	}
	for i := range t.points {
		o := &t.points[i].Opacity
		if high > low {
			*o = 0.3 + 0.7*(*o-low)/(high-low)
		} else {
			*o = 1
		}
	}
}

// Table returns the data in a specification, to be shown as a table if the chart is not
// drawn: the names of the columns, and the JSON of each cell. It reads at most limit rows
// and 50 columns, and returns nothing if it finds no rows.
func Table(raw []byte, limit int) (columns []string, rows [][]json.RawMessage) {
	top, err := readObject(raw)
	if err != nil {
		return nil, nil
	}
	if err := nameData(top); err != nil {
		return nil, nil
	}
	list, err := inlineRows(top["data"])
	if layers, ok := top["layer"].([]any); ok && err != nil && len(layers) > 0 {
		first, _ := layers[0].(object)
		list, err = inlineRows(first["data"])
	}
	if err != nil {
		return nil, nil
	}
	list = list[:min(limit, len(list))]
	for _, r := range list {
		for _, name := range slices.Sorted(maps.Keys(r)) {
			if !slices.Contains(columns, name) && len(columns) < 50 {
				columns = append(columns, name)
			}
		}
	}
	slices.Sort(columns)
	for _, r := range list {
		row := make([]json.RawMessage, len(columns))
		for i, name := range columns {
			if v, ok := r[name]; ok {
				if cell, err := json.Marshal(v); err == nil {
					row[i] = cell
				}
			}
		}
		rows = append(rows, row)
	}
	return columns, rows
}

// inlineRows returns the rows in data.values.
func inlineRows(data any) ([]object, error) {
	o, _ := data.(object)
	values, ok := o["values"].([]any)
	if !ok {
		return nil, refuse("data", "only data.values with a list of rows is drawn")
	}
	if err := checkFormat(o["format"]); err != nil {
		return nil, err
	}
	if len(values) > maxRows {
		return nil, refuse("data.values", "%d rows, at most %d are read", len(values), maxRows)
	}
	rows := make([]object, 0, len(values))
	for _, v := range values {
		row, ok := v.(object)
		if !ok {
			row = object{"data": v} // Vega-Lite's name for a bare value
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// checkFormat refuses formats that would transform the rows before they are drawn. Numbers,
// times and booleans are recognised without one.
func checkFormat(v any) error {
	format, _ := v.(object)
	for _, name := range []string{"property", "feature", "mesh", "delimiter"} {
		if !empty(format[name]) {
			return refuse("data.format."+name, "only a plain list of rows is read")
		}
	}
	parse, _ := format["parse"].(object)
	for _, field := range slices.Sorted(maps.Keys(parse)) {
		switch how := parse[field]; how {
		case nil, "number", "date", "boolean", "string":
		default:
			s, _ := how.(string)
			return refuse("data.format.parse", "%q is not read; write times as 2026-05-03T18:00", clip(s, 40))
		}
	}
	return nil
}
