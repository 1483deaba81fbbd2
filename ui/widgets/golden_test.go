package widgets_test

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// kinds are the widgets that have states.
var kinds = map[string]func() fyne.CanvasObject{
	"primary": func() fyne.CanvasObject { return widgets.NewButton("Send", widgets.Primary, nothing) },
	"outline": func() fyne.CanvasObject { return widgets.NewButton("New chat", widgets.Outline, nothing) },
	"quiet":   func() fyne.CanvasObject { return widgets.NewButton("History", widgets.Quiet, nothing) },
	"danger":  func() fyne.CanvasObject { return widgets.NewButton("Delete", widgets.Danger, nothing) },
	"icon":    func() fyne.CanvasObject { return widgets.NewIconButton("search", "Search", nothing) },
	"link":    func() fyne.CanvasObject { return widgets.NewLink("Try again", nothing) },
	"chip":    func() fyne.CanvasObject { return widgets.NewChip("since:", nothing) },
	"picker":  func() fyne.CanvasObject { return widgets.NewPicker("Everyone", nothing) },
	"tappable": func() fyne.CanvasObject {
		return widgets.NewTappable(widgets.NewLabel("row", theme.Body, theme.Text), nothing)
	},
	"entry": func() fyne.CanvasObject { return widgets.NewEntry("Search") },
}

// conditions bring a widget into a state.
var conditions = []func(o fyne.CanvasObject){
	func(fyne.CanvasObject) {},
	func(o fyne.CanvasObject) { o.(fyne.Focusable).FocusGained() },
	func(o fyne.CanvasObject) {
		if h, ok := o.(desktop.Hoverable); ok {
			h.MouseIn(&desktop.MouseEvent{})
		}
	},
	func(o fyne.CanvasObject) {
		if m, ok := o.(desktop.Mouseable); ok {
			m.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
		}
	},
	func(o fyne.CanvasObject) { o.(fyne.Disableable).Disable() },
}

// TestEveryWidgetLooksAsItDidInEveryState draws each at rest, with the keyboard,
// under the mouse, pressed, and off.
func TestEveryWidgetLooksAsItDidInEveryState(t *testing.T) {
	for kind, make := range kinds {
		t.Run(kind, func(t *testing.T) {
			useTheme(t, theme.Options{Mode: theme.Light})
			column := layout.Column(8)
			for _, bring := range conditions {
				o := make()
				column.Add(o)
				bring(o)
			}
			w := show(t, layout.Pad(layout.All(6), column), 180, 60)
			test.AssertRendersToMarkup(t, "states/"+kind+".xml", w.Canvas())
		})
	}
}

func TestEveryOtherWidgetLooksAsItDid(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for name, make := range map[string]func() fyne.CanvasObject{
		"avatar": func() fyne.CanvasObject { return widgets.NewAvatar([32]byte{1}, 36) },
		"avatar-picture": func() fyne.CanvasObject {
			a := widgets.NewAvatar([32]byte{1}, 36)
			a.SetPicture(picture)
			return a
		},
		"label-cut": func() fyne.CanvasObject {
			return widgets.NewLabel("a label that is longer than its place", theme.Body, theme.Text)
		},
		"label-wide": func() fyne.CanvasObject { return widgets.NewLabel("Yuki 雪", theme.Body, theme.Text) },
		"card": func() fyne.CanvasObject {
			return widgets.NewCard(widgets.NewLabel("in a card", theme.Body, theme.Text))
		},
		"rule":       func() fyne.CanvasObject { return widgets.NewRule() },
		"dot":        func() fyne.CanvasObject { return widgets.NewDot(theme.OK) },
		"segmented":  func() fyne.CanvasObject { return widgets.NewSegmented([]string{"Notes", "With replies"}, 0, nil) },
		"chip-still": func() fyne.CanvasObject { return widgets.NewChip("61 people", nil) },
		"progress": func() fyne.CanvasObject {
			p := widgets.NewProgress()
			p.SetValue(0.5)
			return p
		},
		"empty": func() fyne.CanvasObject { return widgets.NewEmpty("download", "Title", "Text.") },
		"selected": func() fyne.CanvasObject {
			b := widgets.NewIconButton("home", "Home", nothing)
			b.SetSelected(true)
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			useTheme(t, theme.Options{Mode: theme.Light})
			content := layout.Column(0, make())
			w := show(t, content, 200, 60)
			w.Resize(fyne.NewSize(200, max(20, layout.HeightFor(content, 200))))
			test.AssertRendersToMarkup(t, "still/"+name+".xml", w.Canvas())
		})
	}
}
