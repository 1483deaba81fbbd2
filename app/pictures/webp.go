package pictures

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"

	"golang.org/x/image/webp"
)

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
