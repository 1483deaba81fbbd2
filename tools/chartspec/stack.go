package chartspec

import (
	"cmp"
	"math"
	"slices"
)

// orient decides along which axis bars and areas extend, and sets the amount of each mark.
func (t *table) orient() error {
	x, y := t.u.channels["x"], t.u.channels["y"]
	switch {
	case t.u.mark == Arc:
		return t.checkArcs()
	case x.measure() && !y.measure(), t.u.channels["x2"] != nil && !y.measure():
		t.horizontal = true
	case x.measure() && y.measure() && t.u.orient != "":
		t.horizontal = t.u.orient == "horizontal"
	case x.measure() && y.measure() && x.aggregate != "" && y.aggregate == "":
		t.horizontal = true
	}
	measure := y
	if t.horizontal {
		measure = x
	}
	if t.u.mark == Bar || t.u.mark == Area {
		if !measure.measure() && t.u.channels["x2"] == nil && t.u.channels["y2"] == nil {
			return refuse("mark "+string(t.u.mark), "needs numbers on x or y")
		}
		if measure.measure() {
			if err := t.chooseStack(measure); err != nil {
				return err
			}
		}
	}
	for i := range t.points {
		p := &t.points[i]
		switch v := *t.end(p); {
		case p.Shade != nil && t.u.mark == Rect:
			p.Amount = *p.Shade
		case v.Kind == Number:
			p.Amount = v.Num
		}
	}
	return nil
}

func (t *table) checkArcs() error {
	total := 0.0
	for _, p := range t.points {
		if p.Amount < 0 {
			return refuse("encoding.theta", "an arc cannot show a number below zero")
		}
		total += p.Amount
	}
	if !isFinite(total) {
		return refuse("encoding.theta", "the numbers are too large")
	}
	if total == 0 {
		return refuse("encoding.theta", "all numbers are zero")
	}
	if len(t.points) > maxCategories {
		return refuse("encoding.theta", "%d arcs, at most %d are drawn", len(t.points), maxCategories)
	}
	return nil
}

// end and start are the two ends of a bar.
func (t *table) end(p *point) *Value {
	if t.horizontal {
		return &p.X
	}
	return &p.Y
}

func (t *table) start(p *point) *Value {
	if t.horizontal {
		return &p.X2
	}
	return &p.Y2
}

// place is the position of a bar on the axis across its length.
func (t *table) place(p *point) Value {
	if t.horizontal {
		return p.Y
	}
	return p.X
}

// chooseStack decides whether to stack: as in Vega-Lite, by default if there are series and
// their amounts can be added.
func (t *table) chooseStack(measure *channel) error {
	split := t.u.channels["color"] != nil && !t.u.channels["color"].measure()
	for _, name := range []string{"color", "opacity"} {
		c := t.u.channels[name]
		split = split || c != nil && c.field != "" && c.aggregate == ""
	}
	for name := range t.u.channels {
		split = split || len(name) > 7 && name[:7] == "detail."
	}
	t.stacked = split && summative(measure.aggregate) && t.u.channels["x2"] == nil && t.u.channels["y2"] == nil
	if !measure.hasStack {
		return nil
	}
	switch s := measure.stack.(type) {
	case nil:
		t.stacked = false
	case bool:
		t.stacked = s
	case string:
		if s != "zero" && s != "normalize" {
			return refuse("encoding."+measure.name+".stack", "%q is not drawn", clip(s, 20))
		}
		t.stacked = true
	default:
		return refuse("encoding."+measure.name+".stack", "is not drawn")
	}
	return nil
}

// raise sets the start of bars and areas: zero, or the end of the one below. Positive and
// negative amounts are stacked separately.
func (t *table) raise(series []string) error {
	if t.u.mark != Bar && t.u.mark != Area {
		return nil
	}
	order := indexOf(series)
	if err := t.impute(); err != nil {
		return err
	}
	list := make([]*point, len(t.points))
	for i := range t.points {
		list[i] = &t.points[i]
	}
	slices.SortStableFunc(list, func(a, b *point) int {
		return cmp.Or(t.byOrder(a, b), cmp.Compare(order[a.Series], order[b.Series]), cmp.Compare(a.detail, b.detail))
	})
	type key struct {
		place  Value
		offset string
		below  bool
	}
	tops := map[key]float64{}
	for _, p := range list {
		start, end := t.start(p), t.end(p)
		if start.Kind != Absent || end.Kind != Number {
			continue
		}
		*start = Value{Kind: Number, Text: "0"}
		if !t.stacked {
			continue
		}
		k := key{t.place(p), p.Offset, p.Amount < 0}
		start.Num = tops[k]
		end.Num = start.Num + p.Amount
		if !isFinite(end.Num) {
			return refuse("stack", "the numbers are too large")
		}
		tops[k] = end.Num
	}
	return t.normalize(list, func(p *point) float64 {
		up, down := key{t.place(p), p.Offset, false}, key{t.place(p), p.Offset, true}
		return tops[up] - tops[down]
	})
}

// impute adds, as Vega-Lite does, a point of height 0 to each series of stacked areas wherever
// another series has a number and it has none. Otherwise the area would continue above a
// series that has ended.
func (t *table) impute() error {
	if t.u.mark != Area || !t.stacked {
		return nil
	}
	type run struct{ series, detail string }
	type spot struct {
		run
		place Value
	}
	has := map[spot]bool{}
	first := map[run]point{}
	var runs []run
	var places []Value
	known := map[Value]bool{}
	for i := range t.points {
		p := &t.points[i]
		r, at := run{p.Series, p.detail}, t.place(p)
		if _, ok := first[r]; !ok {
			first[r], runs = *p, append(runs, r)
		}
		if !known[at] {
			known[at], places = true, append(places, at)
		}
		has[spot{r, at}] = true
	}
	if len(runs)*len(places) > maxMarks {
		return refuse("data", "more than %d marks", maxMarks)
	}
	for _, r := range runs {
		for _, at := range places {
			if has[spot{r, at}] {
				continue
			}
			p := point{Point: Point{Opacity: first[r].Opacity, Series: r.series, Filler: true}, series: first[r].series, detail: r.detail}
			zero := Value{Kind: Number, Text: "0"}
			if p.X, p.Y = at, zero; t.horizontal {
				p.X, p.Y = zero, at
			}
			t.points = append(t.points, p)
		}
	}
	return nil
}

// byOrder compares by the order channel.
func (t *table) byOrder(a, b *point) int {
	c := t.u.channels["order"]
	if c == nil {
		return 0
	}
	way := cmp.Or(cmp.Compare(a.order.Num, b.order.Num), cmp.Compare(a.order.Text, b.order.Text))
	if c.sort == "descending" {
		way = -way
	}
	return way
}

// normalize scales each stack to a height of 1 if that was asked for.
func (t *table) normalize(list []*point, total func(*point) float64) error {
	measure := t.u.channels["y"]
	if t.horizontal {
		measure = t.u.channels["x"]
	}
	if !t.stacked || measure.stack != "normalize" {
		return nil
	}
	for _, p := range list {
		if p.Amount < 0 {
			return refuse("encoding."+measure.name+".stack", "a number below zero is no share of a whole")
		}
		if sum := total(p); sum > 0 && !math.IsInf(sum, 0) {
			t.start(p).Num /= sum
			t.end(p).Num /= sum
		}
	}
	return nil
}

func indexOf(names []string) map[string]int {
	m := make(map[string]int, len(names))
	for i, n := range names {
		m[n] = i
	}
	return m
}

// aggregates compute one number from the numbers of a group.
var aggregates = map[string]func([]float64) float64{
	"count":     func(v []float64) float64 { return float64(len(v)) },
	"valid":     func(v []float64) float64 { return float64(len(v)) },
	"sum":       sum,
	"mean":      mean,
	"average":   mean,
	"median":    func(v []float64) float64 { return quantile(v, 0.5) },
	"q1":        func(v []float64) float64 { return quantile(v, 0.25) },
	"q3":        func(v []float64) float64 { return quantile(v, 0.75) },
	"stdev":     func(v []float64) float64 { return math.Sqrt(variance(v, 1)) },
	"stdevp":    func(v []float64) float64 { return math.Sqrt(variance(v, 0)) },
	"variance":  func(v []float64) float64 { return variance(v, 1) },
	"variancep": func(v []float64) float64 { return variance(v, 0) },
	"min":       func(v []float64) float64 { return fold(v, math.Min) },
	"max":       func(v []float64) float64 { return fold(v, math.Max) },
	"distinct": func(v []float64) float64 {
		return float64(len(slices.Compact(slices.Sorted(slices.Values(v)))))
	},
}

// summative reports whether the results of an aggregate may be stacked: the sum of means,
// for instance, is meaningless.
func summative(aggregate string) bool {
	switch aggregate {
	case "", "count", "valid", "sum", "distinct":
		return true
	}
	return false
}

func sum(v []float64) float64 {
	total := 0.0
	for _, f := range v {
		total += f
	}
	return total
}

func mean(v []float64) float64 { return sum(v) / float64(len(v)) }

// quantile interpolates between the two sorted values around a part from 0 to 1.
func quantile(v []float64, part float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	at := part * float64(len(s)-1)
	low := int(at)
	if low+1 >= len(s) {
		return s[low]
	}
	return s[low] + (s[low+1]-s[low])*(at-float64(low))
}

// variance is the mean squared distance from the mean, divided by the number of values minus
// less; that of a single value is 0.
func variance(v []float64, less int) float64 {
	if len(v) <= less {
		return 0
	}
	m, total := mean(v), 0.0
	for _, f := range v {
		total += (f - m) * (f - m)
	}
	return total / float64(len(v)-less)
}

func fold(v []float64, f func(a, b float64) float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	out := v[0]
	for _, x := range v[1:] {
		out = f(out, x)
	}
	return out
}
