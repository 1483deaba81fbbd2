package note

import (
	"image"
	"image/color"
	"math"

	"bowerbird/ui/theme"
)

// dashes draws the dashed frame of a box whose picture is not loaded; radius is in
// points.
func dashes(radius float32) func(w, h int) image.Image {
	return func(w, h int) image.Image {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		if w < 4 || h < 4 || w > 8_192 || h > 8_192 {
			return img
		}
		c := color.NRGBAModel.Convert(theme.Color(theme.Faint)).(color.NRGBA)
		c.A = 0x66
		f := frame{w: float64(w), h: float64(h), r: math.Min(float64(radius), float64(min(w, h))/2)}
		for at := 0.0; at < f.length(); at += 0.5 {
			if math.Mod(at, 6) < 3.5 {
				x, y := f.at(at)
				img.SetNRGBA(min(int(x), w-1), min(int(y), h-1), c)
			}
		}
		return img
	}
}

// frame is a rectangle with rounded corners, as a way around it.
type frame struct{ w, h, r float64 }

func (f frame) length() float64 { return 2*(f.w+f.h-4*f.r) + 2*math.Pi*f.r }

// at returns the point so far along the way, from the end of the upper left corner.
func (f frame) at(d float64) (x, y float64) {
	arc := math.Pi / 2 * f.r
	right, bottom := f.w-0.5, f.h-0.5
	for side := range 4 {
		straight := f.w - 2*f.r
		if side%2 == 1 {
			straight = f.h - 2*f.r
		}
		if d < straight {
			return [4]float64{f.r + d, right, right - f.r - d, 0.5}[side], [4]float64{0.5, f.r + d, bottom, bottom - f.r - d}[side]
		}
		d -= straight
		if d < arc {
			a := d/f.r + float64(side-1)*math.Pi/2
			cx := [4]float64{right - f.r, right - f.r, f.r, f.r}[side]
			cy := [4]float64{f.r, bottom - f.r, bottom - f.r, f.r}[side]
			return cx + f.r*math.Cos(a), cy + f.r*math.Sin(a)
		}
		d -= arc
	}
	return 0, 0
}
