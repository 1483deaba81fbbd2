package sample

import (
	"bytes"
	"fmt"
	"image"
	"io/fs"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

	"bowerbird/assets"
	"bowerbird/ndb/nostr"
)

// pictureHost is where the sample's pictures claim to be. A host under .example leads nowhere.
const pictureHost = "https://pictures.bower.example/"

// The width of the pictures that are drawn, in pixels: twice that of their places.
const (
	faceWidth    = 192
	pictureWidth = 880
)

// Picture draws the picture of the sample that has an address; ok is false if none has it.
func Picture(address string) (picture *image.RGBA, ok bool) {
	name, ours := strings.CutPrefix(address, pictureHost)
	if !ours {
		return nil, false
	}
	raw, err := assets.Sample.ReadFile("sample/pictures/" + strings.TrimSuffix(name, ".png") + ".svg")
	if err != nil {
		return nil, false
	}
	drawing, err := oksvg.ReadIconStream(bytes.NewReader(raw), oksvg.StrictErrorMode)
	if err != nil {
		return nil, false
	}
	width := pictureWidth
	if strings.HasPrefix(name, "face-") {
		width = faceWidth
	}
	height := int(float64(width) * drawing.ViewBox.H / drawing.ViewBox.W)
	picture = image.NewRGBA(image.Rect(0, 0, width, height))
	drawing.SetTarget(0, 0, float64(width), float64(height))
	drawing.Draw(rasterx.NewDasher(width, height, rasterx.NewScannerGV(width, height, picture, picture.Bounds())), 1)
	return picture, true
}

// drawn reports whether the sample has a picture of a name.
func drawn(name string) bool {
	_, err := fs.Stat(assets.Sample, "sample/pictures/"+name+".svg")
	return err == nil
}

// face returns the address of a person's face; "" where none is drawn for them.
func face(handle string) string {
	if !drawn("face-" + handle) {
		return ""
	}
	return pictureHost + "face-" + handle + ".png"
}

// addPicture adds the picture of a record to the text and the tags of its note (NIP-92).
func (e *entry) addPicture(text string, tags nostr.Tags) (string, nostr.Tags) {
	if e.picture == "" {
		return text, tags
	}
	address := pictureHost + e.picture + ".png"
	return text + "\n\n" + address, append(tags, nostr.Tag{
		"imeta", "url " + address, "m image/png", fmt.Sprintf("dim %dx%d", pictureWidth, pictureWidth*5/11), "alt " + e.alt,
	})
}
