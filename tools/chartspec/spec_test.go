package chartspec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const week = `{"values":[
 {"day":"Mon","who":"ada","n":3},{"day":"Mon","who":"bo","n":1},
 {"day":"Tue","who":"ada","n":2},{"day":"Tue","who":"bo","n":5},
 {"day":"Wed","who":"ada","n":4}]}`

// dump writes a spec's marks in a short form to compare.
func dump(s *Spec) string {
	var b strings.Builder
	place := func(v, v2 Value) string {
		if v2.Kind == Absent {
			return v.Text
		}
		return fmt.Sprintf("%s..%s", FormatNumber(v2.Num), FormatNumber(v.Num))
	}
	for _, l := range s.Layers {
		fmt.Fprintf(&b, "%s:", l.Mark)
		for _, p := range l.Points {
			fmt.Fprintf(&b, " %s,%s", place(p.X, p.X2), place(p.Y, p.Y2))
			if p.Series != "" {
				b.WriteString("/" + p.Series)
			}
			if p.Offset != "" {
				b.WriteString("@" + p.Offset)
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

func TestChartsAreResolvedToTheNumbersThatAreDrawn(t *testing.T) {
	for _, tt := range []struct{ name, spec, want string }{
		{
			"plain bars keep their rows", `"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"}}`,
			"bar: Mon,0..4 Tue,0..7 Wed,0..4",
		},
		{
			"stacked bars rest on each other", `"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n"},"color":{"field":"who"}}`,
			"bar: Mon,0..3/ada Tue,0..2/ada Wed,0..4/ada Mon,3..4/bo Tue,2..7/bo",
		},
		{
			"grouped bars stand side by side", `"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n"},"xOffset":{"field":"who"}}`,
			"bar: Mon,0..3@ada Mon,0..1@bo Tue,0..2@ada Tue,0..5@bo Wed,0..4@ada",
		},
		{
			"a mean is not stacked", `"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"mean"},"color":{"field":"who"}}`,
			"bar: Mon,0..3/ada Tue,0..2/ada Wed,0..4/ada Mon,0..1/bo Tue,0..5/bo",
		},
		{
			"stack can be turned off", `"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n","stack":null},"color":{"field":"who"}}`,
			"bar: Mon,0..3/ada Tue,0..2/ada Wed,0..4/ada Mon,0..1/bo Tue,0..5/bo",
		},
		{
			"a normalised stack is one high", `"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n","stack":"normalize"},"color":{"field":"who"}}`,
			"bar: Mon,0..0.75/ada Tue,0..0.285714/ada Wed,0..1/ada Mon,0.75..1/bo Tue,0.285714..1/bo",
		},
		{
			"horizontal bars measure along x", `"mark":"bar","encoding":{"y":{"field":"who"},"x":{"aggregate":"count"}}`,
			"bar: 0..3,ada 0..2,bo",
		},
		{
			"sorted by amount, largest first", `"mark":"bar","encoding":{"x":{"field":"day","sort":"-y"},"y":{"field":"n","aggregate":"sum"}}`,
			"bar: Tue,0..7 Mon,0..4 Wed,0..4",
		},
		{
			"sorted by a list", `"mark":"bar","encoding":{"x":{"field":"day","sort":["Wed","Mon"]},"y":{"field":"n","aggregate":"max"}}`,
			"bar: Wed,0..4 Mon,0..3 Tue,0..5",
		},
		{
			"sorted downwards", `"mark":"bar","encoding":{"x":{"field":"day","sort":"descending"},"y":{"field":"n","aggregate":"min"}}`,
			"bar: Wed,0..4 Tue,0..2 Mon,0..1",
		},
		{
			"in the order of the data", `"mark":"point","encoding":{"x":{"field":"who","sort":null},"y":{"field":"n","aggregate":"median"}}`,
			"point: ada,3 bo,3",
		},
		{
			"lines run along x within a series", `"mark":"line","encoding":{"x":{"field":"day"},"y":{"field":"n"},"color":{"field":"who"}}`,
			"line: Mon,3/ada Tue,2/ada Wed,4/ada Mon,1/bo Tue,5/bo",
		},
		{
			"bins have two ends", `"mark":"bar","encoding":{"x":{"field":"n","bin":{"step":2}},"y":{"aggregate":"count"}}`,
			"bar: 2..0,0..1 4..2,0..2 6..4,0..2",
		},
		{
			"distinct counts texts", `"mark":"bar","encoding":{"y":{"aggregate":"distinct","field":"who"},"x":{"field":"day"}}`,
			"bar: Mon,0..2 Tue,0..2 Wed,0..1",
		},
		{
			"a rule at a constant on a second layer", `"layer":[{"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"}}},{"mark":"rule","encoding":{"y":{"datum":5}},"data":{"values":[{}]}}]`,
			"bar: Mon,0..4 Tue,0..7 Wed,0..4\nrule: ,5",
		},
		{
			"a heat map", `"mark":"rect","encoding":{"x":{"field":"day"},"y":{"field":"who"},"color":{"field":"n","aggregate":"sum"}}`,
			"rect: Mon,ada Mon,bo Tue,ada Tue,bo Wed,ada",
		},
		{
			"slices of a pie", `"mark":{"type":"arc","innerRadius":20},"encoding":{"theta":{"field":"n","aggregate":"sum"},"color":{"field":"who"}}`,
			"arc: ,/ada ,/bo",
		},
		{
			"horizontal bars side by side", `"mark":"bar","encoding":{"y":{"field":"day"},"x":{"field":"n"},"yOffset":{"field":"who"}}`,
			"bar: 0..3,Mon@ada 0..1,Mon@bo 0..2,Tue@ada 0..5,Tue@bo 0..4,Wed@ada",
		},
		{
			"quartiles", `"mark":"bar","encoding":{"x":{"field":"who"},"y":{"field":"n","aggregate":"q3"}}`,
			"bar: ada,0..3.5 bo,0..4",
		},
		{
			"all rows under any name are counted", `"mark":"bar","encoding":{"x":{"field":"who"},"y":{"field":"*","aggregate":"count"}}`,
			"bar: ada,0..3 bo,0..2",
		},
		{
			"shapes become colours", `"mark":"point","encoding":{"x":{"field":"n"},"y":{"field":"n"},"shape":{"field":"who"}}`,
			"point: 2,2/ada 3,3/ada 4,4/ada 1,1/bo 5,5/bo",
		},
		{
			"dashes tell lines apart", `"mark":"line","encoding":{"x":{"field":"day"},"y":{"field":"n"},"strokeDash":{"field":"who"}}`,
			"line: Mon,3/ada Tue,2/ada Wed,4/ada Mon,1/bo Tue,5/bo",
		},
		{
			"texts at places", `"mark":"text","encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"},"text":{"field":"n","aggregate":"sum"}}`,
			"text: Mon,4 Tue,7 Wed,4",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse([]byte(`{"data":` + week + `,` + tt.spec + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(s); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestTimesAreCutToTheirUnit(t *testing.T) {
	data := `{"values":[{"t":"2026-01-31T23:30:00+09:00","n":1},{"t":"2026-02-01T00:10:00+09:00","n":2},{"t":"2026-02-28T10:00:00+09:00","n":4}]}`
	for _, tt := range []struct{ unit, want string }{
		{"yearmonth", "bar: 2026-01,0..1 2026-02,0..6"},
		{"yearmonthdate", "bar: 2026-01-31,0..1 2026-02-01,0..2 2026-02-28,0..4"},
		{"utcyear", "bar: 2026,0..7"},
		{"yearquarter", "bar: 2026-01,0..7"},
		{"yearweek", "bar: 2026-01-25,0..1 2026-02-01,0..2 2026-02-22,0..4"},
		{"day", "bar: Sun,0..2 Sat,0..5"},
		{"month", "bar: Jan,0..1 Feb,0..6"},
		{"hours", "bar: 00,0..2 10,0..4 23,0..1"},
	} {
		s, err := Parse([]byte(`{"mark":"bar","data":` + data + `,"encoding":{"x":{"field":"t","timeUnit":"` + tt.unit + `"},"y":{"field":"n","aggregate":"sum"}}}`))
		if err != nil {
			t.Errorf("%s: %v", tt.unit, err)
			continue
		}
		if got := dump(s); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.unit, got, tt.want)
		}
	}
}

func TestRowsMayStandUnderANameInDatasets(t *testing.T) {
	raw := []byte(`{"data":{"name":"a"},"datasets":{"a":[{"k":"x","n":2,"url":"https://example.com"}]},"mark":"bar","encoding":{"x":{"field":"k"},"y":{"field":"n"}}}`)
	s, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := dump(s); got != "bar: x,0..2" {
		t.Errorf("got %s", got)
	}
	if columns, rows := Table(raw, 5); len(columns) != 3 || len(rows) != 1 {
		t.Errorf("the table has %v and %d rows", columns, len(rows))
	}
}

func TestTimesAreReadInTheFormsThatPeopleWrite(t *testing.T) {
	for _, form := range []string{`"2026-05-03"`, `"2026/05/03"`, `"May 3 2026"`, `"May 3, 2026"`, `"3 May 2026"`, `"5/3/2026"`, `"2026-05-03T00"`, `1777766400000`} {
		s, err := Parse([]byte(`{"mark":"point","data":{"values":[{"t":` + form + `,"n":1}]},"encoding":{"x":{"field":"t","type":"temporal"},"y":{"field":"n"}}}`))
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		if got := s.Layers[0].Points[0].X.Text; got != "2026-05-03" {
			t.Errorf("%s is read as %s", form, got)
		}
	}
	for _, year := range []string{`2026`, `"2026"`} {
		s, err := Parse([]byte(`{"mark":"point","data":{"values":[{"t":` + year + `,"n":1}]},"encoding":{"x":{"field":"t","type":"temporal"},"y":{"field":"n"}}}`))
		if err != nil || s.Layers[0].Points[0].X.Text != "2026-01-01" {
			t.Errorf("the year %s: %v %v", year, s, err)
		}
	}
}

func TestAnHourThatComesTwiceWhenClocksArePutBackIsTwoBars(t *testing.T) {
	s, err := Parse([]byte(`{"mark":"bar","data":{"values":[{"t":"2026-10-25T02:00:00+02:00","n":1},{"t":"2026-10-25T02:00:00+01:00","n":5}]},"encoding":{"x":{"field":"t"},"y":{"field":"n","aggregate":"sum"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Layers[0].Points; len(p) != 2 || p[0].Amount != 1 || p[1].Amount != 5 {
		t.Errorf("drawn as %s", dump(s))
	}
}

func TestWhatIsNotDrawnIsRefusedByName(t *testing.T) {
	enc := `"encoding":{"x":{"field":"day"},"y":{"field":"n"}}`
	many := make([]string, maxMarks+1)
	for i := range many {
		many[i] = fmt.Sprintf(`{"day":%d,"n":%d}`, i, i)
	}
	long := `"data":{"values":[` + strings.Join(many, ",") + `]}`
	for _, tt := range []struct{ name, spec, feature string }{
		{"a url", `{"mark":"bar","data":{"url":"https://evil.example/x.csv"},` + enc + `}`, "data.url"},
		{"a link on a mark", `{"mark":{"type":"bar","href":"https://evil.example"},"data":` + week + `,` + enc + `}`, "mark.href"},
		{"an expression", `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n","axis":{"values":{"expr":"x"}}}}}`, "encoding.y.axis.values.expr"},
		{"a signal", `{"mark":"bar","width":{"signal":"w"},"data":` + week + `,` + enc + `}`, "width.signal"},
		{"params", `{"mark":"bar","params":[{"name":"a"}],"data":` + week + `,` + enc + `}`, "params"},
		{"a condition", `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n"},"color":{"condition":{"test":"1"}}}}`, "encoding.color.condition"},
		{"a transform", `{"mark":"bar","transform":[{"calculate":"1","as":"x"}],"data":` + week + `,` + enc + `}`, "transform"},
		{"a map", `{"mark":"geoshape","data":` + week + `,` + enc + `}`, "mark geoshape"},
		{"an image", `{"mark":"image","data":` + week + `,` + enc + `}`, "mark image"},
		{"three layers", `{"data":` + week + `,"layer":[{"mark":"bar",` + enc + `},{"mark":"bar",` + enc + `},{"mark":"bar",` + enc + `}]}`, "layer"},
		{"small multiples", `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"row":{"field":"who"}}}`, "encoding.row"},
		{"an unknown aggregate", `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"ci0"}}}`, "encoding.y.aggregate"},
		{"a logarithmic scale", `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n","scale":{"type":"log"}}}}`, "encoding.y.scale.type"},
		{"a huge width", `{"mark":"bar","width":1e9,"data":` + week + `,` + enc + `}`, "width"},
		{"a field that is not there", `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"days"},"y":{"field":"n"}}}`, "encoding.x.field"},
		{"no data", `{"mark":"bar",` + enc + `}`, "data"},
		{"no rows", `{"mark":"bar","data":{"values":[]},` + enc + `}`, "data"},
		{"too many marks", `{"mark":"line",` + long + `,` + enc + `}`, "data"},
		{"too many categories", `{"mark":"bar","data":{"values":[` + strings.Join(many[:maxCategories+1], ",") + `]},"encoding":{"x":{"field":"day","type":"nominal"},"y":{"field":"n"}}}`, "encoding.x"},
		{"a pie of less than nothing", `{"mark":"arc","data":{"values":[{"n":-1},{"n":2}]},"encoding":{"theta":{"field":"n"}}}`, "encoding.theta"},
		{"sums beyond all bounds", `{"mark":"bar","data":{"values":[{"n":9e99},{"n":9e99}]},"encoding":{"y":{"field":"n","aggregate":"sum"}}}`, "encoding.y.aggregate"},
		{"deep nesting", strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100), "specification"},
		{"much too large", `{"a":"` + strings.Repeat("x", 10<<20) + `"}`, "specification"},
		{"no JSON", `{`, "specification"},
		{"no object", `[1]`, "specification"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.spec))
			var refused *Refused
			if !errors.As(err, &refused) {
				t.Fatalf("not refused: %v", err)
			}
			if refused.Feature != tt.feature {
				t.Errorf("refused for %s, want %s", err, tt.feature)
			}
		})
	}
}

func TestDrawnAmountsAreTheSumsOfTheData(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var rows []string
		sums := map[string]float64{}
		for range 1 + rng.IntN(60) {
			day, who, n := fmt.Sprint("d", rng.IntN(6)), fmt.Sprint("w", rng.IntN(4)), float64(rng.IntN(2000)-600)
			rows = append(rows, fmt.Sprintf(`{"day":%q,"who":%q,"n":%v}`, day, who, n))
			sums[day+who] += n
		}
		extra := []string{`"color":{"field":"who"}`, `"xOffset":{"field":"who"}`, `"detail":{"field":"who"}`}[rng.IntN(3)]
		s, err := Parse([]byte(`{"mark":"bar","data":{"values":[` + strings.Join(rows, ",") +
			`]},"encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"},` + extra + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		want, got, drawn := 0.0, 0.0, 0.0
		for _, f := range sums {
			want += f
		}
		for _, p := range s.Layers[0].Points {
			got += p.Amount
			drawn += p.Y.Num - p.Y2.Num
			if p.Y.Num < s.Y.Min || p.Y.Num > s.Y.Max {
				t.Errorf("a bar ends at %v, outside the axis %v to %v", p.Y.Num, s.Y.Min, s.Y.Max)
			}
		}
		if math.Abs(got-want) > 1e-6 || math.Abs(drawn-want) > 1e-6 {
			t.Fatalf("amounts %v, drawn %v, the data sum to %v", got, drawn, want)
		}
		if len(s.Layers[0].Points) != len(sums) {
			t.Fatalf("%d bars for %d groups", len(s.Layers[0].Points), len(sums))
		}
	}
}

func TestTheTableInPlaceOfAChartHoldsItsRows(t *testing.T) {
	columns, rows := Table([]byte(`{"mark":"geoshape","data":`+week+`}`), 3)
	if !slices.Equal(columns, []string{"day", "n", "who"}) || len(rows) != 3 || string(rows[1][2]) != `"bo"` {
		t.Errorf("got %v %s", columns, rows)
	}
}

// checkSpec holds a Spec to what the package promises.
func checkSpec(t *testing.T, s *Spec) {
	t.Helper()
	good := func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
	for _, a := range []Axis{s.X, s.Y} {
		if !good(a.Min) || !good(a.Max) || len(a.Categories) > maxCategories || (a.Kind == Numbers || a.Kind == Times) && a.Min >= a.Max {
			t.Fatalf("axis %+v", a)
		}
	}
	marks := 0
	for _, l := range s.Layers {
		marks += len(l.Points)
		for _, p := range l.Points {
			for _, f := range []float64{p.X.Num, p.Y.Num, p.X2.Num, p.Y2.Num, p.Amount, p.Opacity} {
				if !good(f) {
					t.Fatalf("point %+v", p)
				}
			}
		}
	}
	if marks == 0 || marks > maxMarks {
		t.Fatalf("%d marks", marks)
	}
}

func FuzzParse(f *testing.F) {
	for _, mark := range []string{"bar", "line", "area", "point", "tick", "rule", "arc", "rect", "text"} {
		f.Add([]byte(`{"title":"T","mark":"` + mark + `","data":` + week + `,"encoding":{"x":{"field":"day","sort":"-y"},"y":{"field":"n","aggregate":"sum","stack":"normalize"},"color":{"field":"who"},"theta":{"field":"n"},"text":{"field":"n"}}}`))
	}
	f.Add([]byte(`{"layer":[{"mark":"bar","encoding":{"x":{"field":"n","bin":true},"y":{"aggregate":"count"}}},{"mark":"rule","encoding":{"y":{"datum":2}}}],"data":` + week + `}`))
	f.Add([]byte(`{"mark":"area","data":{"values":[{"t":"2026-01-01","n":1e99},{"t":5,"n":"3"}]},"encoding":{"x":{"field":"t","timeUnit":"yearmonth","type":"temporal"},"y":{"field":"n","aggregate":"max"},"size":{"value":3},"opacity":{"field":"n"}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Parse(raw)
		if err != nil {
			var refused *Refused
			if !errors.As(err, &refused) {
				t.Fatalf("%v is no refusal", err)
			}
			Table(raw, 10)
			return
		}
		checkSpec(t, s)
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
	})
}
