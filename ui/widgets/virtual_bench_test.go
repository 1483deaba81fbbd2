package widgets_test

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/ui/widgets"
)

// BenchmarkScrollStep scrolls a list of 100,000 rows; p99 is the figure of the
// design, without the rows' own work.
func BenchmarkScrollStep(b *testing.B) {
	w := newWorld(b, widgets.VirtualOptions{})
	w.list.SetIDs(names(100_000, "r"))
	e := &fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -60)}
	var each []time.Duration
	for b.Loop() {
		began := time.Now()
		w.list.Scrolled(e)
		each = append(each, time.Since(began))
	}
	slices.Sort(each)
	b.ReportMetric(float64(each[len(each)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkSetIDs puts a page behind, or a note before, 100,000 rows.
func BenchmarkSetIDs(b *testing.B) {
	ids := names(100_000, "r")
	for _, one := range []struct {
		name string
		next []string
	}{
		{"behind", append(slices.Clone(ids), names(40, "page")...)},
		{"before", append([]string{"new"}, ids...)},
		{"same", ids},
	} {
		b.Run(one.name, func(b *testing.B) {
			w := newWorld(b, widgets.VirtualOptions{})
			w.list.SetIDs(ids)
			for b.Loop() {
				w.list.SetIDs(one.next)
				w.list.SetIDs(ids)
			}
		})
	}
}
