package chat

import (
	"image/color"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/builtin"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/markdown"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The measures of a digest.
const (
	digestGap  float32 = 18 // between sections
	digestRow  float32 = 31 // of an item in one line
	faceSize   float32 = 28
	faceGap    float32 = 12
	numberWide float32 = 60  // the most for the numbers of a line
	timesWide  float32 = 250 // the chart beside the headline
	timesRoom  float32 = 600 // the least width for the chart beside the headline
	twoColumns float32 = 560 // the least width for two sections side by side
)

// digest draws a digest in its sections.
type digest struct {
	screen *Screen
	opt    markdown.Options
	box    *fyne.Container
	row    row
	of     *answers.Digest
}

func newDigest(s *Screen) drawer {
	d := &digest{screen: s, box: layout.Column(digestGap)}
	d.opt = s.textOptions(func() int { return d.row.turn })
	return drawer{d.box, d.draw}
}

func (d *digest) draw(r row) {
	d.row, d.of = r, r.block.(*answers.Digest)
	d.box.Objects = []fyne.CanvasObject{d.head()}
	add := func(objects ...fyne.CanvasObject) {
		for _, o := range objects {
			if o != nil {
				d.box.Objects = append(d.box.Objects, o)
			}
		}
	}
	if d.of.Chart != nil && r.deep {
		add(d.screen.madeOf(r))
	}
	add(d.section(builtin.ForYou, d.letter), d.section(builtin.Stories, d.story))
	if r.open { // below what was clicked
		add(d.section(builtin.Brief, d.story))
	}
	add(beside(d.section(builtin.Rarely, d.short), d.section(builtin.ToRead, d.short)))
	add(prose.Plain(d.of.Parts.Closing, theme.Small, theme.Faint))
	d.box.Refresh()
}

// head draws the headline, how complete the notes are, and a chart of when they were
// written.
func (d *digest) head() fyne.CanvasObject {
	headline := prose.New(prose.Span{Text: d.of.Parts.Headline, Size: theme.Title, Bold: true})
	headline.ID, headline.Selectable = "chat.headline", true
	words := d.of.Parts.Status
	if d.of.Chart == nil { // which has its times below it
		words = strings.TrimSpace(d.of.Parts.Time + " " + words)
	}
	spans := []prose.Span{{Text: words, Size: theme.Small, Color: theme.Muted}}
	text := prose.New()
	text.ID, text.Selectable = "chat.coverage", true
	color := theme.Warn
	if d.of.Complete {
		color = theme.OK
	}
	if d.of.Coverage != nil {
		spans = append(spans, d.screen.fetched(d.row, d.of.Coverage)...)
	}
	status := layout.TopRow(8, 1, layout.Pad(layout.Insets{Top: 6.5}, widgets.NewDot(color)), text)
	text.SetSpans(spans...)
	said := layout.Column(6, headline, status)
	if d.of.Chart == nil {
		return said
	}
	times := widgets.Named("chat.times", widgets.NewTappable(newTimes(d.of.Chart.Chart, d.screen.now()), func() { d.screen.toggle(d.row.id + deepID) }))
	return layout.NewArranged(240, func(width float32, put layout.Put) float32 {
		wide, x, y := width, float32(0), float32(0)
		if width >= timesRoom {
			wide, x = width-timesWide-2*faceGap, width-timesWide
		} else {
			y = layout.HeightFor(said, wide) + faceGap
		}
		high, tall := layout.HeightFor(said, wide), layout.HeightFor(times, timesWide)
		if put != nil {
			put(said, 0, 0, wide, high)
			put(times, x, y, timesWide, tall)
		}
		return max(high, y+tall)
	}, said, times)
}

// section draws the items of a section with a function; nil if the digest has no such
// section.
func (d *digest) section(kind builtin.SectionKind, draw func(builtin.Item) fyne.CanvasObject) fyne.CanvasObject {
	i := slices.IndexFunc(d.of.Parts.Sections, func(s builtin.Section) bool { return s.Kind == kind })
	if i < 0 {
		return nil
	}
	s := d.of.Parts.Sections[i]
	list := layout.Column(0)
	for _, it := range s.Items {
		list.Add(draw(it))
	}
	if s.Title == "" {
		return list
	}
	title := prose.New(prose.Span{Text: s.Title, Bold: true})
	return layout.Column(6, layout.Row(faceGap, 0, title, d.smaller(kind)), list)
}

// smaller draws the link from the stories to the smaller topics; an empty space for other
// sections.
func (d *digest) smaller(kind builtin.SectionKind) fyne.CanvasObject {
	i := slices.IndexFunc(d.of.Parts.Sections, func(s builtin.Section) bool { return s.Kind == builtin.Brief })
	if kind != builtin.Stories || i < 0 {
		return space(0, 0)
	}
	n := len(d.of.Parts.Sections[i].Items)
	label := lang.N("{{.Count}} smaller topics", n, in("Count", inWords().Number(n)))
	if d.row.open {
		label = lang.L("Show less")
	}
	return widgets.Named("chat.smaller", widgets.NewLink(label, func() { d.screen.toggle(d.row.id) }))
}

// story draws what several people talked about: its heading, how many they were, and who
// said what. A click opens the first source.
func (d *digest) story(it builtin.Item) fyne.CanvasObject {
	lines := layout.Column(0)
	first := it.Lines
	top := prose.New(prose.Span{Text: present.Isolate(it.Heading), Bold: true})
	if it.Heading == "" {
		top, first = d.line(it.Lines[0], 0), it.Lines[1:]
	}
	lines.Add(aside(top, counts(it.Note)))
	for i, l := range first {
		lines.Add(d.line(l, i+len(it.Lines)-len(first)))
	}
	content := layout.Pad(layout.Sides(5, 0), layout.TopRow(faceGap, 1, d.face(it, faceSize), lines))
	source, cited := d.of.SourceOf(it)
	if !cited {
		return content
	}
	return widgets.Named("story:"+strconv.Itoa(source.Index), widgets.NewTile(content, func() { d.screen.cite(d.row.turn, source.Index) }))
}

// line draws one line of a story. Lines older than the newest turn of the story are muted.
func (d *digest) line(l builtin.Line, at int) *prose.Text {
	color, label := theme.Text, theme.Primary
	if at > 0 && l.Label != "" {
		color, label = theme.Muted, theme.Muted
	}
	var spans []prose.Span
	if l.Label != "" {
		spans = append(spans, prose.Span{Text: l.Label + "  ", Size: theme.Small, Color: label, Bold: true})
	}
	text := prose.New(append(spans, d.spans(l.Text, theme.Body, color)...)...)
	text.Selectable = true
	return text
}

// letter draws what is for the user as short does, in a narrow window in several lines.
func (d *digest) letter(it builtin.Item) fyne.CanvasObject { return d.inLines(it, 3) }

// short draws an item in one line that leads to its note. An item that cites no note is
// drawn in full, without a face.
func (d *digest) short(it builtin.Item) fyne.CanvasObject { return d.inLines(it, 1) }

func (d *digest) inLines(it builtin.Item, ifNarrow int) fyne.CanvasObject {
	l := it.Lines[0]
	source, cited := d.of.SourceOf(it)
	if !cited || it.Heading+l.Label == "" {
		return layout.Pad(layout.Insets{Top: 6, Bottom: 6, Left: faceSize + faceGap}, prose.New(d.spans(l.Text, theme.Small, theme.Muted)...))
	}
	var spans []prose.Span
	color := theme.Text
	if name := it.Heading + l.Label; name != "" {
		spans = append(spans, prose.Span{Text: present.Isolate(name) + "  ", Bold: true})
	}
	if it.Heading != "" {
		color = theme.Muted
	}
	var numbers []prose.Span // beside the text, which may be cut
	for _, s := range d.spans(l.Text, "", color) {
		if s.Chip {
			numbers = append(numbers, s)
		} else {
			spans = append(spans, s)
		}
	}
	text, number := prose.New(spans...), prose.New(numbers...)
	right := it.Note
	if right == "" {
		right = inWords().Ago(source.At, d.screen.now())
	}
	line := layout.Row(faceGap, 1, d.face(it, faceSize), text, layout.Fixed(ceil(number.NaturalWidth(numberWide)), number), counts(right))
	fit := layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		if text.MaxLines = 1; width < timesRoom {
			text.MaxLines = ifNarrow
		}
		high, apart := layout.HeightFor(line, width), float32(0)
		if high > digestRow {
			apart = theme.Unit
		}
		if put != nil {
			put(line, 0, apart, width, high)
		}
		return high + 2*apart
	}, line)
	return widgets.Named("story:"+strconv.Itoa(source.Index), widgets.NewTile(atLeast(digestRow, fit), func() { d.screen.cite(d.row.turn, source.Index) }))
}

// counts draws the figures at the right of a line, which never wrap.
func counts(text string) fyne.CanvasObject {
	return widgets.NewLabel(strings.Replace(text, ", ", " · ", 1), theme.Small, theme.Muted)
}

// aside puts figures at the right of a text, or below it where they would leave it little space.
func aside(text, figures fyne.CanvasObject) fyne.CanvasObject {
	const least float32 = 260
	return layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		size := figures.MinSize()
		free, x, y := width-size.Width-faceGap, width-size.Width, float32(0)
		if free < theme.Eased(least) {
			free, x = width, 0
			y = layout.HeightFor(text, free)
		}
		high := layout.HeightFor(text, free)
		if put != nil {
			put(text, 0, 0, free, high)
			put(figures, x, y, size.Width, size.Height)
		}
		return max(high, y+size.Height)
	}, text, figures)
}

// atLeast gives an object a minimal height and centres it.
func atLeast(least float32, o fyne.CanvasObject) fyne.CanvasObject {
	return layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		h := layout.HeightFor(o, width)
		tall := max(least, h)
		if put != nil {
			put(o, 0, (tall-h)/2, width, h)
		}
		return tall
	}, o)
}

func (d *digest) spans(text string, size fyne.ThemeSizeName, color fyne.ThemeColorName) []prose.Span {
	return d.opt.LineSpans(text, len(d.of.Sources), size, color)
}

// face draws the author of the first note that an item cites.
func (d *digest) face(it builtin.Item, size float32) fyne.CanvasObject {
	s, ok := d.of.SourceOf(it)
	if !ok {
		return space(size, size)
	}
	return d.screen.faces.avatar(s.PubKey, size)
}

// beside puts two sections side by side in a wide window; either may be nil.
func beside(left, right fyne.CanvasObject) fyne.CanvasObject {
	if left == nil {
		return right
	}
	if right == nil {
		return left
	}
	const gap = 2 * faceGap
	return layout.NewArranged(240, func(width float32, put layout.Put) float32 {
		wide, x, y := (width-gap)*0.56, float32(0), float32(0)
		other := width - gap - wide
		if x = wide + gap; width < twoColumns {
			wide, other, x = width, width, 0
			y = layout.HeightFor(left, wide) + digestGap
		}
		a, b := layout.HeightFor(left, wide), layout.HeightFor(right, other)
		if put != nil {
			put(left, 0, 0, wide, a)
			put(right, x, y, other, b)
		}
		return max(a, y+b)
	}, left, right)
}

// The measures of the small chart beside a headline.
const (
	timesHigh  float32 = 36
	timesLabel float32 = 18 // at the usual text size
	timesLeast float32 = 3  // of a bar of zero notes: the hour is still counted
)

// halfway returns the colour between two.
func halfway(a, b color.Color) color.Color {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return color.NRGBA{uint8((r1 + r2) >> 9), uint8((g1 + g2) >> 9), uint8((b1 + b2) >> 9), 255}
}

// newTimes draws when notes were written: a bar for each hour or day, with the count above
// the highest one.
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
		label := theme.Scaled(timesLabel)
		if put == nil {
			return timesHigh + 2*label
		}
		step := width / float32(len(points))
		for i, p := range points {
			h := max(timesLeast, timesHigh*float32(p.Amount/points[top].Amount))
			put(bars[i], float32(i)*step, label+timesHigh-h, max(1, step-1.5), h)
		}
		size := peak.MinSize()
		put(peak, min(float32(top)*step, width-size.Width), 0, size.Width, label)
		for i, l := range ends {
			w := l.MinSize().Width
			put(l, float32(i)*(width-w), label+timesHigh, w, label)
		}
		return timesHigh + 2*label
	}, objects...)
}

// barTime names the hour or day of a bar. A change of the clocks may make a day 23 hours
// long.
func barTime(points []chartspec.Point, i int, now time.Time) string {
	at := time.UnixMilli(int64(points[i].X.Num)).In(now.Location())
	if points[1].X.Num-points[0].X.Num < float64(23*time.Hour/time.Millisecond) {
		return inWords().Moment(at, now)
	}
	return inWords().Date(at, now)
}
