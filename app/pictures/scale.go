package pictures

import (
	"image"
	"image/color"
	"image/draw"

	xdraw "golang.org/x/image/draw"
)

// maxShown is the longer side of a picture that is kept, in pixels.
const maxShown = 1024

// strip is how many rows are converted at a time, so that there is never a second picture
// of full size.
const strip = 32

// small returns the picture upright and at most maxShown pixels long. First whole blocks
// of pixels are averaged, then the result is scaled: a large picture neither becomes
// jagged nor takes its size in memory again.
func small(src image.Image, turn orientation) *image.RGBA {
	b := src.Bounds()
	factor := max(b.Dx(), b.Dy()) / maxShown
	out := average(src, max(factor, 1))
	if longer := max(out.Rect.Dx(), out.Rect.Dy()); longer > maxShown {
		w := max(1, out.Rect.Dx()*maxShown/longer)
		h := max(1, out.Rect.Dy()*maxShown/longer)
		dst := image.NewRGBA(image.Rect(0, 0, w, h))
		xdraw.ApproxBiLinear.Scale(dst, dst.Rect, out, out.Rect, xdraw.Src, nil)
		out = dst
	}
	return upend(out, turn)
}

// average makes one pixel of each block of n by n; blocks at the edges are smaller.
func average(src image.Image, n int) *image.RGBA {
	b := src.Bounds()
	w, h := (b.Dx()+n-1)/n, (b.Dy()+n-1)/n
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if n == 1 {
		draw.Draw(dst, dst.Rect, src, b.Min, draw.Src)
		return dst
	}
	rows := max(n, strip/n*n)
	part := image.NewRGBA(image.Rect(0, 0, b.Dx(), rows))
	for y := 0; y < b.Dy(); y += rows {
		part.Rect.Max.Y = min(rows, b.Dy()-y)
		draw.Draw(part, part.Rect, src, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		averageStrip(dst, y/n, part, n)
	}
	return dst
}

// averageStrip writes the blocks of a strip to the rows of dst from top on.
func averageStrip(dst *image.RGBA, top int, part *image.RGBA, n int) {
	size := part.Rect.Size()
	for y := 0; y < size.Y; y += n {
		for x := 0; x < size.X; x += n {
			var sum [4]int
			count := 0
			for yy := y; yy < min(y+n, size.Y); yy++ {
				row := part.Pix[yy*part.Stride+4*x : yy*part.Stride+4*min(x+n, size.X)]
				for i := 0; i < len(row); i += 4 {
					sum[0] += int(row[i])
					sum[1] += int(row[i+1])
					sum[2] += int(row[i+2])
					sum[3] += int(row[i+3])
					count++
				}
			}
			dst.SetRGBA(x/n, top+y/n, color.RGBA{
				uint8(sum[0] / count), uint8(sum[1] / count), uint8(sum[2] / count), uint8(sum[3] / count),
			})
		}
	}
}

// upend turns and mirrors a picture by its EXIF orientation.
func upend(src *image.RGBA, turn orientation) *image.RGBA {
	if turn < 2 || turn > 8 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if turn >= 5 {
		dst = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			to := [...]image.Point{
				2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y}, 5: {y, x},
				6: {h - 1 - y, x}, 7: {h - 1 - y, w - 1 - x}, 8: {y, w - 1 - x},
			}[turn]
			dst.SetRGBA(to.X, to.Y, src.RGBAAt(x, y))
		}
	}
	return dst
}
