package chat

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The measures of the small chart beside a headline.
const (
	timesHigh  float32 = 36
	timesLabel float32 = 18
	timesLeast float32 = 3 // of a bar of nothing: that hour was there too
)

// halfway is the colour in the middle of two.
func halfway(a, b color.Color) color.Color {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return color.NRGBA{uint8((r1 + r2) >> 9), uint8((g1 + g2) >> 9), uint8((b1 + b2) >> 9), 255}
}

// newTimes draws when notes were written: a bar an hour or day, the highest one with
// its number.
func newTimes(spec *chartspec.Spec, now time.Time) fyne.CanvasObject {
	points := spec.Layers[0].Points
	top := 0
	for i, p := range points {
		if p.Amount > points[top].Amount {
			top = i
		}
	}
	bars := make([]*canvas.Rectangle, len(points))
	var objects []fyne.CanvasObject
	for i := range points {
		bars[i] = canvas.NewRectangle(halfway(theme.Color(theme.PrimarySoft), theme.Color(theme.Primary)))
		if i == top {
			bars[i].FillColor = theme.Color(theme.Primary)
		}
		bars[i].CornerRadius = 1.5
		objects = append(objects, bars[i])
	}
	at := func(i int) string { return barTime(points, i, now) }
	peak := widgets.NewLabel(lang.N("{{.Count}} notes, {{.Time}}", int(points[top].Amount),
		in("Count", inWords().Number(int(points[top].Amount)), "Time", at(top))), theme.Tiny, theme.Muted)
	ends := []*widgets.Label{widgets.NewLabel(at(0), theme.Tiny, theme.Muted), widgets.NewLabel(at(len(points)-1), theme.Tiny, theme.Muted)}
	objects = append(objects, peak, ends[0], ends[1])
	return layout.NewArranged(timesWide, func(width float32, put layout.Put) float32 {
		if put == nil {
			return timesHigh + 2*timesLabel
		}
		step := width / float32(len(points))
		for i, p := range points {
			h := max(timesLeast, timesHigh*float32(p.Amount/points[top].Amount))
			put(bars[i], float32(i)*step, timesLabel+timesHigh-h, max(1, step-1.5), h)
		}
		size := peak.MinSize()
		put(peak, min(float32(top)*step, width-size.Width), 0, size.Width, timesLabel)
		for i, l := range ends {
			w := l.MinSize().Width
			put(l, float32(i)*(width-w), timesLabel+timesHigh, w, timesLabel)
		}
		return timesHigh + 2*timesLabel
	}, objects...)
}

// barTime names the hour that a bar stands for, or the day where it is one. Clocks may
// make a day 23 hours long.
func barTime(points []chartspec.Point, i int, now time.Time) string {
	at := time.UnixMilli(int64(points[i].X.Num)).In(now.Location())
	if points[1].X.Num-points[0].X.Num < float64(23*time.Hour/time.Millisecond) {
		return inWords().Moment(at, now)
	}
	return inWords().Date(at, now)
}
