package theme_test

import (
	"image"
	"image/color"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"

	"bowerbird/assets"
	"bowerbird/ui/theme"
)

func use(t *testing.T, opt theme.Options) *theme.Theme {
	t.Helper()
	th, err := theme.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	test.NewTempApp(t).Settings().SetTheme(th)
	return th
}

// contrast is that of WCAG 2: from 1 to 21.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

func TestEveryTextCanBeReadOnEveryGroundThatItStandsOn(t *testing.T) {
	grounds := []fyne.ThemeColorName{theme.Background, theme.Surface, theme.Raised, theme.Rail, theme.Chip, theme.PrimarySoft, theme.Mark}
	on := map[fyne.ThemeColorName][]fyne.ThemeColorName{
		theme.Text:      append(grounds, theme.ChipHover, theme.ChipDown),
		theme.Muted:     append(grounds, theme.ChipHover, theme.ChipDown),
		theme.Faint:     {theme.Background, theme.Surface, theme.Raised, theme.Chip},
		theme.Primary:   {theme.Background, theme.Surface, theme.Raised, theme.Chip, theme.PrimarySoft},
		theme.OnPrimary: {theme.Primary, theme.PrimaryHover, theme.PrimaryDown},
		theme.OnUser:    {theme.User},
		theme.OK:        {theme.Background, theme.Surface, theme.Raised},
		theme.Warn:      {theme.Background, theme.Surface, theme.Raised},
		theme.Bad:       {theme.Background, theme.Surface, theme.Raised, theme.Chip},
		// Tips and toasts are the other way round.
		theme.Background: {theme.Text, theme.Muted},
	}
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		use(t, theme.Options{Mode: mode})
		for text, grounds := range on {
			for _, ground := range grounds {
				if got := contrast(theme.Color(text), theme.Color(ground)); got < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", mode, text, ground, got)
				}
			}
		}
		for n := range 7 {
			if got := contrast(theme.Series(n), theme.Color(theme.Surface)); got < 3 {
				t.Errorf("%s: series %d has a contrast of %.2f", mode, n, got)
			}
		}
	}
}

func TestTheSystemsModeIsFollowedUnlessOneWasChosen(t *testing.T) {
	for mode, want := range map[theme.Mode][2]bool{ // dark where the system is light, dark
		theme.System: {false, true}, theme.Light: {false, false}, theme.Dark: {true, true}, "": {false, true},
	} {
		th := use(t, theme.Options{Mode: mode})
		for i, variant := range []fyne.ThemeVariant{fynetheme.VariantLight, fynetheme.VariantDark} {
			if dark := luminance(th.Color(theme.Background, variant)) < 0.1; dark != want[i] {
				t.Errorf("%q, system %d: dark is %v", mode, variant, dark)
			}
		}
	}
}

func TestTextsGrowWithinBoundsAndSpacesDoNot(t *testing.T) {
	for scale, want := range map[float32]float32{0: 14, 0.5: 11, 0.8: 11, 1: 14, 1.5: 21, 2: 28, 9: 28} {
		th := use(t, theme.Options{Scale: scale})
		if got := th.Size(theme.Body); math.Abs(float64(got-want)) > 0.01 {
			t.Errorf("scale %v: body is %v points, not %v", scale, got, want)
		}
		if got := theme.TextScale() * 14; math.Abs(float64(got-want)) > 0.01 {
			t.Errorf("scale %v: TextScale is %v", scale, theme.TextScale())
		}
		if th.Size(fynetheme.SizeNameText) != th.Size(theme.Body) || th.Size(fynetheme.SizeNameInnerPadding) != 10 {
			t.Errorf("scale %v: Fyne's own widgets are of other sizes", scale)
		}
	}
}

// inked counts the pixels that something was drawn on.
func inked(img image.Image, ground color.Color) int {
	n := 0
	want := color.NRGBAModel.Convert(ground)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if color.NRGBAModel.Convert(img.At(x, y)) != want {
				n++
			}
		}
	}
	return n
}

func draw(o fyne.CanvasObject, size fyne.Size) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	ground := canvas.NewRectangle(color.NRGBA{R: 255, G: 255, B: 255, A: 255})
	all := container.NewWithoutLayout(ground, o)
	ground.Resize(size)
	o.Resize(size)
	c.SetContent(all)
	c.Resize(size)
	return c.Capture()
}

func TestEveryIconThatTheWindowUsesIsDrawnInItsColour(t *testing.T) {
	use(t, theme.Options{Mode: theme.Light})
	files, err := assets.Icons.ReadDir("icons")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, file := range files {
		if name := strings.TrimSuffix(file.Name(), ".svg"); name != "bowerbird" { // which has colours of its own
			there[name] = true
		}
	}
	for _, name := range []string{
		"assistant", "home", "search", "bell", "bookmark", "relays", "settings", "reply", "repost", "heart", "zap", "more",
		"back", "close", "check", "copy", "edit", "stop", "retry", "chevron-down", "chevron-right", "chevron-left", "plus",
		"trash", "history", "link", "picture", "article", "warning", "offline", "user", "users", "info", "external",
		"download", "table", "key", "sun", "moon", "calendar", "filter",
	} {
		if !there[name] {
			t.Errorf("there is no icon %q", name)
		}
	}
	for name := range there {
		img := draw(&canvas.Image{Resource: theme.IconIn(name, theme.Bad), FillMode: canvas.ImageFillContain}, fyne.NewSquareSize(48))
		if n := inked(img, color.White); n < 40 || n > 48*48/2 {
			t.Errorf("%s covers %d pixels of %d", name, n, 48*48)
		}
		if got := darkest(img); contrast(got, theme.Color(theme.Bad)) > 1.6 {
			t.Errorf("%s is drawn in %v", name, got)
		}
	}
	if got := inked(draw(&canvas.Image{Resource: theme.IconIn("no such icon", theme.Text)}, fyne.NewSquareSize(24)), color.White); got != 0 {
		t.Errorf("an unknown icon covers %d pixels", got)
	}
}

func darkest(img image.Image) color.Color {
	var best color.Color = color.White
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if c := img.At(x, y); luminance(c) < luminance(best) {
				best = c
			}
		}
	}
	return best
}

func TestEveryFaceDrawsItsOwnLetters(t *testing.T) {
	th := use(t, theme.Options{})
	seen := map[string]bool{}
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}, {Monospace: true}} {
		res := th.Font(style)
		if res == nil || len(res.Content()) < 10_000 || seen[res.Name()] {
			t.Errorf("%+v has no face of its own", style)
			continue
		}
		seen[res.Name()] = true
	}
	normal := fyne.MeasureText("Bowerbird", 14, fyne.TextStyle{}).Width
	if bold := fyne.MeasureText("Bowerbird", 14, fyne.TextStyle{Bold: true}).Width; bold <= normal {
		t.Errorf("bold is %v wide, normal %v", bold, normal)
	}
}

// TestAnotherScriptIsNoBox draws a character that Inter lacks: it must not look like
// one that no font has.
func TestAnotherScriptIsNoBox(t *testing.T) {
	use(t, theme.Options{Mode: theme.Light})
	glyph := func(s string, bold bool) int {
		text := canvas.NewText(s, color.Black)
		text.TextSize, text.TextStyle.Bold = 40, bold
		text.FontSource = theme.Source(s, text.TextSize, text.TextStyle)
		return inked(draw(text, fyne.NewSize(60, 60)), color.White)
	}
	if fonts, _ := filepath.Glob("/usr/share/fonts/*/noto/NotoSansCJK*"); len(fonts) == 0 {
		t.Skip("no Noto for Chinese is installed here")
	}
	for _, bold := range []bool{false, true} {
		if snow, plain := glyph("雪", bold), glyph("一", bold); snow == glyph("\U0010fffd", bold) || snow < 2*plain {
			t.Errorf("bold %v: 雪 covers %d pixels, 一 %d", bold, snow, plain)
		}
	}
	if got, none := glyph("😀", false), glyph("\U0010fffd", false); got == none || got == 0 {
		t.Errorf("an emoji covers %d pixels, nothing %d", got, none)
	}
}
