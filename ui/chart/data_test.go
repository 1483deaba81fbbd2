package chart

import (
	"reflect"
	"testing"

	"bowerbird/tools"
	"bowerbird/tools/chartspec"
)

func TestTheTableOfAChartBeginsWithNamesThatPeopleRead(t *testing.T) {
	got := tableOf(&chartspec.Spec{Layers: []chartspec.Layer{{Points: []chartspec.Point{{
		Tooltip: []chartspec.Pair{{Name: "note_count", Value: "3"}, {Name: "people", Value: "2"}, {Name: "Hashtag", Value: "#lua"}},
	}}}}})
	want := &tools.TableResult{
		Columns: []tools.Column{{Key: "Hashtag", Label: "Hashtag"}, {Key: "note_count", Label: "Note count"}, {Key: "people", Label: "People"}},
		Numeric: []bool{false, true, true},
		Rows:    [][]string{{"#lua", "3", "2"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
