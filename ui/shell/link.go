package shell

import (
	"errors"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// waitForStarts makes another start of the program raise this window, or use its store, until
// stop is called. It runs off the window's thread. While a store cannot be written, several windows may read it.
func (s *Shell) waitForStarts(a *app.App) (stop func()) {
	if s.opt.Wait == nil || a.CannotWrite() != nil {
		return func() {}
	}
	stop, err := s.opt.Wait(a, func(link *nostr.Code) {
		done := make(chan struct{})
		s.do.Do(func() {
			defer close(done)
			s.raise()
			if link != nil {
				s.OpenLink(*link)
			}
		})
		select {
		case <-done:
		case <-s.ctx.Done():
		}
	})
	if err != nil {
		s.opt.Logger.Warn("another start will not find this window", "err", err)
		return func() {}
	}
	return stop
}

// raise brings the window to the front.
func (s *Shell) raise() {
	if s.closing {
		return
	}
	s.seen = true
	s.window.Show()
	s.window.RequestFocus()
}

// OpenLink shows what a code names, as soon as there are screens: a person, or a note or
// article, which is looked for at the relays if it is not stored.
func (s *Shell) OpenLink(code nostr.Code) {
	if !s.ready() {
		s.link = &code
		return
	}
	s.link = nil
	ses, person := s.session, code.Prefix == nostr.CodePubKey || code.Prefix == nostr.CodeProfile
	if person {
		s.OpenProfile(code.PubKey)
	}
	s.do.Go(func() func() {
		e, err := ses.app.Live().Linked(ses.ctx, code, func() {
			s.do.Do(func() { s.Toast(lang.L("Looking for what the link names"), "", nil) })
		})
		return func() {
			switch {
			case s.session != ses || person:
			case err == nil && e.Kind == nostr.KindArticle:
				s.OpenArticle(e.ID)
			case err == nil && e.Kind == nostr.KindProfile:
				s.OpenProfile(e.PubKey)
			case err == nil:
				s.OpenThread(e.ID)
			case errors.Is(err, live.ErrSample):
				s.Toast(lang.L("The link names something that is not in the sample."), "", nil)
			case live.Unreachable(err):
				s.Toast(lang.L("No relay could be reached."), "", nil)
			case errors.Is(err, ndb.ErrNotFound):
				s.Toast(lang.L("No relay that was asked has what the link names."), "", nil)
			default:
				s.Toast(err.Error(), "", nil)
			}
		}
	})
}
