package pictures

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

func troubleOf(err error) Trouble {
	var e *Error
	if errors.As(err, &e) {
		return e.Trouble
	}
	return ""
}

func TestABombIsRefusedBeforeItsPixelsAreMadeRoomFor(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want Trouble
	}{
		{"a BMP of 60,000 by 60,000", bmpSaying(60000, 60000), NotAPicture},
		{"a TIFF", []byte("II*\x00\x08\x00\x00\x00 and more of it"), NotAPicture},
		{"an SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><use href="#a" id="a"/></svg>`), NotAPicture},
		{"an SVG that says to be XML", []byte(`<?xml version="1.0"?><svg/>`), NotAPicture},
		{"a web page", []byte("<!doctype html><title>no picture</title>"), NotAPicture},
		{"nothing", nil, NotAPicture},
		{"an AVIF", []byte("\x00\x00\x00\x20ftypavif\x00\x00\x00\x00"), NotAPicture},
		{"a PNG of 50,000 by 50,000", pngSaying(50000, 50000, 8, 6, nil), TooLarge},
		{"a PNG of 20,000 by 20,000, one bit each", pngSaying(20000, 20000, 1, 0, zeros(20000*2501)), TooLarge},
		{"a PNG of one long row", pngSaying(16385, 1, 8, 6, nil), TooLarge},
		{"a PNG of sixteen bits a sample", pngSaying(4096, 4096, 16, 6, nil), TooLarge},
		{"a progressive JPEG of 65,500 by 65,500", jpegSaying(65500, 65500), TooLarge},
		{"a progressive JPEG within the pixels but not the memory", jpegSaying(4096, 4096), TooLarge},
		{"a GIF of 65,535 by 65,535", gifSaying(65535, 65535), TooLarge},
		{"a WebP of 16,383 by 16,383", riff(vp8(16383, 16383)), TooLarge},
		{"a lossless WebP of 16,384 by 16,384", riff(vp8l(16384, 16384)), TooLarge},
		{"a WebP that says to be smaller than it is", riff(vp8x(0, 1, 1), vp8(16383, 16383)), Damaged},
		{"a lossless one that does", riff(vp8x(0, 8, 8), vp8l(16384, 16384)), Damaged},
		{"a WebP with an outer size twice", riff(vp8x(0, 8, 8), vp8x(0, 9, 9), vp8(9, 9)), Damaged},
		{"a WebP whose part is longer than the file", riff(append([]byte("VP8 "), 0xff, 0xff, 0xff, 0x7f)), Damaged},
		{"a PNG without a size", pngSaying(0, 0, 8, 6, nil), Damaged},
		{"half a JPEG", []byte{0xff, 0xd8, 0xff, 0xc2, 0, 17}, Damaged},
	}
	l := local("")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			took := testkit.Allocated(func() { _, err = l.decode(t.Context(), tt.data) })
			if troubleOf(err) != tt.want {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if took > 3<<20 {
				t.Errorf("took %d bytes", took)
			}
		})
	}
}

// The costliest pictures that are still decoded, one after another and side by side.
func TestWhatIsDecodedTakesNoMoreThanItsRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes large pictures")
	}
	costly := [][]byte{
		jpegSaying(2560, 2400), // 6 million pixels at 15 bytes
		pngSaying(4096, 4096, 8, 0, zeros(4096*4097)),
		pngOf(t, photo(4096, 3000)),
		jpegOf(t, photo(4096, 4000)),
	}
	l := local("")
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() {
		defer close(done)
		other := make(chan struct{})
		go func() {
			defer close(other)
			for _, data := range costly {
				_, _ = l.decode(context.Background(), data)
			}
		}()
		for _, data := range costly {
			_, _ = l.decode(context.Background(), data)
		}
		<-other
	}()
	var peak uint64
	for {
		select {
		case <-done:
			t.Logf("the heap grew by %d MB at most", peak>>20)
			if peak > 150<<20 {
				t.Errorf("the heap grew by %d MB", peak>>20)
			}
			return
		case <-time.After(2 * time.Millisecond):
			runtime.ReadMemStats(&now)
			if inUse := now.HeapInuse; inUse > before.HeapInuse {
				peak = max(peak, inUse-before.HeapInuse)
			}
		}
	}
}

func TestAGIFOfAHundredThousandFramesShowsItsFirst(t *testing.T) {
	frame := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.White})
	anim := &gif.GIF{}
	for range 1000 {
		anim.Image, anim.Delay = append(anim.Image, frame), append(anim.Delay, 1)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, anim); err != nil {
		t.Fatal(err)
	}
	// The thousand frames a hundred times over: their head and tail taken off.
	head := bytes.IndexByte(b.Bytes(), 0x21)
	frames := b.Bytes()[head : b.Len()-1]
	data := append(b.Bytes()[:head:head], bytes.Repeat(frames, 100)...)
	data = append(data, 0x3b)
	var img *image.RGBA
	var err error
	took := testkit.Allocated(func() { img, err = local("").decode(t.Context(), data) })
	if err != nil {
		t.Fatal(err)
	}
	if img.Rect.Dx() != 1 {
		t.Errorf("%v", img.Rect)
	}
	if took > 2<<20 {
		t.Errorf("took %d bytes", took)
	}
}

func TestADecoderThatPanicsIsAnError(t *testing.T) {
	p := plan{width: 1, height: 1, decode: func(io.Reader) (image.Image, error) { panic("out of range") }}
	if _, err := run(t.Context(), p, nil); troubleOf(err) != Damaged {
		t.Errorf("error %v", err)
	}
}

func TestADecoderThatMakesMoreThanWasSaidIsAnError(t *testing.T) {
	p := plan{width: 2, height: 2, decode: func(io.Reader) (image.Image, error) { return image.NewGray(image.Rect(0, 0, 3, 2)), nil }}
	if _, err := run(t.Context(), p, nil); troubleOf(err) != Damaged {
		t.Errorf("error %v", err)
	}
}

func TestADecoderIsStoppedAtItsNextRead(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p := plan{width: 1, height: 1, decode: func(r io.Reader) (image.Image, error) {
		if _, err := r.Read(make([]byte, 1)); err != nil {
			return nil, err
		}
		cancel(&Error{TooSlow, nil})
		_, err := r.Read(make([]byte, 1))
		return nil, err
	}}
	if _, err := run(ctx, p, []byte("12")); troubleOf(err) != TooSlow {
		t.Errorf("error %v", err)
	}
}

func TestThePicturesOfTheHostileSetStopNothing(t *testing.T) {
	dir := testkit.Shared(t, "data", "hostile", "images")
	l := local("")
	files, shown := 0, 0
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		files++
		img, err := l.decode(t.Context(), data)
		switch {
		case err == nil && max(img.Rect.Dx(), img.Rect.Dy()) > maxShown:
			t.Errorf("%s: %v", d.Name(), img.Rect)
		case err == nil:
			shown++
		case troubleOf(err) == "":
			t.Errorf("%s: %v is no trouble of ours", d.Name(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d shown", files, shown)
}

func TestACompressedBodyEndsAtTheLimit(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("\x89PNG\r\n\x1a\n"))
	block := make([]byte, 1<<20)
	for range 64 {
		_, _ = z.Write(block)
	}
	_ = z.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(b.Bytes())
	}))
	defer s.Close()
	if _, err := local("").Load(t.Context(), s.URL+"/bomb.png"); troubleOf(err) != TooLarge {
		t.Errorf("error %v", err)
	}
}

func FuzzNoPictureStopsTheProgram(f *testing.F) {
	for _, seed := range [][]byte{
		pngSaying(4, 4, 8, 6, zeros(4*17)), jpegSaying(16, 16), gifSaying(3, 3), riff(vp8(8, 8)), riff(vp8x(0x10, 8, 8), vp8l(8, 8)),
	} {
		f.Add(seed)
	}
	l := local("")
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := l.decode(t.Context(), data)
		if err == nil && max(img.Rect.Dx(), img.Rect.Dy()) > maxShown {
			t.Errorf("%v is larger than shown", img.Rect)
		}
	})
}
