package chart

import (
	"math"
	"slices"
	"sort"
	"time"

	"bowerbird/tools/chartspec"
)

// clock converts the instants of a time axis to the wall clock that its rows were written
// by, which is the user's if the tools counted. It follows clock changes within the axis.
type clock struct {
	at     []float64 // instants in ascending order, in Unix milliseconds
	offset []float64 // milliseconds east of UTC at each
}

func clockOf(s *chartspec.Spec, get func(chartspec.Point) chartspec.Value) clock {
	seen := map[float64]float64{}
	for _, l := range s.Layers {
		for _, p := range l.Points {
			if v := get(p); v.Kind == chartspec.Time {
				seen[v.Num] = float64(v.Offset) * 1000
			}
		}
	}
	c := clock{}
	for at := range seen {
		c.at = append(c.at, at)
	}
	sort.Float64s(c.at)
	for _, at := range c.at {
		c.offset = append(c.offset, seen[at])
	}
	return c
}

// offsetAt returns the offset of the last row at or before an instant.
func (c clock) offsetAt(ms float64) float64 {
	if len(c.at) == 0 {
		return 0
	}
	i := sort.SearchFloat64s(c.at, ms)
	if i == len(c.at) || i > 0 && c.at[i] > ms {
		i--
	}
	return c.offset[i]
}

func (c clock) wall(ms float64) time.Time {
	return time.UnixMilli(int64(ms + c.offsetAt(ms))).UTC()
}

// instant returns when the wall clock shows t.
func (c clock) instant(t time.Time) float64 {
	ms := float64(t.UnixMilli())
	return ms - c.offsetAt(ms-c.offsetAt(ms))
}

// withTimes returns a chart whose times are written by when. What is finer or coarser than
// minutes and days stays as it is.
func withTimes(spec *chartspec.Spec, when func(at time.Time, day bool) string) *chartspec.Spec {
	out := *spec
	out.Layers = slices.Clone(spec.Layers)
	for i := range out.Layers {
		points := slices.Clone(out.Layers[i].Points)
		out.Layers[i].Points = points
		for k := range points {
			p := &points[k]
			p.Tooltip = slices.Clone(p.Tooltip)
			for _, v := range []*chartspec.Value{&p.X, &p.X2, &p.Y, &p.Y2} {
				day := len(v.Text) == len(time.DateOnly)
				if v.Kind != chartspec.Time || !day && len(v.Text) != len("2006-01-02 15:04") {
					continue
				}
				text := when(time.UnixMilli(int64(v.Num)).In(time.FixedZone("", v.Offset)), day)
				for n, pair := range p.Tooltip {
					if pair.Value == v.Text {
						p.Tooltip[n].Value = text
					}
				}
				v.Text = text
			}
		}
	}
	return &out
}

// stride is a distance between the labels of a time axis.
type stride struct {
	seconds int // below a day
	days    int // 7: Mondays
	months  int
	years   int
}

// strides are the intervals that people count in, in ascending order.
var strides = []stride{
	{seconds: 1},
	{seconds: 5},
	{seconds: 15},
	{seconds: 30},
	{seconds: 60},
	{seconds: 5 * 60},
	{seconds: 15 * 60},
	{seconds: 30 * 60},
	{seconds: 3600},
	{seconds: 2 * 3600},
	{seconds: 3 * 3600},
	{seconds: 6 * 3600},
	{seconds: 12 * 3600},
	{days: 1},
	{days: 2},
	{days: 7},
	{days: 14},
	{months: 1},
	{months: 2},
	{months: 3},
	{months: 6},
	{years: 1},
	{years: 2},
	{years: 5},
	{years: 10},
	{years: 20},
	{years: 50},
	{years: 100},
	{years: 200},
	{years: 500},
	{years: 1000},
	{years: 2000},
	{years: 5000},
}

const daySeconds = 24 * 60 * 60

// length returns about how many milliseconds a stride takes.
func (s stride) length() float64 {
	return 1000 * float64(s.seconds+daySeconds*(s.days+30*s.months+365*s.years))
}

// first returns the first place of a stride at or after t.
func (s stride) first(t time.Time) time.Time {
	y, m, d := t.Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	var at time.Time
	switch {
	case s.seconds > 0:
		past := int(t.Sub(day) / time.Second)
		at = day.Add(time.Duration(past/s.seconds*s.seconds) * time.Second)
	case s.days > 0:
		n := int(math.Floor(float64(day.Unix()) / daySeconds))
		at = day.AddDate(0, 0, -((n+3)%s.days+s.days)%s.days) // day 0 was a Thursday
	case s.months > 0:
		at = time.Date(y, m-time.Month((int(m)-1)%s.months), 1, 0, 0, 0, 0, time.UTC)
	default:
		at = time.Date(y-y%s.years, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	for at.Before(t) {
		at = s.next(at)
	}
	return at
}

func (s stride) next(t time.Time) time.Time {
	return t.Add(time.Duration(s.seconds)*time.Second).AddDate(s.years, s.months, s.days)
}

// label formats a place of a stride. A day stands for its midnight on axes longer than a
// day, and a year for its January.
func (s stride) label(t time.Time, span float64, k look) string {
	midnight := t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0
	switch {
	case s.years > 0:
		return t.Format("2006")
	case s.months > 0 && t.Month() == time.January:
		return t.Format("2006")
	case s.months > 0:
		return k.month(t)
	case s.days > 0, midnight && span > 1000*daySeconds:
		return k.date(t)
	case s.seconds < 60:
		return t.Format("15:04:05")
	}
	return t.Format("15:04")
}

// timeTicks labels a time axis with a length in points at the smallest stride whose labels
// fit. If none does, because all rows are at one time, it labels the time of a row.
func timeTicks(a chartspec.Axis, c clock, length float64, k look) []tick {
	span := a.Max - a.Min
	if !(span > 0) {
		return nil
	}
	if len(c.at) == 1 {
		return []tick{{c.at[0], moment(c.wall(c.at[0]), k)}}
	}
	finest := c.finest()
	for _, s := range strides {
		apart := s.length() / span * length
		if apart < 24 || s.length() < finest*0.9 {
			continue
		}
		ticks, widest := s.ticks(a, c, k), 0.0
		for _, t := range ticks {
			widest = math.Max(widest, k.width(t.label))
		}
		if len(ticks) > 0 && apart >= s.distance(widest) {
			return ticks
		}
	}
	if len(c.at) == 0 {
		return nil
	}
	middle := c.at[len(c.at)/2]
	return []tick{{middle, moment(c.wall(middle), k)}}
}

// distance returns how far apart labels of a width should be: times of day, of which there are
// many, further than dates.
func (s stride) distance(label float64) float64 {
	if s.seconds > 0 {
		return label*2 + 20
	}
	return label*1.3 + 16
}

// moment formats the only label of an axis.
func moment(t time.Time, k look) string {
	if t.Hour() == 0 && t.Minute() == 0 {
		return k.date(t)
	}
	return k.date(t) + " " + t.Format("15:04")
}

// finest returns the smallest distance of two rows: labels need not be closer.
func (c clock) finest() float64 {
	least := math.Inf(1)
	for i := 1; i < len(c.at); i++ {
		least = math.Min(least, c.at[i]-c.at[i-1])
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return math.Min(least, 1000*daySeconds*28)
}

func (s stride) ticks(a chartspec.Axis, c clock, k look) []tick {
	from, to := c.wall(a.Min), c.wall(a.Max)
	var ticks []tick
	for t := s.first(from); !t.After(to) && len(ticks) < 200; t = s.next(t) {
		at := c.instant(t)
		if at < a.Min || at > a.Max {
			continue
		}
		ticks = append(ticks, tick{at, s.label(t, a.Max-a.Min, k)})
	}
	return ticks
}
