package widgets_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// rectangles returns all that are seen in an object.
func rectangles(o fyne.CanvasObject) (all []*canvas.Rectangle) {
	if !o.Visible() {
		return nil
	}
	switch o := o.(type) {
	case *canvas.Rectangle:
		return []*canvas.Rectangle{o}
	case *fyne.Container:
		for _, child := range o.Objects {
			all = append(all, rectangles(child)...)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			all = append(all, rectangles(child)...)
		}
	}
	return all
}

func TestAFieldWithTheKeyboardShowsALineAndACaret(t *testing.T) {
	for name, make := range map[string]func() (*widgets.Entry, fyne.CanvasObject){
		"of one line": func() (*widgets.Entry, fyne.CanvasObject) { e := widgets.NewEntry("Name"); return e, e },
		"of several":  func() (*widgets.Entry, fyne.CanvasObject) { e := widgets.NewTextEntry("Question", 4); return e, e },
		"on a card": func() (*widgets.Entry, fyne.CanvasObject) {
			e := widgets.NewTextEntry("Question", 4)
			return e, widgets.NewEntryCard(e, func(bare fyne.CanvasObject) fyne.CanvasObject {
				return layout.Pad(layout.All(10), layout.Column(4, bare, widgets.NewLabel("Below", theme.Small, theme.Muted)))
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			useTheme(t, theme.Options{Mode: theme.Light})
			e, o := make()
			w := show(t, o, 300, 120)
			look := func() (ring, caret int) {
				for _, r := range rectangles(o) {
					switch size := r.Size(); {
					case r.StrokeWidth == 2 && r.StrokeColor == theme.Color(theme.Primary):
						ring++
					case size.Width >= 1 && size.Width <= 2 && size.Height > 10:
						caret++
					}
				}
				return ring, caret
			}
			if ring, caret := look(); ring != 0 || caret != 0 {
				t.Errorf("%d lines and %d carets without the keyboard", ring, caret)
			}
			w.Canvas().Focus(e)
			e.KeyUp(&fyne.KeyEvent{Name: fyne.KeyTab})
			if ring, caret := look(); ring != 1 || caret != 1 {
				t.Errorf("%d lines and %d carets with the keyboard", ring, caret)
			}
			w.Canvas().Unfocus()
			if ring, caret := look(); ring != 0 || caret != 0 {
				t.Errorf("%d lines and %d carets when it has left", ring, caret)
			}
		})
	}
}
