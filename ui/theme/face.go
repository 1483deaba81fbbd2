package theme

import (
	"crypto/sha256"
	"image"
	"image/color"
	"math"
	"sync"

	"fyne.io/fyne/v2"
)

// faceSide is the side of the patterns, in pixels: twice the faces of notes.
const faceSide = 96

// people are the colours of the patterns, three of a kind, the same in light and dark: what is
// behind, and two in front that stand off from it and from one another.
var people = [8][3]color.NRGBA{
	{{0x2a, 0x65, 0x83, 0xff}, {0xac, 0xda, 0xe9, 0xff}, {0xf0, 0xa6, 0x8c, 0xff}},
	{{0x8b, 0x35, 0x58, 0xff}, {0xf1, 0xb5, 0xc9, 0xff}, {0xf4, 0xcf, 0x72, 0xff}},
	{{0x93, 0xbf, 0xcf, 0xff}, {0x5e, 0x3c, 0x2e, 0xff}, {0xf3, 0xd3, 0xbd, 0xff}},
	{{0x2c, 0x5e, 0x4a, 0xff}, {0xa9, 0xd8, 0xa4, 0xff}, {0xf2, 0xe2, 0xa6, 0xff}},
	{{0x4b, 0x3f, 0x91, 0xff}, {0xc9, 0xb8, 0xf2, 0xff}, {0xf2, 0x9e, 0x7a, 0xff}},
	{{0xe4, 0xb2, 0x5a, 0xff}, {0x7a, 0x32, 0x24, 0xff}, {0xfb, 0xea, 0xc2, 0xff}},
	{{0x1f, 0x3b, 0x63, 0xff}, {0x6f, 0xb7, 0xb0, 0xff}, {0xf2, 0xd0, 0x8f, 0xff}},
	{{0xcf, 0xb5, 0x9b, 0xff}, {0x3c, 0x55, 0x6b, 0xff}, {0xc4, 0x58, 0x46, 0xff}},
}

// faces are the patterns that were drawn.
type faces struct {
	mu    sync.Mutex
	drawn map[[32]byte]*image.NRGBA
}

// mostFaces is how many patterns are kept; 37 KB each.
const mostFaces = 256

// Face returns the picture of a person who has none: a pattern that follows from their key, by
// which people of one name are recognised. It is drawn once.
func Face(key [32]byte) image.Image {
	t, ok := fyne.CurrentApp().Settings().Theme().(*Theme)
	if !ok {
		return drawFace(key)
	}
	t.faces.mu.Lock()
	defer t.faces.mu.Unlock()
	if img, there := t.faces.drawn[key]; there {
		return img
	}
	if t.faces.drawn == nil || len(t.faces.drawn) == mostFaces {
		t.faces.drawn = map[[32]byte]*image.NRGBA{}
	}
	img := drawFace(key)
	t.faces.drawn[key] = img
	return img
}

// drawFace draws four fields, each of them plain, with a disc, or with a quarter of one at one
// of its corners.
func drawFace(key [32]byte) *image.NRGBA {
	sum := sha256.Sum256(key[:]) // keys can be chosen; this spreads them
	colors := people[sum[0]%byte(len(people))]
	img := image.NewNRGBA(image.Rect(0, 0, faceSide, faceSide))
	const half = faceSide / 2
	for field := range 4 {
		left, top := field%2*half, field/2*half
		shape, corner, turn := sum[1+field]%4, int(sum[5+field]%4), sum[9+field]
		// Neighbours have different grounds, so that fields are seen as such.
		ground := colors[(field%2+field/2)%2*int(1+turn%2)]
		front := colors[(1+int(turn/2)%2)%3]
		if front == ground {
			front = colors[0]
		}
		cx, cy, r := float64(half)/2, float64(half)/2, float64(half)*0.36
		switch shape {
		case 0:
			r = -1
		case 1, 2:
			cx, cy, r = float64(corner%2*half), float64(corner/2*half), half
		}
		for y := range half {
			for x := range half {
				d := math.Hypot(float64(x)+0.5-cx, float64(y)+0.5-cy)
				img.SetNRGBA(left+x, top+y, blend(ground, front, min(max(r-d+0.5, 0), 1)))
			}
		}
	}
	return img
}

// blend returns a covered with a share of b.
func blend(a, b color.NRGBA, share float64) color.NRGBA {
	part := func(x, y uint8) uint8 { return uint8(math.Round(float64(x)*(1-share) + float64(y)*share)) }
	return color.NRGBA{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: 0xff}
}
