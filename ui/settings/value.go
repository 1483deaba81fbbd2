package settings

import (
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// value is a setting that is typed. It is taken when the keyboard leaves the field, at
// Enter, and when the page goes out of sight. What makes no sense is told below its
// name and stays in the field, and the setting stays as it was.
type value struct {
	*field
	s       *Screen
	entry   *widgets.Entry
	about   string
	now     func() string
	take    func(text string) (problem string)
	settled string // what stood in the field when nothing was being typed
	problem bool   // what was typed makes no sense, and that is told
}

// newValue returns a setting that is typed. now is what is set, take sets what was
// typed or says in a sentence what is wrong with it.
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

// load shows what is set, unless something else is being typed.
func (v *value) load() {
	if v.entry.Text == v.settled {
		v.reset()
	}
}

// reset shows what is set in place of what is being typed. What the field cannot take
// whole, since it was written into the settings file, is not changed here.
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

// leave takes what was typed.
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
