package chat

import (
	"context"
	"image"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
)

// faces keeps the pictures of people for the lines of sources. They are loaded by the
// rules of the cards: of people who are followed, where the settings say so, and of
// nobody else.
type faces struct {
	screen *Screen
	read   func(context.Context, nostr.ID) (present.Note, error)
	known  map[nostr.PubKey]image.Image // nil where there is none, or not yet
}

// The size in which faces are kept, in pixels, and how many.
const (
	faceSide  = 48
	mostFaces = 500
)

func newFaces(s *Screen) *faces {
	return &faces{screen: s, read: s.reader.Note, known: map[nostr.PubKey]image.Image{}}
}

// get returns the picture of a source's author, or nil; the sources are drawn anew
// when it comes.
func (f *faces) get(of answers.Source) image.Image {
	env := f.screen.env
	if env.Pictures == nil || !env.Look.ShowFollowed || of.Gone {
		return nil
	}
	if img, asked := f.known[of.PubKey]; asked {
		return img
	}
	if len(f.known) >= mostFaces {
		clear(f.known)
	}
	f.known[of.PubKey] = nil
	ctx := f.screen.ctx
	env.Do.Go(func() func() {
		n, err := f.read(ctx, of.ID)
		if err != nil || n.Face == "" || !note.Followed(&n) {
			return nil
		}
		img, err := env.Pictures.Load(ctx, n.Face)
		if err != nil {
			return nil // the initial stays
		}
		img = note.Small(img, faceSide)
		return func() {
			f.known[of.PubKey] = img
			f.screen.redraw(rowSource)
			f.screen.redraw(rowDigest)
		}
	})
	return nil
}
