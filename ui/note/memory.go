package note

import (
	"image"

	"bowerbird/ndb/nostr"
)

// Memory keeps what the user has opened on the cards of a list, so that it is still open
// when a note comes back into sight. It is used on the window's thread only.
type Memory struct {
	notes    map[nostr.ID]opened
	pictures map[string]*Picture
	order    []string // keys of pictures, the oldest first
	bytes    int      // the memory that pictures take
}

type opened struct{ warning, whole bool }

// The limits of a Memory; beyond them the oldest is forgotten.
const (
	maxOpened       = 10_000
	maxPictures     = 400
	maxPictureBytes = 48 << 20
)

// Picture is the state of a picture that the user, or the settings, asked for. While Image
// is nil and Failed is "" it is loading, or must be loaded again.
type Picture struct {
	Image  image.Image
	Aspect float32 // height divided by width; kept when Image is dropped
	Failed string  // the error in words for the user; "" for none
}

// NewMemory returns a Memory in which nothing is open.
func NewMemory() *Memory {
	return &Memory{notes: map[nostr.ID]opened{}, pictures: map[string]*Picture{}}
}

// set records what is open of a note.
func (m *Memory) set(id nostr.ID, change func(*opened)) {
	o := m.notes[id]
	if len(m.notes) >= maxOpened {
		clear(m.notes)
	}
	change(&o)
	m.notes[id] = o
}

func openWarning(o *opened) { o.warning = true }
func openWhole(o *opened)   { o.whole = true }

// Asked returns the picture at a URL; nil if nobody asked for it.
func (m *Memory) Asked(url string) *Picture { return m.pictures[url] }

// Ask records that a picture is wanted.
func (m *Memory) Ask(url string) *Picture {
	if p := m.pictures[url]; p != nil {
		p.Failed = ""
		return p
	}
	if len(m.order) >= maxPictures {
		m.drop(m.order[0])
		delete(m.pictures, m.order[0])
		m.order = m.order[1:]
	}
	p := &Picture{}
	m.pictures[url] = p
	m.order = append(m.order, url)
	return p
}

// Keep stores a picture that was loaded, and drops the oldest beyond the limit.
func (m *Memory) Keep(url string, img image.Image) {
	p := m.pictures[url]
	if p == nil {
		return
	}
	if img == nil || img.Bounds().Empty() {
		p.Failed = failure(nil)
		return
	}
	b := img.Bounds()
	m.drop(url)
	p.Image, p.Aspect, p.Failed = img, float32(b.Dy())/float32(b.Dx()), ""
	m.bytes += size(img)
	for _, other := range m.order {
		if m.bytes <= maxPictureBytes {
			break
		}
		if other != url {
			m.drop(other)
		}
	}
}

// Fail records why a picture could not be loaded.
func (m *Memory) Fail(url string, err error) {
	if p := m.pictures[url]; p != nil {
		p.Failed = failure(err)
	}
}

// drop frees the pixels of a picture; its aspect stays known.
func (m *Memory) drop(url string) {
	if p := m.pictures[url]; p != nil && p.Image != nil {
		m.bytes -= size(p.Image)
		p.Image = nil
	}
}

func size(img image.Image) int { return 4 * img.Bounds().Dx() * img.Bounds().Dy() }
