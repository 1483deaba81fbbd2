package chartspec

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
)

// assemble puts the layers on common axes.
func (s *Spec) assemble(tables []*table) error {
	for _, t := range tables {
		s.takeSeries(t)
		if len(s.Series) > maxCategories || len(s.Offsets) > maxCategories {
			return refuse("encoding.color", "more than %d colours or groups", maxCategories)
		}
	}
	for _, t := range tables {
		if err := t.raise(s.Series); err != nil {
			return err
		}
		if err := s.X.take(t, "x", func(p *point) (*Value, *Value) { return &p.X, &p.X2 }); err != nil {
			return err
		}
		if err := s.Y.take(t, "y", func(p *point) (*Value, *Value) { return &p.Y, &p.Y2 }); err != nil {
			return err
		}
	}
	s.X.settle()
	s.Y.settle()
	for _, t := range tables {
		s.Layers = append(s.Layers, t.layer(s))
	}
	return nil
}

// takeSeries collects the names in the legend and of groups side by side.
func (s *Spec) takeSeries(t *table) {
	if c := t.u.channels["color"]; c != nil && c.measure() {
		s.ShadeTitle = cmp.Or(s.ShadeTitle, c.label())
	} else if c != nil {
		s.SeriesTitle, s.SeriesNamed = cmp.Or(s.SeriesTitle, c.label()), s.SeriesNamed || c.title != ""
		s.Series = union(s.Series, t.categories(c, func(p *point) Value { return p.series }))
	}
	if c := t.u.channels["xOffset"]; c != nil {
		s.Offsets = union(s.Offsets, t.categories(c, func(p *point) Value { return p.offset }))
	}
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// take widens an axis by a layer.
func (a *Axis) take(t *table, name string, ends func(*point) (*Value, *Value)) error {
	c := t.u.channels[name]
	if c == nil || t.u.mark == Arc {
		t.takeLoose(a, ends)
		return nil
	}
	kind := Categories
	switch {
	case c.constant != nil && c.constant.Kind == Number, c.typ == quantitative:
		kind = Numbers
	case c.typ == temporal:
		kind = Times
	}
	if a.Kind == NoAxis {
		a.Kind, a.Min, a.Max = kind, math.Inf(1), math.Inf(-1)
	}
	if a.Kind != kind {
		return refuse("encoding."+name, "the layers have different sorts of values here")
	}
	if c.constant == nil {
		a.Title, a.Named = cmp.Or(a.Title, c.label()), a.Named || c.title != ""
	}
	if kind == Categories {
		a.Categories = union(a.Categories, t.categories(c, func(p *point) Value { v, _ := ends(p); return *v }))
		for i := range t.points {
			if v, _ := ends(&t.points[i]); len(c.names) > 0 && !slices.Contains(c.names, v.Text) {
				return refuse("encoding."+name+".scale.domain", "%q is not among its values", clip(v.Text, 60))
			}
		}
		if len(a.Categories) > maxCategories {
			return refuse("encoding."+name, "%d categories, at most %d are drawn", len(a.Categories), maxCategories)
		}
		return nil
	}
	if c.measure() && !c.noZero {
		a.include(0)
	}
	for _, end := range c.ends {
		a.include(end)
	}
	t.takeLoose(a, ends)
	return nil
}

// takeLoose widens an axis by the ends of all points, also of bars that start at zero.
func (t *table) takeLoose(a *Axis, ends func(*point) (*Value, *Value)) {
	if a.Kind != Numbers && a.Kind != Times {
		return
	}
	for i := range t.points {
		from, to := ends(&t.points[i])
		for _, v := range []*Value{from, to} {
			if v.Kind == Number || v.Kind == Time {
				a.include(v.Num)
			}
		}
	}
}

func (a *Axis) include(f float64) { a.Min, a.Max = math.Min(a.Min, f), math.Max(a.Max, f) }

// settle gives an axis a length above zero: around equal values it adds space on both sides.
func (a *Axis) settle() {
	if a.Kind != Numbers && a.Kind != Times {
		a.Min, a.Max = 0, 0
		return
	}
	if a.Min > a.Max {
		a.Min, a.Max = 0, 1
	}
	if a.Min == a.Max {
		space := math.Max(math.Abs(a.Min)/2, 1)
		if a.Kind == Times {
			space = 12 * 3600 * 1000
		}
		if a.Kind == Numbers && a.Min == 0 { // so that bars of length 0 are at the bottom
			a.Max = 1
			return
		}
		a.Min, a.Max = a.Min-space, a.Max+space
	}
}

// layer returns the points of a table as they are drawn: sorted by series, then along the
// axis.
func (t *table) layer(s *Spec) Layer {
	size := t.u.channels["size"]
	l := Layer{Mark: t.u.mark, Horizontal: t.horizontal, Stacked: t.stacked, Steps: t.u.steps, SizeFixed: size != nil && size.number != nil}
	series, offset := indexOf(s.Series), indexOf(s.Offsets)
	x, y := indexOf(s.X.Categories), indexOf(s.Y.Categories)
	along := func(v Value, order map[string]int) float64 {
		if v.Kind == Category {
			return float64(order[v.Text])
		}
		return v.Num
	}
	runs := t.u.mark == Line || t.u.mark == Area
	points := t.withGaps(runs)
	slices.SortStableFunc(points, func(a, b point) int {
		first, second := cmp.Compare(along(a.X, x), along(b.X, x)), cmp.Compare(along(a.Y, y), along(b.Y, y))
		if t.horizontal {
			first, second = second, first
		}
		if runs {
			second = 0
		}
		if by := t.byOrder(&a, &b); t.u.mark == Arc {
			return cmp.Or(by, cmp.Compare(series[a.Series], series[b.Series]), cmp.Compare(a.detail, b.detail))
		} else if t.u.mark == Line && (t.u.unsorted || t.u.channels["order"] != nil) {
			first = by
		}
		return cmp.Or(cmp.Compare(series[a.Series], series[b.Series]), cmp.Compare(a.detail, b.detail), first, cmp.Compare(offset[a.Offset], offset[b.Offset]), second)
	})
	breaks := 0
	for i := range points {
		p := &points[i]
		if p.gap {
			breaks++
			continue
		}
		if runs {
			p.Point.Line = p.detail + strconv.Itoa(breaks)
		}
		l.Points = append(l.Points, p.Point)
	}
	return l
}

// withGaps returns the points and, between them, where a line breaks: at a missing number
// whose place on the other axis is known. Stacked areas do not break: see
// [table.impute].
func (t *table) withGaps(runs bool) []point {
	if !runs || t.stacked {
		return t.points
	}
	points := slices.Clone(t.points)
	if len(t.gaps) == 0 {
		return points
	}
	for _, g := range t.gaps {
		if t.place(&g).Kind != Absent {
			points = append(points, g)
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.row, b.row) })
	return points
}

// readMark reads a mark and its orientation.
func (u *unit) readMark(v any) error {
	if o, ok := v.(object); ok {
		v = o["type"]
		u.orient, _ = o["orient"].(string)
		if err := u.readInterpolate(o["interpolate"]); err != nil {
			return err
		}
	}
	name, ok := v.(string)
	if !ok {
		return refuse("mark", "is missing")
	}
	switch name {
	case "bar", "line", "area", "point", "tick", "rule", "arc", "rect", "text":
		u.mark = Mark(name)
		return nil
	case "circle", "square":
		u.mark = Dot
		return nil
	}
	return refuse("mark "+name, "is not drawn; bar, line, area, point, tick, rule, arc, rect and text are")
}

// readInterpolate reads how points are connected. Curves through the points are drawn as
// straight lines, which mean the same; curves that miss the points are refused.
func (u *unit) readInterpolate(v any) error {
	switch name, _ := v.(string); name {
	case "", "linear", "monotone", "cardinal", "catmull-rom", "natural":
		return nil
	case "step-after":
		u.steps = true
		return nil
	default:
		return refuse("mark.interpolate", "%q is not drawn; linear and step-after are", clip(name, 30))
	}
}

// complete checks that a mark has the channels that it needs.
func (u *unit) complete() error {
	has := func(name string) bool { return u.channels[name] != nil }
	switch {
	case u.mark == Arc && !has("theta"):
		return refuse("mark arc", "needs a theta channel")
	case u.mark == Label && !has("text"):
		return refuse("mark text", "needs a text channel")
	case u.mark != Arc && !has("x") && !has("y"):
		return refuse("encoding", "needs x or y")
	}
	for _, name := range slices.Sorted(maps.Keys(u.channels)) {
		c := u.channels[name]
		if err := u.fits(name, c); err != nil {
			return err
		}
		if err := u.checkSort(c); err != nil {
			return err
		}
	}
	return nil
}

// fits refuses a channel that a mark does not show.
func (u *unit) fits(name string, c *channel) error {
	at := "encoding." + name
	switch {
	case name == "size" && c.number == nil && u.mark != Dot:
		return refuse(at, "only points are drawn larger for more")
	case name == "xOffset" && u.mark != Bar:
		return refuse(at, "only bars stand side by side")
	case name == "size" && c.number == nil && c.typ != quantitative, name == "theta" && !c.measure():
		return refuse(at, "shows numbers only")
	case name == "opacity" && c.number == nil && c.typ != quantitative && c.typ != temporal:
		return refuse(at, "shows numbers and times only")
	case (name == "x" || name == "y") && u.mark != Bar && u.mark != Area && c.hasStack && c.stack != nil && c.stack != false:
		return refuse(at+".stack", "only bars and areas are stacked")
	}
	return nil
}
