package screen

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// ToneColor is the colour in which a state is told; otherwise is that of one of which
// nothing is to be said.
func ToneColor(t present.Tone, otherwise fyne.ThemeColorName) fyne.ThemeColorName {
	switch t {
	case present.ToneGood:
		return theme.OK
	case present.ToneWarn:
		return theme.Warn
	case present.ToneBad:
		return theme.Bad
	}
	return otherwise
}
