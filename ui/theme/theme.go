// Package theme holds the colours, sizes, fonts and icons of Bowerbird. Colours and text sizes
// come from tokens.json, in light and dark and at every text size; other measures, and the
// colours of people, are constants here.
//
// Widgets ask for a colour by name when they draw ([Color]), so that a change of the theme
// reaches everything on screen at the next refresh.
package theme

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test" // only it exposes renderers; fyne/v2/app links it anyway
	fynetheme "fyne.io/fyne/v2/theme"

	"bowerbird/assets"
)

// The colours of tokens.json.
const (
	Background  fyne.ThemeColorName = "bower.background" // of the column
	Surface     fyne.ThemeColorName = "bower.surface"    // of the main area and cards
	Raised      fyne.ThemeColorName = "bower.raised"     // of dialogs and menus
	Rail        fyne.ThemeColorName = "bower.rail"
	Line        fyne.ThemeColorName = "bower.line"
	Text        fyne.ThemeColorName = "bower.text"
	Muted       fyne.ThemeColorName = "bower.muted"
	Faint       fyne.ThemeColorName = "bower.faint"
	Primary     fyne.ThemeColorName = "bower.primary"
	OnPrimary   fyne.ThemeColorName = "bower.on_primary"
	PrimarySoft fyne.ThemeColorName = "bower.primary_soft"
	User        fyne.ThemeColorName = "bower.user" // behind the user's questions
	OnUser      fyne.ThemeColorName = "bower.on_user"
	Chip        fyne.ThemeColorName = "bower.chip"
	OK          fyne.ThemeColorName = "bower.ok"
	Warn        fyne.ThemeColorName = "bower.warn"
	WarnSoft    fyne.ThemeColorName = "bower.warn_soft" // behind doubtful claims
	Mark        fyne.ThemeColorName = "bower.mark"      // behind quoted words and search terms
	Quiet       fyne.ThemeColorName = "bower.quiet"     // of the app's words beside a model's
	Bad         fyne.ThemeColorName = "bower.bad"

	// Mixed from the others, for what is under the mouse or pressed.
	PrimaryHover fyne.ThemeColorName = "bower.primary_hover"
	PrimaryDown  fyne.ThemeColorName = "bower.primary_down"
	ChipHover    fyne.ThemeColorName = "bower.chip_hover"
	ChipDown     fyne.ThemeColorName = "bower.chip_down"
	Shadow       fyne.ThemeColorName = "bower.shadow"
	Shade        fyne.ThemeColorName = "bower.shade" // over the window behind a dialog
)

// The text sizes, in points before the user's scale.
const (
	Body    fyne.ThemeSizeName = "bower.body"
	Small   fyne.ThemeSizeName = "bower.small"
	Tiny    fyne.ThemeSizeName = "bower.tiny"
	Heading fyne.ThemeSizeName = "bower.heading"
	Title   fyne.ThemeSizeName = "bower.title"
	Reading fyne.ThemeSizeName = "bower.reading" // of the note that a thread is about
	Welcome fyne.ThemeSizeName = "bower.welcome" // of the first screen's heading, and of an article's title
)

// Spaces and sizes, in points at the usual text size: see [Scaled] and [Eased].
const (
	Unit          float32 = 4
	CardPadding   float32 = 12
	ColumnPadding float32 = 18
	ChatPadding   float32 = 36
	RadiusCard    float32 = 12
	RadiusButton  float32 = 9
	RadiusChip    float32 = 10
	RadiusRow     float32 = 10
	Avatar        float32 = 36
	AvatarSmall   float32 = 20
	RailWidth     float32 = 64
	ColumnWidth   float32 = 420
	HeadHeight    float32 = 56
	StatusHeight  float32 = 28
)

// Mode selects light or dark.
type Mode string

// The modes. System follows the desktop.
const (
	System Mode = "system"
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// Options are the user's choices under Appearance in the settings.
type Options struct {
	Mode  Mode
	Scale float32 // of text sizes: 0.8 to 2; 0 is 1
	Calm  bool    // less motion: what appears, scrolls or goes does so at once
}

// Calm reports whether the user wants less motion.
func Calm() bool {
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	return ok && t.opt.Calm
}

// Color returns a colour of the theme that is shown.
func Color(name fyne.ThemeColorName) color.Color { return fynetheme.Color(name) }

// Size returns a text size of the theme that is shown, in points.
func Size(name fyne.ThemeSizeName) float32 { return fynetheme.Size(name) }

// TextScale returns the scale of text sizes in the theme that is shown: about 0.8 to 2, since
// sizes are whole points.
func TextScale() float32 { return Size(Body) / bodySize }

// Scaled returns a length that grows with the text: for what is on a line of it.
func Scaled(points float32) float32 { return points * TextScale() }

// Eased returns a length that grows half as much as the text: for pictures and padding,
// which would leave no space for words if they grew as much.
func Eased(points float32) float32 { return points * (1 + TextScale()) / 2 }

// bodySize is the usual size of [Body], in points.
const bodySize = 14

// Series returns the nth colour of charts, from 0; the colours repeat.
func Series(n int) color.Color {
	return Color(fyne.ThemeColorName("bower.series" + strconv.Itoa(n%seriesCount)))
}

const seriesCount = 7

//go:embed tokens.json
var tokensJSON []byte

type tokens struct {
	Light, Dark map[string]json.RawMessage
	Type        map[string]json.RawMessage
}

// Theme is Bowerbird's fyne.Theme.
type Theme struct {
	opt         Options
	light, dark map[fyne.ThemeColorName]color.Color
	sizes       map[fyne.ThemeSizeName]float32
	fonts       fonts
	widths      widths
	faces       faces
}

// New returns the theme with the user's choices.
func New(opt Options) (*Theme, error) {
	if opt.Scale == 0 {
		opt.Scale = 1
	}
	opt.Scale = min(max(opt.Scale, 0.8), 2)
	var tok tokens
	if err := json.Unmarshal(tokensJSON, &tok); err != nil {
		return nil, fmt.Errorf("tokens.json: %w", err)
	}
	t := &Theme{opt: opt, sizes: map[fyne.ThemeSizeName]float32{}}
	var err error
	if t.fonts, err = loadFonts(); err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	if t.light, err = palette(tok.Light); err != nil {
		return nil, fmt.Errorf("tokens.json, light: %w", err)
	}
	if t.dark, err = palette(tok.Dark); err != nil {
		return nil, fmt.Errorf("tokens.json, dark: %w", err)
	}
	t.sizes[Welcome] = 25
	for name, raw := range tok.Type {
		var points float32
		if json.Unmarshal(raw, &points) == nil {
			t.sizes[fyne.ThemeSizeName("bower."+name)] = points
		}
	}
	return t, nil
}

func palette(raw map[string]json.RawMessage) (map[fyne.ThemeColorName]color.Color, error) {
	colors := map[fyne.ThemeColorName]color.Color{}
	for name, value := range raw {
		var one string
		if json.Unmarshal(value, &one) == nil {
			c, err := parseHex(one)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			colors[fyne.ThemeColorName("bower."+name)] = c
			continue
		}
		var many []string
		if err := json.Unmarshal(value, &many); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for i, s := range many {
			c, err := parseHex(s)
			if err != nil {
				return nil, fmt.Errorf("%s %d: %w", name, i, err)
			}
			colors[fyne.ThemeColorName("bower."+name+strconv.Itoa(i))] = c
		}
	}
	derive(colors)
	return colors, nil
}

// derive adds the colours that are mixed from others.
func derive(colors map[fyne.ThemeColorName]color.Color) {
	text := colors[Text]
	for name, of := range map[fyne.ThemeColorName]struct {
		from  fyne.ThemeColorName
		share float64
	}{
		PrimaryHover: {Primary, 0.14},
		PrimaryDown:  {Primary, 0.26},
		ChipHover:    {Chip, 0.05},
		ChipDown:     {Chip, 0.1},
	} {
		colors[name] = mix(colors[of.from], text, of.share)
	}
	colors[Shadow] = color.NRGBA{A: 0x05} // of one layer of several
	if r, _, _, _ := colors[Surface].RGBA(); r < 0x8000 {
		colors[Shadow] = color.NRGBA{A: 0x1a}
	}
	colors[Shade] = color.NRGBA{A: 0x66}
}

// mix returns a mixed with a share of b.
func mix(a, b color.Color, share float64) color.Color {
	part := func(x, y uint32) uint8 { return uint8((float64(x)*(1-share) + float64(y)*share) / 257) }
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return color.NRGBA{R: part(ar, br), G: part(ag, bg), B: part(ab, bb), A: 0xff}
}

func parseHex(s string) (color.Color, error) {
	if len(s) != 7 || s[0] != '#' {
		return nil, fmt.Errorf("%q is no colour like #1B1E26", s)
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	if err != nil {
		return nil, fmt.Errorf("%q is no colour like #1B1E26", s)
	}
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}, nil
}

// own maps the colours of Fyne's widgets to ours.
var own = map[fyne.ThemeColorName]fyne.ThemeColorName{
	fynetheme.ColorNameBackground:          Background,
	fynetheme.ColorNameForeground:          Text,
	fynetheme.ColorNameForegroundOnPrimary: OnPrimary,
	fynetheme.ColorNamePrimary:             Primary,
	fynetheme.ColorNameHyperlink:           Primary,
	fynetheme.ColorNameFocus:               Primary,
	fynetheme.ColorNameSelection:           PrimarySoft,
	fynetheme.ColorNameButton:              Surface,
	fynetheme.ColorNameDisabledButton:      Chip,
	fynetheme.ColorNameDisabled:            Faint,
	fynetheme.ColorNamePlaceHolder:         Faint,
	fynetheme.ColorNameInputBackground:     Surface,
	fynetheme.ColorNameInputBorder:         Line,
	fynetheme.ColorNameMenuBackground:      Raised,
	fynetheme.ColorNameOverlayBackground:   Raised,
	fynetheme.ColorNameHeaderBackground:    Surface,
	fynetheme.ColorNameSeparator:           Line,
	fynetheme.ColorNameScrollBar:           Line,
	fynetheme.ColorNameScrollBarBackground: Background,
	fynetheme.ColorNameShadow:              Shadow,
	fynetheme.ColorNameHover:               Chip,
	fynetheme.ColorNamePressed:             Line,
	fynetheme.ColorNameError:               Bad,
	fynetheme.ColorNameWarning:             Warn,
	fynetheme.ColorNameSuccess:             OK,
}

// Color implements fyne.Theme.
func (t *Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	switch t.opt.Mode {
	case Light:
		variant = fynetheme.VariantLight
	case Dark:
		variant = fynetheme.VariantDark
	}
	colors := t.light
	if variant == fynetheme.VariantDark {
		colors = t.dark
	}
	if ours, ok := own[name]; ok {
		name = ours
	}
	if c, ok := colors[name]; ok {
		return c
	}
	return fynetheme.DefaultTheme().Color(name, variant)
}

// Size implements fyne.Theme. Those of texts are whole points: Fyne draws letters at the size
// it is given, but places them as at the next whole one, so that others look spaced out.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case fynetheme.SizeNameText:
		name = Body
	case fynetheme.SizeNameCaptionText:
		name = Tiny
	case fynetheme.SizeNameHeadingText:
		name = Title
	case fynetheme.SizeNameSubHeadingText:
		name = Heading
	}
	if points, ok := t.sizes[name]; ok {
		return float32(math.Round(float64(points * t.opt.Scale)))
	}
	switch name {
	case fynetheme.SizeNameInputRadius:
		return RadiusButton
	case fynetheme.SizeNameSelectionRadius:
		return 4
	case fynetheme.SizeNameInnerPadding:
		return 10
	case fynetheme.SizeNameScrollBar:
		return 10
	case fynetheme.SizeNameScrollBarSmall:
		return 4
	case fynetheme.SizeNameScrollBarRadius:
		return 3
	}
	return fynetheme.DefaultTheme().Size(name)
}

// Font implements fyne.Theme. Text is in Inter; code and symbols are in Fyne's own fonts.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Monospace:
		return t.fonts.mono
	case style.Symbol:
		return fynetheme.DefaultTheme().Font(style)
	case style.Bold && style.Italic:
		return t.fonts.boldItalic
	case style.Bold:
		return t.fonts.bold
	case style.Italic:
		return t.fonts.italic
	}
	return t.fonts.regular
}

// Icon implements fyne.Theme.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource {
	return fynetheme.DefaultTheme().Icon(name)
}

// black is the colour of the icon files, which is replaced.
var black = []byte("#000000")

// IconIn returns an icon of assets/icons in a colour of the theme that is shown. An unknown
// name gives an empty picture, which a test finds.
func IconIn(name string, c fyne.ThemeColorName) fyne.Resource {
	raw, err := assets.Icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		raw = []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>`)
	}
	r, g, b, _ := Color(c).RGBA()
	hex := fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	return fyne.NewStaticResource(name+hex[1:]+".svg", bytes.ReplaceAll(raw, black, []byte(hex)))
}

// Apply refreshes an object and everything in it with the theme that is shown. When the
// theme changes Fyne does so only for what is in a window; what was not, such as another
// screen, needs Apply before it comes into sight again.
func Apply(o fyne.CanvasObject) {
	switch o := o.(type) {
	case nil:
		return
	case fyne.Widget:
		r := test.WidgetRenderer(o)
		for _, child := range r.Objects() {
			Apply(child)
		}
		r.Layout(o.Size()) // sizes follow the theme too
	case *fyne.Container:
		for _, child := range o.Objects {
			Apply(child)
		}
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
	}
	o.Refresh()
}

// Look is what the drawing of a text depends on besides the text. If two are equal, nothing
// has to be drawn or measured again.
type Look struct {
	theme   fyne.Theme
	variant fyne.ThemeVariant
}

// Shown returns the look that is shown.
func Shown() Look {
	s := fyne.CurrentApp().Settings()
	return Look{s.Theme(), s.ThemeVariant()}
}
