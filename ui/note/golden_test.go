package note

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

// TestEachStateOfACardIsDrawnAsBefore compares each look of a card with its golden
// file. One that is drawn otherwise lands in testdata/failed: look at it, and move
// it over the old one when it is right.
func TestEachStateOfACardIsDrawnAsBefore(t *testing.T) {
	start(t, theme.Light)
	for _, s := range states() {
		if s.system {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			c := window(420, s.card())
			test.AssertRendersToMarkup(t, strings.ReplaceAll(s.name, " ", "-")+".xml", c)
		})
	}
}

// TestTheFeedOfThePicturesIsDrawnAsBefore compares pixels: Latin text only, for the
// fonts of other scripts are the system's.
func TestTheFeedOfThePicturesIsDrawnAsBefore(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		start(t, mode)
		opt := options(&calls{})
		opt.Loader = noLoader{}
		image := drawn(420, of(opt, adaNote()), of(opt, tomasNote()), of(opt, benNote()), of(opt, walk()), of(opt, claraNote()), of(opt, quoting()))
		test.AssertImageMatches(t, "feed-"+string(mode)+".png", image)
	}
}
