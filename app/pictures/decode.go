package pictures

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"runtime/debug"
	"time"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"
)

// The limits of decoding.
const (
	maxDecoding  = 96 << 20 // bytes that all decoders hold together
	decoders     = 2
	decodingTime = 5 * time.Second
	// muchMemory is what a decoding must have taken for its memory to be given back
	// at once: without that two large ones in a row are counted, but held, twice.
	muchMemory = 24 << 20
)

// decode decodes what was fetched. It gives up when ctx ends or after five seconds of
// decoding.
func (l *Loader) decode(ctx context.Context, data []byte) (*image.RGBA, error) {
	p, err := measure(data)
	if err != nil {
		return nil, err
	}
	if err := l.budget.take(ctx, p.cost); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, decodingTime, &Error{TooSlow, nil})
	defer cancel()
	type result struct {
		picture *image.RGBA
		err     error
	}
	done := make(chan result, 1)
	go func() {
		defer l.budget.give(p.cost)
		picture, err := run(ctx, p, data)
		if p.cost > muchMemory {
			debug.FreeOSMemory()
		}
		done <- result{picture, err}
	}()
	select {
	case r := <-done:
		return r.picture, r.err
	case <-ctx.Done(): // the decoder ends at its next read, and keeps its share of memory until then
		return nil, context.Cause(ctx)
	}
}

// run decodes; a panic of a decoder becomes an error.
func run(ctx context.Context, p plan, data []byte) (picture *image.RGBA, err error) {
	defer func() {
		if r := recover(); r != nil {
			picture, err = nil, &Error{Damaged, fmt.Errorf("%v", r)}
		}
	}()
	src, err := p.decode(&reader{ctx: ctx, r: bytes.NewReader(data)})
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, &Error{Damaged, err}
	}
	b := src.Bounds()
	if b.Empty() || b.Dx() > p.width || b.Dy() > p.height {
		return nil, &Error{Damaged, errors.New("its size is not what it said")}
	}
	return small(src, p.turn), nil
}

// reader ends when ctx does: the one way to stop a decoder.
type reader struct {
	ctx context.Context
	r   *bytes.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// budget limits the memory that decoders may take, and how many may run.
type budget struct {
	places, bytes *semaphore.Weighted
}

func newBudget() *budget {
	return &budget{semaphore.NewWeighted(decoders), semaphore.NewWeighted(maxDecoding)}
}

// take waits for a place and n bytes.
func (r *budget) take(ctx context.Context, n int64) error {
	if err := r.places.Acquire(ctx, 1); err != nil {
		return err
	}
	if err := r.bytes.Acquire(ctx, n); err != nil {
		r.places.Release(1)
		return err
	}
	return nil
}

func (r *budget) give(n int64) {
	r.bytes.Release(n)
	r.places.Release(1)
}

// animatedBit is a flag of VP8X; the decoder knows no animations.
const animatedBit = 1 << 1

func decodeWebP(r io.Reader) (image.Image, error) { return webp.Decode(r) }

var errWebP = errors.New("its parts do not fit together")

// measureWebP reads the size of a WebP from each part that states one. The decoder trusts
// the outer size first and then decodes by the inner one, so they must agree. lossless
// means that a part is coded as VP8L: its tables take up to 180 MB whatever its size, for
// as little as 160 kB of data.
func measureWebP(data []byte) (cfg image.Config, lossless bool, err error) {
	cfg.ColorModel = color.NYCbCrAModel
	outer := image.Point{}
	for at := 12; at+8 <= len(data); {
		size := int64(binary.LittleEndian.Uint32(data[at+4:]))
		end := int64(at) + 8 + size
		if end > int64(len(data)) {
			return cfg, false, errWebP
		}
		body := data[at+8 : end]
		switch string(data[at : at+4]) {
		case "VP8X":
			if len(body) < 10 || outer != (image.Point{}) {
				return cfg, false, errWebP
			}
			if body[0]&animatedBit != 0 {
				return cfg, false, errors.New("it is animated")
			}
			outer = image.Pt(1+int(uint24(body[4:])), 1+int(uint24(body[7:])))
		case "ALPH":
			lossless = lossless || len(body) > 0 && body[0]&3 == 1
		case "VP8 ", "VP8L":
			inner, vp8l, err := innerSize(string(data[at:at+4]), body)
			if err == nil && outer != (image.Point{}) && outer != inner {
				err = errWebP
			}
			cfg.Width, cfg.Height = inner.X, inner.Y
			return cfg, lossless || vp8l, err
		}
		at = int(end + size&1)
	}
	return cfg, false, errWebP
}

// innerSize reads the size of what is decoded: RFC 6386, 9.1 (VP8), and the WebP
// lossless bitstream, 3 (VP8L).
func innerSize(part string, body []byte) (size image.Point, vp8l bool, err error) {
	if part == "VP8 " {
		if len(body) < 10 || !bytes.Equal(body[3:6], []byte{0x9d, 0x01, 0x2a}) {
			return size, false, errWebP
		}
		w, h := binary.LittleEndian.Uint16(body[6:]), binary.LittleEndian.Uint16(body[8:])
		return image.Pt(int(w&0x3fff), int(h&0x3fff)), false, nil
	}
	if len(body) < 5 || body[0] != 0x2f {
		return size, true, errWebP
	}
	bits := binary.LittleEndian.Uint32(body[1:])
	return image.Pt(1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)), true, nil
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

// jpegHead is what is read of a JPEG before it is decoded.
type jpegHead struct {
	known         bool // the frame was found
	width, height int
	progressive   bool
	samples       int64 // of all components, in quarters of a sample a pixel
	turn          orientation
}

// readJPEG walks the segments up to the frame. Anything malformed leaves the frame
// unknown.
func readJPEG(data []byte) (h jpegHead) {
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		end := at + 2 + size
		if size < 2 || end > len(data) {
			return h
		}
		body := data[at+4 : end]
		switch {
		case marker >= 0xc0 && marker <= 0xc2:
			h.frame(body, marker == 0xc2)
			return h
		case marker == 0xe1 && h.turn == upright:
			h.turn = exifOrientation(body)
		case marker == 0xda, marker < 0xc0, marker >= 0xd0 && marker <= 0xd9:
			return h
		}
		at = end
	}
	return h
}

// frame reads the head of a frame (ITU T.81, B.2.2).
func (h *jpegHead) frame(body []byte, progressive bool) {
	if len(body) < 6 || len(body) < 6+3*int(body[5]) {
		return
	}
	var most, sum int64
	for i := range int(body[5]) {
		sampling := body[6+3*i+1]
		n := int64(sampling>>4) * int64(sampling&15)
		most, sum = max(most, n), sum+n
	}
	if most == 0 {
		return
	}
	h.height, h.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	h.samples = (4*sum + most - 1) / most
	h.progressive, h.known = progressive, true
}

// cost returns the bytes that a JPEG takes for each pixel: its samples and, if it is
// progressive, a coefficient of four bytes for each of them. If the head is in doubt it
// is the maximum.
func (h jpegHead) cost(cfg image.Config) int64 {
	if !h.known || h.width != cfg.Width || h.height != cfg.Height {
		h.samples, h.progressive = 16, true
	}
	bytes := h.samples
	if h.progressive {
		bytes *= 5
	}
	if h.samples > 12 { // four components are assembled again
		bytes += 16
	}
	return (bytes + 3) / 4
}

// orientation is how a picture must be turned to be upright, as EXIF numbers it.
type orientation uint8

// upright needs no turning.
const upright orientation = 0

// exifOrientation reads the Orientation tag of an APP1 segment; upright if there is none.
func exifOrientation(body []byte) orientation {
	if len(body) < 14 || string(body[:6]) != "Exif\x00\x00" {
		return upright
	}
	tiff := body[6:]
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := int64(order.Uint16(tiff[at:]))
	for i := range entries {
		entry := at + 2 + 12*i
		if entry+12 > int64(len(tiff)) {
			return upright
		}
		const orientationTag = 0x0112
		if order.Uint16(tiff[entry:]) == orientationTag {
			if v := order.Uint16(tiff[entry+8:]); v >= 2 && v <= 8 {
				return orientation(v)
			}
			return upright
		}
	}
	return upright
}

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
