package shell

import (
	"context"
	"image"

	"bowerbird/app/config"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
)

// followReader keeps who is reading in the rail, also when their profile changes.
func (s *Shell) followReader() {
	ses := s.session
	if ses.endReader != nil {
		ses.endReader() // of the reader before
	}
	ctx, end := context.WithCancel(ses.ctx)
	ses.endReader = end
	sub := ses.app.Notes().Subscribe(ctx, nostr.Filter{Kinds: []uint16{0}, Authors: []nostr.PubKey{ses.app.Me()}})
	go func() {
		for range sub {
			s.do.Do(s.showReader)
		}
	}()
	s.showReader()
}

// railFace is how large the reader's picture is kept, in pixels: twice its size.
const railFace = 68

// showReader puts who is reading into the rail: their initial and, where pictures of
// people who are followed come without a click, their picture.
func (s *Shell) showReader() {
	ses := s.session
	if ses == nil {
		return
	}
	pictures := s.settings.Pictures.Show == config.PicturesOfFollowed && !ses.sample
	s.do.Go(func() func() {
		me := ses.app.Me()
		profile, err := ses.app.Notes().Profile(ses.ctx, me)
		if err != nil {
			profile = nostr.Profile{PubKey: me}
		}
		var face image.Image
		if pictures && profile.Picture != "" {
			if img, err := ses.app.Pictures().Load(ses.ctx, profile.Picture); err == nil {
				face = note.Small(img, railFace)
			}
		}
		return func() {
			if s.session == ses && ses.app.Me() == me {
				s.rail.showReader(present.Name(profile), me, face)
			}
		}
	})
}
