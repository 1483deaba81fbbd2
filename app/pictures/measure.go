package pictures

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
)

// The limits for a picture, whatever its decoder takes.
const (
	maxPixels   = 16 << 20
	maxSide     = 16_384
	maxLossless = 4 << 20 // pixels of a lossless WebP: see decode.go
)

// A plan is how a picture will be decoded: everything that must be known in advance.
type plan struct {
	decode        func(io.Reader) (image.Image, error)
	width, height int
	cost          int64       // bytes that decoding takes at most
	turn          orientation // how the camera was held
}

// measure reads a picture's size and decides, before anything is decoded, whether it is
// acceptable and what it costs. Its first bytes say of what kind it is: what a server or a
// name claims does not count.
func measure(data []byte) (plan, error) {
	var p plan
	var cfg image.Config
	var err error
	perPixel := int64(4)
	limit := maxPixels
	has := func(prefix string) bool { return bytes.HasPrefix(data, []byte(prefix)) }
	switch {
	case has("\x89PNG\r\n\x1a\n"):
		p.decode = png.Decode
		cfg, err = png.DecodeConfig(bytes.NewReader(data))
		perPixel = pngCost(cfg.ColorModel, data)
	case has("\xff\xd8\xff"):
		p.decode = jpeg.Decode
		cfg, err = jpeg.DecodeConfig(bytes.NewReader(data))
		head := readJPEG(data)
		perPixel, p.turn = head.cost(cfg), head.turn
	case has("GIF87a"), has("GIF89a"):
		p.decode = gif.Decode // the first frame
		cfg, err = gif.DecodeConfig(bytes.NewReader(data))
		perPixel = 2
	case has("RIFF") && len(data) >= 16 && string(data[8:15]) == "WEBPVP8":
		p.decode = decodeWebP
		var lossless bool
		if cfg, lossless, err = measureWebP(data); lossless {
			limit = maxLossless
			p.cost = maxDecoding // alone: its tables may take much more than its pixels
		}
	default:
		return plan{}, &Error{NotAPicture, nil}
	}
	if err != nil {
		return plan{}, &Error{Damaged, err}
	}
	p.width, p.height = cfg.Width, cfg.Height
	pixels := int64(cfg.Width) * int64(cfg.Height)
	p.cost = max(p.cost, pixels*perPixel+maxShown*maxShown*4)
	switch {
	case cfg.Width <= 0 || cfg.Height <= 0:
		return plan{}, &Error{Damaged, errors.New("it has no size")}
	case cfg.Width > maxSide || cfg.Height > maxSide || pixels > int64(limit) || p.cost > maxDecoding:
		return plan{}, &Error{TooLarge, fmt.Errorf("%d by %d pixels", cfg.Width, cfg.Height)}
	}
	return p, nil
}

// pngCost returns the bytes that a PNG takes for each pixel. An interlaced one is
// assembled from smaller ones.
func pngCost(model color.Model, data []byte) int64 {
	cost := int64(4)
	switch model {
	case color.GrayModel:
		cost = 1
	case color.Gray16Model:
		cost = 2
	case color.RGBA64Model, color.NRGBA64Model:
		cost = 8
	}
	if _, palette := model.(color.Palette); palette {
		cost = 1
	}
	const interlace = 8 + 8 + 12 // signature, head of IHDR, its fields before
	if len(data) <= interlace || data[interlace] != 0 {
		cost *= 2
	}
	return cost
}
