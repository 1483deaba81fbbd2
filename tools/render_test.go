package tools_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

func render[R tools.Result](t testing.TB, tool, args string) R {
	t.Helper()
	return tooltest.Call(t, builtin(t, tool), &tools.Env{}, args).(R)
}

func TestTablesTakeRowsAsModelsWriteThem(t *testing.T) {
	res := render[tools.TableResult](t, "render_table", `{"title":"A\u202eB","columns":["name",{"key":"n","label":"Notes"},"x"],
		"rows":[{"name":"Ada\u0007","n":3},{"name":null,"n":4.50,"x":{"a":[1,2]},"other":1},{"name":true,"n":null}]}`)
	if res.Title != "AB" || !slices.Equal(res.Numeric, []bool{false, true, false}) {
		t.Errorf("title %q, numeric %v", res.Title, res.Numeric)
	}
	want := [][]string{{"Ada", "3", ""}, {"", "4.50", `{"a":[1,2]}`}, {"true", "", ""}}
	for i, row := range res.Rows {
		if !slices.Equal(row, want[i]) {
			t.Errorf("row %d: %q, want %q", i, row, want[i])
		}
	}
	if got := res.ForModel(1000); got != `{"shown":"table","title":"AB","columns":["name","n","x"],"rows":3}` {
		t.Errorf("a model is told %s", got)
	}
}

func TestTablesOverTheirCapsAreRefusedByNamingThem(t *testing.T) {
	rows := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`{"a":1},`, n), ",") + "]" }
	columns := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`"a",`, n), ",") + "]" }
	if got := render[tools.TableResult](t, "render_table", `{"columns":["a"],"rows":`+rows(500)+`}`); len(got.Rows) != 500 {
		t.Errorf("%d rows", len(got.Rows))
	}
	for name, tt := range map[string]struct{ args, want string }{
		"501 rows":          {`{"columns":["a"],"rows":` + rows(501) + `}`, "rows: expected at most 500 items, got a list of 501"},
		"51 columns":        {`{"columns":` + columns(51) + `,"rows":[]}`, "columns: expected at most 50 items, got a list of 51"},
		"no columns":        {`{"columns":[],"rows":[]}`, "columns: expected at least 1 items"},
		"a long cell":       {`{"columns":["a"],"rows":[{"a":"` + strings.Repeat("é", 10_001) + `"}]}`, "rows[0].a: expected at most 10000 characters"},
		"a large table":     {`{"columns":["a"],"rows":[` + strings.TrimSuffix(strings.Repeat(`{"a":"`+strings.Repeat("x", 9000)+`"},`, 30), ",") + `]}`, "rows: expected at most 200000 bytes in all"},
		"a nameless column": {`{"columns":[""],"rows":[]}`, "columns[0]: expected a name"},
	} {
		_, err := builtin(t, "render_table").Call(t.Context(), &tools.Env{}, json.RawMessage(tt.args))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChartsAreCheckedOrTheirDataShownAsATable(t *testing.T) {
	spec := `{"mark":"%s","data":{"values":[{"day":"Mon","n":3},{"day":"Tue","n":5}]},"encoding":{"x":{"field":"day"},"y":{"field":"n"}}}`
	drawn := render[tools.ChartResult](t, "render_chart", `{"title":"Notes","spec":`+fmt.Sprintf(spec, "bar")+`}`)
	if drawn.Chart == nil || drawn.Refused != "" || drawn.Chart.Title != "Notes" || drawn.Chart.Layers[0].Points[1].Amount != 5 {
		t.Errorf("got %+v", drawn)
	}
	if got := drawn.ForModel(1000); got != `{"shown":"chart","title":"Notes","marks":2}` {
		t.Errorf("a model is told %s", got)
	}
	text, err := json.Marshal(fmt.Sprintf(spec, "bar"))
	if err != nil {
		t.Fatal(err)
	}
	if res := render[tools.ChartResult](t, "render_chart", `{"spec":`+string(text)+`}`); res.Chart == nil {
		t.Errorf("a specification in a text: %+v", res)
	}
	refused := render[tools.ChartResult](t, "render_chart", `{"spec":`+fmt.Sprintf(spec, "geoshape")+`}`)
	if refused.Chart != nil || !strings.HasPrefix(refused.Refused, "mark geoshape: ") || refused.Table == nil || len(refused.Table.Rows) != 2 || !refused.Table.Numeric[1] {
		t.Errorf("got %+v", refused)
	}
	if got := refused.ForModel(1000); !strings.Contains(got, `"shown":"the data as a table"`) || !strings.Contains(got, "mark geoshape") {
		t.Errorf("a model is told %s", got)
	}
	for _, args := range []string{`{"spec":"no"}`, `{"spec":[1]}`, `{"spec":null}`, `{}`} {
		if _, err := builtin(t, "render_chart").Call(t.Context(), &tools.Env{}, json.RawMessage(args)); err == nil {
			t.Errorf("%s was drawn", args)
		}
	}
}
