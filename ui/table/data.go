package table

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// data is the content of a table, cleaned and ready to be sorted.
type data struct {
	title   string
	columns []column
	rows    [][]cell
	order   []int // the indexes of the rows as they are sorted
	by      int   // the column that they are sorted by; -1 for none
	down    bool  // in descending order
	cut     int   // rows beyond maxRows
}

type column struct {
	name    string
	numeric bool
}

type cell struct {
	raw, text string // what is copied; what is shown
	number    float64
	isNumber  bool
	at        time.Time    // the time that text says; zero for none
	key       []byte       // the collation key of text, once it was sorted
	open      func()       // opens its code or link; nil for none
	person    nostr.PubKey // whose code or name it is; zero for nobody
	spans     []prose.Span // nil for plain text
}

func newData(r *tools.TableResult, opt Options) *data {
	d := &data{title: clean.Line(r.Title, 300), by: -1}
	for i, c := range r.Columns[:min(len(r.Columns), maxColumns)] {
		name := clean.Line(cmp.Or(c.Label, c.Key), 100)
		d.columns = append(d.columns, column{name: name, numeric: i < len(r.Numeric) && r.Numeric[i]})
	}
	rows := r.Rows[:min(len(r.Rows), maxRows)]
	d.cut = len(r.Rows) - len(rows)
	for i, row := range rows {
		cells := make([]cell, len(d.columns))
		for c := range cells {
			if c < len(row) {
				cells[c] = newCell(row[c], opt)
				cells[c].dress(opt, i, c)
			}
		}
		d.rows, d.order = append(d.rows, cells), append(d.order, i)
	}
	for c := range d.columns {
		d.columns[c].numeric = d.columns[c].numeric || d.allNumbers(c)
		d.meet(c, opt)
	}
	return d
}

// meet finds the people whose names the cells of a column are.
func (d *data) meet(c int, opt Options) {
	if opt.Person == nil || opt.OpenPerson == nil || d.columns[c].numeric {
		return
	}
	known := 0
	for _, row := range d.rows {
		if row[c].open == nil && opt.Person(row[c].text) != (nostr.PubKey{}) {
			known++
		}
	}
	for _, row := range d.rows {
		one := &row[c]
		if pk := opt.Person(one.text); one.open == nil && 2*known > len(d.rows) && pk != (nostr.PubKey{}) {
			one.person, one.open = pk, func() { opt.OpenPerson(pk) }
		}
	}
}

// The space between a face and the name, in points.
const faceGap = 8

// face reports whether a cell has a face before its text.
func (c *cell) face(opt Options) bool { return opt.Face != nil && c.person != (nostr.PubKey{}) }

// before returns the width that a face takes in a cell.
func (c *cell) before(opt Options) float32 {
	if !c.face(opt) {
		return 0
	}
	return theme.Eased(theme.AvatarSmall) + faceGap
}

// allNumbers reports whether all cells of a column are numbers or blank.
func (d *data) allNumbers(c int) bool {
	numbers := 0
	for _, row := range d.rows {
		switch {
		case row[c].isNumber:
			numbers++
		case !blank(row[c].text):
			return false
		}
	}
	return numbers > 0
}

// blank reports whether a cell says that there is no value.
func blank(text string) bool {
	switch text {
	case "", "-", "–", "—", "n/a", "null":
		return true
	}
	return false
}

func newCell(raw string, opt Options) cell {
	raw = clean.Text(raw)
	c := cell{raw: raw, text: clean.Line(strings.ReplaceAll(raw, "\n", " "), maxCell)}
	c.number, c.isNumber = readNumber(c.text)
	if code, ok := codeOf(c.text); ok {
		c.text = ""
		if opt.Name != nil {
			c.text = clean.Line(opt.Name(code), 100)
		}
		if c.text == "" { // its beginning and its end
			c.text = nostr.ShortCode(strings.TrimPrefix(strings.TrimSpace(raw), "nostr:"))
		}
		switch {
		case code.Event != (nostr.ID{}) && opt.OpenNote != nil:
			c.open = func() { opt.OpenNote(code.Event) }
		case code.Event == (nostr.ID{}) && code.D == "" && opt.OpenPerson != nil:
			c.open, c.person = func() { opt.OpenPerson(code.PubKey) }, code.PubKey
		}
	}
	if at, day, ok := timeIn(c.text); ok && opt.When != nil {
		c.text, c.at = opt.When(at, day), at
	}
	return c
}

// timeIn parses a cell that is a time as programs write it. One without a zone is the reader's.
func timeIn(text string) (at time.Time, day, ok bool) {
	for i, form := range []string{time.DateOnly, time.RFC3339, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(form, text, time.Local); err == nil {
			return at, i == 0, true
		}
	}
	return at, false, false
}

// dress adds the spans of a cell. The keyboard opens its first link, the mouse each of
// them.
func (c *cell) dress(opt Options, row, column int) {
	if opt.Spans == nil || c.open != nil {
		return
	}
	c.spans = opt.Spans(row, column)
	for _, s := range c.spans {
		if s.Tap != nil {
			c.open = s.Tap
			return
		}
	}
}

// Codes returns the codes of notes and people in the cells of a table: those that
// Options.Name is asked for.
func Codes(t *tools.TableResult) []nostr.Code {
	var codes []nostr.Code
	for _, row := range t.Rows {
		for _, raw := range row {
			if code, ok := codeOf(clean.Line(raw, maxCell)); ok {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// codeOf parses a cell that consists of the code of a note or a person.
func codeOf(text string) (nostr.Code, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "nostr:")
	for _, prefix := range []string{"note1", "npub1", "nevent1", "nprofile1"} {
		if strings.HasPrefix(text, prefix) {
			code, err := nostr.ParseCode(text)
			return code, err == nil
		}
	}
	return nostr.Code{}, false
}

// written matches numbers as people write them: a sign, commas between thousands, decimals,
// a short unit.
var written = regexp.MustCompile(`^([-+−]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(\.[0-9]+)?([eE][-+]?[0-9]{1,3})? ?(%|k|K|M|B|T|ms|s|min|h|d|kB|MB|GB|sats?)?$`)

// scales holds the factors of units.
var scales = map[string]float64{
	"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "kB": 1e3, "MB": 1e6, "GB": 1e9,
	"ms": 1e-3, "min": 60, "h": 3600, "d": 86400,
}

func readNumber(text string) (float64, bool) {
	m := written.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", "")+m[3]+m[4], 64)
	if err != nil {
		return 0, false
	}
	if scale := scales[m[5]]; scale != 0 {
		f *= scale
	}
	if m[1] == "-" || m[1] == "−" {
		f = -f
	}
	return f, true
}

// sort sorts by a column, numbers by value. Blank cells come last in both directions.
func (d *data) sort(c int) {
	d.down = d.by == c && !d.down
	d.by = c
	if !d.columns[c].numeric {
		d.collate(c)
	}
	slices.SortStableFunc(d.order, func(a, b int) int {
		x, y := &d.rows[a][c], &d.rows[b][c]
		if xb, yb := blank(x.text), blank(y.text); xb || yb {
			return rank(xb) - rank(yb)
		}
		by := slices.Compare(x.key, y.key)
		if !x.at.IsZero() && !y.at.IsZero() {
			by = x.at.Compare(y.at)
		}
		if d.columns[c].numeric {
			by = cmp.Compare(x.number, y.number)
		}
		if d.down {
			return -by
		}
		return by
	})
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// collate computes the collation keys of a column for the user's language.
func (d *data) collate(c int) {
	tag, err := language.Parse(string(lang.SystemLocale().LanguageString()))
	if err != nil {
		tag = language.English
	}
	order := collate.New(tag, collate.IgnoreCase, collate.Numeric)
	var buf collate.Buffer
	for r := range d.rows {
		one := &d.rows[r][c]
		if one.key == nil {
			one.key = slices.Clone(order.KeyFromString(&buf, one.text))
			buf.Reset()
		}
	}
}

// The widths of columns, in points at text size 12.5; they grow with it.
const (
	cellPad   = 10
	widest    = 420 // of a column in a wide window
	narrowest = 110 // of a column of texts; a narrower table scrolls
)

// sized holds the measures of a column.
type sized struct {
	natural  float32 // the width without wrapping, at most widest
	width    float32
	fraction float32 // the width of the longest decimal fraction
}

func textWidth(text string, size float32, bold bool) float32 {
	w, _ := theme.Measure(text, size, fyne.TextStyle{Bold: bold})
	return w
}

// measureColumns measures the natural widths. Of each column it measures only the cells
// that look longest.
func measureColumns(d *data, size float32, opt Options) []sized {
	out := make([]sized, len(d.columns))
	scale := size / 12.5
	for c, col := range d.columns {
		w := textWidth(clipped(col.name), size, true) + arrowWidth(size)
		for _, one := range longest(d, c) {
			if one.spans != nil {
				w = max(w, one.prose().NaturalWidth(widest*scale))
				continue
			}
			w = max(w, textWidth(clipped(one.text), size, false)+one.before(opt))
		}
		out[c].natural = min(w, widest*scale) + 2*cellPad
		if !col.numeric {
			continue
		}
		for _, row := range d.rows {
			if f := fractionOf(row[c].text); f != "" {
				out[c].fraction = max(out[c].fraction, textWidth(f, size, false))
			}
		}
		out[c].natural += out[c].fraction // the longest integer part may not have the longest fraction
	}
	return out
}

// clipped cuts a text that fits no column anyway, to measure it faster.
func clipped(text string) string {
	if len(text) > 240 {
		return strings.ToValidUTF8(text[:240], "")
	}
	return text
}

// longest returns the few cells of a column that would be widest in a terminal.
func longest(d *data, c int) []*cell {
	type length struct {
		cells int
		of    *cell
	}
	var top []length
	for _, row := range d.rows {
		n := present.Width(clipped(row[c].text))
		if len(top) == 4 && n <= top[3].cells {
			continue
		}
		top = append(top, length{n, &row[c]})
		slices.SortStableFunc(top, func(a, b length) int { return b.cells - a.cells })
		top = top[:min(len(top), 4)]
	}
	cells := make([]*cell, len(top))
	for i, l := range top {
		cells[i] = l.of
	}
	return cells
}

// fractionOf returns the decimal fraction of a number with its point.
func fractionOf(number string) string {
	if i := strings.IndexByte(number, '.'); i >= 0 {
		return number[i:]
	}
	return ""
}

// share distributes a width among the columns: those of texts share what is left over, or shrink
// to a least width. Where that is not enough the table scrolls, and texts get more than the
// least width.
func share(cols []sized, d *data, total, size float32) {
	least := narrowest * size / 12.5
	var sum, text float32
	for c := range cols {
		cols[c].width = cols[c].natural
		sum += cols[c].natural
		if !d.columns[c].numeric {
			text += cols[c].natural
		}
	}
	switch {
	case sum < total && text > 0:
		for c := range cols {
			if !d.columns[c].numeric {
				cols[c].width += (total - sum) * cols[c].natural / text
			}
		}
	case sum < total:
		for c := range cols {
			cols[c].width += (total - sum) / float32(len(cols))
		}
	case sum > total && narrow(cols, d, sum-total, least) < sum-total-1:
		for c := range cols {
			cols[c].width = cols[c].natural
			if !d.columns[c].numeric {
				cols[c].width = min(cols[c].natural, least*2.2)
			}
		}
	}
}

// narrow takes up to excess from the widest columns of texts, and returns how much it took. No
// column becomes narrower than least.
func narrow(cols []sized, d *data, excess, least float32) float32 {
	low, high := least, float32(0)
	for c := range cols {
		high = max(high, cols[c].width)
	}
	taken := func(limit float32) float32 {
		var sum float32
		for c := range cols {
			if !d.columns[c].numeric && cols[c].width > limit {
				sum += cols[c].width - limit
			}
		}
		return sum
	}
	for range 30 { // bisect the greatest width
		middle := (low + high) / 2
		if taken(middle) >= excess {
			low = middle
		} else {
			high = middle
		}
	}
	got := taken(low)
	for c := range cols {
		if !d.columns[c].numeric {
			cols[c].width = min(cols[c].width, low)
		}
	}
	return got
}
