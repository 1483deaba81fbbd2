package chart

import (
	"image"
	"image/color"
	"image/draw"
	"maps"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// show gives the test a Fyne app with our theme.
func show(t testing.TB, opt theme.Options) {
	t.Helper()
	test.NewTempApp(t)
	restyle(t, opt)
}

func restyle(t testing.TB, opt theme.Options) {
	t.Helper()
	th, err := theme.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fyne.CurrentApp().Settings().SetTheme(th)
}

// card puts a chart into what surrounds it in the chat.
func card(o fyne.CanvasObject) fyne.CanvasObject {
	back := canvas.NewRectangle(theme.Color(theme.Surface))
	back.CornerRadius, back.StrokeColor, back.StrokeWidth = theme.RadiusCard, theme.Color(theme.Line), 1
	return layout.Stack(back, layout.Pad(layout.Sides(12, 16), o))
}

// shot draws an object of a width.
func shot(o fyne.CanvasObject, width float32) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetContent(o)
	c.Resize(fyne.NewSize(width, layout.HeightFor(o, width)))
	return c.Capture()
}

func TestContactSheet(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a contact sheet: not beside the race detector")
	}
	for _, style := range []struct {
		name  string
		opt   theme.Options
		width int
	}{
		{"light", theme.Options{Mode: theme.Light}, 724},
		{"dark", theme.Options{Mode: theme.Dark}, 724},
		{"narrow", theme.Options{Mode: theme.Light}, 340},
		{"large", theme.Options{Mode: theme.Light, Scale: 2}, 724},
	} {
		show(t, style.opt)
		all := sheetSpecs()
		var shots []image.Image
		for _, name := range slices.Sorted(maps.Keys(all)) {
			s := parse(t, all[name])
			if s.Title == "" {
				s.Title = name
			}
			shots = append(shots, shot(card(NewWidget(s, Options{Save: saveNowhere})), float32(style.width)))
		}
		testkit.Picture(t, "charts-"+style.name, sheet(shots, style.width, theme.Color(theme.Background)))
	}
}

// sheet puts pictures into two columns.
func sheet(shots []image.Image, width int, back color.Color) image.Image {
	const gap = 12
	columns := max(1, 1480/width)
	heights := make([]int, columns)
	at := make([]image.Point, len(shots))
	for i, s := range shots {
		low := 0
		for c := range heights {
			if heights[c] < heights[low] {
				low = c
			}
		}
		at[i] = image.Pt(gap+low*(width+gap), gap+heights[low])
		heights[low] += s.Bounds().Dy() + gap
	}
	out := image.NewRGBA(image.Rect(0, 0, gap+columns*(width+gap), gap+slices.Max(heights)))
	draw.Draw(out, out.Bounds(), image.NewUniform(back), image.Point{}, draw.Src)
	for i, s := range shots {
		draw.Draw(out, s.Bounds().Add(at[i]), s, image.Point{}, draw.Over)
	}
	return out
}
