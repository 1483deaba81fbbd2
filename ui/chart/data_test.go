package chart

import (
	"reflect"
	"testing"

	"bowerbird/tools"
)

func TestTheTableOfAChartBeginsWithNamesThatPeopleRead(t *testing.T) {
	got := &tools.TableResult{
		Columns: []tools.Column{{Key: "note_count", Label: heading("note_count")}, {Key: "people", Label: heading("people")}, {Key: "Hashtag", Label: heading("Hashtag")}},
		Numeric: []bool{true, true, false},
		Rows:    [][]string{{"3", "2", "#lua"}},
	}
	nameFirst(got)
	want := &tools.TableResult{
		Columns: []tools.Column{{Key: "Hashtag", Label: "Hashtag"}, {Key: "note_count", Label: "Note count"}, {Key: "people", Label: "People"}},
		Numeric: []bool{false, true, true},
		Rows:    [][]string{{"#lua", "3", "2"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
