package sample

import (
	"encoding/json"
	"image"
	"image/draw"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"bowerbird/assets"
	"bowerbird/internal/testkit"
)

func TestEveryPictureOfTheSampleIsDrawnAndShown(t *testing.T) {
	w := makeSample(t, noon())
	shown := map[string]bool{}
	script := readTexts(t)
	for _, p := range script.people {
		shown[face(p.handle)] = true
	}
	for _, e := range script.entries {
		shown[pictureHost+e.picture+".png"] = true
		if e.picture != "" && e.alt == "" && e.verb != verbArticle {
			t.Errorf("%s.txt line %d: nothing says what the picture shows", e.file, e.line)
		}
	}
	faces, notes, covers := 0, 0, 0
	for _, e := range w.Events {
		if _, ok := e.Tags.Value("imeta"); ok && strings.Contains(e.Content, pictureHost) {
			notes++
		}
		if address, ok := e.Tags.Value("image"); ok && shown[address] {
			covers++
		}
		if e.Kind != kindProfile {
			continue
		}
		var p struct{ Picture string }
		if err := json.Unmarshal([]byte(e.Content), &p); err != nil {
			t.Fatal(err)
		}
		if _, ok := Picture(p.Picture); !ok && p.Picture != "" {
			t.Errorf("%s is not drawn", p.Picture)
		} else if ok {
			faces++
		}
	}
	if faces < 25 || faces > len(w.People)-15 {
		t.Errorf("%d of %d people have a picture, want most and not all", faces, len(w.People))
	}
	if notes < 3 || covers < 2 {
		t.Errorf("%d notes and %d articles have a picture", notes, covers)
	}
	files, err := fs.Glob(assets.Sample, "sample/pictures/*.svg")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	sheet := image.NewRGBA(image.Rect(0, 0, 6*200, 6*200+3*410))
	size, at, below := 0, 0, 0
	for _, file := range files {
		raw, err := assets.Sample.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		size += len(raw)
		name := strings.TrimSuffix(file[strings.LastIndex(file, "/")+1:], ".svg")
		address := pictureHost + name + ".png"
		img, ok := Picture(address)
		if !ok || !shown[address] {
			t.Errorf("%s is drawn: %v, shown: %v", name, ok, shown[address])
			continue
		}
		if !slices.ContainsFunc(img.Pix, func(b byte) bool { return b != img.Pix[0] && b != 0xff }) {
			t.Errorf("%s is empty", name)
		}
		if img.Bounds().Dx() == faceWidth {
			draw.Draw(sheet, img.Bounds().Add(image.Pt(at%6*200, at/6*200)), img, image.Point{}, draw.Src)
			at++
		} else {
			draw.Draw(sheet, image.Rect(0, 0, 600, 400).Add(image.Pt(below%2*600, 1200+below/2*410)), img, image.Point{}, draw.Src)
			below++
		}
	}
	if size > 64<<10 {
		t.Errorf("the pictures are %d bytes", size)
	}
	testkit.Picture(t, "pictures", sheet)
	if _, ok := Picture("https://elsewhere.example/face-juno.png"); ok {
		t.Error("a picture of another host is drawn")
	}
}
