package note

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestTheTipOfAFigureStandsBesideItAndSaysWhatIsCounted(t *testing.T) {
	start(t, theme.Light)
	c := of(options(&calls{}), tomasNote())
	root := widgets.NewRoot(c)
	root.After = func(_ time.Duration, f func()) func() { f(); return func() {} }
	w := test.NewTempWindow(t, root)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(420, 300))
	for i, want := range []string{"2 ", "0 times", "17 people liked this", "zaps"} {
		f := c.parts.counts.figures[i]
		f.MouseIn(nil)
		var tip *widgets.Label
		for _, o := range test.LaidOutObjects(root) {
			if l, ok := o.(*widgets.Label); ok && l.ID == "tip" {
				tip = l
			}
		}
		if tip == nil || !strings.Contains(tip.Text(), want) {
			t.Fatalf("figure %d: no tip that says %q", i, want)
		}
		driver := fyne.CurrentApp().Driver()
		if d := driver.AbsolutePositionForObject(tip).Y - driver.AbsolutePositionForObject(f).Y; d < 5 || d > 60 {
			t.Errorf("figure %d: its tip stands %v below it", i, d)
		}
		f.MouseOut()
	}
}
