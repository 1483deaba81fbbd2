package chartspec

// impute gives each series of stacked areas a point of nothing where it has no
// number and another has, as Vega-Lite does: else it would run on above a series
// that ends.
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
	if len(runs)*len(places) > MaxMarks {
		return refuse("data", "more than %d marks", MaxMarks)
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
