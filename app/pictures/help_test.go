package pictures

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"bowerbird/netsafe"
)

// server serves bodies by path and counts requests.
type server struct {
	*httptest.Server
	asked atomic.Int32
}

func serve(t *testing.T, bodies map[string][]byte) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		body, ok := bodies[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/png") // whatever it is
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	return s
}

// local returns a loader that may reach this computer.
func local(dir string) *Loader {
	return New(Options{Web: netsafe.New(netsafe.Policy{AllowPrivate: true}), Dir: dir})
}

// photo is a picture whose left half is red and whose right half is blue.
func photo(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{0xd0, 0x20, 0x20, 0xff}
			if x >= w/2 {
				c = color.RGBA{0x20, 0x20, 0xd0, 0xff}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func pngOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The smallest WebP pictures, without and with loss: one pixel.
func lossless(t *testing.T) []byte {
	return fromBase64(t, "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
}

func lossy(t *testing.T) []byte {
	return fromBase64(t, "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
}

func fromBase64(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pngSaying is a PNG that says to be w by h pixels of depth and colour type, with
// the given rows behind it.
func pngSaying(w, h uint32, depth, colour byte, rows []byte) []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
		part := append([]byte(name), data...)
		b = append(b, part...)
		b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(part))
	}
	head := binary.BigEndian.AppendUint32(nil, w)
	head = binary.BigEndian.AppendUint32(head, h)
	chunk("IHDR", append(head, depth, colour, 0, 0, 0))
	chunk("IDAT", rows)
	chunk("IEND", nil)
	return b
}

// zeros is n bytes of zero as a PNG holds them.
func zeros(n int) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	block := make([]byte, 1<<16)
	for ; n > 0; n -= len(block) {
		_, _ = w.Write(block[:min(n, len(block))])
	}
	_ = w.Close()
	return b.Bytes()
}

// jpegSaying is a progressive JPEG that says to be w by h pixels of three
// components, each sampled for every pixel, and holds nothing.
func jpegSaying(w, h uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	b = append(b, bytes.Repeat([]byte{1}, 64)...)
	b = append(b, 0xff, 0xc2, 0, 17, 8)
	b = binary.BigEndian.AppendUint16(b, h)
	b = binary.BigEndian.AppendUint16(b, w)
	b = append(b, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
	// One table of one code, and a scan of the first coefficients.
	b = append(b, 0xff, 0xc4, 0, 20, 0, 1)
	b = append(b, make([]byte, 15)...)
	b = append(b, 0, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)
	return append(b, bytes.Repeat([]byte{0}, 64)...)
}

func gifSaying(w, h uint16) []byte {
	b := []byte("GIF89a")
	b = binary.LittleEndian.AppendUint16(b, w)
	b = binary.LittleEndian.AppendUint16(b, h)
	b = append(b, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x2c, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint16(b, w)
	b = binary.LittleEndian.AppendUint16(b, h)
	return append(b, 0, 2, 2, 0x44, 1, 0, 0x3b)
}

func bmpSaying(w, h uint32) []byte {
	b := append([]byte("BM"), make([]byte, 52)...)
	b[10], b[14] = 54, 40
	binary.LittleEndian.PutUint32(b[18:], w)
	binary.LittleEndian.PutUint32(b[22:], h)
	b[26], b[28] = 1, 24
	return b
}

// riff is a WebP of the given parts.
func riff(parts ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(parts, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func part(name string, body []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

func vp8x(flags byte, w, h int) []byte {
	w, h = w-1, h-1
	return part("VP8X", []byte{flags, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)})
}

func vp8(w, h uint16) []byte {
	b := []byte{0x30, 1, 0, 0x9d, 0x01, 0x2a}
	b = binary.LittleEndian.AppendUint16(b, w)
	b = binary.LittleEndian.AppendUint16(b, h)
	return part("VP8 ", append(b, make([]byte, 32)...))
}

func vp8l(w, h uint32) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{0x2f}, (w-1)|(h-1)<<14)
	return part("VP8L", append(b, make([]byte, 32)...))
}
