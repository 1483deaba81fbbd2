package theme

import (
	"bytes"
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"

	"bowerbird/assets"
)

// black is the colour that the icons are drawn in, to be replaced.
var black = []byte("#000000")

// IconIn returns an icon of assets/icons in a colour of the theme that is shown. An
// unknown name gives an empty picture, which a test looks for.
func IconIn(name string, c fyne.ThemeColorName) fyne.Resource {
	raw, err := assets.Icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		raw = []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>`)
	}
	hex := hexOf(Color(c))
	return fyne.NewStaticResource(name+hex[1:]+".svg", bytes.ReplaceAll(raw, black, []byte(hex)))
}

func hexOf(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// people are the colours of avatars: white letters on them have a contrast of at
// least 4.5, in light and dark.
var people = []color.NRGBA{
	{0xa4, 0x3b, 0x5f, 0xff},
	{0x27, 0x6b, 0x4b, 0xff},
	{0x6a, 0x47, 0xc4, 0xff},
	{0x2f, 0x5f, 0xbf, 0xff},
	{0x8a, 0x5a, 0x0b, 0xff},
	{0x0b, 0x6e, 0x85, 0xff},
	{0x8b, 0x3f, 0xa0, 0xff},
	{0x53, 0x5a, 0x69, 0xff},
}

// Person returns the nth colour of avatars; they repeat.
func Person(n int) color.Color { return people[((n%len(people))+len(people))%len(people)] }
