package settings

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestASettingStandsBesideItsControlOrAboveIt(t *testing.T) {
	a := test.NewTempApp(t)
	th, err := theme.New(theme.Options{Mode: theme.Light})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
	for name, tt := range map[string]struct {
		about string
		width float32
	}{
		"beside": {"What it does, in a line.", 640},
		"plain":  {"", 640},
		"above":  {"What it does, in a line.", 300},
	} {
		t.Run(name, func(t *testing.T) {
			f := newField("A setting", tt.about, widgets.NewButton("Change", widgets.Outline, func() {}))
			f.Resize(fyne.NewSize(tt.width, f.HeightFor(tt.width)))
			test.AssertObjectRendersToMarkup(t, "field-"+name+".xml", f)
			control, words := f.control.Position(), f.name.Position()
			beside := control.X > words.X
			if beside != (tt.width > 500) {
				t.Errorf("the control is at %v", control)
			}
			if low := control.Y + f.control.Size().Height; low > f.Size().Height {
				t.Errorf("the control ends at %v of %v", low, f.Size().Height)
			}
		})
	}
}
