package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// sheet is the body of a page below its title.
func sheet(title string, parts ...fyne.CanvasObject) *fyne.Container {
	head := prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true})
	return layout.Column(0, append([]fyne.CanvasObject{head, layout.Gap(14)}, parts...)...)
}

// section is a card of settings below a title.
func section(title string, parts ...fyne.CanvasObject) fyne.CanvasObject {
	return sectionOf(13, title, parts...)
}

// sectionOf is section with so much space above and below each row.
func sectionOf(space float32, title string, parts ...fyne.CanvasObject) fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for i, p := range parts {
		if i > 0 {
			rows = append(rows, widgets.NewRule())
		}
		rows = append(rows, layout.Pad(layout.Sides(space, 16), p))
	}
	card := widgets.NewFrame(theme.Surface, theme.Line, theme.RadiusCard, layout.Column(0, rows...))
	head := prose.New(prose.Span{Text: title, Size: theme.Heading, Bold: true})
	if title == "" {
		return layout.Pad(layout.Insets{Bottom: 22}, card)
	}
	return layout.Pad(layout.Insets{Bottom: 22}, layout.Column(9, head, card))
}

// part is a part of a section below a title of its own.
func part(title string, rows fyne.CanvasObject) fyne.CanvasObject {
	return layout.Column(10, prose.New(prose.Span{Text: title, Bold: true}), rows)
}

// field is one setting: its name with a line about it, and the control at the right, or
// below them in a narrow window.
type field struct {
	layout.Arranged
	name    *prose.Text
	about   *prose.Text
	control fyne.CanvasObject
	wide    float32 // preferred width of the control; 0 for its minimum
	scales  bool    // wide grows with the text size
	below   bool    // the control is below the words at any width, and as wide
}

const (
	stackBelow float32 = 500 // narrower, the control is below the name
	entryWidth float32 = 280
	leastName  float32 = 150
)

func newField(name, about string, control fyne.CanvasObject) *field {
	f := &field{
		name: prose.New(prose.Span{Text: name, Bold: true}), about: prose.Plain(about, theme.Small, theme.Muted), control: control,
	}
	if _, ok := control.(*widgets.Entry); ok {
		f.wide = entryWidth
	}
	f.Objects, f.Arrange, f.Least = []fyne.CanvasObject{f.name, f.about, f.control}, f.arrange, 120
	f.ExtendBaseWidget(f)
	return f
}

// say changes the line about the setting.
func (f *field) say(about string, color fyne.ThemeColorName) {
	f.about.SetSpans(prose.Span{Text: about, Size: theme.Small, Color: color})
}

func (f *field) words() []fyne.CanvasObject {
	if len(f.about.String()) == 0 {
		return []fyne.CanvasObject{f.name}
	}
	return []fyne.CanvasObject{f.name, f.about}
}

func (f *field) arrange(width float32, put layout.Put) float32 {
	least := f.control.MinSize()
	want := max(least.Width, f.wide)
	if f.scales {
		want = max(least.Width, scaled(f.wide))
	}
	left := width - want - 16
	stacked := f.below || width < scaled(stackBelow) || left < scaled(leastName)
	if stacked {
		left = width
	}
	words := f.arrangeWords(0, left, nil)
	if !stacked {
		high := layout.HeightFor(f.control, want)
		height := max(words, high)
		if put != nil {
			f.arrangeWords((height-words)/2, left, put)
			put(f.control, width-want, (height-high)/2, want, high)
		}
		return height
	}
	if f.below || f.wide > leastName {
		want = width
	}
	want = min(want, width)
	high := layout.HeightFor(f.control, want)
	if put != nil {
		f.arrangeWords(0, left, put)
		put(f.control, 0, words+8, want, high)
	}
	return words + 8 + high
}

// arrangeWords puts the words below one another from y on, and returns their height.
func (f *field) arrangeWords(y, width float32, put layout.Put) float32 {
	top := y
	for i, o := range f.words() {
		if i > 0 {
			y += 2
		}
		h := layout.HeightFor(o, width)
		if put != nil {
			put(o, 0, y, width, h)
		}
		y += h
	}
	return y - top
}

// note is a line of muted text.
func note(text string) *prose.Text { return prose.Plain(text, theme.Small, theme.Muted) }

// choice is a value that can be chosen, with its label.
type choice struct {
	value, label string
}

func hasValue(choices []choice, value string) bool {
	return slices.ContainsFunc(choices, func(c choice) bool { return c.value == value })
}

// segments shows all values side by side; an unknown value counts as the first.
func segments(id, now string, choices []choice, set func(value string)) *widgets.Segmented {
	labels := make([]string, len(choices))
	at := 0
	for i, c := range choices {
		labels[i] = c.label
		if c.value == now {
			at = i
		}
	}
	return widgets.Named(id, widgets.NewSegmented(labels, at, func(i int) { set(choices[i].value) }))
}

// onOff is a switch.
func onOff(id string, on bool, set func(on bool)) *widgets.Switch {
	return widgets.Named(id, widgets.NewSwitch(on, set))
}

// menu shows values in a menu; now returns the current one.
func menu(id string, choices []choice, now func() string, set func(value string)) *widgets.Picker {
	return menuOf(id, func() []choice { return choices }, now, set)
}

// menuOf is menu with choices that may differ each time it opens.
func menuOf(id string, choices func() []choice, now func() string, set func(value string)) *widgets.Picker {
	var p *widgets.Picker
	label := func() string {
		for _, c := range choices() {
			if c.value == now() {
				return c.label
			}
		}
		return now()
	}
	p = widgets.Named(id, widgets.NewPicker(label(), func() {
		var items []widgets.MenuItem
		for _, c := range choices() {
			items = append(items, widgets.MenuItem{Text: c.label, Checked: c.value == now(), Do: func() {
				set(c.value)
				p.SetText(label())
			}})
		}
		widgets.ShowMenu(p, items...)
	}))
	return p
}

// disclosure is a part of a page that is closed at first: a line that opens it.
type disclosure struct {
	rows  *fyne.Container
	tap   *widgets.Tappable
	sign  *widgets.Icon
	body  fyne.CanvasObject
	place func() // lays the page out again
}

func newDisclosure(id, name, about string, body fyne.CanvasObject, place func()) *disclosure {
	d := &disclosure{sign: widgets.NewIcon("chevron-right", 16, theme.Muted), body: body, place: place}
	words := layout.Column(1, prose.New(prose.Span{Text: name, Bold: true}), note(about))
	d.tap = widgets.Named(id, widgets.NewTappable(layout.Row(8, 1, d.sign, words), d.toggle))
	body.Hide()
	d.rows = layout.Column(14, d.tap, body)
	return d
}

func (d *disclosure) open() bool { return d.body.Visible() }

func (d *disclosure) toggle() {
	widgets.SetVisible(d.body, !d.open())
	sign := "chevron-right"
	if d.open() {
		sign = "chevron-down"
	}
	d.sign.SetIcon(sign)
	d.place()
}

// value is a setting that is typed. It is taken over at Enter, when the keyboard leaves
// the field, and when the page disappears. An invalid value stays in the field with a line
// about what is wrong; the setting does not change.
type value struct {
	*field
	s       *Screen
	entry   *widgets.Entry
	about   string
	now     func() string
	take    func(text string) (problem string)
	settled string // the text before the user typed anything
	problem bool   // what was typed is invalid, and the field says so
}

// newValue returns a setting that is typed. now returns the current value; take sets a new
// one, or returns what is wrong with it in a sentence.
func newValue(s *Screen, entry *widgets.Entry, id, name, about string, now func() string, take func(text string) (problem string)) *value {
	v := &value{field: newField(name, about, entry), s: s, entry: entry, about: about, now: now, take: take}
	entry.ID = id
	if !entry.MultiLine {
		v.wide, v.scales = valueWidth, true
		entry.OnSubmitted = func(string) { v.leave() }
	} else {
		v.below = true
	}
	entry.OnFocus = func(has bool) {
		if !has {
			v.leave()
		}
	}
	v.load()
	return v
}

// valueWidth is how wide a field for a figure is, in points at the usual text size.
const valueWidth float32 = 130

// load shows the setting, unless the user is typing.
func (v *value) load() {
	if v.entry.Text == v.settled {
		v.reset()
	}
}

// reset shows the setting in place of what was typed. A value from the settings file that
// the field cannot hold is not changed here.
func (v *value) reset() {
	set := v.now()
	v.problem = false
	v.entry.SetText(set)
	v.settled = v.entry.Text
	if v.settled != set {
		v.entry.Disable()
		v.say(lang.L("It is too long for this field. Change it in the settings file."), theme.Warn)
		return
	}
	v.entry.Enable()
	v.say(v.about, theme.Muted)
}

// leave takes over what was typed.
func (v *value) leave() {
	if v.entry.Text == v.settled && !v.problem {
		return
	}
	problem := ""
	if v.entry.Text != v.settled {
		problem = v.take(v.entry.Text)
	}
	if v.problem = problem != ""; v.problem {
		v.say(problem, theme.Bad)
	} else {
		v.reset()
	}
	v.s.frame.place()
}
