package pictures

import (
	"encoding/binary"
	"image"
)

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
	if h.samples > 12 { // four components are put together anew
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
