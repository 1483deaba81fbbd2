package chart

import (
	"fmt"
	"testing"
)

func TestALineOfTheGridIsAboveTheHighestBar(t *testing.T) {
	for _, highest := range []float64{3, 7, 20, 21, 999, 1_001, 0.3} {
		s := parse(t, fmt.Sprintf(`{"mark":"bar","data":{"values":[{"who":"a","n":1e-1},{"who":"b","n":%g}]},"encoding":{"x":{"field":"who","type":"nominal"},"y":{"field":"n","type":"quantitative"}}}`, highest))
		k := plainLook()
		f := &frame{look: k, given: s, spec: widened(s), scene: &scene{width: 400}, right: 400, bottom: 100}
		rows := f.lineAbove(f.rows())
		if last := rows[len(rows)-1]; last.at < highest || last.at > f.spec.Y.Max*1.000001 {
			t.Errorf("the highest bar is %v, the highest line at %v of %v", highest, last.at, f.spec.Y.Max)
		}
		if len(rows) > maxTicks+1 {
			t.Errorf("%d lines", len(rows))
		}
	}
}
