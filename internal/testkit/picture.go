package testkit

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// lookVariable names the folder in which pictures are kept for people to look at. `make
// look` sets it.
const lookVariable = "BOWERBIRD_LOOK"

// Looking reports whether pictures are kept.
func Looking() bool { return os.Getenv(lookVariable) != "" }

// Picture fails the test if next to nothing is drawn in a picture, and keeps it.
func Picture(t testing.TB, name string, img image.Image) {
	t.Helper()
	const fewest = 8 // one line of text has more, from the edges of its letters
	if n := coloursUpTo(img, fewest); n < fewest {
		t.Errorf("the picture %s of %v has %d colours, so next to nothing is drawn", name, img.Bounds().Size(), n)
	}
	if !Looking() {
		return
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	KeepFile(t, name+".png", file.Bytes())
}

// KeepFile writes a file into the folder of pictures, under the name of the package that
// is tested and its own. Without that folder it does nothing.
func KeepFile(t testing.TB, name string, data []byte) {
	t.Helper()
	if !Looking() {
		return
	}
	dir := os.Getenv(lookVariable)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tested, err := os.Getwd() // go test runs in the folder of the package
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(tested)+"-"+name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// coloursUpTo counts the colours of a picture, and stops at most.
func coloursUpTo(img image.Image, most int) int {
	seen := make(map[color.Color]bool)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if seen[img.At(x, y)] = true; len(seen) == most {
				return most
			}
		}
	}
	return len(seen)
}
